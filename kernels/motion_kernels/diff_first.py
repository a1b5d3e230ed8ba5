"""The diff-first twin: vertical filter straight from both planes, horizontal filter, absolute sum; int32 throughout."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels.arithmetic import weigh_column, weigh_row
from motion_kernels.plan import Buffer, Item, Step, Twin


def vertical(item: Item, previous: NDArray[Any], current: NDArray[Any], v: NDArray[Any], height: int, bpc: int) -> None:
    """V of `previous - current`, written into rows padded by two columns; a work-item a pixel."""
    x = item.get_id(0)
    row = item.get_id(1)
    v[np.uint64(row), np.uint64(x + 2)] = weigh_column(previous, current, np.uint64(x), row, height, bpc)


def horizontal_sums(item: Item, v: NDArray[Any], sums: NDArray[Any], width: int, chunks: int) -> None:
    """Partial sums of |H| of a row: H is never stored; work-item k takes columns k, k + chunks, k + 2*chunks ..."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    partial = np.int64(0)
    while x < width:
        partial += np.int64(abs(weigh_row(v, y, x)))
        x += chunks
    sums[y, np.uint64(item.get_id(0))] = partial


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
        Step("common.horizontal", ("v", "h")),
    ),
    sum_steps=(*_VERTICAL, Step("diff_first.horizontal_sums", ("v", "sums", "width", "chunks"), ("height", "chunks"))),
)
