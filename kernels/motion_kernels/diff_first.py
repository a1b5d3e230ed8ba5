"""The diff-first twin: vertical filter straight from both planes, horizontal filter, absolute sum; int32 throughout.

Both filters halve the taps to stay in 32 bits. With S1 = 1785*(a+e) + 8002*(b+d) + 13193*c and S2 = a+e, the full
sum is 2*S1 + S2 (only the outer taps, 3571, are odd), and

    (2*S1 + S2 + 2**(n-1)) >> n  ==  (S1 + ((S2 + 2**(n-1)) >> 1)) >> (n-1)

exactly, since the shifts floor. |a| .. |e| <= 65535 bounds S1 by 65535 * 32767 and the bracket by 2**31 - 1, so
16-bit samples need no 64-bit sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels.plan import Buffer, Item, Step, Twin


def vertical(item: Item, previous: NDArray[Any], current: NDArray[Any], v: NDArray[Any], height: int, bpc: int) -> None:
    """V of `previous - current`, written into rows padded by two columns; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    row = item.get_id(1)
    last = height - 1
    y0 = np.uint64(abs(row - 2))
    y1 = np.uint64(abs(row - 1))
    y2 = np.uint64(row)
    y3 = np.uint64(last - abs(last - row - 1))
    y4 = np.uint64(last - abs(last - row - 2))
    a = np.int32(np.int32(previous[y0, x]) - np.int32(current[y0, x]))
    b = np.int32(np.int32(previous[y1, x]) - np.int32(current[y1, x]))
    c = np.int32(np.int32(previous[y2, x]) - np.int32(current[y2, x]))
    d = np.int32(np.int32(previous[y3, x]) - np.int32(current[y3, x]))
    e = np.int32(np.int32(previous[y4, x]) - np.int32(current[y4, x]))
    outer = np.int32(a + e)
    total = np.int32(np.int32(1785) * outer)
    total = np.int32(total + np.int32(np.int32(8002) * np.int32(b + d)))
    total = np.int32(total + np.int32(np.int32(13193) * c))
    half = np.int32(np.int32(outer + np.int32(1 << (bpc - 1))) >> np.int32(1))
    v[y2, np.uint64(item.get_id(0) + 2)] = np.int32(np.int32(total + half) >> np.int32(bpc - 1))


def horizontal(item: Item, v: NDArray[Any], h: NDArray[Any]) -> None:
    """H of a padded V, no branch and no reflected index; a work-item a pixel."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    outer = np.int32(v[y, np.uint64(x)] + v[y, np.uint64(x + 4)])
    inner = np.int32(v[y, np.uint64(x + 1)] + v[y, np.uint64(x + 3)])
    total = np.int32(np.int32(1785) * outer)
    total = np.int32(total + np.int32(np.int32(8002) * inner))
    total = np.int32(total + np.int32(np.int32(13193) * v[y, np.uint64(x + 2)]))
    half = np.int32(np.int32(outer + np.int32(32768)) >> np.int32(1))
    h[y, np.uint64(x)] = np.int32(np.int32(total + half) >> np.int32(15))


def horizontal_sums(item: Item, v: NDArray[Any], sums: NDArray[Any], width: int, chunks: int) -> None:
    """Partial sums of |H| of a row: H is never stored; work-item k takes columns k, k + n, k + 2n ... of n items."""
    start = item.get_id(0)
    y = np.uint64(item.get_id(1))
    partial = np.int64(0)
    x = start
    while x < width:
        outer = np.int32(v[y, np.uint64(x)] + v[y, np.uint64(x + 4)])
        inner = np.int32(v[y, np.uint64(x + 1)] + v[y, np.uint64(x + 3)])
        total = np.int32(np.int32(1785) * outer)
        total = np.int32(total + np.int32(np.int32(8002) * inner))
        total = np.int32(total + np.int32(np.int32(13193) * v[y, np.uint64(x + 2)]))
        half = np.int32(np.int32(outer + np.int32(32768)) >> np.int32(1))
        partial += np.int64(abs(np.int32(np.int32(total + half) >> np.int32(15))))
        x += chunks
    sums[y, np.uint64(start)] = partial


_VERTICAL = (
    Step("diff_first.vertical", ("previous", "current", "v", "height", "bpc")),
    Step("common.mirror_columns", ("v", "width"), ("height",)),
)
TWIN = Twin(
    name="diff-first",
    features=("motion", "motion_v2"),
    arithmetic="sum |H(V(prev - cur))|, reflect-101, int32 sums with halved taps (libvmaf's current order)",
    buffers=(
        Buffer("d", "int32"),
        Buffer("v", "int32", columns="padded"),
        Buffer("h", "int32"),
        Buffer("sums", "int64", columns="chunks"),
    ),
    stage_steps=(
        Step("common.difference", ("previous", "current", "d")),
        *_VERTICAL,
        Step("diff_first.horizontal", ("v", "h")),
    ),
    sum_steps=(*_VERTICAL, Step("diff_first.horizontal_sums", ("v", "sums", "width", "chunks"), ("height", "chunks"))),
)
