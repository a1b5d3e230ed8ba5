"""Files and folders on the command line: an empty name is refused, where `Path("")` alone is the current folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token


def named_path(_: Any, tokens: Sequence[Token]) -> Path:
    """Return a flag's value as a path."""
    if not tokens[0].value:
        raise ValueError("an empty name: give the name of a file or folder, or leave it out")
    return Path(tokens[0].value)


Named = Annotated[Path, Parameter(converter=named_path)]
MaybeNamed = Annotated[Path | None, Parameter(converter=named_path)]
