"""float_motion of a block of rows, compiled by numba without fast maths: every operation in float32, in scalar order.

Rows are independent until their sums are added, so that blocks of them may run side by side. numba computes
`float32 op integer` in float64: every constant here is a float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from motion_tui.core.spec import FLOAT_OFFSET, RADIUS
from motion_tui.engines.integer_rows import Rows, copy, fill_borders, reflect
from motion_tui.engines.jit import jit

ZERO, HALF, ONE, TWO = (np.float32(value) for value in (0.0, 0.5, 1.0, 2.0))
OFFSET = np.float32(FLOAT_OFFSET)


@jit
def sample_rows(plane: Rows, scale: Any, out: Rows, first: int, last: int) -> None:
    """Fill rows of `out` with the samples on the 8-bit scale, around zero."""
    for y in range(first, last):
        for x in range(out.shape[1]):
            out[y, x] = np.float32(plane[y, x]) / scale + OFFSET


@jit
def blur_rows(source: Rows, taps: Rows, v: Rows, h: Rows, first: int, last: int) -> None:
    """Fill rows of `h` with the blurred `source`; row y of the vertical pass is left in `v[y % len(v)]`."""
    height, width = source.shape
    radius = taps.size // 2
    padded = np.empty(width + 2 * RADIUS, np.float32)
    for y in range(first, last):
        down, across = v[y % v.shape[0]], h[y]
        for x in range(width):
            down[x] = ZERO
        for k in range(taps.size):
            tap, row = taps[k], source[reflect(y - radius + k, height, 0)]
            for x in range(width):
                down[x] = down[x] + tap * row[x]
        copy(down, padded[RADIUS : RADIUS + width])
        fill_borders(padded, 0)
        for x in range(width):
            across[x] = ZERO
        for k in range(taps.size):
            tap, shifted = taps[k], padded[RADIUS - radius + k : RADIUS - radius + k + width]
            for x in range(width):
                across[x] = across[x] + tap * shifted[x]


@jit
def row_sums(previous: Rows, current: Rows, sums: Rows, first: int, last: int) -> None:
    """Set `sums[y]` to the absolute differences of row y, added left to right."""
    for y in range(first, last):
        total = ZERO
        for x in range(previous.shape[1]):
            total = total + abs(previous[y, x] - current[y, x])
        sums[y] = total


@jit
def halved_line(i: int, n: int, half: int) -> Any:
    """The two lines that line `i` of half size reads, and the weight of the second."""
    ratio = np.float32(n) / np.float32(half)
    t = (np.float32(i) + HALF) * ratio - HALF
    near, far, end = np.floor(t), np.ceil(t), np.float32(n - 1)
    near = TWO * end - near if near > end else abs(near)
    far = TWO * end - far if far > end else abs(far)
    return np.intp(near), np.intp(far), np.float32(t - near)


@jit
def halved_row_sums(previous: Rows, current: Rows, width: int, sums: Rows, first: int, last: int) -> None:
    """Set `sums[y]` to the absolute differences of row y of both planes at half size, added left to right."""
    for y in range(first, last):
        top, bottom, dy = halved_line(y, previous.shape[0], sums.size)
        total = ZERO
        for x in range(width):
            left, right, dx = halved_line(x, previous.shape[1], width)
            w0, w1 = (ONE - dy) * (ONE - dx), (ONE - dy) * dx
            w2, w3 = dy * (ONE - dx), dy * dx
            a = w0 * previous[top, left] + w1 * previous[top, right]
            a = a + w2 * previous[bottom, left] + w3 * previous[bottom, right]
            b = w0 * current[top, left] + w1 * current[top, right]
            b = b + w2 * current[bottom, left] + w3 * current[bottom, right]
            total = total + abs(a - b)
        sums[y] = total


@jit
def add_rows(sums: Rows) -> Any:
    """The rows' sums, added top to bottom."""
    total = ZERO
    for value in sums:
        total = total + value
    return total
