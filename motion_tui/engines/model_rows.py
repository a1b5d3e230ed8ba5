"""The passes of the models, compiled by numba: any border, any rounding, sums of 64 bits or wrapped to 32.

A line of n samples comes with `reads`, the n+4 indices that positions -2 to n+1 read, so that a border rule is data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.spec import RADIUS, TAPS
from motion_tui.engines.jit import jit

Rows = NDArray[Any]
OUTER, INNER, CENTRE = (np.int64(tap) for tap in TAPS[:3])


@jit
def filtered(a: Any, b: Any, c: Any, d: Any, e: Any, rounding: Any, shift: Any, wrap: bool) -> Any:
    """Taps times five samples, rounded, shifted."""
    total = OUTER * (np.int64(a) + e) + INNER * (np.int64(b) + d) + CENTRE * np.int64(c) + rounding
    if wrap:
        total = np.int64(np.int32(total))
    return np.int32(total >> shift)


@jit
def filter_columns(
    plane: Rows, reads: Rows, rounding: int, shift: int, wrap: bool, out: Rows, first: int, last: int
) -> None:
    """Fill rows `first` to `last` (excluded) of `out` with the filter down the columns; int32 planes."""
    for y in range(first, last):
        above2, above, row = plane[reads[y]], plane[reads[y + 1]], plane[reads[y + 2]]
        below, below2 = plane[reads[y + 3]], plane[reads[y + 4]]
        for x in range(plane.shape[1]):
            out[y, x] = filtered(above2[x], above[x], row[x], below[x], below2[x], rounding, shift, wrap)


@jit
def filter_rows(
    plane: Rows, reads: Rows, rounding: int, shift: int, wrap: bool, out: Rows, first: int, last: int
) -> None:
    """Fill rows `first` to `last` (excluded) of `out` with the filter along the rows; int32 planes."""
    width = plane.shape[1]
    padded = np.empty(width + 2 * RADIUS, np.int32)
    for y in range(first, last):
        for x in range(padded.size):
            padded[x] = plane[y, reads[x]]
        left2, left, here = padded[:width], padded[1 : width + 1], padded[2 : width + 2]
        right, right2 = padded[3 : width + 3], padded[4 : width + 4]
        for x in range(width):
            out[y, x] = filtered(left2[x], left[x], here[x], right[x], right2[x], rounding, shift, wrap)
