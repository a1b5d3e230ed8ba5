"""Videos: decoded once by FFmpeg into raw planes in the stream's own pixel format, then read like a raw file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from motion_tui.clips import ffmpeg, spool
from motion_tui.clips.detect import detect
from motion_tui.clips.ffmpeg import SpoolCancelled, Stream
from motion_tui.clips.layout import FrameLayout
from motion_tui.clips.pixel_names import parse_pixel_name
from motion_tui.clips.request import FrameRange, Request
from motion_tui.clips.resolve import layout_warnings
from motion_tui.clips.stored import ClipFile, FixedClip
from motion_tui.core.errors import ClipError
from motion_tui.core.geometry import Geometry

STREAM_TYPES = {
    "pix_fmt": str,
    "width": int,
    "height": int,
    "first_frame_bytes": int,
    "estimated_frames": int,
    "siting": str,
    "notes": list,
}
"""`Stream` as the note of an entry in the spool holds it."""


@dataclass(frozen=True, slots=True)
class Spooled:
    """An entry in the spool: where its samples are, and what they are."""

    samples: Path
    stream: Stream
    warnings: list[str]
    """What FFmpeg said while it decoded."""


def open_video(path: Path, request: Request) -> FixedClip:
    """Open whatever FFmpeg reads; the planes come from the spool, where they are put when they are first asked for."""
    request.refuse_others("a video (FFmpeg reads its geometry)", "convert")
    if request.convert is not None and parse_pixel_name(request.convert) is None:
        raise ClipError(
            f"{path}: --convert {request.convert}: not a planar YUV or grey format that is read here; try yuv420p, "
            "yuv422p10le, yuv444p or gray"
        )
    frames = request.frames or FrameRange()
    key = spool.key_of(path, request.convert, frames, Path(ffmpeg.executable()).name)
    known = _recall(path, key)
    if known is not None:
        with suppress(ClipError):  # another process has evicted it meanwhile
            return _clip(path, request, known)
    return _clip(path, request, _fill(path, request, frames, key))


def _recall(path: Path, key: str) -> Spooled | None:
    """Return what the spool has under `key`; None where it has nothing, or a note that isn't one of ours."""
    found = spool.find(key)
    if found is None:
        return None
    samples, facts = found
    values, warnings, frames = facts.get("stream"), facts.get("warnings"), facts.get("frames")
    if type(frames) is not int or not isinstance(values, dict):
        return None
    if {name: type(value) for name, value in values.items()} != STREAM_TYPES:
        return None
    if not isinstance(warnings, list) or not all(isinstance(text, str) for text in (*warnings, *values["notes"])):
        return None
    stream = Stream(**{**values, "notes": tuple(values["notes"])})
    try:
        whole = facts["bytes"] == frames * _layout(path, stream).frame_bytes
    except ValueError:  # a geometry that no stream has
        return None
    return Spooled(samples, stream, warnings) if whole else None


def _fill(path: Path, request: Request, frames: FrameRange, key: str) -> Spooled:
    """Decode a video into the spool."""
    stream = ffmpeg.probe(path, request.convert)
    layout = _layout(path, stream)
    if stream.first_frame_bytes != layout.frame_bytes:
        raise ClipError(
            f"{path}: a decoded frame of {stream.pix_fmt} has {stream.first_frame_bytes} bytes and {layout.geometry} "
            f"takes {layout.frame_bytes}: this format is not read rightly here; decode it to .y4m"
        )
    known = max(0, stream.estimated_frames - frames.start)
    total = known if frames.stop is None else frames.stop - frames.start
    spool.make_room((total or 1) * layout.frame_bytes, str(path))
    bound = spool.limit() // layout.frame_bytes

    def poll(done: int) -> None:
        if request.cancelled and request.cancelled():
            raise SpoolCancelled(f"{path}: decoding was cancelled after frame {done}: open it again to start over")
        if done > bound:
            raise ClipError(
                f"{path}: decoded it takes more than the cache's {spool.limit()} bytes: give --frames A:B, or raise "
                "MOTION_TUI_CACHE_BYTES"
            )
        if request.progress:
            request.progress(done, max(total, done))

    with spool.part() as part:
        count, warnings = ffmpeg.decode(path, part, request.convert, (frames.start, frames.stop), stream, poll)
        size = part.stat().st_size
        asked = count if frames.stop is None else frames.stop - frames.start
        if count < max(1, asked) and request.frames:
            raise ClipError(f"{path}: --frames {frames}: the video has no more than {frames.start + count} frames")
        if not count or size != count * layout.frame_bytes:
            raise ClipError(
                f"{path}: FFmpeg gave {count} frames of {layout.frame_bytes} bytes in {size} bytes: there is nothing "
                "whole to read; check the file"
            )
        note: dict[str, Any] = {"source": str(path.absolute()), "frames": count, "warnings": warnings}
        return Spooled(spool.commit(part, key, note | {"stream": asdict(stream)}), stream, warnings)


def _layout(path: Path, stream: Stream) -> FrameLayout:
    stored = parse_pixel_name(stream.pix_fmt)
    if stored is None or stored.bits is None:
        raise ClipError(
            f"{path}: its frames are {stream.pix_fmt}, which is not planar YUV or grey of 8 to 16 bits: name a "
            "conversion, such as --convert yuv444p"
        )
    geometry = Geometry(stream.width, stream.height, stored.pixel_format, stored.bits)
    return FrameLayout(
        geometry, stored.endian or "little", None, stored.order or "i420", stored.align or "lsb", alpha=stored.alpha
    )


def _clip(path: Path, request: Request, spooled: Spooled) -> FixedClip:
    stream = spooled.stream
    source = "video stream" if not request.convert else f"--convert {request.convert}"
    sources = {"size": "video stream", "format": source, "bits": source}
    layout = _layout(path, stream)
    if layout.align == "msb":
        sources["align"] = source
    if request.frames:
        sources["frames"] = f"--frames {request.frames}"
    clip = FixedClip(str(path), ClipFile(spooled.samples), layout, container="video", sources=sources)
    clip.siting = stream.siting
    clip.warnings += spooled.warnings
    if request.convert:
        clip.warnings.append(f"converted to {request.convert} by FFmpeg, as asked: samples are not the stream's own")
    if layout.alpha:
        clip.warnings.append(f"the alpha plane of {stream.pix_fmt} is skipped")
    fields = [note for note in stream.notes if "first" in note]
    if fields:
        clip.warnings.append(f"interlaced ({', '.join(fields)}): motion compares whole frames all the same")
    clip.warnings += [*layout_warnings(layout, sources), *detect(clip)]
    return clip
