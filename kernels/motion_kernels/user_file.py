"""A user's own kernel file: run as Python, and its plan read and checked before anything is compiled."""

from __future__ import annotations

import importlib.util
import types
from pathlib import Path
from typing import get_args

from motion_kernels import plan
from motion_kernels.binaries import KernelError


def load_user_file(path: Path) -> tuple[types.ModuleType, plan.Twin]:
    """Run a user's kernel file and return it with its `TWIN` record, or the record that `motion` alone needs."""
    spec = importlib.util.spec_from_file_location("user_kernel", path)
    if spec is None or spec.loader is None:
        raise KernelError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise KernelError(f"{path} does not run: {type(error).__name__}: {error}") from error
    twin = getattr(module, "TWIN", None)
    if isinstance(twin, plan.Twin):
        check_plan(twin)
        return module, twin
    if callable(getattr(module, "motion", None)):
        return module, plan.minimal_twin(path.stem)
    raise KernelError(f"{path} defines neither `motion` nor `TWIN`: see `motion_kernels.plan` for the interface")


def check_plan(twin: plan.Twin) -> None:
    """Refuse a user's plan that names what is not there, before it is a KeyError somewhere else."""
    buffers = (*plan.INPUTS, *(buffer.name for buffer in twin.buffers))
    for step in plan.steps(twin):
        for name in step.arguments:
            if name not in (*buffers, *plan.SCALARS):
                raise KernelError(
                    f"TWIN passes '{name}' to {step.kernel}: one of {', '.join((*buffers, *plan.SCALARS))}"
                )
    for what in ("D", "V", "H"):
        if twin.stages.get(what) not in buffers:
            raise KernelError(f"TWIN has no buffer '{twin.stages.get(what)}' for stage {what}: {', '.join(buffers)}")
    if twin.sums and twin.sums not in buffers:
        raise KernelError(f"TWIN has no buffer '{twin.sums}' for the sums: add one, or set sums to ''")
    dims = {dim for step in plan.steps(twin) for dim in step.range}
    dims |= {dim for buffer in twin.buffers for dim in (buffer.rows, buffer.columns)}
    unknown = [*dims - set(get_args(plan.Dim)), *{buffer.dtype for buffer in twin.buffers} - set(get_args(plan.DType))]
    if unknown:
        known = ", ".join((*get_args(plan.Dim), *get_args(plan.DType)))
        raise KernelError(f"TWIN has the size or type '{unknown[0]}': one of {known}")
