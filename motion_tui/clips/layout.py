"""Where the samples of one stored frame lie, and how its bytes become planes.

Raw files, Y4M payloads, PGM images and the spool of a decoded video share this; what stands around a frame (headers,
where frame 7 begins) belongs to the readers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.errors import UsageError
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import Extent, Geometry

Endian = Literal["little", "big"]
Order = Literal["i420", "yv12", "nv12", "nv21"]
Align = Literal["lsb", "msb"]
ChromaRows = Literal["exact", "byte-rounded"]
ENDIANS: tuple[Endian, ...] = ("little", "big")
ORDERS: tuple[Order, ...] = ("i420", "yv12", "nv12", "nv21")
ALIGNS: tuple[Align, ...] = ("lsb", "msb")
CHROMA_ROWS: tuple[ChromaRows, ...] = ("exact", "byte-rounded")

Bytes = NDArray[np.uint8]


class Region(NamedTuple):
    """One run of rows in a stored frame: a plane, or two interleaved ones."""

    name: str
    """"Y", "U", "V", "UV", "VU" or "A"."""
    offset: int
    """Bytes from the start of the frame's samples."""
    extent: Extent
    """Samples of each plane in it (rows and columns)."""
    row_bytes: int
    """Bytes of a row that hold samples."""
    stride: int
    """Bytes from a row to the next."""
    size: int
    """Bytes up to the next region, padding included."""


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """How one frame of `geometry` is stored."""

    geometry: Geometry
    endian: Endian = "little"
    stride: int | None = None
    """Bytes from a luma row to the next; None is tightly packed. Chroma rows are in proportion."""
    order: Order = "i420"
    align: Align = "lsb"
    plane_padding: int = 0
    """Bytes after every plane (after every pair of interleaved planes)."""
    chroma_rows: ChromaRows = "exact"
    """`byte-rounded`: a chroma row has `ceil(luma row bytes / ssx)` bytes, so that above 8 bits the last sample of an
    odd width lacks its high byte. Some writers emit this."""
    alpha: bool = False
    """Whether a fourth, full-size plane follows, which is skipped."""

    def __post_init__(self) -> None:
        geometry = self.geometry
        if self.stride is not None:
            row = geometry.width * geometry.bytes_per_sample
            if self.stride < row or self.stride % geometry.bytes_per_sample:
                raise UsageError(
                    f"stride {self.stride}: a luma row of {geometry} takes {row} bytes; give {row} or more, in whole "
                    "samples"
                )
        if self.plane_padding < 0:
            raise UsageError(f"plane padding {self.plane_padding}: give 0 bytes or more")
        if self.chroma_rows == "byte-rounded" and self.interleaved:
            raise UsageError("byte-rounded chroma rows are those of planar files: leave out --chroma-rows or --order")
        if self.align == "msb" and geometry.bit_depth == 8:
            raise UsageError("MSB alignment needs 16-bit words: give --bits 9 to 15")

    @property
    def interleaved(self) -> bool:
        """Whether U and V alternate sample by sample (NV12, NV21, P010)."""
        return self.order in ("nv12", "nv21") and len(self.geometry.plane_names) > 1

    @property
    def regions(self) -> tuple[Region, ...]:
        """The frame's regions in file order."""
        geometry, sample = self.geometry, self.geometry.bytes_per_sample
        luma_row = geometry.width * sample
        luma_stride = self.stride or luma_row
        rows = [("Y", geometry.luma, luma_row, luma_stride)]
        if len(geometry.plane_names) > 1:
            chroma, ssx = geometry.extent(1), geometry.layout.ssx
            row = chroma.width * sample
            stride = row if self.stride is None else -(-(self.stride // sample) // ssx) * sample
            if self.chroma_rows == "byte-rounded":
                row = -(-luma_row // ssx)
                stride = row if self.stride is None else -(-self.stride // ssx)
            names = {"i420": ("U", "V"), "yv12": ("V", "U"), "nv12": ("UV",), "nv21": ("VU",)}[self.order]
            rows += [(name, chroma, row * len(name), stride * len(name)) for name in names]
        if self.alpha:
            rows.append(("A", geometry.luma, luma_row, luma_stride))
        regions, offset = [], 0
        for name, extent, row, stride in rows:
            size = stride * extent.height + self.plane_padding
            regions.append(Region(name, offset, extent, row, stride, size))
            offset += size
        return tuple(regions)

    @property
    def frame_bytes(self) -> int:
        """Bytes of one stored frame."""
        return sum(region.size for region in self.regions)

    def decode(self, stored: Bytes) -> tuple[Plane, ...]:
        """Return the planes of a stored frame, as uint8 or uint16 in native order, each C-contiguous and aligned.

        `stored` has `frame_bytes` bytes; planes are views of it where its bytes allow that.
        """
        planes: dict[str, Plane] = {}
        for region in self.regions:
            if region.name == "A":
                continue
            rows = stored[region.offset : region.offset + region.stride * region.extent.height]
            rows = rows.reshape(region.extent.height, region.stride)[:, : region.row_bytes]
            samples = self._samples(rows)
            step = len(region.name)
            for at, name in enumerate(region.name):
                planes[name] = np.require(samples[:, at::step], requirements=("C", "A"))
        return tuple(planes[name] for name in self.geometry.plane_names)

    def _samples(self, rows: Bytes) -> Plane:
        """Return rows of bytes as rows of samples in native order and LSB-aligned."""
        if self.geometry.bytes_per_sample == 1:
            return rows
        if rows.shape[1] % 2:
            # A byte-rounded row ends in the middle of a sample; the high byte isn't in the file.
            rows = np.pad(rows, ((0, 0), (0, 1)))
        words = np.ascontiguousarray(rows).view("<u2" if self.endian == "little" else ">u2")
        samples = words.astype(np.uint16, copy=False)
        return samples >> np.uint16(16 - self.geometry.bit_depth) if self.align == "msb" else samples
