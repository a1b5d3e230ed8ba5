"""Integer motion as a composition of small parts, so that a known order or fault changes one of them.

What counts here is to say in one row what a wrong twin does. The right composition is checked equal to `reference`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.frames import Plane
from motion_tui.core.geometry import ChromaRule
from motion_tui.core.scores import ScoreRules
from motion_tui.core.spec import H_SHIFT, RADIUS
from motion_tui.engines.base import StagePlane
from motion_tui.engines.blocks import over_blocks
from motion_tui.engines.model_rows import filter_columns, filter_rows

Index = NDArray[np.intp]
Read = Callable[[Plane, int], Plane]
"""How a plane's samples reach the twin: (plane, bit depth) to a plane of the same shape."""
Border = Callable[[Index, int], Index]
"""Where indices from -2 to n+1 read a line of n samples."""


def reflect(index: Index, n: int) -> Index:
    """Mirror about the border sample, which is not repeated."""
    return np.where(index >= n, 2 * n - 2 - index, np.abs(index))


def repeat_far(index: Index, n: int) -> Index:
    """Mirror the far border as `2n-1-i`, so that its sample is repeated; the near one as `reflect`."""
    return np.where(index >= n, 2 * n - 1 - index, np.abs(index))


def clamp(index: Index, n: int) -> Index:
    """Repeat the border sample on both sides."""
    return np.clip(index, 0, n - 1)


def as_stored(plane: Plane, bit_depth: int) -> Plane:
    """The samples as the file holds them."""
    return plane


def doubled_rows(plane: Plane, bit_depth: int) -> Plane:
    """Row 2y for row y above 8 bits (a stride in bytes used in samples); past the end both frames hold 0."""
    if bit_depth == 8:
        return plane
    out = np.zeros_like(plane)
    out[: -(-len(plane) // 2)] = plane[::2]
    return out


def msb_aligned(plane: Plane, bit_depth: int) -> Plane:
    """Samples in the high bits of their words, not shifted down."""
    return plane if bit_depth == 8 else (plane.astype(np.uint16) << np.uint16(16 - bit_depth))


def bytes_swapped(plane: Plane, bit_depth: int) -> Plane:
    """Samples of the other byte order."""
    swapped: Plane = plane.byteswap()
    return swapped


def high_byte(plane: Plane, bit_depth: int) -> Plane:
    """The lower bits cut off, down to 8 bits, on the scale of the depth."""
    kept: Plane = plane & np.array(0xFF << (bit_depth - 8), plane.dtype)
    return kept


@dataclass(frozen=True, slots=True)
class Pass:
    """How one pass rounds and how wide it adds."""

    halves: int = 1
    """Rounding constant in halves of the last place: 1 is right, 0 is none, 2 is a doubled one."""
    bits: Literal[32, 64] = 64
    """Width of the signed accumulator, which wraps."""

    def blur(self, plane: StagePlane, axis: int, shift: int, border: Border) -> StagePlane:
        """The five taps along `axis`, rounded, shifted."""
        n = plane.shape[axis]
        reads = border(np.arange(-RADIUS, n + RADIUS), n)
        rounding, wrap, out = self.halves << (shift - 1), self.bits == 32, np.empty_like(plane)
        filter_lines = filter_columns if axis == 0 else filter_rows

        def work(_block: int, first: int, last: int) -> None:
            filter_lines(plane, reads, rounding, shift, wrap, out, first, last)

        over_blocks(work, *plane.shape)
        return out


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Everything that a twin of the integer feature decides; the defaults are the current libvmaf's."""

    read: Read = as_stored
    border: Border = reflect
    blur_first: bool = False
    reversed: bool = False
    """Differences are `cur - prev`."""
    vertical: Pass = field(default_factory=Pass)
    horizontal: Pass = field(default_factory=Pass)
    chroma: ChromaRule | None = None
    """Another cut of chroma than the one asked for."""
    luma_area: bool = False
    """Every plane's SAD is divided by the area of Y."""
    scores: ScoreRules = field(default_factory=ScoreRules)

    def _blur(self, plane: StagePlane, bit_depth: int) -> tuple[StagePlane, StagePlane]:
        v = self.vertical.blur(plane, 0, bit_depth, self.border)
        return v, self.horizontal.blur(v, 1, H_SHIFT, self.border)

    def stage_planes(
        self, previous: Plane, current: Plane, bit_depth: int
    ) -> tuple[StagePlane, StagePlane, StagePlane]:
        """D, V and H of one plane of a pair, signed `prev - cur` also where the twin reverses them.

        Whatever the fault, 16-bit samples keep them below 2**24: they are int32.
        """
        first, second = (self.read(plane, bit_depth).astype(np.int32, order="C") for plane in (previous, current))
        if self.reversed:
            first, second = second, first
        d = first - second
        if self.blur_first:
            (v1, h1), (v2, h2) = (self._blur(plane, bit_depth) for plane in (first, second))
            v, h = v1 - v2, h1 - h2
        else:
            v, h = self._blur(d, bit_depth)
        return (-d, -v, -h) if self.reversed else (d, v, h)
