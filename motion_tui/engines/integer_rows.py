"""The integer motion of a block of rows, compiled by numba: the fused SAD and the staged blur.

All sums are int32. A pass whose input x needs more than 15 bits beside its sign is split as `x = 2*(x>>1) + (x&1)`:
`(sum f*x + 2**15) >> 16` equals `(S1 + ((S2 + 2**15) >> 1)) >> 15` with `S1 = sum f*(x>>1)`, `S2 = sum f*(x&1)`,
and S1 stays within int32 because the taps add up to 65536 and `|x| < 2**16`. Numba widens int32 operations to
int64, so that each is narrowed again at once: that is what lets LLVM keep eight of them in a register.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.spec import RADIUS, TAPS
from motion_tui.engines.jit import jit

Rows = NDArray[Any]
OUTER, INNER, CENTRE = (np.int32(tap) for tap in TAPS[:3])
HALF = np.int32(1 << 15)
ONE = np.int32(1)
SHIFT_16 = np.int32(15)
CHUNK = 1 << 14
"""Columns whose |H| (below 2**16 each) add up within int32."""


@jit
def reflect(index: int, length: int, repeat_far: int) -> int:
    """The row that `index` reads: borders mirrored about the edge sample, or at the far one repeating it."""
    if index < 0:
        return -index
    if index >= length:
        return 2 * length - 2 + repeat_far - index
    return index


@jit
def narrow_sum(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """Taps times five samples, in int32."""
    return np.int32(
        np.int32(OUTER * np.int32(a + e)) + np.int32(np.int32(INNER * np.int32(b + d)) + np.int32(CENTRE * c))
    )


@jit
def split_pass(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """`(taps * samples + 2**15) >> 16` of samples of up to 16 bits and a sign."""
    high = narrow_sum(a >> ONE, b >> ONE, c >> ONE, d >> ONE, e >> ONE)
    low = narrow_sum(a & ONE, b & ONE, c & ONE, d & ONE, e & ONE)
    return np.int32(np.int32(high + np.int32(np.int32(low + HALF) >> ONE)) >> SHIFT_16)


@jit
def vertical(above2: Rows, above: Rows, row: Rows, below: Rows, below2: Rows, out: Rows, bit_depth: int) -> None:
    """The vertical pass of one row, int32 rows of one width, into `out`."""
    if bit_depth == 16:
        for x in range(row.size):
            out[x] = split_pass(above2[x], above[x], row[x], below[x], below2[x])
    else:
        rounding, shift = np.int32(1 << (bit_depth - 1)), np.int32(bit_depth)
        for x in range(row.size):
            total = narrow_sum(above2[x], above[x], row[x], below[x], below2[x])
            out[x] = np.int32(np.int32(total + rounding) >> shift)


@jit
def copy(row: Rows, out: Rows) -> None:
    """Copy a row; a slice assignment takes numba ten times as long to compile."""
    for x in range(out.size):
        out[x] = row[x]


@jit
def fill_borders(padded: Rows, repeat_far: int) -> None:
    """Fill the two columns on either side of a row that stands at `padded[2:-2]`."""
    width = padded.size - 2 * RADIUS
    for k in range(1, RADIUS + 1):
        padded[RADIUS - k] = padded[RADIUS + k]
        padded[RADIUS + width - 1 + k] = padded[RADIUS + width - 1 - k + repeat_far]


@jit
def horizontal(padded: Rows, out: Rows) -> None:
    """The horizontal pass of one padded row into `out`."""
    width = out.size
    left2, left, here = padded[:width], padded[1 : width + 1], padded[2 : width + 2]
    right, right2 = padded[3 : width + 3], padded[4 : width + 4]
    for x in range(width):
        out[x] = split_pass(left2[x], left[x], here[x], right[x], right2[x])


@jit
def absolute_sum(row: Rows) -> Any:
    """The sum of |row|, an int64."""
    total = np.int64(0)
    for start in range(0, row.size, CHUNK):
        part = np.int32(0)
        for value in row[start : start + CHUNK]:
            part = np.int32(part + np.int32(abs(value)))
        total += np.int64(part)
    return total


@jit
def blur_rows(source: Rows, v: Rows, h: Rows, first: int, last: int, bit_depth: int, repeat_far: int) -> None:
    """Fill rows `first` to `last` (excluded) of the int32 planes `v` and `h` from the int32 plane `source`."""
    height, width = source.shape
    padded = np.empty(width + 2 * RADIUS, np.int32)
    for y in range(first, last):
        vertical(
            source[reflect(y - 2, height, repeat_far)],
            source[reflect(y - 1, height, repeat_far)],
            source[y],
            source[reflect(y + 1, height, repeat_far)],
            source[reflect(y + 2, height, repeat_far)],
            v[y],
            bit_depth,
        )
        copy(v[y], padded[RADIUS : RADIUS + width])
        fill_borders(padded, repeat_far)
        horizontal(padded, h[y])


@jit
def subtract(previous: Rows, current: Rows, out: Rows) -> None:
    """One row of D."""
    for x in range(out.size):
        out[x] = np.int32(np.int32(previous[x]) - np.int32(current[x]))


@jit
def blurred_row(ring: Rows, y: int, padded: Rows, h: Rows, bit_depth: int, repeat_far: int) -> None:
    """Blur row `y` into `h`; `ring[i % 5]` holds row i of the source for the five rows around y."""
    vertical(
        ring[(y - 2) % 5],
        ring[(y - 1) % 5],
        ring[y % 5],
        ring[(y + 1) % 5],
        ring[(y + 2) % 5],
        padded[RADIUS : RADIUS + h.size],
        bit_depth,
    )
    fill_borders(padded, repeat_far)
    horizontal(padded, h)


@jit
def sad_diff_first(
    previous: Rows, current: Rows, first: int, last: int, bit_depth: int, repeat_far: int, partial: Rows
) -> None:
    """Set `partial[0]` to the SAD of rows `first` to `last` (excluded), diff-first; only five rows of D are kept."""
    height, width = previous.shape
    ring = np.empty((5, width), np.int32)
    padded = np.empty(width + 2 * RADIUS, np.int32)
    h = np.empty(width, np.int32)
    total = np.int64(0)
    for y in range(first - 2 * RADIUS, last):
        at = reflect(y + RADIUS, height, repeat_far)
        subtract(previous[at], current[at], ring[(y + RADIUS) % 5])
        if y >= first:
            blurred_row(ring, y, padded, h, bit_depth, repeat_far)
            total += absolute_sum(h)
    partial[0] = total


@jit
def sad_blur_first(
    previous: Rows, current: Rows, first: int, last: int, bit_depth: int, repeat_far: int, partial: Rows
) -> None:
    """Set `partial[0]` to the SAD of rows `first` to `last` (excluded), each frame blurred before the difference."""
    height, width = previous.shape
    rings = np.empty((2, 5, width), np.int32)
    padded = np.empty(width + 2 * RADIUS, np.int32)
    h = np.empty((2, width), np.int32)
    total = np.int64(0)
    for y in range(first - 2 * RADIUS, last):
        at = reflect(y + RADIUS, height, repeat_far)
        copy(previous[at], rings[0, (y + RADIUS) % 5])
        copy(current[at], rings[1, (y + RADIUS) % 5])
        if y >= first:
            for frame in range(2):
                blurred_row(rings[frame], y, padded, h[frame], bit_depth, repeat_far)
            subtract(h[0], h[1], h[0])
            total += absolute_sum(h[0])
    partial[0] = total
