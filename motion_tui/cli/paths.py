"""Files and folders on the command line: an empty name is refused, where `Path("")` alone is the current folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token


def _named(_: Any, tokens: Sequence[Token]) -> Path:
    if not tokens[0].value:
        raise ValueError("an empty name: give the name of a file or folder, or leave it out")
    return Path(tokens[0].value)


Named = Annotated[Path, Parameter(converter=_named)]
MaybeNamed = Annotated[Path | None, Parameter(converter=_named)]
Output = Annotated[Path | None, Parameter(converter=_named, allow_leading_hyphen=True)]
"""A file that a command writes, or - for stdout."""
