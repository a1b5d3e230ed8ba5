"""Whole numbers on the command line: 4.5 is refused, where cyclopts alone rounds it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    if not re.fullmatch(r"[-+]?\d+", text, re.ASCII):
        raise ValueError(f"'{text}' is not a whole number")
    return int(text)


Whole = Annotated[int, Parameter(converter=_whole)]
MaybeWhole = Annotated[int | None, Parameter(converter=_whole)]
