"""The program in a terminal of its own, ended from outside: the terminal is given back."""

from __future__ import annotations

import importlib.util
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from motion_tui.engines.twins.environment import has_dpctl

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


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals on Windows")
def test_a_terminal_that_goes_away_takes_the_program_with_it(tmp_path: Path) -> None:
    """It goes while the program, asked to quit, still waits for the oracle to be compiled."""
    pid, outer = os.forkpty()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="100", LINES="30", NUMBA_CACHE_DIR=str(tmp_path))
        os.execv(sys.executable, [sys.executable, "-m", "motion_tui", CLIP, "--twin", "model:blur-first"])
    try:
        assert b"oracle" in read_until(outer, b"oracle")
        os.write(outer, b"q")
        read_until(outer, b"never written", 0.7)
    finally:
        os.close(outer)
    limit = time.monotonic() + 20
    while (ended := os.waitpid(pid, os.WNOHANG)) == (0, 0) and time.monotonic() < limit:
        time.sleep(0.05)
    if ended == (0, 0):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert ended[0] == pid


def members(group: int) -> bool:
    """Whether a process group has members."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux" or not has_dpctl(), reason="no twin here whose kernel could be built")
@pytest.mark.skipif(importlib.util.find_spec("numba_dpex") is not None, reason="the compiler is asked, not uv")
def test_quitting_does_not_wait_for_a_kernel_that_is_being_built(tmp_path: Path) -> None:
    noted = tmp_path / "group"
    compiler = tmp_path / "bin" / "uv"
    compiler.parent.mkdir()
    compiler.write_text(f"#!/bin/sh\nsleep 60 &\necho $$ > {noted}.new\nmv {noted}.new {noted}\nwait\n")
    compiler.chmod(0o755)
    kernel = tmp_path / "mine.py"
    kernel.write_text("def motion(item, previous, current, d, v, h, width, height, bpc):\n    pass\n")
    outer, inner = os.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
    environment |= {"PATH": f"{compiler.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "motion_tui", CLIP, "--kernel", str(kernel)]
    process = subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
    )
    os.close(inner)
    group = 0
    try:
        limit = time.monotonic() + 20
        while not noted.exists() and time.monotonic() < limit:
            read_until(outer, b"never written", 0.1)
        group = int(noted.read_text())
        os.write(outer, b"q")
        assert b"\x1b[?1049l" in read_until(outer, b"\x1b[?1049l", 5)
        read_until(outer, b"never written", 5)
        assert process.wait(5) == 0
        limit = time.monotonic() + 5  # who is killed is gone once its parent or init has taken note
        while members(group) and time.monotonic() < limit:
            time.sleep(0.05)
        assert not members(group)
    finally:
        process.kill()
        process.wait()
        os.close(outer)
        if group and members(group):
            os.killpg(group, signal.SIGKILL)
