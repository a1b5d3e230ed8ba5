"""Sizes: what a pixel format is, where planes lie in a file, and the chroma conventions that disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from motion_tui.core.errors import ClipError, UsageError

ChromaRule = Literal["plane", "picture", "as-420"]
CHROMA_RULES: tuple[ChromaRule, ...] = ("plane", "picture", "as-420")
MINIMUM_SIDE = 3
"""Smallest luma side that one reflection about the border can serve (five taps)."""


class Extent(NamedTuple):
    """Width and height of a plane, in samples."""

    width: int
    height: int

    @property
    def area(self) -> int:
        """Samples in the plane."""
        return self.width * self.height

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """A planar layout: chroma subsampling and the number of planes, without the sample depth."""

    name: str
    ssx: int
    """Luma columns a chroma sample covers."""
    ssy: int
    """Luma rows a chroma sample covers."""
    plane_names: tuple[str, ...]


PIXEL_FORMATS = {
    row.name: row
    for row in (
        PixelFormat("400", 1, 1, ("Y",)),
        PixelFormat("420", 2, 2, ("Y", "U", "V")),
        PixelFormat("422", 2, 1, ("Y", "U", "V")),
        PixelFormat("444", 1, 1, ("Y", "U", "V")),
        PixelFormat("411", 4, 1, ("Y", "U", "V")),
        PixelFormat("410", 4, 4, ("Y", "U", "V")),
        PixelFormat("440", 1, 2, ("Y", "U", "V")),
    )
}


def pixel_format(name: str) -> PixelFormat:
    """Return the format called `name`; a UsageError lists the known ones."""
    try:
        return PIXEL_FORMATS[name]
    except KeyError:
        raise UsageError(f"unknown pixel format '{name}': one of {', '.join(PIXEL_FORMATS)}") from None


def chroma_extent(luma: Extent, layout: PixelFormat, rule: ChromaRule) -> Extent:
    """Return the chroma size of a `luma` plane under one of the field's three conventions.

    `plane` rounds up (a .yuv or .y4m file and a correct staging buffer), `picture` rounds down (libvmaf's
    own VmafPicture), `as-420` is `(w+1)/2 x (h+1)/2` whatever the format (motion_sycl before its fix).
    """
    width, height = luma
    if rule == "plane":
        return Extent(-(-width // layout.ssx), -(-height // layout.ssy))
    if rule == "picture":
        return Extent(width // layout.ssx, height // layout.ssy)
    return Extent((width + 1) // 2, (height + 1) // 2)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Size, pixel format and sample depth of a clip: everything needed to lay out a tightly packed frame."""

    width: int
    height: int
    pixel_format: str
    bit_depth: int

    def __post_init__(self) -> None:
        pixel_format(self.pixel_format)
        if self.width < 1 or self.height < 1:
            raise UsageError(f"size {self.width}x{self.height}: width and height must be 1 or more")
        if not 8 <= self.bit_depth <= 16:
            raise UsageError(f"bit depth {self.bit_depth}: 8 to 16 bits are supported")

    @property
    def layout(self) -> PixelFormat:
        """The subsampling row of `pixel_format`."""
        return PIXEL_FORMATS[self.pixel_format]

    @property
    def luma(self) -> Extent:
        """Size of plane 0."""
        return Extent(self.width, self.height)

    @property
    def plane_names(self) -> tuple[str, ...]:
        """("Y",) or ("Y", "U", "V")."""
        return self.layout.plane_names

    @property
    def bytes_per_sample(self) -> int:
        """1 at 8 bits, else 2."""
        return 1 if self.bit_depth == 8 else 2

    @property
    def dtype(self) -> np.dtype[np.uint8] | np.dtype[np.uint16]:
        """uint8 at 8 bits, else uint16, in native byte order."""
        return np.dtype(np.uint8) if self.bit_depth == 8 else np.dtype(np.uint16)

    @property
    def peak(self) -> int:
        """Largest sample value, `2**bit_depth - 1`."""
        return (1 << self.bit_depth) - 1

    def extent(self, plane: int, rule: ChromaRule = "plane") -> Extent:
        """Size of plane 0, 1 or 2 in samples; `rule` matters to chroma alone."""
        return self.luma if plane == 0 else chroma_extent(self.luma, self.layout, rule)

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Size of every plane as a file holds it (chroma rounded up)."""
        return tuple(self.extent(plane) for plane in range(len(self.plane_names)))

    @property
    def plane_bytes(self) -> tuple[int, ...]:
        """Bytes of every tightly packed plane."""
        return tuple(extent.area * self.bytes_per_sample for extent in self.extents)

    @property
    def frame_bytes(self) -> int:
        """Bytes of one tightly packed frame."""
        return sum(self.plane_bytes)

    def require_motion(self, planes: tuple[int, ...] = (0,), rule: ChromaRule = "plane") -> None:
        """Raise a ClipError where a plane is missing or too small for five taps with one reflection."""
        for plane in planes:
            if plane >= len(self.plane_names):
                raise ClipError(f"{self}: there is no chroma to score; drop motion_add_uv")
            extent = self.extent(plane, rule)
            if min(extent) < MINIMUM_SIDE:
                name = self.plane_names[plane]
                raise ClipError(
                    f"plane {name} is {extent}: motion needs {MINIMUM_SIDE}x{MINIMUM_SIDE} samples or more "
                    "(five taps, one reflection about each border); use a larger clip"
                )

    def __str__(self) -> str:
        return f"{self.width}x{self.height} {self.pixel_format} {self.bit_depth}-bit"
