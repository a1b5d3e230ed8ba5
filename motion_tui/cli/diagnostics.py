"""What goes to stderr and to the shell: talk, progress, and exit codes; stdout is data.

Exit codes of `check` and its kin: 0 parity, 1 a gap, 2 bad input or usage, 3 nothing was compared, 4 no device or
the twin failed; of every command: 70 a bug, 130 interrupted, 141 the reader of stdout went away.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from motion_tui.clips.base import Clip
from motion_tui.core.errors import MotionError, NothingCompared, TwinError
from motion_tui.parity.session import Progress

PARITY, GAP, BAD_INPUT, NOT_COMPARED, NO_TWIN = 0, 1, 2, 3, 4
BUG, INTERRUPTED, BROKEN_PIPE = 70, 130, 141
_REDRAW_SECONDS = 0.1


def exit_code(error: MotionError) -> int:
    """The exit code that an error stands for."""
    if isinstance(error, NothingCompared):
        return NOT_COMPARED
    return NO_TWIN if isinstance(error, TwinError) else BAD_INPUT


def say(text: str) -> None:
    """Print a line of talk to stderr."""
    print(f"motion-tui: {text}", file=sys.stderr)


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
