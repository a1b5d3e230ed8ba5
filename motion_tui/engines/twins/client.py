"""The client: one worker at a time, with a time limit, and a new one after a crash or a hang.

    client = Client("opencl:cpu:0", time_limit=30)
    client.open()                      # the device that really runs
    client.bench(Bench(KernelSource("built-in", "diff-first"), "sums", 3840, 2160, bit_depth=8, runs=50))

Any thread may call it; calls wait for one another. A failed call leaves it ready for the next.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from motion_tui.core.errors import DeviceError, TwinError
from motion_tui.engines.twins.environment import (
    CPU_RUNTIME_PACKAGE,
    WITHOUT_A_DEVICE,
    has_dpctl,
    how_to_go_on,
    is_filter_string,
    worker_environment,
)
from motion_tui.engines.twins.process import WorkerDied, WorkerHung, WorkerProcess
from motion_tui.engines.twins.protocol import (
    Bench,
    DeviceFacts,
    KernelSource,
    KernelTimes,
    ListDevices,
    Load,
    Open,
    Request,
    StepPath,
    StepTimes,
    encode,
)
from motion_tui.engines.twins.shared import SharedMemory

START_LIMIT = 60.0
"""Seconds that starting, taking a device and loading programs may take: compilers may run there."""


class Client:
    """The side of the worker that lives in the program."""

    def __init__(self, device: str | None = None, time_limit: float = 30.0) -> None:
        if not has_dpctl():
            raise DeviceError(
                "there is no SYCL twin here: the package dpctl is not installed; install it and "
                f"{CPU_RUNTIME_PACKAGE} where they have wheels (x86-64 Linux), or {WITHOUT_A_DEVICE}"
            )
        if not hasattr(os, "posix_fallocate"):
            raise DeviceError(f"there is no SYCL twin on this system: its worker needs Linux; {WITHOUT_A_DEVICE}")
        self.selector = device
        self.time_limit = time_limit
        self.facts: DeviceFacts | None = None
        self.memory = SharedMemory()
        self._lock = threading.RLock()
        self._process: WorkerProcess | None = None
        self._loaded: set[tuple[KernelSource, StepPath, int]] = set()
        self._cancelled = False
        self._closed = False

    def open(self) -> DeviceFacts:
        """Start the worker and take the device, if that has not happened yet; DeviceError where there is none."""
        with self._lock:
            if self._cancelled:
                self._drop()
            if self._process is None:
                self._start()
            assert self.facts is not None
            return self.facts

    def _start(self) -> None:
        self._spawn()
        filter_string = self.selector.lower() if self.selector and is_filter_string(self.selector) else ""
        reply = self._exchange(Open(filter_string), "taking the device", START_LIMIT)
        self.facts = DeviceFacts(**reply["device"])

    def _spawn(self) -> None:
        if self._closed:
            raise TwinError("the twin is closed: open it again")
        self._cancelled = False
        self._loaded.clear()
        self._process = WorkerProcess(worker_environment(os.environ, self.selector), self.memory.fd)

    def devices(self) -> list[DeviceFacts]:
        """Every device that SYCL shows under this selector, usable or not."""
        with self._lock:
            if self._process is None:
                self._spawn()
            reply = self._exchange(ListDevices(), "listing the devices", START_LIMIT)
            return [DeviceFacts(**row) for row in reply["devices"]]

    def load(self, source: KernelSource, path: StepPath, bit_depth: int) -> None:
        """Load the programs of a path; done once for each worker."""
        with self._lock:
            self.open()
            if (source, path, bit_depth) not in self._loaded:
                self._exchange(Load(source, path, bit_depth), f"loading the kernels of {source.name}", START_LIMIT)
                self._loaded.add((source, path, bit_depth))

    def call(self, request: Request, what: str, seconds: float | None = None) -> dict[str, Any]:
        """Send a request and return its answer; TwinError or DeviceError says in one line why there is none."""
        with self._lock:
            self.open()
            return self._exchange(request, what, self.time_limit if seconds is None else seconds)

    def bench(self, request: Bench) -> KernelTimes:
        """Time every step of a path by profiling events."""
        with self._lock:
            self.load(request.source, request.path, request.bit_depth)
            what = f"timing {request.source.name} at {request.width}x{request.height}"
            reply = self.call(request, what, self.time_limit * max(1, request.runs))
        steps = (StepTimes(row["kernel"], row["kept"], tuple(row["ns"])) for row in reply["steps"])
        return KernelTimes(tuple(steps), tuple(reply["copy_ns"]))

    def _exchange(self, request: Request, what: str, seconds: float) -> dict[str, Any]:
        assert self._process is not None
        try:
            reply = self._process.exchange(encode(request), seconds)
        except WorkerHung:
            doing = self._process.note or what
            self._drop()
            raise TwinError(
                f"the twin's worker gave no answer in {seconds:g} s while {doing}, and was killed; "
                "the next request starts a new one"
            ) from None
        except WorkerDied as death:
            doing = self._process.note or what
            self._drop()
            if self._cancelled:
                raise TwinError(f"cancelled while {doing}") from None
            if isinstance(request, (Open, ListDevices)):
                raise DeviceError(f"SYCL does not start here ({death}); {how_to_go_on()}") from None
            raise TwinError(
                f"the twin's worker died while {doing} ({death}); the next request starts a new one"
            ) from None
        except BaseException:
            # Its answer would be taken for that of the next request.
            self._drop()
            raise
        if "fault" not in reply:
            return reply
        if reply["fault"] == "device":
            self._drop()
            raise DeviceError(f"{reply['text']}; {how_to_go_on()}")
        raise TwinError(reply["text"])

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id, while there is one."""
        process = self._process
        return process.pid if process else None

    def cancel(self) -> None:
        """End what is running now, from any thread: the call in flight raises, the next starts a new worker."""
        self._cancelled = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the worker; nothing of it is left."""
        self._closed = True
        self.cancel()
        with self._lock:
            self._drop()
            self.memory.close()
