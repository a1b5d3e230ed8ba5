"""What the user said about a clip, checked: the flags of the command line and the keywords of `open_clip`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import index
from typing import Literal, SupportsIndex, TypeVar

from typing_extensions import TypedDict, Unpack

from motion_tui.clips.layout import ALIGNS, CHROMA_ROWS, ENDIANS, ORDERS, Align, ChromaRows, Endian, Order
from motion_tui.clips.pixel_names import StoredFormat, parse_pixel_name
from motion_tui.core.errors import UsageError
from motion_tui.core.geometry import PIXEL_FORMATS, Extent

Progress = Callable[[int, int], None]
"""Called with (done, total) in one unit; a total of 0 is unknown."""
Images = Literal["grey", "rgb"]
IMAGES: tuple[Images, ...] = ("grey", "rgb")
LARGEST_SIDE = 65536
LARGEST_AREA = 1 << 27
"""Samples of a plane that is made or decoded whole: 16384x8192, beyond any picture format in use."""
T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a clip can be opened with; None is "not said". Labels in error texts are the flags' names."""

    size: Extent | None = None
    format: StoredFormat | None = None
    """Pixel format as asked for; an FFmpeg name may bring depth, byte order, plane order and alignment with it."""
    bits: int | None = None
    endian: Endian | None = None
    stride: int | None = None
    order: Order | None = None
    align: Align | None = None
    plane_padding: int | None = None
    chroma_rows: ChromaRows | None = None
    frames: FrameRange | None = None
    images: Images | None = None
    convert: str | None = None
    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None

    def refuse_others(self, kind: str, *used: str) -> None:
        """Raise a UsageError where something was said that a clip of this `kind` has no use for."""
        always = {"frames", "progress", "cancelled", *used}
        for item in fields(self):
            if item.name not in always and getattr(self, item.name) is not None:
                allowed = ", ".join(f"--{name.replace('_', '-')}" for name in (*used, "frames"))
                raise UsageError(
                    f"--{item.name.replace('_', '-')} does not apply to {kind}: leave it out ({allowed} may be given)"
                )


@dataclass(frozen=True, slots=True)
class FrameRange:
    """Frames `start` up to but not `stop`, counted from 0; `stop` None is the clip's end."""

    start: int = 0
    stop: int | None = None

    def __str__(self) -> str:
        return f"{self.start}:{'' if self.stop is None else self.stop}"


class ClipKeywords(TypedDict, total=False):
    """The keywords of `open_clip`: what is given here outranks what a file says of itself; None is "not said"."""

    size: str | tuple[int, int] | None
    """Luma size of a raw file, "352x288" or (352, 288)."""
    pixel_format: str | None
    """"400", "420", "422", "444", "440", "411", "410", or an FFmpeg name such as "yuv422p10le" or "nv12"."""
    bit_depth: int | None
    """8 to 16; above 8 a sample takes two bytes."""
    endian: str | None
    """"little" or "big"."""
    stride: int | None
    """Bytes from a luma row of a raw file to the next."""
    frames: str | slice | None
    """"A:B" or a slice: frames A up to but not B."""
    order: str | None
    """"i420", "yv12", "nv12" or "nv21": how a raw file's chroma planes lie."""
    align: str | None
    """"lsb" or "msb" (P010, P012): words of msb are shifted down on reading."""
    plane_padding: int | None
    """Bytes left over after every plane of a raw file."""
    chroma_rows: str | None
    """"exact" or "byte-rounded"."""
    images: str | None
    """"grey" or "rgb": what to read from colour images."""
    convert: str | None
    """The FFmpeg pixel format to convert a video to."""
    progress: Progress | None
    """Called with (frames done, frames in all or 0) while a video is decoded or an irregular Y4M file indexed."""
    cancelled: Callable[[], bool] | None
    """Polled while a video is decoded; true ends it with a ClipError."""


def make_request(**given: Unpack[ClipKeywords]) -> Request:
    """Check the keywords of `open_clip` and return them as a request; a UsageError says what is wrong."""
    unknown = sorted(set(given) - set(ClipKeywords.__annotations__))
    if unknown:
        raise TypeError(f"open_clip() got an unexpected keyword argument '{unknown[0]}'")
    size, pixel_format, frames = given.get("size"), given.get("pixel_format"), given.get("frames")
    bits = whole("bits", given.get("bit_depth"))
    if bits is not None and not 8 <= bits <= 16:
        raise UsageError(f"bits {bits}: 8 to 16 are supported")
    return Request(
        size=parse_size(size) if size is not None else None,
        format=parse_format(pixel_format) if pixel_format is not None else None,
        bits=bits,
        endian=choice("endian", given.get("endian"), ENDIANS),
        stride=whole("stride", given.get("stride")),
        order=choice("order", given.get("order"), ORDERS),
        align=choice("align", given.get("align"), ALIGNS),
        plane_padding=whole("plane_padding", given.get("plane_padding")),
        chroma_rows=choice("chroma_rows", given.get("chroma_rows"), CHROMA_ROWS),
        frames=parse_frames(frames) if frames is not None else None,
        images=choice("images", given.get("images"), IMAGES),
        convert=given.get("convert"),
        progress=given.get("progress"),
        cancelled=given.get("cancelled"),
    )


def whole(label: str, value: SupportsIndex | None) -> int | None:
    """Return a whole number of any type (NumPy's too) as an int, else refuse it."""
    try:
        return None if value is None else index(value)
    except TypeError:
        raise UsageError(f"{label} {value!r}: give a whole number") from None


def parse_size(given: str | tuple[SupportsIndex, SupportsIndex]) -> Extent:
    """Return "WxH" or (W, H) as an extent; refuse sides that no picture has (and that memory could not bear)."""
    try:
        if isinstance(given, str):
            found = re.fullmatch(r"(\d{1,6})[xX*](\d{1,6})", given.strip(), re.ASCII)
            width, height = map(int, found.groups() if found else ())
        else:
            width, height = map(index, given)
    except (TypeError, ValueError):
        raise UsageError(f"size {given!r}: give it as WxH, such as 1920x1080") from None
    size = Extent(width, height)
    if not (1 <= size.width <= LARGEST_SIDE and 1 <= size.height <= LARGEST_SIDE):
        raise UsageError(f"size {size}: width and height must be 1 to {LARGEST_SIDE}")
    return size


def parse_frames(frames: str | slice) -> FrameRange:
    """Return "A:B" (either may be left out) or a slice as a range."""
    if isinstance(frames, slice):
        start, stop = whole("frames", frames.start) or 0, whole("frames", frames.stop)
        if frames.step not in (None, 1) or start < 0 or (stop is not None and stop < 0):
            raise UsageError(f"frames {frames}: give a slice of step 1 without negative ends")
    else:
        found = re.fullmatch(r"(\d{0,15}):(\d{0,15})", frames.strip(), re.ASCII) if isinstance(frames, str) else None
        if not found:
            raise UsageError(f"frames {frames!r}: give A:B, from A up to but not B, counted from 0, such as 0:50")
        start, stop = int(found[1] or 0), int(found[2]) if found[2] else None
    if stop is not None and stop <= start:
        raise UsageError(f"frames {start}:{stop}: there is no frame in it; B must be larger than A")
    return FrameRange(start, stop)


def parse_format(name: str) -> StoredFormat:
    """Return a pixel format by our name ("420") or FFmpeg's ("yuv420p10le", "nv12")."""
    if name in PIXEL_FORMATS:
        return StoredFormat(name)
    found = parse_pixel_name(name) if isinstance(name, str) else None
    if found is None:
        raise UsageError(
            f"unknown pixel format {name!r}: one of {', '.join(PIXEL_FORMATS)}, or a planar FFmpeg name such as "
            "yuv422p10le, gray, nv12 or p010le"
        )
    return found


def choice(label: str, value: str | None, allowed: tuple[T, ...]) -> T | None:
    """Return `value` where it is one of `allowed` (or None), else refuse it with the list."""
    for item in allowed:
        if item == value:
            return item
    if value is None:
        return None
    raise UsageError(f"{label} '{value}': one of {', '.join(allowed)}")
