"""The execution of command lists and its times: host work, host waits, and what the device's profiling events say."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from motion_tui.engines.twins.device.slot import Command
from motion_tui.engines.twins.protocol import Span


class Execution:
    """Runs commands in order and gathers the spans of a timeline.

    Device clocks are another clock than the host's. An event was submitted after its call began and over before
    the wait for it returned: the largest lower bound of the difference that the events give is taken.
    """

    def __init__(self) -> None:
        self.host_waits = 0
        self._host: list[Span] = []
        self._device: list[tuple[Command, Any, int]] = []

    def run(self, commands: Sequence[Command]) -> None:
        """Issue commands without waiting for the device."""
        for command in commands:
            began = time.perf_counter_ns()
            event = command.issue()
            if event is None:
                self._host.append(Span(command.name, "host", began, time.perf_counter_ns(), command.size))
            else:
                self._device.append((command, event, began))

    @contextmanager
    def host(self, name: str) -> Iterator[None]:
        """Keep the time of what the host does meanwhile."""
        began = time.perf_counter_ns()
        yield
        self._host.append(Span(name, "host", began, time.perf_counter_ns()))

    def wait(self) -> None:
        """Let the host wait for everything that was issued."""
        with self.host("wait"):
            for _, event, _ in self._device:
                event.wait()
        self.host_waits += 1

    def spans(self) -> list[Span]:
        """Return every span in order of its start; the device must be idle."""
        # The runtime of dpctl 0.17 stamps no submission on copies; their start is the nearest thing to it.
        stamps = [(began, e.profiling_info_submit or e.profiling_info_start) for _, e, began in self._device]
        offset = max((began - submitted for began, submitted in stamps), default=0)
        device = [
            Span(c.name, c.lane, e.profiling_info_start + offset, e.profiling_info_end + offset, c.size)
            for c, e, _ in self._device
        ]
        return sorted([*self._host, *device], key=lambda span: span.start)
