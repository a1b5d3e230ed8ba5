"""Runs a twin's kernels undecorated, in plain Python, a work-item after the other: no compiler, no device."""

from __future__ import annotations

import importlib
import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels import plan

POISON = 0xA5


@dataclass(frozen=True)
class PlainItem:
    """A work-item's index as submitted, fastest dimension last."""

    index: tuple[int, ...]

    def get_id(self, dim: int, /) -> int:
        return self.index[-1 - dim]


def run(
    twin: plan.Twin,
    steps: tuple[plan.Step, ...],
    previous: NDArray[Any],
    current: NDArray[Any],
    bpc: int,
    filter_size: int = 5,
) -> dict[str, NDArray[Any]]:
    """Return every buffer after `steps`; what no kernel wrote is poison."""
    height, width = previous.shape
    arrays: dict[str, NDArray[Any]] = {"previous": previous, "current": current}
    for buffer in twin.buffers:
        dtype = np.dtype(plan.dtype_name(buffer.dtype, bpc))
        rows, columns = plan.shape(buffer, width, height)
        arrays[buffer.name] = np.full(rows * columns * dtype.itemsize, POISON, np.uint8).view(dtype).reshape(rows, -1)
    known = arrays | plan.scalar_values(width, height, bpc, filter_size)
    for step in steps:
        module, _, name = step.kernel.rpartition(".")
        kernel = getattr(importlib.import_module(f"motion_kernels.{module}"), name)
        arguments = [known[argument] for argument in step.arguments]
        for index in itertools.product(*map(range, plan.global_range(step, width, height))):
            kernel(PlainItem(index), *arguments)
    return arrays


def stage(twin: plan.Twin, arrays: dict[str, NDArray[Any]], name: plan.Stage, width: int) -> NDArray[Any]:
    """Return a stage's plane without the padding of its buffer."""
    first = twin.buffer(twin.stages[name]).first_column
    return arrays[twin.stages[name]][:, first : first + width]
