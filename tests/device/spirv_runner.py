"""Runs a twin's SPIR-V on a SYCL queue, in a process of its own: `python -m tests.device.spirv_runner IN OUT`.

Small and without the worker's machinery, so that a kernel is tested by itself. IN is an .npz with `previous`,
`current` and the JSON text `request` (twin, bpc, path "stage" or "sum", local range, filter size); OUT receives every
buffer, guards included, and the kernel times in nanoseconds.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels import catalogue, plan
from motion_kernels.binaries import Library

GUARD = 256
"""Bytes before and after every buffer, filled with `POISON` and looked at afterwards."""
POISON = 0xA5


def environment() -> dict[str, str]:
    """Return an environment in which the Intel CPU runtime of this interpreter is seen."""
    library = Path(sys.prefix) / "lib" / "libintelocl.so"
    return {**os.environ, "OCL_ICD_FILENAMES": str(library), "ONEAPI_DEVICE_SELECTOR": "opencl:cpu"}


class Device:
    """A queue with the programs and buffers of one twin and geometry."""

    def __init__(self, twin: plan.Twin, previous: NDArray[Any], current: NDArray[Any], bpc: int) -> None:
        import dpctl
        import dpctl.memory

        self.twin, self.bpc = twin, bpc
        self.height, self.width = previous.shape
        self.queue = dpctl.SyclQueue(property=("in_order", "enable_profiling"))
        self.library = Library()
        self.kernels: dict[tuple[str, str], Any] = {}
        self.memory: dict[str, Any] = {}
        self.shapes: dict[str, tuple[int, int]] = {}
        for buffer in (*(twin.buffer(name) for name in plan.INPUTS), *twin.buffers):
            self.shapes[buffer.name] = plan.shape(buffer, self.width, self.height)
            size = int(np.prod(self.shapes[buffer.name])) * self.dtype(buffer.name).itemsize
            memory = dpctl.memory.MemoryUSMShared(size + 2 * GUARD, queue=self.queue)
            np.frombuffer(memory, np.uint8)[:] = POISON
            self.memory[buffer.name] = memory
        for name, samples in zip(plan.INPUTS, (previous, current), strict=True):
            self.array(name)[...] = samples

    def dtype(self, name: str) -> np.dtype[Any]:
        return np.dtype(plan.dtype_name(self.twin.buffer(name).dtype, self.bpc))

    def array(self, name: str) -> NDArray[Any]:
        """The buffer between its guards, writable, on the device's own memory."""
        count = int(np.prod(self.shapes[name]))
        return np.frombuffer(self.memory[name], self.dtype(name), count, GUARD).reshape(self.shapes[name])

    def guards_hold(self, name: str) -> bool:
        raw = np.frombuffer(self.memory[name], np.uint8)
        return bool((raw[:GUARD] == POISON).all() and (raw[-GUARD:] == POISON).all())

    def _inner(self, name: str, size: int) -> Any:
        """The memory between the guards as dpctl takes it: a view with an offset."""
        import dpctl.memory

        outer = self.memory[name]
        interface = outer.__sycl_usm_array_interface__
        interface |= {"data": (interface["data"][0] + GUARD, False), "shape": (size,)}
        return dpctl.memory.MemoryUSMShared(SimpleNamespace(__sycl_usm_array_interface__=interface, owner=outer))

    def _kernel(self, step: plan.Step) -> Any:
        import dpctl.program

        key = (step.kernel, plan.variant(self.twin, step, self.bpc))
        if key not in self.kernels:
            binary = self.library.binary(*key)
            program = dpctl.program.create_program_from_spirv(self.queue, binary.code, "")
            self.kernels[key] = program.get_sycl_kernel(binary.entry)
        return self.kernels[key]

    def submit(self, step: plan.Step, local: list[int] | None = None, filter_size: int = 5) -> Any:
        """Submit one step and return its event."""
        scalars = plan.scalar_values(self.width, self.height, self.bpc, filter_size)
        arguments: list[Any] = []
        for name in step.arguments:
            if name in scalars:
                arguments.append(ctypes.c_int64(scalars[name]))
                continue
            array = self.array(name)
            arguments += [ctypes.c_int64(array.size), ctypes.c_int64(array.itemsize)]
            arguments.append(self._inner(name, array.nbytes))
            arguments += [ctypes.c_int64(value) for value in (*array.shape, *array.strides)]
        size = plan.global_range(step, self.width, self.height)
        if local is None:
            return self.queue.submit(self._kernel(step), arguments, size)
        fitting = [
            next(n for n in range(want, 0, -1) if whole % n == 0)
            for whole, want in zip(size, local[-len(size) :], strict=True)
        ]
        return self.queue.submit(self._kernel(step), arguments, size, fitting)


def main(source: str, target: str) -> None:
    """Run one request."""
    with np.load(source) as given:
        request = json.loads(str(given["request"]))
        device = Device(catalogue.twin(request["twin"]), given["previous"], given["current"], request["bpc"])
    steps = device.twin.sum_steps if request["path"] == "sum" else device.twin.stage_steps
    events = [device.submit(step, request.get("local"), request.get("filter_size", 5)) for step in steps]
    device.queue.wait()
    times = [event.profiling_info_end - event.profiling_info_start for event in events]
    guards = [device.guards_hold(name) for name in device.memory]
    arrays = {name: device.array(name) for name in device.memory}
    np.savez(target, times=np.array(times), guards=np.array(guards), **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
