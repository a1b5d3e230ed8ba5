"""Videos: planes equal FFmpeg's own rawvideo, nothing converted, the spool reused, bounded and cleaned."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import pytest

from motion_tui.clips import ffmpeg, spool
from motion_tui.clips.base import Clip
from motion_tui.clips.ffmpeg import SpoolCancelled
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError, UsageError


def run_ffmpeg(*arguments: str | Path) -> bytes:
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def make_video(path: Path, size: str, pix_fmt: str, *encoder: str | Path, seconds: float = 0.4) -> Path:
    """A moving test picture; sizes are scaled to exactly, since FFmpeg's sources round odd ones down."""
    pattern = f"testsrc2=size=256x192:rate=25:duration={seconds}"
    width, height = size.split("x")
    run_ffmpeg(
        "-f", "lavfi", "-i", pattern, "-vf", f"crop={width}:{height}:exact=1,format={pix_fmt}", *encoder, path
    )  # fmt: skip
    return path


def samples(clip: Clip) -> bytes:
    return b"".join(plane.astype(plane.dtype.newbyteorder("<")).tobytes() for frame in clip for plane in frame.planes)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spool of each test's own."""
    monkeypatch.setenv("MOTION_TUI_CACHE_DIR", str(tmp_path / "spool"))
    monkeypatch.delenv("MOTION_TUI_CACHE_BYTES", raising=False)
    return tmp_path / "spool"


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Ten frames of H.264."""
    return make_video(tmp_path / "short.mp4", "178x98", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast")


@pytest.mark.parametrize(
    ("name", "size", "pix_fmt", "encoder"),
    [
        ("a.mp4", "178x98", "yuv420p", ["libx264"]),
        ("b.mkv", "178x98", "yuv420p10le", ["libx264"]),
        ("c.mkv", "94x70", "yuv422p10le", ["libx264"]),
        ("d.mp4", "131x67", "yuv444p", ["libx264"]),
        ("e.mkv", "67x49", "yuv420p10le", ["ffv1"]),
        ("f.mkv", "67x49", "yuv422p", ["ffv1"]),
        ("g.mkv", "66x50", "gray10le", ["ffv1"]),
        ("h.mkv", "66x50", "yuva444p", ["ffv1"]),
        ("i.avi", "64x48", "yuvj420p", ["mjpeg"]),
    ],
)
def test_planes_equal_ffmpegs_rawvideo(tmp_path: Path, name: str, size: str, pix_fmt: str, encoder: list[str]) -> None:
    path = make_video(tmp_path / name, size, pix_fmt, "-c:v", *encoder)
    raw = run_ffmpeg("-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-")
    with open_clip(path) as clip:
        assert f"{clip.width}x{clip.height}" == size
        assert len(clip) == 10
        assert clip.container == "video"
        if pix_fmt == "yuva444p":
            frame = len(raw) // 10
            raw = b"".join(raw[at : at + frame * 3 // 4] for at in range(0, len(raw), frame))
            assert any("alpha" in warning for warning in clip.warnings)
        assert samples(clip) == raw


def test_full_range_is_not_rescaled(tmp_path: Path) -> None:
    """Y=81 stays 81, whatever the range flag says."""
    grey = bytes([81]) * (64 * 48) + bytes([90]) * (32 * 24) + bytes([240]) * (32 * 24)
    (tmp_path / "in.yuv").write_bytes(grey * 3)
    source = ("-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "64x48", "-i", tmp_path / "in.yuv")
    for color_range in ("tv", "pc"):
        path = tmp_path / f"{color_range}.mkv"
        run_ffmpeg(*source, "-vf", f"setparams=range={color_range}", "-c:v", "libx264", "-qp", "0", path)
        with open_clip(path) as clip:
            assert samples(clip) == grey * 3


def test_rotation_metadata_does_not_turn_the_planes(tmp_path: Path, short: Path) -> None:
    turned = tmp_path / "turned.mp4"
    run_ffmpeg("-display_rotation", "90", "-i", short, "-c", "copy", turned)
    with open_clip(short) as straight, open_clip(turned) as clip:
        assert (clip.width, clip.height) == (178, 98)
        assert samples(clip) == samples(straight)


def test_uneven_time_stamps_neither_drop_nor_double_frames(tmp_path: Path, short: Path) -> None:
    uneven = tmp_path / "uneven.mkv"
    run_ffmpeg("-i", short, "-c:v", "ffv1", "-vf", "setpts=N*N/25/TB", "-fps_mode", "passthrough", uneven)
    with open_clip(short) as even, open_clip(uneven) as clip:
        assert samples(clip) == samples(even)


def test_a_conversion_is_refused_or_named(tmp_path: Path) -> None:
    path = make_video(tmp_path / "rgb.mov", "64x48", "rgb24", "-c:v", "png")
    with pytest.raises(ClipError, match=r"its frames are rgb24, .* name a conversion, such as --convert yuv444p"):
        open_clip(path)
    with open_clip(path, convert="yuv444p") as clip:
        assert (clip.pixel_format, clip.sources["format"]) == ("444", "--convert yuv444p")
        assert any("converted to yuv444p by FFmpeg, as asked" in warning for warning in clip.warnings)
    with pytest.raises(ClipError, match="--convert rgb24: not a planar"):
        open_clip(path, convert="rgb24")


def test_a_stream_that_changes_size_is_refused(tmp_path: Path) -> None:
    parts = [
        make_video(tmp_path / f"{size}.h264", size, "yuv420p", "-c:v", "libx264", "-f", "h264")
        for size in ("96x64", "128x96")
    ]
    path = tmp_path / "both.h264"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    with pytest.raises(ClipError, match="the stream changes to yuv420p 128x96"):
        open_clip(path)
    with open_clip(path, frames="0:10") as clip:
        assert (clip.width, len(clip)) == (96, 10)


def test_the_spool_is_reused_until_the_file_changes(short: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_clip(short) as clip:
        before = samples(clip)
    with monkeypatch.context() as patched:
        patched.setattr(ffmpeg, "decode", lambda *_: pytest.fail("decoded a second time"))
        with open_clip(short) as clip:
            assert samples(clip) == before
    run_ffmpeg("-f", "lavfi", "-i", "testsrc=size=178x98:rate=25:duration=0.4", "-pix_fmt", "yuv420p", short)
    with open_clip(short) as clip:
        assert samples(clip) != before
    assert len(list(cache.glob("*.yuv"))) == 2
    for entry in cache.glob("*.yuv"):
        entry.write_bytes(b"damaged")
    with open_clip(short) as clip:
        assert len(clip) == 10


def stream_with(**changes: object) -> dict[str, object]:
    return {"pix_fmt": "yuv420p", "width": 178, "height": 98, "first_frame_bytes": 26166, "estimated_frames": 10,
            "siting": "left", "notes": [], **changes}  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"stream": 5},
        {"stream": {}},
        {"stream": stream_with(width="178")},
        {"stream": stream_with(width=0)},
        {"stream": stream_with(width=176)},
        {"stream": stream_with(pix_fmt="rgb24")},
        {"stream": stream_with(notes=None)},
        {"stream": stream_with(notes=[1])},
        {"stream": stream_with(more=1)},
        {"warnings": "text"},
        {"warnings": [None]},
        {"frames": "10"},
        {"frames": 9},
        {"bytes": "261660"},
    ],
    ids=str,
)
def test_a_note_that_is_not_ours_is_decoded_anew(short: Path, cache: Path, changes: dict[str, object]) -> None:
    with open_clip(short) as clip:
        before = samples(clip)
    (note,) = cache.glob("*.json")
    right = json.loads(note.read_text())
    note.write_text(json.dumps(right | changes))
    with open_clip(short) as clip:
        assert (samples(clip), clip.siting) == (before, right["stream"]["siting"])
    assert json.loads(note.read_text()) == right


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "5", "{}"], ids=["deep", "list", "number", "empty"])
def test_a_note_that_is_no_note_is_decoded_anew(short: Path, cache: Path, text: str) -> None:
    open_clip(short).close()
    (note,) = cache.glob("*.json")
    note.write_text(text)
    with open_clip(short) as clip:
        assert len(clip) == 10


def test_an_entry_that_is_evicted_while_it_is_opened_is_decoded_again(
    short: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_clip(short) as clip:
        before = samples(clip)
    find = spool.find

    def find_and_lose(key: str) -> tuple[Path, dict[str, Any]] | None:
        found = find(key)
        for path in cache.iterdir():
            path.unlink()
        return found

    monkeypatch.setattr(spool, "find", find_and_lose)
    with open_clip(short) as clip:
        assert samples(clip) == before


def test_frames_are_cut_before_they_are_spooled(short: Path, cache: Path) -> None:
    with open_clip(short) as whole, open_clip(short, frames="3:6") as part:
        assert samples(part) == b"".join(
            plane.tobytes() for frame in list(whole)[3:6] for plane in frame.planes
        )  # fmt: skip
        assert part.sources["frames"] == "--frames 3:6"
    sizes = sorted(path.stat().st_size for path in cache.glob("*.yuv"))
    assert sizes == [3 * 26166, 10 * 26166]
    with pytest.raises(ClipError, match="--frames 3:60: the video has no more than 10 frames"):
        open_clip(short, frames="3:60")


def test_the_least_recently_used_entry_goes_first(short: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = []
    for age, frames in ((2, "0:3"), (1, "3:6")):
        known = set(cache.glob("*.json"))
        with open_clip(short, frames=frames):
            entries.append((set(cache.glob("*.json")) - known).pop())
        os.utime(entries[-1], ns=(10**9 - age, 10**9 - age))
    with open_clip(short, frames="0:3"):
        pass
    monkeypatch.setenv("MOTION_TUI_CACHE_BYTES", str(6 * 26166))
    with open_clip(short, frames="6:9"):
        pass
    used_again, unused = entries
    assert used_again.exists()
    assert not unused.exists()
    assert not unused.with_suffix(".yuv").exists()
    assert sum(path.stat().st_size for path in cache.glob("*.yuv")) == 6 * 26166


def test_too_large_for_the_cache_is_refused_before_decoding(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTION_TUI_CACHE_BYTES", "100000")
    with pytest.raises(ClipError, match="about 261660 bytes, more than the cache's 100000: give --frames A:B"):
        open_clip(short)
    monkeypatch.setenv("MOTION_TUI_CACHE_BYTES", "1 GB")
    with pytest.raises(UsageError, match="MOTION_TUI_CACHE_BYTES=1 GB"):
        open_clip(short)


def test_damaged_streams_are_said_to_be(tmp_path: Path, short: Path) -> None:
    data = bytearray(short.read_bytes())
    for at in range(1000, 6000, 37):
        data[at] ^= 0x55
    path = tmp_path / "damaged.mp4"
    path.write_bytes(data)
    with open_clip(path) as clip:
        assert any("FFmpeg met damage" in warning for warning in clip.warnings)


def test_a_stream_of_unknown_length_stops_at_the_cache_limit(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_video(tmp_path / "a.h264", "178x98", "yuv420p", "-c:v", "libx264", "-f", "h264")
    monkeypatch.setenv("MOTION_TUI_CACHE_BYTES", "100000")
    with pytest.raises(ClipError, match="decoded it takes more than the cache's 100000 bytes"):
        open_clip(path)
    assert list(cache.iterdir()) == []


def test_progress_and_cancel(tmp_path: Path, cache: Path) -> None:
    path = make_video(
        tmp_path / "long.mkv", "160x120", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", seconds=20
    )
    seen: list[tuple[int, int]] = []
    with open_clip(path, progress=lambda done, total: seen.append((done, total))) as clip:
        assert len(clip) == 500
    assert seen[-1][1] == 500
    assert all(0 <= done <= total for done, total in seen)
    for entry in (*cache.glob("*.yuv"), *cache.glob("*.json")):
        entry.unlink()
    with pytest.raises(SpoolCancelled, match="cancelled after frame"):
        open_clip(path, cancelled=lambda: True)
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"hello", "FFmpeg cannot decode it: Error opening input: Invalid data"),
        (b"\0\0\0\x18ftypisom\0\0\2\0isomiso2\0\0\0\x10mdat" + bytes(8), "moov atom not found"),
        (b"", "FFmpeg cannot decode it"),
        (b"#EXTM3U\nhttp://127.0.0.1:9/x.ts\n", "FFmpeg cannot decode it"),
    ],
)
def test_what_is_no_video_is_refused_in_one_line(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "x.mp4"
    path.write_bytes(data)
    with pytest.raises(ClipError, match=expected) as refused:
        open_clip(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_sound_alone_and_a_size_are_refused(tmp_path: Path, short: Path) -> None:
    path = tmp_path / "sound.wav"
    run_ffmpeg("-f", "lavfi", "-i", "sine=duration=0.1", path)
    with pytest.raises(ClipError, match="it has no video stream"):
        open_clip(path)
    with pytest.raises(UsageError, match="--size does not apply to a video"):
        open_clip(short, size="3x3")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{video}\n#EXT-X-ENDLIST\n"),
        ("a.ffconcat", "ffconcat version 1.0\nfile short.mp4\n"),
        ("b.mp4", "ffconcat version 1.0\nfile short.mp4\n"),
        (
            "a.mpd",
            '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
            'mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" '
            'bandwidth="1" width="178" height="98"><BaseURL>{video}</BaseURL></Representation></AdaptationSet></Period>'
            "</MPD>",
        ),
    ],
)
def test_a_playlist_makes_no_other_file_readable(tmp_path: Path, short: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text.format(video=short))
    with pytest.raises(ClipError, match="FFmpeg cannot decode it"):
        open_clip(path)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tff.mpg", ["-vf", "setfield=tff", "-c:v", "mpeg2video", "-flags", "+ilme+ildct"]),
        ("bff.mpg", ["-vf", "setfield=bff", "-c:v", "mpeg2video", "-flags", "+ilme+ildct"]),
        ("tff.mp4", ["-c:v", "libx264", "-x264opts", "tff=1", "-pix_fmt", "yuv420p"]),
        ("pal.dv", ["-c:v", "dvvideo", "-pix_fmt", "yuv420p"]),
    ],
)
def test_interlaced_videos_are_read_with_a_warning(tmp_path: Path, name: str, options: list[str]) -> None:
    path = tmp_path / name
    run_ffmpeg("-f", "lavfi", "-i", "testsrc2=size=720x576:rate=25:duration=0.12", *options, path)
    with open_clip(path) as clip:
        assert samples(clip) == run_ffmpeg("-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-")
        assert any(warning.startswith("interlaced (") for warning in clip.warnings)


def test_detectors_of_raw_samples_do_not_doubt_a_decoder(tmp_path: Path) -> None:
    path = make_video(tmp_path / "a.mkv", "64x48", "yuv444p16le", "-c:v", "ffv1", "-strict", "-2")
    with open_clip(path) as clip:
        assert clip.warnings == []


def test_lines_of_the_log_that_ran_into_each_other_are_asked_for_again(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, runs = subprocess.run, []

    def garbled_at_first(*arguments: Any, **keywords: Any) -> Any:
        done = real(*arguments, **keywords)
        runs.append(done)
        if len(runs) == 1:
            done.stderr = done.stderr.replace(b": Video: rawvideo", b"[in#0] [verbose] EOF\n: Video: rawvideo")
        return done

    monkeypatch.setattr(subprocess, "run", garbled_at_first)
    with open_clip(short) as clip:
        assert (len(clip), clip.siting, len(runs)) == (10, "left (FFmpeg)", 2)


def test_an_ffmpeg_that_is_too_old_is_said_to_be(tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "ffmpeg"
    old.write_text("#!/bin/sh\necho '[error] fd:: Protocol not found' >&2\nexit 1\n")
    old.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "executable", lambda: str(old))
    with pytest.raises(ClipError, match="came with version 6"):
        open_clip(short)


def test_a_cache_that_cannot_be_written_is_named(short: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", denied)
    with pytest.raises(ClipError, match=f"^{cache}: the cache of videos cannot be written: Permission denied"):
        open_clip(short)


def test_names_that_look_like_options_or_protocols(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(short.parent)
    for name in ("-i.mp4", "concat:a|b.mp4", "a b'c%d\".mp4"):
        Path(name).write_bytes(short.read_bytes())
        with open_clip(name) as clip:
            assert len(clip) == 10
