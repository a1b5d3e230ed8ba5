"""A curve of one value a frame in braille dots: stems from zero, with the extremes of every dot column kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motion_tui.tui.paint.lines import Line, joined, merged, ruled
from motion_tui.tui.paint.numbers import amount

Values = NDArray[np.float64]
LABELS = 9
"""Columns of the value axis."""
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BLANK = 0x2800


@dataclass(frozen=True, slots=True)
class CurveLook:
    """What a curve shows besides its values."""

    tolerance: float = 0.0
    symlog: bool = False
    title: str = ""
    note: str = ""
    """What the values mean; said last, where there is room."""


def as_values(values: Sequence[float | None]) -> Values:
    """Return values as float64, NaN where there is none."""
    return np.array([math.nan if value is None else value for value in values], np.float64)


def edges(frames: int, columns: int) -> NDArray[np.intp]:
    """Return the first frame of each of `columns` columns, and the end; a frame may cover several columns."""
    return np.arange(columns + 1) * frames // columns


def frames_of(column: int, frames: int, columns: int) -> range:
    """Return the frames that a text column shows: at least one."""
    start, end = (int(edge) for edge in edges(frames, columns)[column : column + 2])
    return range(start, max(end, start + 1))


def frame_at(values: Values, column: int, columns: int) -> int | None:
    """Return the frame of a text column with the largest magnitude; None where there are no frames."""
    if not len(values) or not 0 <= column < columns:
        return None
    frames = frames_of(column, len(values), columns)
    size = np.abs(values[frames.start : frames.stop])
    return frames.start + int(np.argmax(np.where(np.isnan(size), -1, size)))


def columns_of(frame: int, frames: int, columns: int) -> range:
    """Return the text columns that show a frame."""
    shown = edges(frames, columns)
    start = int(np.searchsorted(shown, frame, "left"))
    end = int(np.searchsorted(shown, frame, "right"))
    return range(min(start, end - 1), min(end, columns))


def envelope(values: Values, columns: int) -> tuple[Values, Values]:
    """Return the lowest and the highest value of every column, NaN where it has none."""
    starts = edges(len(values), columns)[:-1]
    return np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)


def symlog(values: Values, linear: float) -> Values:
    """Return `sign(v) * log(1 + |v| / linear)`, which is not zero for a small value either."""
    scaled: Values = np.sign(values) * np.log1p(np.abs(values) / linear)
    return scaled


def linear_part(values: Values, look: CurveLook) -> float:
    """Return where a log scale turns linear: at the tolerance, else at the smallest value, at most six decades down."""
    size = np.abs(values[np.isfinite(values) & (values != 0)])
    return look.tolerance or float(max(size.min(), size.max() * 1e-6) if size.size else 1)


def dots(values: Values, columns: int, rows: int) -> tuple[NDArray[np.bool_], int]:
    """Return the dots (rows, columns) of the stems of `values`, and the dot row of zero.

    A value that is not zero is at least one dot away from zero's row; a column without any value has no dot at all.
    """
    low, high = envelope(values, columns)
    up, down = _most(high), _most(-low)
    spare = rows - 1
    if up and down:
        above = min(max(round(spare * (up / (up + down))), 1), spare - 1)
    else:
        above = spare if up else 0 if down else spare // 2
    top, bottom = _stem(high, up, above), _stem(-low, down, spare - above)
    row = np.arange(rows)[:, None] - above
    return (row >= -top) & (row <= bottom) & ~np.isnan(high), above


def _most(values: Values) -> float:
    """Return the largest finite value, at least 0; an infinite one alone counts as 1, so that it has a stem."""
    finite = float(np.max(values[np.isfinite(values)], initial=0.0))
    return finite or float(np.isposinf(values).any())


def _stem(values: Values, most: float, room: int) -> Values:
    if not most:
        return np.zeros_like(values)
    return np.where(values > 0, np.clip(np.ceil(np.maximum(values, 0) / most * room - 1e-9), 1, room), 0)


def braille(filled: NDArray[np.bool_]) -> list[str]:
    """Return dots (4 a row, 2 a column of text) as lines of text."""
    rows, columns = filled.shape[0] // 4, filled.shape[1] // 2
    codes = _BLANK + np.einsum("rdcw,dw->rc", filled.reshape(rows, 4, columns, 2).astype(np.int32), _DOTS)
    return ["".join(map(chr, row)) for row in codes.tolist()]


def curve(values: Values, look: CurveLook, width: int, height: int, cursor: int | None = None) -> list[Line]:
    """Return the lines of a curve: summary, plot with axis, marks of frames outside the tolerance, frame numbers.

    Roles: `outside`, `cursor`, `cursor-outside`, `axis`, `title`. With little height the plot keeps its rows longest.
    """
    outside = np.abs(values) > look.tolerance
    title = [(heading(values, outside, look, width), "title")]
    columns = width - LABELS
    rows = height - 1 - (height > 3) - (height > 5)
    if not len(values) or columns < 2 or rows < 1:
        return [fitted_line(line, width) for line in [title, *[[]] * (height - 1)]][:height]
    filled, zero = dots(symlog(values, linear_part(values, look)) if look.symlog else values, columns * 2, rows * 4)
    missed = np.maximum.reduceat(outside, edges(len(values), columns)[:-1])
    at = columns_of(cursor, len(values), columns) if cursor is not None and cursor < len(values) else range(0)
    roles = [_role(bool(missed[column]), column in at) for column in range(columns)]
    labels = axis_labels(values, zero // 4, rows)
    lines = [title]
    for row, text in enumerate(braille(filled)):
        axis = "┼" if row == zero // 4 else "│"
        lines.append([(f"{labels.get(row, ''):>{LABELS - 1}}{axis}", "axis"), *_painted(text, roles)])
    if height > 3:
        marks = "".join("▴" if role.endswith("outside") else "┃" if role else "─" for role in roles)
        lines.append([(" " * (LABELS - 1) + "└", "axis"), *_painted(marks, [role or "axis" for role in roles])])
    if height > 5:
        named = [] if cursor is None or not at else [(at.start, str(cursor))]
        ends = [(0, "0"), (columns - 1, str(len(values) - 1))]
        lines.append([(f"{'frame':>{LABELS - 1}} {ruled(columns, named + ends)}", "axis")])
    return [fitted_line(line, width) for line in lines]


def heading(values: Values, outside: NDArray[np.bool_], look: CurveLook, width: int) -> str:
    """Return the worst frame and how many are outside the tolerance, behind the title where both have room."""
    known = int(np.count_nonzero(~np.isnan(values)))
    parts = ["no values yet"]
    if known:
        worst = int(np.nanargmax(np.abs(values)))
        bound = f"outside ±{amount(look.tolerance)}" if look.tolerance else "not zero"
        parts = [
            f"worst {amount(float(values[worst]))} at frame {worst}" if values[worst] else "all zero",
            f"{int(np.count_nonzero(outside))} of {known} {bound}",
        ]
    if look.symlog:
        parts.append("log scale")
    titled = joined((look.title, parts[0]), width) if look.title else ""
    return joined([*([look.title] if titled.endswith(parts[0]) else []), *parts, *filter(None, [look.note])], width)


def axis_labels(values: Values, zero: int, rows: int) -> dict[int, str]:
    """Return the labels of the value axis by text row: zero, and the extremes where they have rows of their own."""
    labels = {zero: "0"}
    if np.isnan(values).all():
        return labels
    high, low = float(np.nanmax(values)), float(np.nanmin(values))
    if high > 0 and zero > 0:
        labels[0] = amount(high)
    if low < 0 and zero < rows - 1:
        labels[rows - 1] = amount(low)
    return labels


def fitted_line(line: Line, width: int) -> Line:
    """Return a line cut or padded to a width."""
    fitted: Line = []
    room = width
    for text, role in line:
        fitted.append((text[:room], role))
        room -= len(fitted[-1][0])
    return [*fitted, (" " * room, "")] if room else fitted


def _role(outside: bool, cursor: bool) -> str:
    return "-".join(name for name, holds in (("cursor", cursor), ("outside", outside)) if holds)


def _painted(text: str, roles: list[str]) -> Line:
    starts = [0, *(i for i, (a, b) in enumerate(pairwise(roles), 1) if a != b), len(roles)]
    return merged((text[start:end], roles[start]) for start, end in pairwise(starts))
