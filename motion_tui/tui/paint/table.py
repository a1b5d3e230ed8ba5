"""Rows of a table of frames, as text with roles: numbers to the right, and words where there is no number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from motion_tui.tui.paint.lines import Line

Kind = Literal["value", "delta"]
HEADER_ROWS = 2
FIRST = "first"
"""Written before the number of a frame that has no predecessor."""
_PENDING, _NOTHING = "·", "—"
_GAP = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """One column of numbers after the frame's own number."""

    key: str
    title: str
    unit: str = ""
    kind: Kind = "value"
    """A `delta` that is not zero is highlighted, as is one outside of `tolerance`."""
    width: int = 14
    format: str = ".6f"
    tolerance: float = 0.0


@dataclass(eq=False)
class Store:
    """The values of one column: float64 (frames,), and which of them have arrived (a NaN that has is no value)."""

    frames: int
    values: NDArray[np.float64] = field(init=False)
    arrived: NDArray[np.bool_] = field(init=False)
    absent: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        self.values = np.zeros(self.frames, np.float64)
        self.arrived = np.zeros(self.frames, np.bool_)
        self.absent = np.zeros(self.frames, np.bool_)

    def update(self, start: int, values: Sequence[float | None]) -> None:
        """Set values from frame `start` on; None says that there is none."""
        part = slice(start, start + len(values))
        self.absent[part] = [value is None for value in values]
        self.values[part] = [0.0 if value is None else value for value in values]
        self.arrived[part] = True

    def worst_first(self) -> NDArray[np.intp]:
        """Return the frames by falling magnitude, NaN first, those without a value last, else in the clip's order."""
        size = np.abs(self.values)
        size[np.isnan(size)] = np.inf
        size[self.absent | ~self.arrived] = -1
        return np.argsort(-size, kind="stable")


class Order:
    """In which order the frames stand, and where each of them does."""

    def __init__(self, frames: NDArray[np.intp]) -> None:
        self._frames = frames
        self._places = np.empty_like(frames)
        self._places[frames] = np.arange(len(frames))

    def frame(self, place: int) -> int:
        """Return the frame at a place."""
        return int(self._frames[place])

    def place(self, frame: int) -> int:
        """Return the place of a frame."""
        return int(self._places[frame])


def frame_width(frames: int) -> int:
    """Return the width of the frame column, with the room for `FIRST`."""
    return max(len(str(max(frames - 1, 0))) + 1, len(FIRST) + 2)


def total_width(columns: Iterable[Column], frames: int) -> int:
    """Return the width of a row."""
    return frame_width(frames) + sum(len(_GAP) + column.width for column in columns)


def fitting_columns(columns: Sequence[Column], frames: int, width: int) -> tuple[Column, ...]:
    """Return the columns from the left that are wholly within a width, the first one always."""
    fit = next((i for i in range(len(columns), 1, -1) if total_width(columns[:i], frames) <= width), 1)
    return tuple(columns[:fit])


def column_at(columns: Sequence[Column], frames: int, x: int) -> Column | None:
    """Return the column at a place in a row; None is the frame column or beyond the last."""
    right = frame_width(frames)
    for column in columns:
        left, right = right, right + len(_GAP) + column.width
        if left <= x < right:
            return column
    return None


def header(columns: Sequence[Column], frames: int, sorted_by: str | None) -> list[Line]:
    """Return the two header lines: titles (the one that sorts is marked) and units."""
    width = frame_width(frames)
    titles, units = "frame".rjust(width), " " * width
    for column in columns:
        title = f"{column.title}▾" if column.key == sorted_by else column.title
        titles += _GAP + title[: column.width].rjust(column.width)
        units += _GAP + column.unit[: column.width].rjust(column.width)
    return [[(titles, "header")], [(units, "unit")]]


def row(columns: Sequence[Column], stores: Sequence[Store], frame: int, first_scored: int) -> Line:
    """Return the row of a frame. Roles: `frame`, `muted`, `value`, `nonzero`, `outside`."""
    width = frame_width(stores[0].frames if stores else frame + 1)
    name = f"{FIRST} {frame}" if frame < first_scored else str(frame)
    line: Line = [(name.rjust(width), "frame")]
    for column, store in zip(columns, stores, strict=True):
        text, role = cell(column, store, frame)
        line.append((_GAP + text.rjust(column.width), role))
    return line


def cell(column: Column, store: Store, frame: int) -> tuple[str, str]:
    """Return the text and the role of one value."""
    if not store.arrived[frame]:
        return _PENDING, "muted"
    if store.absent[frame]:
        return _NOTHING, "muted"
    value = float(store.values[frame])
    if column.kind == "delta":
        if value == 0:
            return "0", "muted"
        role = "nonzero" if abs(value) <= column.tolerance else "outside"
        return f"{value:+.3e}", role
    text = f"{value:{column.format}}"
    return (text if len(text) <= column.width else f"{value:.4e}"), "value" if math.isfinite(value) else "outside"
