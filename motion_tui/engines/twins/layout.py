"""Where the planes of one request lie in the shared memory: computed alike by client and worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from motion_kernels import plan
from motion_tui.engines.twins.protocol import PlaneSize, StepPath

ALIGNMENT = 64


@dataclass(frozen=True, slots=True)
class Region:
    """A two-dimensional array, packed by rows, in the shared memory."""

    offset: int
    shape: tuple[int, int]
    dtype: np.dtype[np.generic]

    @property
    def nbytes(self) -> int:
        """Bytes of the array."""
        return prod(self.shape) * self.dtype.itemsize


@dataclass(frozen=True, slots=True)
class PlaneLayout:
    """The regions of one plane: both inputs, and each buffer that is downloaded."""

    size: PlaneSize
    inputs: Mapping[str, Region]
    outputs: Mapping[str, Region]


def downloads(twin: plan.Twin, path: StepPath) -> tuple[str, ...]:
    """The buffers that the host reads after a path; a twin without partial sums has its H read instead."""
    if path == "stages":
        return tuple(twin.stages.values())
    return (twin.sums or twin.stages["H"],)


def layout(
    twin: plan.Twin, path: StepPath, planes: Sequence[PlaneSize], bit_depth: int
) -> tuple[tuple[PlaneLayout, ...], int]:
    """Return the regions of every plane, and the bytes that all of them take."""
    end = 0

    def region(name: str, size: PlaneSize) -> Region:
        nonlocal end
        made = Region(end, *array_of(twin, name, size, bit_depth))
        end += -(-made.nbytes // ALIGNMENT) * ALIGNMENT
        return made

    made = tuple(
        PlaneLayout(
            size,
            {name: region(name, size) for name in plan.INPUTS},
            {name: region(name, size) for name in downloads(twin, path)},
        )
        for size in planes
    )
    return made, end


def array_of(
    twin: plan.Twin, name: str, size: PlaneSize, bit_depth: int
) -> tuple[tuple[int, int], np.dtype[np.generic]]:
    """Return shape and type of a twin's buffer for a plane."""
    buffer = twin.buffer(name)
    return plan.shape(buffer, size.width, size.height), np.dtype(plan.dtype_name(buffer.dtype, bit_depth))
