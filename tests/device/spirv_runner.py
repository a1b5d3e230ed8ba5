"""Runs SPIR-V on a SYCL queue, in a process of its own: `python -m tests.device.spirv_runner IN OUT`.

Small and without the worker's machinery, so that a kernel is tested by itself. IN is an .npz with the JSON text
`cases` and the planes `previous0`, `current0`, ... of each; OUT receives every buffer of every case as `NUMBER/NAME`,
and `damaged`, the names of buffers that were written outside of their bounds.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels import catalogue, plan
from motion_kernels.binaries import Library
from motion_tui.engines.twins.environment import worker_environment

GUARD = 256
"""Bytes before and after every buffer, filled with `POISON` and looked at afterwards."""
POISON = 0xA5


@dataclass(frozen=True)
class Case:
    """One run of a twin's steps over a pair of planes."""

    twin: str
    path: plan.StepPath
    bpc: int
    local: tuple[int, int] | None = None
    """Largest work-group (rows, columns); each is lowered to a divisor of the range. None: the runtime's choice."""
    filter_size: int = 5


Pair = tuple[NDArray[Any], NDArray[Any]]


def run_cases(cases: Sequence[Case], pairs: Sequence[Pair], scratch: Path) -> list[dict[str, NDArray[Any]]]:
    """Run all cases in one process; return the buffers of each. A crash or a write out of bounds is an error."""
    planes = {
        f"{name}{i}": plane for i, pair in enumerate(pairs) for name, plane in zip(plan.INPUTS, pair, strict=True)
    }
    source, target = scratch / "in.npz", scratch / "out.npz"
    np.savez(source, cases=np.array(json.dumps([asdict(case) for case in cases])), **planes)  # type: ignore[arg-type]
    environment = worker_environment(os.environ, "*:cpu")
    command = [sys.executable, "-m", "tests.device.spirv_runner", str(source), str(target)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise RuntimeError(f"the kernels' process ended with {done.returncode}: {done.stderr[-2000:]}")
    with np.load(target) as found:
        if found["damaged"].size:
            raise RuntimeError(f"written outside of: {', '.join(found['damaged'])}")
        split = [key.partition("/") for key in found.files if "/" in key]
        return [{name: found[f"{n}/{name}"] for n, _, name in split if int(n) == i} for i in range(len(cases))]


class Machine:
    """A queue, and the kernels loaded on it."""

    def __init__(self) -> None:
        import dpctl

        self.queue = dpctl.SyclQueue(property=("in_order", "enable_profiling"))
        self._library = Library()
        self._kernels: dict[tuple[str, str], Any] = {}

    def kernel(self, name: str, variant: str) -> Any:
        """Return a loaded kernel."""
        import dpctl.program

        if (name, variant) not in self._kernels:
            binary = self._library.binary(name, variant)
            program = dpctl.program.create_program_from_spirv(self.queue, binary.code, "")
            self._kernels[name, variant] = program.get_sycl_kernel(binary.entry)
        return self._kernels[name, variant]


class GuardedBuffer:
    """Device memory with a poisoned band on either side."""

    def __init__(self, machine: Machine, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        import dpctl.memory

        self.shape, self.dtype = shape, dtype
        self.bytes = shape[0] * shape[1] * dtype.itemsize
        self._outer = dpctl.memory.MemoryUSMShared(self.bytes + 2 * GUARD, queue=machine.queue)
        self._raw = np.frombuffer(self._outer, np.uint8)
        self._raw[:] = POISON
        self.array = self._raw[GUARD : GUARD + self.bytes].view(dtype).reshape(shape)

    @cached_property
    def memory(self) -> Any:
        """The part between the bands, as dpctl takes it."""
        import dpctl.memory

        interface = self._outer.__sycl_usm_array_interface__
        interface |= {"data": (interface["data"][0] + GUARD, False), "shape": (self.bytes,)}
        return dpctl.memory.MemoryUSMShared(SimpleNamespace(__sycl_usm_array_interface__=interface))

    @property
    def arguments(self) -> list[Any]:
        """The seven words of a two-dimensional array of numba-dpex."""
        sizes = [self.array.size, self.dtype.itemsize]
        layout = [*self.shape, *self.array.strides]
        return [*map(ctypes.c_int64, sizes), self.memory, *map(ctypes.c_int64, layout)]

    @property
    def guards_hold(self) -> bool:
        """Whether nothing was written outside."""
        return bool((self._raw[:GUARD] == POISON).all() and (self._raw[GUARD + self.bytes :] == POISON).all())


def run_case(machine: Machine, case: Case, previous: NDArray[Any], current: NDArray[Any]) -> dict[str, GuardedBuffer]:
    """Submit the steps of a case and wait; return all buffers."""
    twin = catalogue.twin(case.twin)
    height, width = previous.shape
    buffers = {}
    for buffer in (*map(twin.buffer, plan.INPUTS), *twin.buffers):
        dtype = np.dtype(plan.dtype_name(buffer.dtype, case.bpc))
        buffers[buffer.name] = GuardedBuffer(machine, plan.shape(buffer, width, height), dtype)
    buffers["previous"].array[...], buffers["current"].array[...] = previous, current
    scalars = plan.scalar_values(width, height, case.bpc, case.filter_size)
    for step in plan.path_steps(twin, case.path):
        arguments: list[Any] = []
        for name in step.arguments:
            arguments += [ctypes.c_int64(scalars[name])] if name in scalars else buffers[name].arguments
        whole = plan.global_range(step, width, height)
        group = case.local and [_divisor(n, most) for n, most in zip(whole, case.local[-len(whole) :], strict=True)]
        kernel = machine.kernel(step.kernel, plan.variant(twin, step, case.bpc))
        machine.queue.submit(kernel, arguments, whole, *([group] if group else []))
    machine.queue.wait()
    return buffers


def _divisor(whole: int, most: int) -> int:
    """The largest divisor of `whole` that is not above `most`."""
    return next(n for n in range(min(whole, most), 0, -1) if whole % n == 0)


def main(source: str, target: str) -> None:
    """Run every case of a request."""
    machine = Machine()
    arrays: dict[str, NDArray[Any]] = {}
    damaged: list[str] = []
    with np.load(source) as given:
        for i, fields in enumerate(json.loads(str(given["cases"]))):
            buffers = run_case(machine, Case(**fields), given[f"previous{i}"], given[f"current{i}"])
            arrays |= {f"{i}/{name}": buffer.array for name, buffer in buffers.items()}
            damaged += [f"{name} of {fields}" for name, buffer in buffers.items() if not buffer.guards_hold]
    np.savez(target, damaged=np.array(damaged, dtype=str), **arrays)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*sys.argv[1:])
