"""The arithmetic of ARITHMETIC.md section 1, one sample at a time in Python integers: what kernels are held against."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

TAPS = (3571, 16004, 26386, 16004, 3571)
FLOAT_TAPS = {
    5: (0.054488685, 0.244201342, 0.402619947, 0.244201342, 0.054488685),
    3: (0.166378498, 0.667243004, 0.166378498),
    1: (0.0, 0.0, 1.0, 0.0, 0.0),
}
Rows = list[list[int]]


def reflect(index: int, length: int) -> int:
    """An index reflected about either border, the edge sample not repeated."""
    if index < 0:
        return -index
    return 2 * length - index - 2 if index >= length else index


def blur_rows(plane: Rows, shift: int) -> Rows:
    """The five taps down the columns, rounded and shifted."""
    height, half = len(plane), 1 << (shift - 1)
    return [
        [
            (sum(tap * plane[reflect(y + k - 2, height)][x] for k, tap in enumerate(TAPS)) + half) >> shift
            for x in range(len(plane[0]))
        ]
        for y in range(height)
    ]


def blur_columns(plane: Rows) -> Rows:
    """The five taps along the rows, rounded and shifted by 16."""
    return [list(row) for row in zip(*blur_rows([list(c) for c in zip(*plane, strict=True)], 16), strict=True)]


def minus(a: Rows, b: Rows) -> Rows:
    """`a - b`, sample by sample."""
    return [[p - c for p, c in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def diff_first(previous: NDArray[Any], current: NDArray[Any], bpc: int) -> tuple[Rows, Rows, Rows]:
    """D, V and H: difference, then both filters."""
    d = minus(previous.tolist(), current.tolist())
    v = blur_rows(d, bpc)
    return d, v, blur_columns(v)


def blur_first(previous: NDArray[Any], current: NDArray[Any], bpc: int) -> tuple[Rows, Rows, Rows]:
    """D, V and H: both filters on each frame, then the differences."""
    v_previous, v_current = (blur_rows(plane.tolist(), bpc) for plane in (previous, current))
    d = minus(previous.tolist(), current.tolist())
    return d, minus(v_previous, v_current), minus(blur_columns(v_previous), blur_columns(v_current))


def float_blur(plane: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """The float taps down the columns, products added in tap order, every step float32."""
    taps = [np.float32(tap) for tap in FLOAT_TAPS[size]]
    height, width = plane.shape
    result = np.empty_like(plane)
    for y in range(height):
        for x in range(width):
            total = np.float32(0)
            for k, tap in enumerate(taps):
                total = np.float32(total + np.float32(tap * plane[reflect(y + k - len(taps) // 2, height), x]))
            result[y, x] = total
    return result


def float_motion(
    previous: NDArray[Any], current: NDArray[Any], bpc: int, size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """D, V and H of float_motion: both filters on each frame in float32, then the differences."""
    frames = [plane.astype(np.float32) / np.float32(1 << (bpc - 8)) - np.float32(128) for plane in (previous, current)]
    v = [float_blur(frame, size) for frame in frames]
    h = [float_blur(plane.T, size).T for plane in v]
    return frames[0] - frames[1], v[0] - v[1], h[0] - h[1]
