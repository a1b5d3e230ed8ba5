"""A correct twin as a user would write it for numba-dpex: one function, a work-item a pixel."""

import numpy as np

from motion_kernels.arithmetic import after, before, weigh, weigh_column


def motion(item, previous, current, d, v, h, width, height, bpc):  # type: ignore[no-untyped-def]
    """D, V and H of one pixel; the five columns that H needs are filtered anew by each work-item."""
    x = item.get_id(0)
    y = item.get_id(1)
    row, column = np.uint64(y), np.uint64(x)
    d[row, column] = np.int32(np.int32(previous[row, column]) - np.int32(current[row, column]))
    middle = weigh_column(previous, current, column, y, height, bpc)
    v[row, column] = middle
    h[row, column] = weigh(
        weigh_column(previous, current, before(x, 2), y, height, bpc),
        weigh_column(previous, current, before(x, 1), y, height, bpc),
        middle,
        weigh_column(previous, current, after(x, 1, width), y, height, bpc),
        weigh_column(previous, current, after(x, 2, width), y, height, bpc),
        16,
    )
