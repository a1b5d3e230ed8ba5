"""Outputs that a command writes: FILE, or - for stdout, checked before the work begins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from motion_tui.core.errors import UsageError
from motion_tui.export.files import STDOUT, require_writable

Output = Annotated[Path | None, Parameter(allow_leading_hyphen=True)]


def require_outputs(force: bool, **outputs: Path | None) -> dict[str, Path]:
    """Return the outputs that were asked for by flag; refuse two on stdout, two in one file, and unwritable ones."""
    asked = {flag: path for flag, path in outputs.items() if path is not None}
    paths: dict[Path, str] = {}
    for flag, path in asked.items():
        if path in paths:
            where = "stdout" if str(path) == STDOUT else str(path)
            raise UsageError(f"--{paths[path]} and --{flag} both write to {where}: give one of them another file")
        paths[path] = flag
        require_writable(path, force)
    return asked
