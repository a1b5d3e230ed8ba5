"""Device functions that kernels call: the five taps in 32 bits, and the reflected index.

The taps f = {3571, 16004, 26386, 16004, 3571} are halved to stay in 32 bits. With S2 = a + e and
S1 = 1785*(a+e) + 8002*(b+d) + 13193*c the full sum is 2*S1 + S2 (only the outer taps are odd), and since shifts floor

    (2*S1 + S2 + 2**(n-1)) >> n  ==  (S1 + ((S2 + 2**(n-1)) >> 1)) >> (n-1)

exactly, for n of 1 to 16. |a| .. |e| <= 65535 bounds S1 by 65535 * 32767 and the bracket by 2**31 - 1, so that even
16-bit samples need no 64-bit sum. Every operation is cast, since Numba widens int32 to int64 on its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def weigh(a: Any, b: Any, c: Any, d: Any, e: Any, shift: int) -> Any:
    """Return the rounded filter sum of five int32 values, shifted right by `shift`; int32."""
    outer = np.int32(a + e)
    total = np.int32(np.int32(1785) * outer)
    total = np.int32(total + np.int32(np.int32(8002) * np.int32(b + d)))
    total = np.int32(total + np.int32(np.int32(13193) * c))
    half = np.int32(np.int32(outer + np.int32(1 << (shift - 1))) >> np.int32(1))
    return np.int32(np.int32(total + half) >> np.int32(shift - 1))


def weigh_row(v: NDArray[Any], y: Any, x: int) -> Any:
    """Return the horizontal filter of row `y` of a padded plane at the plane's column `x`; int32."""
    return weigh(
        v[y, np.uint64(x)],
        v[y, np.uint64(x + 1)],
        v[y, np.uint64(x + 2)],
        v[y, np.uint64(x + 3)],
        v[y, np.uint64(x + 4)],
        16,
    )


def before(row: int, distance: int) -> Any:
    """Return the row `distance` above `row`, reflected about the first one; unsigned."""
    return np.uint64(abs(row - distance))


def after(row: int, distance: int, length: int) -> Any:
    """Return the row `distance` below `row`, reflected about the last one; unsigned."""
    return np.uint64(length - 1 - abs(length - 1 - row - distance))


def weigh_column(previous: NDArray[Any], current: NDArray[Any], x: Any, row: int, height: int, bpc: int) -> Any:
    """Return the vertical filter of `previous - current` at column `x` of row `row`; int32."""
    y0, y1, y2 = before(row, 2), before(row, 1), np.uint64(row)
    y3, y4 = after(row, 1, height), after(row, 2, height)
    return weigh(
        np.int32(np.int32(previous[y0, x]) - np.int32(current[y0, x])),
        np.int32(np.int32(previous[y1, x]) - np.int32(current[y1, x])),
        np.int32(np.int32(previous[y2, x]) - np.int32(current[y2, x])),
        np.int32(np.int32(previous[y3, x]) - np.int32(current[y3, x])),
        np.int32(np.int32(previous[y4, x]) - np.int32(current[y4, x])),
        bpc,
    )
