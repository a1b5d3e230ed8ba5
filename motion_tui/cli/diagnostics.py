"""What goes to stderr and to the shell: talk, progress, and exit codes; stdout is data.

Exit codes of `check` and its kin: 0 parity, 1 a gap, 2 bad input or usage, 3 nothing was compared, 4 no device or
the twin failed; of every command: 70 a bug, 130 interrupted, 141 the reader of stdout went away.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from motion_tui.clips.base import Clip
from motion_tui.core.errors import MotionError, NothingCompared, TwinError
from motion_tui.core.text import printable
from motion_tui.parity.session import Progress

PARITY, GAP, BAD_INPUT, NOT_COMPARED, NO_TWIN = 0, 1, 2, 3, 4
BUG, INTERRUPTED, BROKEN_PIPE = 70, 130, 141
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a full or broken disk answers."""
_REDRAW_SECONDS = 0.1


def exit_code(error: MotionError) -> int:
    """The exit code that an error stands for."""
    if isinstance(error, NothingCompared):
        return NOT_COMPARED
    return NO_TWIN if isinstance(error, TwinError) else BAD_INPUT


def open_streams() -> None:
    """Make stdin, stdout and stderr usable whatever the caller did to them.

    A closed one is the null device, or the next file that is opened would take its number; and a file's name with
    letters that the terminal has not is printed with those spelled out.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            setattr(sys, name, os.fdopen(number, mode, closefd=False))
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def drop_stdout() -> None:
    """Send what is left for stdout nowhere, or the flush at exit fails again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str) -> None:
    """Print a line of talk to stderr."""
    print(f"motion-tui: {printable(text)}", file=sys.stderr)


def warn_of(clip: Clip) -> None:
    """Say what is odd about a clip."""
    for warning in clip.warnings:
        say(f"{clip.name}: {warning}")


@contextmanager
def progress(label: str) -> Iterator[Progress | None]:
    """Give a progress line on stderr, wiped at the end; None where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    drawn = 0.0

    def draw(done: int, total: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn >= _REDRAW_SECONDS:
            drawn = now
            share = f" {100 * done // total}%" if total else ""
            sys.stderr.write(f"\r\x1b[K{label}: {done}/{total}{share}")
            sys.stderr.flush()

    try:
        yield draw
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
