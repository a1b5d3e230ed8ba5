"""One line out of Numba's many: what is wrong, in which line of the user's source."""

from __future__ import annotations

import re
from pathlib import Path

_NOISE = ("Failed in ",)
_END = ("There are ", "During:", 'File "', "Enable logging")
_ARRAY = re.compile(r"(?:DpnpNdArray|USMNdArray)\(dtype=(\w+), ndim=(\d+)[^()]*\)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_PLACE = re.compile(r'^File "([^"]+)", line (\d+):')


def compiler_message(text: str, kernel: str) -> str:
    """Return Numba's `text` about `kernel` as one line."""
    lines = [line.strip() for line in text.splitlines()]
    said: list[str] = []
    for line in lines:
        if line.startswith(_END):
            break
        if line and not line.startswith(_NOISE):
            said.append(line.removeprefix(">>>").strip())
    what = _ADDRESS.sub("", _ARRAY.sub(r"array(\1, \2d)", " ".join(said))) or "no reason given"
    return f"{_where(lines) or f'kernel {kernel}'}: {what}"[:500]


def _where(lines: list[str]) -> str:
    """Return "FILE line N (`source`)" for the last place that is pointed at; empty where there is none."""
    found = ""
    for i, line in enumerate(lines):
        place = _PLACE.match(line)
        if place:
            mark = next((k for k in range(i + 1, len(lines)) if lines[k] == "^"), None)
            source = f" (`{lines[mark - 1]}`)" if mark is not None else ""
            found = f"{Path(place[1]).name} line {place[2]}{source}"
    return found
