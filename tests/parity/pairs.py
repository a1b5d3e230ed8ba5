"""Frames for the parity tests: seeded, read-only, in any memory layout."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion_tui.core.frames import Frame, FramePair, freeze
from motion_tui.core.geometry import Geometry

Array = NDArray[Any]
SIZES = ((3, 3), (4, 5), (17, 17), (19, 23), (31, 9), (33, 33), (64, 64), (257, 145), (576, 324), (1283, 723))
"""(width, height) of the sizes that found faults in the field."""
DEPTHS = (8, 10, 12, 16)
LAYOUTS = ("packed", "padded rows", "every other column", "upside down", "column-major")


def noise(geometry: Geometry, frame: int, seed: int) -> Frame:
    """A frame of full-range noise; about a third of the samples is 0 or the peak, where sums are largest."""
    rng = np.random.default_rng([seed, frame])
    planes = []
    for width, height in geometry.extents:
        plane = rng.integers(0, geometry.peak + 1, (height, width))
        extreme = rng.integers(0, 6, plane.shape)
        plane[extreme == 0], plane[extreme == 1] = 0, geometry.peak
        planes.append(freeze(plane.astype(geometry.dtype)))
    return Frame(frame, geometry, tuple(planes))


def noise_pair(geometry: Geometry, seed: int = 0) -> FramePair:
    """Two frames of `noise`."""
    return FramePair(noise(geometry, 0, seed), noise(geometry, 1, seed))


def grey_pair(previous: Array, current: Array, bit_depth: int) -> FramePair:
    """A 4:0:0 pair of two planes."""
    height, width = previous.shape
    geometry = Geometry(width, height, "400", bit_depth)
    frames = (Frame(i, geometry, (freeze(p.astype(geometry.dtype)),)) for i, p in enumerate((previous, current)))
    return FramePair(*frames)


def laid_out(plane: Array, layout: str) -> Array:
    """The same samples, read-only, at other strides; the bytes between them hold a pattern that no sample has."""
    height, width = plane.shape
    if layout == "padded rows":
        store = np.full((height, width + 5), 0xAA, plane.dtype)
        store[:, :width] = plane
        return freeze(store[:, :width])
    if layout == "every other column":
        store = np.full((height, 2 * width), 0x55, plane.dtype)
        store[:, ::2] = plane
        return freeze(store[:, ::2])
    if layout == "upside down":
        return freeze(np.ascontiguousarray(plane[::-1])[::-1])
    if layout == "column-major":
        return freeze(np.asfortranarray(plane))
    return freeze(plane)


def with_layout(pair: FramePair, layout: str) -> FramePair:
    """The pair with all its planes in `layout`."""
    previous, current = (
        Frame(frame.index, frame.geometry, tuple(laid_out(plane, layout) for plane in frame.planes))
        for frame in (pair.previous, pair.current)
    )
    return FramePair(previous, current)


@st.composite
def pairs(draw: st.DrawFn, formats: tuple[str, ...] = ("400",), smallest: int = 3) -> FramePair:
    """Noise pairs of any size, depth and layout."""
    side = st.integers(smallest, 40)
    geometry = Geometry(draw(side), draw(side), draw(st.sampled_from(formats)), draw(st.integers(8, 16)))
    return with_layout(noise_pair(geometry, draw(st.integers(0, 1 << 16))), draw(st.sampled_from(LAYOUTS)))
