"""Y4M: every header form of the field, where frames lie, and what is said of files that are not right."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from motion_tui.clips.registry import open_clip
from motion_tui.clips.y4m_header import parse_header
from motion_tui.core.errors import ClipError, UsageError

LUMA = bytes(range(12))


def write(path: Path, header: str | bytes, *frames: bytes) -> Path:
    """Write a Y4M file; each of `frames` has its own header line."""
    head = header if isinstance(header, bytes) else header.encode()
    path.write_bytes(head + b"".join(frames))
    return path


def plain(size: int, count: int = 2) -> list[bytes]:
    """Frames of `size` bytes, each filled with its number."""
    return [b"FRAME\n" + bytes([number + 1]) * size for number in range(count)]


@pytest.mark.parametrize(
    ("colour", "chroma", "bits", "frame_bytes"),
    [
        ("", "420", 8, 20), (" C420", "420", 8, 20), (" C420jpeg", "420", 8, 20), (" C420mpeg2", "420", 8, 20),
        (" C420paldv", "420", 8, 20), (" C420p8", "420", 8, 20), (" C422p8", "422", 8, 24), (" C444p8", "444", 8, 36),
        (" C420p9", "420", 9, 40), (" C420p10 XYSCSS=420P10", "420", 10, 40), (" C420p12", "420", 12, 40),
        (" C420p14", "420", 14, 40), (" C420p16", "420", 16, 40), (" C422", "422", 8, 24), (" C422p10", "422", 10, 48),
        (" C422p16", "422", 16, 48), (" C444", "444", 8, 36), (" C444p12", "444", 12, 72), (" C411", "411", 8, 18),
        (" C410", "410", 8, 14), (" C440", "440", 8, 28), (" C444alpha", "444", 8, 48), (" Cmono", "400", 8, 12),
        (" Cmono8", "400", 8, 12), (" Cmono9", "400", 9, 24), (" Cmono10", "400", 10, 24), (" Cmono12", "400", 12, 24),
        (" Cmono16", "400", 16, 24), (" XYSCSS=422P10", "422", 10, 48),
    ],
)  # fmt: skip
def test_colour_tags(tmp_path: Path, colour: str, chroma: str, bits: int, frame_bytes: int) -> None:
    path = write(tmp_path / "a.y4m", f"YUV4MPEG2 W4 H3 F25:1 Ip A1:1{colour}\n", *plain(frame_bytes))
    with open_clip(path) as clip:
        assert (clip.pixel_format, clip.bit_depth, len(clip)) == (chroma, bits, 2)
        word = 2 if bits == 8 else 0x0202
        assert all((plane == word).all() for plane in clip.frame(1).planes)
        assert len(clip.frame(1).planes) == (1 if chroma == "400" else 3)


@pytest.mark.parametrize(
    "colour", ["420foo", "420jpegp10", "444ps", "444ph", "420p7", "420p17", "mono7", "monop10", "400"]
)
def test_unknown_colour_tags_are_refused_by_name(tmp_path: Path, colour: str) -> None:
    path = write(tmp_path / "a.y4m", f"YUV4MPEG2 W4 H3 C{colour}\n", *plain(18))
    with pytest.raises(ClipError, match=f"colour tag 'C{colour}' is not known"):
        open_clip(path)


def test_tags_in_any_order() -> None:
    tags = ["W4", "H3", "F30000:1001", "Ip", "A0:0", "C422p10", "XYSCSS=422P10"]
    for order in itertools.permutations(tags):
        header = parse_header(("YUV4MPEG2 " + " ".join(order) + "\n").encode(), "x")
        assert (header.size, header.format.pixel_format, header.format.bits) == ((4, 3), "422", 10)


@pytest.mark.parametrize(
    "header",
    [
        "YUV4MPEG2 W352 H288 F30000:1001 Ip A128:117 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\n",
        "YUV4MPEG2 W352 H288\n",
        "YUV4MPEG2  W352\tH288   Ip \n",
        "YUV4MPEG2 C420 H288 W352 XLENGTH=3 Xfree-text\n",
        f"YUV4MPEG2 W352 H288 X{'y' * 270}\n",
        f"YUV4MPEG2 W352 H288 X{'y' * 5000}\n",
        f"YUV4MPEG2 W352 X{'y' * 65000} H288\n",
    ],
)
def test_headers_of_the_field(tmp_path: Path, header: str) -> None:
    with open_clip(write(tmp_path / "a.y4m", header, *plain(352 * 288 * 3 // 2))) as clip:
        assert (clip.width, clip.height, len(clip)) == (352, 288, 2)
        assert (clip.frame(1).planes[2] == 2).all()


def test_a_missing_colour_tag_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W176 H144 F15:1 Ip A128:117\n", *plain(176 * 144 * 3 // 2))
    with open_clip(path) as clip:
        assert clip.sources["format"] == "default (no C tag)"
        assert any(warning.startswith("no C tag: 4:2:0 with 8 bits") for warning in clip.warnings)


def test_siting_comes_from_the_header(tmp_path: Path) -> None:
    sited = {"420jpeg": "centre", "420mpeg2": "left", "420paldv": "top left", "420": "not said"}
    for colour, siting in sited.items():
        with open_clip(write(tmp_path / "a.y4m", f"YUV4MPEG2 W4 H3 C{colour}\n", *plain(20))) as clip:
            assert clip.siting.startswith(siting)


@pytest.mark.parametrize("tag", ["t", "b", "m"])
def test_interlaced_is_read_with_a_warning(tmp_path: Path, tag: str) -> None:
    with open_clip(write(tmp_path / "a.y4m", f"YUV4MPEG2 W4 H3 I{tag} Cmono\n", *plain(12))) as clip:
        assert len(clip) == 2
        assert any(f"interlaced (I{tag}" in warning for warning in clip.warnings)


def test_crlf_is_read_and_noted(tmp_path: Path) -> None:
    frames = [b"FRAME\r\n" + LUMA, b"FRAME\r\n" + LUMA[::-1]]
    with open_clip(write(tmp_path / "a.y4m", b"YUV4MPEG2 W4 H3 Cmono\r\n", *frames)) as clip:
        assert clip.frame(1).planes[0].tobytes() == LUMA[::-1]
        assert any("CR LF" in warning for warning in clip.warnings)


@pytest.mark.parametrize(("width", "height"), [(4, 3), (640, 480)])
def test_frame_parameters_of_any_length(tmp_path: Path, width: int, height: int) -> None:
    """Headers that differ in length: frames are where an index says, not where multiplication does."""
    lines = [
        b"FRAME",
        b"FRAME Xfoo",
        b"FRAME Itp",
        b"FRAME ",
        b"FRAME X" + b"y" * 300,
        b"FRAME X" + b"z" * 6000,
        b"FRAME",
    ]
    frames = [line + b"\n" + bytes([number]) * width * height for number, line in enumerate(lines)]
    path = write(tmp_path / "a.y4m", f"YUV4MPEG2 W{width} H{height} Cmono\n", *frames)
    with open_clip(path) as clip:
        assert len(clip) == len(lines)
        for number in (6, 0, 5, 3, 1, 4, 2):
            assert (clip.frame(number).planes[0] == number).all()
            assert path.read_bytes()[clip.frame_offset(number) or 0] == number


def test_one_odd_header_deep_inside_is_found_when_it_is_met(tmp_path: Path) -> None:
    """The places that are checked at opening are alike; frame 5 is longer by as much as the file's tail is cut."""
    frames = plain(12, 20)
    frames[5] = b"FRAME Xlong\n" + frames[5][6:]
    data = b"YUV4MPEG2 W4 H3 Cmono\n" + b"".join(frames)
    path = tmp_path / "a.y4m"
    path.write_bytes(data)
    with open_clip(path) as clip:
        assert len(clip) == 20
        assert [int(clip.frame(number).planes[0][0, 0]) for number in (19, 4, 5, 6)] == [20, 5, 6, 7]


@pytest.mark.parametrize("cut", [1, 6, 7, 11, 17])
def test_a_truncated_last_frame_is_counted(tmp_path: Path, cut: int) -> None:
    data = b"YUV4MPEG2 W4 H3 Cmono\n" + b"".join(plain(12, 3))
    path = tmp_path / "a.y4m"
    path.write_bytes(data[:-cut])
    with open_clip(path) as clip:
        assert len(clip) == 2
        assert clip.left_over == 18 - cut
        assert f"cut off: 2 whole frames + {18 - cut} bytes, which are not read" in clip.warnings
        assert (clip.frame(1).planes[0] == 2).all()


@pytest.mark.parametrize(
    ("width", "height", "chroma", "bits", "payload"),
    [(19, 19, "420", 10, 1102), (19, 19, "422", 10, 1444), (17, 16, "420", 12, 816)],
)
def test_byte_rounded_chroma_rows(
    tmp_path: Path, width: int, height: int, chroma: str, bits: int, payload: int
) -> None:
    """Payload sizes as FFmpeg 5.1.9 writes them: recognised, named, and read on request."""
    luma = bytes((number % 7, 1)[number % 2] for number in range(width * height * 2))
    chroma_bytes = bytes(number % 200 for number in range((payload - len(luma)) // 2))
    frame = b"FRAME\n" + luma + chroma_bytes + bytes(len(chroma_bytes))
    path = write(tmp_path / "a.y4m", f"YUV4MPEG2 W{width} H{height} C{chroma}p{bits}\n", frame, frame, frame)
    with pytest.raises(ClipError, match="byte-rounded chroma rows") as refused:
        open_clip(path)
    assert "--chroma-rows byte-rounded" in str(refused.value)
    assert f"frames of {payload} bytes" in str(refused.value)
    with open_clip(path, chroma_rows="byte-rounded") as clip:
        assert len(clip) == 3
        _, u, v = clip.frame(2).planes
        assert clip.frame(2).planes[0].tobytes() == luma
        assert not v.any()
        # A chroma row has `width` bytes: whole words, then one low byte.
        for row in range(u.shape[0]):
            stored = chroma_bytes[row * width : (row + 1) * width] + b"\0"
            assert u[row].tolist() == [stored[i] | stored[i + 1] << 8 for i in range(0, len(stored), 2)]
        assert any("low byte alone" in warning for warning in clip.warnings)


def test_a_single_byte_rounded_frame_is_named_too(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W19 H19 C420p10\n", b"FRAME\n" + bytes(1102))
    with pytest.raises(ClipError, match=r"0 whole frames.*byte-rounded"):
        open_clip(path)


def test_framing_lost_says_where_and_why(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W19 H19 C420\n", *plain(361 + 2 * 81, 3))
    with pytest.raises(ClipError, match="chroma rounded down") as refused:
        open_clip(path)
    assert f"byte {23 + 6 + 561}, where frame 1 should begin" in str(refused.value)
    frames = plain(12, 30)
    frames[20] = frames[20][:-3]
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W4 H3 Cmono\n", *frames)
    with pytest.raises(ClipError, match=f"framing lost: byte {22 + 21 * 18}, where frame 21 should begin"):
        open_clip(path)


@pytest.mark.parametrize("junk", [b"\n", b"FRAMEx\n", bytes(70_000)], ids=["line end", "word", "zeros"])
def test_frames_before_junk_are_read_when_no_others_are_asked_for(tmp_path: Path, junk: bytes) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W4 H3 Cmono\n", *plain(12, 3), junk)
    place = f"framing lost: byte {22 + 3 * 18}, where frame 3 should begin, is "
    for frames in (None, "1:", "0:4"):
        with pytest.raises(ClipError, match=f"{place}'.*, not FRAME: .*: --frames 0:3$"):
            open_clip(path, frames=frames)
    for frames, last in (("0:3", 3), ("1:2", 2)):
        with open_clip(path, frames=frames) as clip:
            assert (clip.frame(len(clip) - 1).planes[0] == last).all()
            assert clip.left_over == len(junk)
            (warning,) = clip.warnings
            assert warning.startswith(place)
            assert warning.endswith(f"the {len(junk)} bytes from there on are not read")


def test_frames_of_another_size_are_refused_whatever_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W19 H19 C420\n", *plain(361 + 2 * 81, 3))
    with pytest.raises(ClipError, match="chroma rounded down"):
        open_clip(path, frames="0:1")


def test_indexing_reports_progress(tmp_path: Path) -> None:
    frames = [b"FRAME" + b" X" * (number % 2) + b"\n" + LUMA for number in range(1000)]
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W4 H3 Cmono\n", *frames)
    seen: list[tuple[int, int]] = []
    with open_clip(path, progress=lambda done, total: seen.append((done, total))) as clip:
        assert len(clip) == 1000
    assert [done for done, _ in seen] == [256, 512, 768]
    assert all(done <= total <= 1100 for done, total in seen)


def test_tags_in_warnings_are_printable(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W4 H3 Cmono I\x1b[31m X\x07=1 X\x07=2\n", *plain(12, 2))
    with open_clip(path) as clip:
        assert len(clip.warnings) >= 2
        assert all(warning.isprintable() for warning in clip.warnings)


def test_wrong_depth_is_a_likely_reason(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W8 H6 C420\n", *plain(144, 3))
    with pytest.raises(ClipError, match="16-bit samples: the C tag is wrong"):
        open_clip(path)
    with open_clip(path, bit_depth=10) as clip:
        assert len(clip) == 3
        assert clip.sources["bits"] == "--bits"
        assert any("outranks the file's own header" in warning for warning in clip.warnings)


def test_flags_outrank_the_header_and_say_so(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W4 H3 C444\n", b"FRAME\n" + bytes(range(36)))
    with open_clip(path, pixel_format="gray10be", size="6x3") as clip:
        assert str(clip.geometry) == "6x3 400 10-bit"
        assert clip.frame(0).planes[0].tolist()[0] == [1, 0x203, 0x405, 0x607, 0x809, 0xA0B]
        assert clip.sources == {"size": "--size", "format": "--format", "bits": "--format", "endian": "--format"}
        assert sum("outranks the file's own header" in warning for warning in clip.warnings) == 4
    with pytest.raises(ClipError, match="not NV12: give another --format"):
        open_clip(path, pixel_format="nv12")
    with pytest.raises(UsageError, match="--stride does not apply to a Y4M file"):
        open_clip(path, stride=9)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"YUV4MPEG W4 H3\nFRAME\n", "version 1"),
        (b"\xef\xbb\xbfYUV4MPEG2 W4 H3\n", "byte order mark"),
        (b"  YUV4MPEG2 W4 H3\n", "white space before the magic"),
        (b"RIFF....", "not YUV4MPEG2"),
        (b"", "not YUV4MPEG2"),
        (b"YUV4MPEG2", "no line end before the file ends"),
        (b"YUV4MPEG2\n", "no W tag"),
        (b"YUV4MPEG2x W4 H3\n", "not a space"),
        (b"YUV4MPEG2 W4\n", "no H tag"),
        (b"YUV4MPEG2 W0 H3\n", "tag 'W0'"),
        (b"YUV4MPEG2 W-4 H3\n", "tag 'W-4'"),
        (b"YUV4MPEG2 W4x H3\n", "tag 'W4x'"),
        (b"YUV4MPEG2 W99999999999999999999 H3\n", "tag 'W9999"),
        (b"YUV4MPEG2 W4 W5 H3\n", "tag W is there twice"),
        (b"YUV4MPEG2 W4 H3\n", "ends after its header"),
        (b"YUV4MPEG2 W4 H3\nFRAMES\n" + bytes(18), "framing lost: byte 16"),
        (b"YUV4MPEG2 W4 H3\nfoo\n" + bytes(18), "framing lost: byte 16"),
        (b"YUV4MPEG2 W4 H3\nFRAME" + bytes(99999), "framing lost: byte 16"),
        (b"YUV4MPEG2 W4 H3\nFRAME\n" + bytes(17), "0 whole frames \\+ 23 bytes"),
        (b"YUV4MPEG2 W4 H3 X" + b"y" * 70000 + b"\nFRAME\n" + bytes(18), "no line end within 65536 bytes"),
        (b"YUV4MPEG2 W65536 H65536 C444p16\nFRAME\n" + bytes(18), "0 whole frames"),
    ],
)
def test_refusals_are_one_line_with_the_name(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "odd.y4m"
    path.write_bytes(data)
    with pytest.raises(ClipError, match=expected) as refused:
        open_clip(path)
    text = str(refused.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert text.isprintable()


def test_a_file_that_shrinks_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    path = write(tmp_path / "a.y4m", "YUV4MPEG2 W64 H64 Cmono\n", *plain(4096, 9))
    with open_clip(path) as clip:
        with path.open("r+b") as file:
            file.truncate(5000)
        assert (clip.frame(0).planes[0] == 1).all()
        with pytest.raises(ClipError, match="became shorter"):
            clip.frame(7)


def test_unaligned_16_bit_payload(tmp_path: Path) -> None:
    """A header of odd length puts every 16-bit word at an odd byte."""
    words = [value * 5 for value in range(12)]
    payload = b"".join(value.to_bytes(2, "little") for value in words)
    for pad in ("", "x"):
        header = f"YUV4MPEG2 W4 H3 Cmono10 X{pad}\n"
        with open_clip(write(tmp_path / "a.y4m", header, b"FRAME\n" + payload)) as clip:
            assert clip.frame(0).planes[0].reshape(-1).tolist() == words
