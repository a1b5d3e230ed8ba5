"""Drawings as text with roles: what a view says of a piece of a line, before any theme gives it a colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

Run = tuple[str, str]
"""Text and its role; a role is the last part of a component class, "" is plain text."""
Line = list[Run]


class Canvas:
    """Cells of one character and one role each, for drawings that are placed rather than written in order."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._text = [[" "] * width for _ in range(height)]
        self._role = [[""] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, role: str = "") -> None:
        """Put text at a place; what falls outside is cut."""
        if 0 <= y < self.height:
            for column, character in enumerate(text, x):
                if 0 <= column < self.width:
                    self._text[y][column] = character
                    self._role[y][column] = role

    def fill(self, x: int, y: int, width: int, height: int, character: str, role: str = "") -> None:
        """Fill a rectangle with a character."""
        for row in range(y, y + height):
            self.write(x, row, character * width, role)

    def lines(self) -> list[Line]:
        """Return the drawing as runs of equal role."""
        return [merged(zip(*row, strict=True)) for row in zip(self._text, self._role, strict=True)]


def merged(runs: Iterable[Run]) -> Line:
    """Return runs with neighbours of one role joined."""
    return [("".join(text for text, _ in group), role) for role, group in groupby(runs, lambda run: run[1])]


def joined(parts: Iterable[str], width: int, between: str = " · ") -> str:
    """Return parts in a row, each whole: one that does not fit any more is left out."""
    text = ""
    for part in parts:
        longer = f"{text}{between}{part}" if text else part
        if len(longer) <= width:
            text = longer
    return text


def ruled(width: int, labels: Iterable[tuple[int, str]]) -> str:
    """Return a line of labels centred on columns; one that would touch an earlier one is left out."""
    line = [" "] * width
    for column, label in _within(width, labels):
        around = line[max(column - 1, 0) : column + len(label) + 1]
        if all(character == " " for character in around):
            line[column : column + len(label)] = label
    return "".join(line)


def _within(width: int, labels: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for column, label in labels:
        if len(label) <= width:
            yield min(max(column - len(label) // 2, 0), width - len(label)), label
