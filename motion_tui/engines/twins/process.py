"""The worker as a process: started with its environment, spoken to with a deadline, and killed when it must be.

A second pipe that nobody ever writes to, the lifeline, tells the worker that this process is gone: the kernel ends
the worker when its other end closes, even while the worker hangs inside a driver.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from motion_tui.engines.twins.shared import above_standard

_START = "import sys; sys.path[:] = {path!r}; from motion_tui.engines.twins.worker import main; main()"
_SET_PHRASE = "PLEASE submit a bug report"
"""What LLVM's crash handler says whatever has happened."""
STDERR_LINES = 20
_LINE_LIMIT = 16 << 20
_CHUNK = 1 << 16


class WorkerDied(Exception):
    """The worker ended; the text says how, with its last words."""


class WorkerHung(Exception):
    """The worker did not answer in time."""


class WorkerProcess:
    """One worker process. `exchange` is for one thread at a time; `kill` may be called from any."""

    def __init__(self, environment: Mapping[str, str], shared_fd: int) -> None:
        lifeline, self._lifeline = map(above_standard, os.pipe())
        try:
            # The worker takes the parent's module path, and never a module of the directory it is started in.
            start = _START.format(path=[entry for entry in sys.path if entry])
            self._process = subprocess.Popen(
                [sys.executable, "-c", start, str(shared_fd), str(lifeline)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                pass_fds=(shared_fd, lifeline),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(lifeline)
        self._last_words: deque[str] = deque(maxlen=STDERR_LINES)
        self._listener = threading.Thread(target=self._listen, name="twin-stderr", daemon=True)
        self._listener.start()
        self._received = bytearray()
        self.note = ""
        """What the worker last said it was doing."""

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def exchange(self, line: bytes, seconds: float) -> dict[str, Any]:
        """Send a request and return the reply; WorkerDied and WorkerHung say why there is none."""
        deadline = time.monotonic() + seconds
        stdin = self._process.stdin
        assert stdin is not None
        self.note = ""
        try:
            stdin.write(line)
            stdin.flush()
        except OSError:
            raise WorkerDied(self._how_it_ended()) from None
        while True:
            reply: dict[str, Any] = json.loads(self._read_line(deadline))
            if "note" not in reply:
                return reply
            self.note = reply["note"]

    def _read_line(self, deadline: float) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None
        while b"\n" not in self._received:
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not select.select([stdout], [], [], remaining)[0]:
                raise WorkerHung
            chunk = os.read(stdout.fileno(), _CHUNK)
            if not chunk or len(self._received) > _LINE_LIMIT:
                raise WorkerDied(self._how_it_ended())
            self._received += chunk
        line, _, rest = bytes(self._received).partition(b"\n")
        self._received = bytearray(rest)
        return line

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        self.kill()
        code = self._process.wait()
        self._listener.join(timeout=1)
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        said = next((line for line in reversed(self._last_words) if line and not line.startswith(_SET_PHRASE)), "")
        return f"{how}, its last words: {said}" if said else how

    def _listen(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        for raw in iter(lambda: stderr.readline(_CHUNK), b""):
            self._last_words.append(raw.decode(errors="replace").strip())

    def kill(self) -> None:
        """End the process at once, stopped or not."""
        self._process.kill()

    def close(self) -> None:
        """End the process and give back its pipes."""
        self.kill()
        self._process.wait()
        self._listener.join(timeout=5)
        closers: list[Callable[[], None]] = [
            pipe.close for pipe in (self._process.stdin, self._process.stdout, self._process.stderr) if pipe
        ]
        for close in closers:
            with contextlib.suppress(OSError):
                close()
        os.close(self._lifeline)
