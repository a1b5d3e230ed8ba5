"""Outputs that a command writes: FILE, or - for stdout, checked before the work begins."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from motion_tui.cli.paths import named_path
from motion_tui.core.errors import UsageError
from motion_tui.export.files import STDOUT, require_writable

Output = Annotated[Path | None, Parameter(converter=named_path, allow_leading_hyphen=True)]


def require_outputs(
    force: bool, *, inputs: Iterable[str | Path | None] = (), **outputs: Path | None
) -> dict[str, Path]:
    """Return the outputs that were asked for by flag; refuse unwritable ones, two in one place, and what is read."""
    asked = {flag: path for flag, path in outputs.items() if path is not None}
    read = {os.path.realpath(name): name for name in inputs if name is not None}
    places: dict[str, str] = {}
    for flag, path in asked.items():
        place = os.path.realpath(path)
        if place in places:
            where = "stdout" if str(path) == STDOUT else str(path)
            raise UsageError(f"--{places[place]} and --{flag} both write to {where}: give one of them another file")
        if str(path) != STDOUT and place in read:
            raise UsageError(f"--{flag} {path}: is {read[place]}, which is read: name another file")
        places[place] = flag
        require_writable(path, force)
    return asked
