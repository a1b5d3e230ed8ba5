"""A slot: the device buffers of one twin and one plane size, and the commands that run over them.

A command list is written once and run as often as wanted: run at once it is a direct submission, kept and run
again it is the replay of a recorded one.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from math import gcd, prod
from typing import Any, Literal

import numpy as np
from dpctl.memory import MemoryUSMHost
from numpy.typing import NDArray

from motion_kernels import plan
from motion_tui.engines.twins.device.faults import TooLarge
from motion_tui.engines.twins.device.memory import GuardedBuffer, guard_bytes
from motion_tui.engines.twins.device.programs import LoadedTwin
from motion_tui.engines.twins.device.queues import Queues
from motion_tui.engines.twins.layout import array_of
from motion_tui.engines.twins.protocol import PlaneSize, Staging

Lane = Literal["host", "copy queue", "kernel queue"]


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """One entry of a command list; `issue` returns a SYCL event, or None for work of the host."""

    name: str
    lane: Lane
    issue: Callable[[], Any]
    size: int = 0


def slot_bytes(twin: LoadedTwin, size: PlaneSize, sample_depth: int) -> int:
    """Return the bytes of a slot with all of its buffers, guard bands included, and its pinned memory."""
    total = 0
    for name in (*plan.INPUTS, *(buffer.name for buffer in twin.record.buffers)):
        shape, dtype = array_of(twin.record, name, size, sample_depth)
        payload = prod(shape) * dtype.itemsize
        total += payload + 2 * guard_bytes(shape, dtype, twin.margin)
        total += payload if name in plan.INPUTS else 0  # pinned
    return total


class Slot:
    """Buffers on the device and pinned memory on the host, made when they are first needed."""

    def __init__(self, queues: Queues, twin: LoadedTwin, size: PlaneSize, sample_depth: int, poison: int) -> None:
        self.twin = twin
        self.size = size
        self.poison = poison
        self.nbytes = slot_bytes(twin, size, sample_depth)
        """Bytes that it may come to take."""
        self.buffers: dict[str, GuardedBuffer] = {}
        self.recorded: dict[object, tuple[list[Command], ...]] = {}
        """Command lists kept for replay."""
        self._queues = queues
        self._sample_depth = sample_depth
        self._pinned: dict[str, Any] = {}

    def buffer(self, name: str) -> GuardedBuffer:
        """Return a buffer of the twin by name."""
        if name not in self.buffers:
            shape, dtype = array_of(self.twin.record, name, self.size, self._sample_depth)
            margin = self.twin.margin
            self.buffers[name] = GuardedBuffer(self._queues.kernels, name, shape, dtype, self.poison, margin)
        return self.buffers[name]

    def uploads(self, inputs: Mapping[str, NDArray[Any]], staging: Staging) -> list[Command]:
        """Commands that bring the input planes to the device."""
        commands = []
        for name, plane in inputs.items():
            source = plane.reshape(-1).view(np.uint8)
            lane: Lane = "copy queue"
            queue = self._queues.copies
            if staging == "pinned":
                pinned = self._pinned_memory(name, source.size)
                commands.append(
                    self._command(f"fill pinned {name}", "host", partial(np.copyto, pinned, source), source.size)
                )
                source, lane, queue = pinned, "kernel queue", self._queues.kernels
            copy = partial(queue.memcpy_async, self.buffer(name).payload, source, source.size)
            commands.append(self._command(f"upload {name}", lane, copy, source.size))
        return commands

    def _pinned_memory(self, name: str, size: int) -> NDArray[np.uint8]:
        if name not in self._pinned:
            self._pinned[name] = np.frombuffer(MemoryUSMHost(size, queue=self._queues.kernels), np.uint8)
        pinned: NDArray[np.uint8] = self._pinned[name]
        return pinned

    def kernel(self, step: plan.Step, kernel: Any, scalars: Mapping[str, int], work_group: int) -> Command:
        """The command that submits one step."""
        integer = ctypes.c_int if self.twin.fixed_arguments else ctypes.c_int64
        arguments: list[Any] = []
        for name in step.arguments:
            if name in plan.SCALARS:
                arguments.append(integer(scalars[name]))
            elif self.twin.fixed_arguments:
                arguments.append(self.buffer(name).payload)
            else:
                arguments.extend(self.buffer(name).arguments())
        range_ = plan.global_range(step, self.size.width, self.size.height)
        submit = partial(self._queues.kernels.submit_async, kernel, arguments, range_)
        if work_group:
            # A local size must divide its dimension: the largest such divisor that the one asked for has.
            local, most = gcd(work_group, range_[-1]), self._queues.kernels.sycl_device.max_work_group_size
            if local > most:
                raise TooLarge(f"{self._queues.facts.name} takes work-groups of {most} items at most, not {local}")
            submit = partial(submit, [1] * (len(range_) - 1) + [local])
        return self._command(step.kernel, "kernel queue", submit)

    def downloads(self, outputs: Mapping[str, NDArray[Any]], staging: Staging) -> list[Command]:
        """Commands that bring results to the host."""
        queue = self._queues.copies if staging == "wait" else self._queues.kernels
        lane: Lane = "copy queue" if staging == "wait" else "kernel queue"
        commands = []
        for name, array in outputs.items():
            target = array.reshape(-1).view(np.uint8)
            copy = partial(queue.memcpy_async, target, self.buffer(name).payload, target.size)
            commands.append(self._command(f"download {name}", lane, copy, target.size))
        return commands

    def _command(self, name: str, lane: Lane, issue: Callable[[], Any], size: int = 0) -> Command:
        return Command(f"{name} {self.size.label}", lane, issue, size)


class SlotCache:
    """The slots used last, as many as fit into `limit` bytes; the one taken last always stays."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: OrderedDict[Hashable, Slot] = OrderedDict()

    def take(self, key: Hashable, make: Callable[[], Slot]) -> Slot:
        """Return the slot of a key, made now where there is none; others make room before it takes memory."""
        if key not in self._slots:
            self._slots[key] = make()
        self._slots.move_to_end(key)
        while len(self._slots) > 1 and sum(slot.nbytes for slot in self._slots.values()) > self._limit:
            self._slots.popitem(last=False)
        return self._slots[key]

    def forget_commands(self) -> None:
        """Drop every recorded list: the memory that its commands copy from and to has moved."""
        for slot in self._slots.values():
            slot.recorded.clear()

    def clear(self) -> None:
        """Drop every slot."""
        self._slots.clear()
