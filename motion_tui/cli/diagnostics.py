"""stderr and exit codes: the one place where errors become a line and a number."""

from __future__ import annotations

import sys

from motion_tui.core.errors import MotionError, NothingCompared, TwinError

PARITY, GAP, BAD_INPUT, NOT_COMPARED, NO_TWIN = 0, 1, 2, 3, 4


def exit_code(error: MotionError) -> int:
    """The exit code that an error stands for."""
    if isinstance(error, NothingCompared):
        return NOT_COMPARED
    return NO_TWIN if isinstance(error, TwinError) else BAD_INPUT


def say(text: str) -> None:
    """Print a line of talk to stderr."""
    print(f"motion-tui: {text}", file=sys.stderr)
