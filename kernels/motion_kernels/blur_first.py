"""The blur-first twin: each frame is blurred and rounded by itself, then the blurred frames are subtracted; int32.

What `motion_sycl` did before its fix, and the CUDA, HIP and Metal twins still do. V and H of a pair are the
differences of both frames' V and H, so that the stages can be laid over those of a diff-first engine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels.arithmetic import after, before, weigh, weigh_row
from motion_kernels.plan import Buffer, Item, Step, Twin


def vertical(item: Item, frame: NDArray[Any], v: NDArray[Any], height: int, bpc: int) -> None:
    """V of one frame, written into rows padded by two columns; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    row = item.get_id(1)
    v[np.uint64(row), np.uint64(item.get_id(0) + 2)] = weigh(
        np.int32(frame[before(row, 2), x]),
        np.int32(frame[before(row, 1), x]),
        np.int32(frame[np.uint64(row), x]),
        np.int32(frame[after(row, 1, height), x]),
        np.int32(frame[after(row, 2, height), x]),
        bpc,
    )


def subtract(item: Item, previous: NDArray[Any], current: NDArray[Any], h: NDArray[Any]) -> None:
    """H of the pair: the difference of both blurred frames; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    y = np.uint64(item.get_id(1))
    h[y, x] = np.int32(previous[y, x] - current[y, x])


def horizontal_sums(
    item: Item,
    v: NDArray[Any],
    blurred_previous: NDArray[Any],
    blurred: NDArray[Any],
    sums: NDArray[Any],
    width: int,
    chunks: int,
) -> None:
    """Blur a frame and sum its distance to the blurred one before in one go; chunks as in `diff_first`."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    partial = np.int64(0)
    while x < width:
        value = weigh_row(v, y, x)
        blurred[y, np.uint64(x)] = value
        partial += np.int64(abs(np.int32(blurred_previous[y, np.uint64(x)] - value)))
        x += chunks
    sums[y, np.uint64(item.get_id(0))] = partial


_PREVIOUS = (
    Step("blur_first.vertical", ("previous", "v_previous", "height", "bpc"), kept=True),
    Step("common.mirror_columns", ("v_previous", "width"), ("height",), kept=True),
    Step("common.horizontal", ("v_previous", "blurred_previous"), kept=True),
)
_CURRENT = (
    Step("blur_first.vertical", ("current", "v_current", "height", "bpc")),
    Step("common.mirror_columns", ("v_current", "width"), ("height",)),
)
TWIN = Twin(
    name="blur-first",
    features=("motion", "motion_v2"),
    arithmetic="sum |H(V(prev)) - H(V(cur))|, reflect-101, int32 sums with halved taps (motion_sycl before its fix)",
    buffers=(
        Buffer("d", "int32"),
        Buffer("v_previous", "int32", columns="padded"),
        Buffer("v_current", "int32", columns="padded"),
        Buffer("v", "int32"),
        Buffer("blurred_previous", "int32"),
        Buffer("blurred_current", "int32"),
        Buffer("h", "int32"),
        Buffer("sums", "int64", columns="chunks"),
    ),
    stage_steps=(
        Step("common.difference", ("previous", "current", "d")),
        *_PREVIOUS,
        *_CURRENT,
        Step("common.horizontal", ("v_current", "blurred_current")),
        Step("common.subtract_padded", ("v_previous", "v_current", "v")),
        Step("blur_first.subtract", ("blurred_previous", "blurred_current", "h")),
    ),
    sum_steps=(
        *_PREVIOUS,
        *_CURRENT,
        Step(
            "blur_first.horizontal_sums",
            ("v_current", "blurred_previous", "blurred_current", "sums", "width", "chunks"),
            ("height", "chunks"),
        ),
    ),
)
