"""What a kernel source stands for: its twin's record, its compiled form, its samples; and what a user's file holds.

A user's file is one of three kinds:

- `FILE.py`, numba-dpex: either one function `motion(item, previous, current, d, v, h, width, height, bpc)`, a
  work-item a pixel, over two-dimensional arrays (`previous[y, x]`), or several kernels and a `TWIN` record that
  says how they are submitted (`motion_kernels.plan`), as the built-in twins have it.
- `FILE.cl`, OpenCL C, and `FILE.spv`, SPIR-V: either one kernel `motion`, or the three `motion_d`, `motion_v` and
  `motion_h`, submitted in this order. Each has the same arguments:

      __kernel void motion(__global const ushort *previous, __global const ushort *current,
                           __global int *d, __global int *v, __global int *h,
                           int width, int height, int bpc)

  `get_global_id(0)` is the column and `get_global_id(1)` the row. Planes are packed by rows of `width`. Samples are
  16 bits wide whatever the clip's depth `bpc`.

Every pixel of D, V and H must be written, and neither input: D in code values, V and H in 1/256 code values, signed
`previous - current`. The host adds |H| in 64 bits.
"""

from __future__ import annotations

from pathlib import Path

from motion_kernels import catalogue, plan
from motion_kernels.binaries import Library
from motion_tui.engines.twins.protocol import KernelSource

FIXED_KERNELS: tuple[tuple[str, ...], ...] = (("motion",), ("motion_d", "motion_v", "motion_h"))
FIXED_ARGUMENTS = ("previous", "current", "d", "v", "h", "width", "height", "bpc")
OWN_COPY = "kernel.py"
"""The copy of a user's FILE.py beside its binaries."""


def fixed_twin(name: str, kernels: tuple[str, ...] = FIXED_KERNELS[0]) -> plan.Twin:
    """Return the record of a file whose kernels take the fixed arguments."""
    steps = tuple(plan.Step(kernel, FIXED_ARGUMENTS) for kernel in kernels)
    return plan.Twin(
        name=name,
        features=("motion", "motion_v2"),
        arithmetic="a user's own kernel",
        buffers=tuple(plan.Buffer(stage, "int32") for stage in ("d", "v", "h")),
        stage_steps=steps,
        sum_steps=steps,
        sums="",
    )


def sample_depth(source: KernelSource, bit_depth: int) -> int:
    """Return the depth whose sample type the planes have on the device: fixed arguments are 16 bits wide."""
    return 16 if source.kind in ("opencl-c", "spirv") else bit_depth


def library_of(source: KernelSource) -> Library:
    """Return the compiled kernels of a source; KernelError where there are none."""
    if source.kind == "built-in":
        return Library()
    return Library(Path(source.path), Path(source.path) / OWN_COPY)


def record_of(source: KernelSource) -> plan.Twin:
    """Return the record of a source; a file with fixed arguments is taken to hold one kernel, until it is built."""
    if source.kind == "built-in":
        return catalogue.twin(source.name)
    if source.kind == "library":
        return plan.from_json(library_of(source).manifest["twin"])
    return fixed_twin(source.name)
