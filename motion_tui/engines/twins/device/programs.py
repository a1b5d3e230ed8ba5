"""Programs: the kernels of a twin, loaded for one device and kept for the life of the worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dpctl.program

from motion_kernels import plan
from motion_kernels.binaries import Binary, KernelError, Library
from motion_tui.engines.twins.device.build_log import build_log
from motion_tui.engines.twins.device.faults import NoKernel
from motion_tui.engines.twins.device.queues import Queues
from motion_tui.engines.twins.protocol import KernelSource, StepPath
from motion_tui.engines.twins.sources import FIXED_KERNELS, fixed_twin, library_of, record_of

USERS_MARGIN = 1 << 20
"""A user's kernel may miss its buffer by more than the two rows that a wrong border costs."""
Note = Callable[[str], None]
"""Says what is being done, so that the client can name it should the process die of it."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTwin:
    """A twin's record and its way to a kernel on the device."""

    record: plan.Twin
    fixed_arguments: bool
    """Pointers and 32-bit integers (OpenCL C, plain SPIR-V), not the arrays of numba-dpex."""
    margin: int
    """Bytes of guard band beyond two rows, around every buffer."""


class Programs:
    """Every program loaded on one device."""

    def __init__(self, queues: Queues, note: Note) -> None:
        self._queue = queues.kernels
        self._facts = queues.facts
        self._note = note
        self._twins: dict[KernelSource, LoadedTwin] = {}
        self._kernels: dict[tuple[KernelSource | None, str, str], Any] = {}
        self._libraries: dict[KernelSource, Library] = {}

    def twin(self, source: KernelSource) -> LoadedTwin:
        """Return the twin of a source; a file with fixed arguments is built here, since its steps are what it holds."""
        if source not in self._twins:
            if source.kind in ("built-in", "library"):
                margin = USERS_MARGIN if source.is_users else 0
                self._twins[source] = LoadedTwin(record_of(source), fixed_arguments=False, margin=margin)
            else:
                self._twins[source] = self._load_file(source)
        return self._twins[source]

    def load(self, source: KernelSource, path: StepPath, bit_depth: int) -> None:
        """Load every kernel of a path."""
        twin = self.twin(source)
        for step in plan.path_steps(twin.record, path):
            self.kernel(source, step, bit_depth)

    def kernel(self, source: KernelSource, step: plan.Step, bit_depth: int) -> Any:
        """Return the device's kernel of a step."""
        twin = self.twin(source)
        if twin.fixed_arguments:
            return self._kernels[source, step.kernel, ""]
        variant = plan.variant(twin.record, step, bit_depth)
        # A user's library may hold its own build of a shared kernel: keyed by source, so that neither hides the other.
        key = (source if source.is_users else None, step.kernel, variant)
        if key not in self._kernels:
            self._note(f"loading kernel {step.kernel} ({variant}) on {self._facts.name}")
            self._kernels[key] = self._load_binary(self._binary(source, step.kernel, variant))
        return self._kernels[key]

    def _binary(self, source: KernelSource, kernel: str, variant: str) -> Binary:
        if source not in self._libraries:
            self._libraries[source] = library_of(source)
        try:
            return self._libraries[source].binary(kernel, variant)
        except KernelError as error:
            del self._libraries[source]
            raise NoKernel(str(error)) from error

    def _load_binary(self, binary: Binary) -> Any:
        program = self._program(f"kernel {binary.kernel} ({binary.variant})", binary.code)
        return program.get_sycl_kernel(binary.entry)

    def _load_file(self, source: KernelSource) -> LoadedTwin:
        path = Path(source.path)
        self._note(f"building {source.name} on {self._facts.name}")
        code = path.read_bytes()
        program = self._program(source.name, code if source.kind == "spirv" else code.decode(errors="replace"))
        names = next((names for names in FIXED_KERNELS if all(map(program.has_sycl_kernel, names))), None)
        if names is None:
            wanted = " or ".join(", ".join(names) for names in FIXED_KERNELS)
            raise NoKernel(f"{source.name} has no kernel named {wanted}")
        twin = fixed_twin(source.name, names)
        for step in twin.stage_steps:
            kernel = program.get_sycl_kernel(step.kernel)
            if kernel.num_args != len(step.arguments):
                raise NoKernel(
                    f"kernel {step.kernel} of {source.name} takes {kernel.num_args} arguments: "
                    f"the {len(step.arguments)} are {', '.join(step.arguments)}"
                )
            self._kernels[source, step.kernel, ""] = kernel
        return LoadedTwin(twin, fixed_arguments=True, margin=USERS_MARGIN)

    def _program(self, name: str, code: bytes | str) -> Any:
        if isinstance(code, str) and self._facts.backend != "opencl":
            raise NoKernel(f"{name}: OpenCL C is built on an OpenCL device alone, not on {self._facts.backend}")
        try:
            if isinstance(code, str):
                return dpctl.program.create_program_from_source(self._queue, code)
            return dpctl.program.create_program_from_spirv(self._queue, code)
        except dpctl.program.SyclProgramCompilationError:
            log = build_log(self._facts.name, code)
            raise NoKernel(f"{self._facts.name} cannot build {name}: {log}") from None
