"""Computes pairs: stages the planes, submits a twin's steps, brings back what was asked for, checks the memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels import plan
from motion_tui.engines.twins.device.execution import Execution
from motion_tui.engines.twins.device.faults import DeviceFault, TooLarge, WrongWrite
from motion_tui.engines.twins.device.memory import unwritten
from motion_tui.engines.twins.device.programs import LoadedTwin, Programs
from motion_tui.engines.twins.device.queues import Queues
from motion_tui.engines.twins.device.slot import Command, Slot, SlotCache, slot_bytes
from motion_tui.engines.twins.layout import PlaneLayout, Region, layout
from motion_tui.engines.twins.protocol import DeviceFacts, PlaneSize, Run
from motion_tui.engines.twins.shared import MappedMemory
from motion_tui.engines.twins.sources import sample_depth

SLOT_BYTES = 2 << 30
"""Slots kept, at most: two alternating ones for each plane of 3840x2160, 4:4:4, of the twin with most buffers."""
SLOT_SHARE = 4
"""And no more than one part in so many of the device's memory, which may be the host's."""
THOROUGH_BYTES = 1 << 20
"""Outputs up to this size are searched whole for unwritten elements, whoever's kernel it is."""
SUMMED_ROWS = 64
"""Rows that are widened at a time."""


class Runner:
    """Runs pairs on one device; slots follow the geometry of what is asked for."""

    def __init__(self, queues: Queues, programs: Programs, memory: MappedMemory) -> None:
        self._queues = queues
        self._programs = programs
        self._memory = memory
        self._slots = SlotCache(min(SLOT_BYTES, queues.facts.memory // SLOT_SHARE))
        self._turn = 0

    def run(self, run: Run) -> dict[str, Any]:
        """Compute one pair; the answer has exact sums (for "sums"), spans and host waits."""
        twin = self._programs.twin(run.source)
        depth = sample_depth(run.source, run.bit_depth)
        planes, total = layout(twin.record, run.path, run.planes, depth)
        check_size(self._queues.facts, twin, run.planes, depth)
        if self._memory.follow(run.shared_bytes, total):
            self._slots.forget_commands()
        try:
            return self._run(run, planes, depth)
        except DeviceFault:
            # Guard bands that were written over would be reported again.
            self._slots.clear()
            raise

    def _run(self, run: Run, planes: tuple[PlaneLayout, ...], depth: int) -> dict[str, Any]:
        self._turn ^= 1
        execution = Execution()
        slots = [self._slot(run, plane.size, depth) for plane in planes]
        commands = [self._commands(run, slot, plane, execution) for slot, plane in zip(slots, planes, strict=True)]
        with execution.host("fill outputs with poison"):
            for slot, plane in zip(slots, planes, strict=True):
                # A user's kernels must not live on what the pair before has left between them either.
                for name in slot.buffers if run.source.is_users else plane.outputs:
                    slot.buffer(name).fill()
        self._submit(run, commands, execution)
        self._check_writes(run, slots, planes, execution)
        sums = []
        if run.path == "sums":
            with execution.host("add the partial sums"):
                sums = [exact_sum(self._memory.array(*plane.outputs.values())) for plane in planes]
        return {"sums": sums, "spans": [asdict(s) for s in execution.spans()], "host_waits": execution.host_waits}

    def _check_writes(
        self, run: Run, slots: Sequence[Slot], planes: Sequence[PlaneLayout], execution: Execution
    ) -> None:
        """Raise WrongWrite where the kernels wrote what they must not, or left out what they must."""
        queue = self._queues.kernels
        kernels = f"{run.source.name} ({', '.join(step.kernel for step in self._steps(run))})"
        with execution.host("check guard bands"):
            for slot in slots:
                for buffer in slot.buffers.values():
                    buffer.check_guards(queue, kernels)
        if run.source.is_users:
            with execution.host("check inputs"):
                for slot, plane in zip(slots, planes, strict=True):
                    for name, sent in self._arrays(plane.inputs).items():
                        slot.buffer(name).check_unchanged(queue, sent, kernels)
        with execution.host("look for unwritten elements"):
            for slot, plane in zip(slots, planes, strict=True):
                _check_written(run, slot, self._arrays(plane.outputs))

    def _arrays(self, regions: Mapping[str, Region]) -> dict[str, NDArray[Any]]:
        return {name: self._memory.array(region) for name, region in regions.items()}

    def _submit(self, run: Run, commands: list[tuple[list[Command], ...]], execution: Execution) -> None:
        uploads, kernels, downloads = ([c for plane in commands for c in plane[part]] for part in range(3))
        execution.run(uploads)
        if run.staging == "wait":
            execution.wait()
        execution.run(kernels)
        if run.staging == "wait":
            execution.wait()
        execution.run(downloads)
        execution.wait()

    def _commands(self, run: Run, slot: Slot, plane: PlaneLayout, execution: Execution) -> tuple[list[Command], ...]:
        """Return uploads, kernels and downloads of a plane: recorded once for replay, else written anew."""
        if run.submit == "direct":
            return self._new_commands(run, slot, plane)
        inputs = next(iter(plane.inputs.values()))
        key = (run.path, run.staging, run.bit_depth, run.filter_size, run.work_group, inputs.offset)
        if key not in slot.recorded:
            with execution.host(f"record commands {plane.size.label}"):
                slot.recorded[key] = self._new_commands(run, slot, plane)
        return slot.recorded[key]

    def _new_commands(self, run: Run, slot: Slot, plane: PlaneLayout) -> tuple[list[Command], ...]:
        scalars = plan.scalar_values(plane.size.width, plane.size.height, run.bit_depth, run.filter_size)
        depth = sample_depth(run.source, run.bit_depth)
        return (
            slot.uploads(self._arrays(plane.inputs), run.staging),
            [
                slot.kernel(s, self._programs.kernel(run.source, s, depth), scalars, run.work_group)
                for s in self._steps(run)
            ],
            slot.downloads(self._arrays(plane.outputs), run.staging),
        )

    def _slot(self, run: Run, size: PlaneSize, depth: int) -> Slot:
        turn = self._turn if run.submit == "replay" else 0
        key = (run.source, size, np.dtype(plan.dtype_name("sample", depth)), run.poison, turn)
        twin = self._programs.twin(run.source)
        return self._slots.take(key, lambda: Slot(self._queues, twin, size, depth, run.poison))

    def _steps(self, run: Run) -> tuple[plan.Step, ...]:
        return plan.path_steps(self._programs.twin(run.source).record, run.path)


def check_size(facts: DeviceFacts, twin: LoadedTwin, planes: Sequence[PlaneSize], sample_depth: int) -> None:
    """Raise TooLarge where a twin's slots for `planes` are more than the device's memory."""
    needed = sum(slot_bytes(twin, size, sample_depth) for size in planes)
    if needed > facts.memory:
        raise TooLarge(
            f"{facts.name} has {facts.memory >> 20} MiB and the pair needs {needed >> 20} MiB: use a smaller clip"
        )


def exact_sum(partial: NDArray[Any]) -> int | float:
    """Add the magnitudes of partial sums, or of H itself: integers exactly, floats in float64."""
    wide = np.float64 if partial.dtype.kind == "f" else np.int64
    blocks = (partial[top : top + SUMMED_ROWS] for top in range(0, len(partial), SUMMED_ROWS))
    total: int | float = sum(np.abs(block.astype(wide)).sum().item() for block in blocks)
    return total


def _check_written(run: Run, slot: Slot, arrays: dict[str, NDArray[Any]]) -> None:
    for name, array in arrays.items():
        first = slot.twin.record.buffer(name).first_column
        inner = array[:, first : array.shape[1] - first]
        thorough = run.source.is_users or inner.nbytes <= THOROUGH_BYTES
        missed = unwritten(inner, run.poison, thorough)
        if missed is not None:
            count, x, y = missed
            raise WrongWrite(
                f"{run.source.name} left {count} elements of buffer '{name}' unwritten, the first at ({x}, {y}) of "
                f"{slot.size.width}x{slot.size.height}: a kernel must write every element"
            )
