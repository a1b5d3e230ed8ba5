"""The single-pass twin: one kernel, 25 loads of either plane a pixel; diff-first, and the yardstick of `bench`.

The first form that comes to mind: nothing is stored between the filters, so each work-item filters its five columns
anew. Bit for bit the result of `diff_first`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels.arithmetic import after, before, weigh, weigh_column
from motion_kernels.plan import Buffer, Item, Step, Twin


def vertical(item: Item, previous: NDArray[Any], current: NDArray[Any], v: NDArray[Any], height: int, bpc: int) -> None:
    """V alone, for the stage plane; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    row = item.get_id(1)
    v[np.uint64(row), x] = weigh_column(previous, current, x, row, height, bpc)


def motion(
    item: Item,
    previous: NDArray[Any],
    current: NDArray[Any],
    h: NDArray[Any],
    width: int,
    height: int,
    bpc: int,
) -> None:
    """H straight from both planes; a work-item a pixel."""
    x = item.get_id(0)
    row = item.get_id(1)
    h[np.uint64(row), np.uint64(x)] = weigh(
        weigh_column(previous, current, before(x, 2), row, height, bpc),
        weigh_column(previous, current, before(x, 1), row, height, bpc),
        weigh_column(previous, current, np.uint64(x), row, height, bpc),
        weigh_column(previous, current, after(x, 1, width), row, height, bpc),
        weigh_column(previous, current, after(x, 2, width), row, height, bpc),
        16,
    )


_MOTION = Step("single_pass.motion", ("previous", "current", "h", "width", "height", "bpc"))
TWIN = Twin(
    name="single-pass",
    features=("motion", "motion_v2"),
    arithmetic="sum |H(V(prev - cur))| in one kernel of 25 loads a pixel, reflect-101, int32 sums with halved taps",
    buffers=(
        Buffer("d", "int32"),
        Buffer("v", "int32"),
        Buffer("h", "int32"),
        Buffer("sums", "int64", columns="chunks"),
    ),
    stage_steps=(
        Step("common.difference", ("previous", "current", "d")),
        Step("single_pass.vertical", ("previous", "current", "v", "height", "bpc")),
        _MOTION,
    ),
    sum_steps=(_MOTION, Step("common.row_sums", ("h", "sums", "width", "chunks"), ("height", "chunks"))),
)
