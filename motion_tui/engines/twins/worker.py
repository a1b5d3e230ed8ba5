"""The worker process of the twins: reads requests, runs them on a SYCL device, answers; nothing of the interface.

It starts fast (NumPy and dpctl, no compiler) and ends with its parent. `process.py` starts it, with the descriptors
of the shared memory and of the lifeline as its arguments.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sys
from dataclasses import asdict
from typing import Any

from motion_tui.engines.twins.device import bench as timing
from motion_tui.engines.twins.device.faults import DeviceFault
from motion_tui.engines.twins.device.programs import Programs
from motion_tui.engines.twins.device.queues import Queues, list_devices, open_queues
from motion_tui.engines.twins.device.runs import Runner
from motion_tui.engines.twins.protocol import Bench, ListDevices, Load, Open, Request, decode
from motion_tui.engines.twins.shared import MappedMemory


class Worker:
    """Answers requests, one after another."""

    def __init__(self, memory: MappedMemory, channel: int) -> None:
        self._memory = memory
        self._channel = channel
        self._device: tuple[Queues, Programs, Runner] | None = None

    def answer(self, request: Request) -> dict[str, Any]:
        """Carry out one request and return its reply."""
        if isinstance(request, ListDevices):
            return {"devices": [asdict(facts) for facts in list_devices()]}
        if isinstance(request, Open):
            return self._open(request)
        assert self._device is not None, "Open comes first"
        queues, programs, runner = self._device
        if isinstance(request, Load):
            programs.load(request.source, request.path, request.bit_depth)
            return {}
        if isinstance(request, Bench):
            return timing.bench(request, queues, programs)
        return runner.run(request)

    def _open(self, request: Open) -> dict[str, Any]:
        queues = open_queues(request.device)
        programs = Programs(queues, lambda text: self.send({"note": text}))
        self._device = queues, programs, Runner(queues, programs, self._memory)
        return {"device": asdict(queues.facts)}

    def send(self, message: dict[str, Any]) -> None:
        """Write one line to the client."""
        data = memoryview(json.dumps(message).encode() + b"\n")
        while data:
            data = data[os.write(self._channel, data) :]

    def serve(self) -> None:
        """Answer until the client closes its end."""
        for line in sys.stdin.buffer:
            try:
                reply = self.answer(decode(line))
            except DeviceFault as fault:
                reply = {"fault": fault.kind, "text": str(fault)}
            except Exception as error:
                # Whatever the runtime raises belongs on the client's screen; this process has none.
                reply = {"fault": "twin", "text": f"the SYCL runtime failed: {type(error).__name__}: {error}"}
            self.send(reply)


def end_with_parent(lifeline: int) -> None:
    """Have the system end this process when the other end of the lifeline closes, whatever it is doing then.

    SIGIO's default action is to terminate; the death signal of prctl is not used, as it follows the thread that
    started this process and not the program.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:
        os._exit(0)


def main() -> None:
    """Run the worker; native code that prints to stdout is sent to stderr, away from the protocol."""
    shared_fd, lifeline = (int(word) for word in sys.argv[1:3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(lifeline)
    channel = os.dup(1)
    os.dup2(2, 1)
    Worker(MappedMemory(shared_fd), channel).serve()
