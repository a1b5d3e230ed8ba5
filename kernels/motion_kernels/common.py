"""Kernels that several twins submit: the difference, the mirrored columns, the horizontal filter, the row sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels.arithmetic import weigh_row
from motion_kernels.plan import Item


def difference(item: Item, previous: NDArray[Any], current: NDArray[Any], d: NDArray[Any]) -> None:
    """D = previous - current, int32; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    y = np.uint64(item.get_id(1))
    d[y, x] = np.int32(np.int32(previous[y, x]) - np.int32(current[y, x]))


def mirror_columns(item: Item, v: NDArray[Any], width: int) -> None:
    """Fill the two columns before and after a padded row with its reflection; a work-item a row."""
    y = np.uint64(item.get_id(0))
    v[y, np.uint64(0)] = v[y, np.uint64(4)]
    v[y, np.uint64(1)] = v[y, np.uint64(3)]
    v[y, np.uint64(width + 2)] = v[y, np.uint64(width)]
    v[y, np.uint64(width + 3)] = v[y, np.uint64(width - 1)]


def subtract_padded(item: Item, previous: NDArray[Any], current: NDArray[Any], result: NDArray[Any]) -> None:
    """`previous - current` of two planes in padded rows, into plain rows; a work-item a pixel."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    result[y, np.uint64(x)] = previous[y, np.uint64(x + 2)] - current[y, np.uint64(x + 2)]


def horizontal(item: Item, v: NDArray[Any], h: NDArray[Any]) -> None:
    """H of a padded V, no branch and no reflected index; a work-item a pixel."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    h[y, np.uint64(x)] = weigh_row(v, y, x)


def row_sums(item: Item, h: NDArray[Any], sums: NDArray[Any], width: int, chunks: int) -> None:
    """Partial sums of |H| of a row; work-item k takes columns k, k + n, k + 2n ... of n items."""
    start = item.get_id(0)
    y = np.uint64(item.get_id(1))
    partial = np.int64(0)
    x = start
    while x < width:
        partial += np.int64(abs(h[y, np.uint64(x)]))
        x += chunks
    sums[y, np.uint64(start)] = partial
