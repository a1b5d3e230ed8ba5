"""Threads for numba functions: blocks of rows on a pool of plain threads, without numba's own thread layer.

numba's default layer aborts the process when two threads start parallel functions at once, which a terminal UI with
workers does. The jitted functions release the GIL, so that a pool of Python threads is enough.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

SMALL = 1 << 16
"""Samples of a plane below which handing work to threads costs more than it saves."""


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(processors(), thread_name_prefix="motion-rows")


def row_blocks(height: int, width: int) -> list[tuple[int, int]]:
    """Split `height` rows into (first, last) ranges, one a processor; a small plane stays whole."""
    count = 1 if height * width < SMALL else min(processors(), height)
    edges = [height * k // count for k in range(count + 1)]
    return list(pairwise(edges))


def over_blocks(work: Callable[[int, int, int], object], height: int, width: int) -> None:
    """Call `work(block number, first, last)` for every block of rows, side by side; the first error is raised."""
    blocks = row_blocks(height, width)
    if len(blocks) == 1:
        work(0, *blocks[0])
        return
    futures = [_pool().submit(work, number, *block) for number, block in enumerate(blocks)]
    for future in futures:
        future.result()
