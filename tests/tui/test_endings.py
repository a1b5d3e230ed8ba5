"""The program in a terminal of its own, ended from outside: the terminal is given back."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

import pytest

CLIP = "synthetic:noise?size=32x18&format=400&frames=3"


def read_until(fd: int, wanted: bytes, seconds: float = 30) -> bytes:
    """What the program writes, until it has written `wanted` or has ended."""
    seen, limit = b"", time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < limit:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                chunk = os.read(fd, 1 << 16)
            except OSError:  # what Linux says where nobody has the other end open any more
                return seen
            if not chunk:
                return seen
            seen += chunk
    return seen


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals on Windows")
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_gives_the_terminal_back(number: signal.Signals, locale: str) -> None:
    outer, inner = os.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": locale}
    environment |= {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "100", "LINES": "30"}
    command = [sys.executable, "-m", "motion_tui", CLIP, "--twin", "model:blur-first", "--color", "truecolor"]
    process = subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
    )
    os.close(inner)
    try:
        before = read_until(outer, "▀".encode())
        assert "▀".encode() in before  # half blocks, whatever the locale
        process.send_signal(number)
        after = read_until(outer, b"\x1b[?1049l")
        assert b"\x1b[?1049l" in after  # the screen that was there before
        read_until(outer, b"never written", 5)
        assert process.wait(10) == 128 + number
    finally:
        process.kill()
        process.wait()
        os.close(outer)
