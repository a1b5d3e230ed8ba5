"""A plane as terminal lines: half blocks, numbers where pixels are large enough, and the cross-hair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from motion_tui.core.colour import ColourSystem, Mode, Scale, quantise, zero_level
from motion_tui.tui.paint.ink import OUTSIDE, Ink, glyphs, ink, runs
from motion_tui.tui.paint.numbers import fitting
from motion_tui.tui.paint.reduce import Grid, Span, pair_rows, reduce
from motion_tui.tui.paint.strips import HeatStrip, overlaid, plain_strip
from motion_tui.tui.paint.viewport import Viewport

NUMBER_COLUMNS = 4
"""Columns that a pixel needs before its value is written on it."""
_ARM = 2
"""Columns of the cross-hair to the left and to the right of its pixel, which itself stays as it is."""

_CHOSEN = Style(reverse=True, bold=True)

Marks = dict[int, dict[int, Segment]]
"""Terminal row -> column -> what is laid over the picture there."""


@dataclass(frozen=True, slots=True)
class Look:
    """How values become colours; see `core.colour.quantise`."""

    mode: Mode = "diverging"
    limit: float = 1.0
    palette: str = "berlin"
    system: ColourSystem = "truecolor"
    scale: Scale = "linear"


class Block(NamedTuple):
    """The cells that one pixel covers along an axis."""

    pixel: int
    start: int
    end: int


def levels_of(grid: Grid, look: Look) -> NDArray[np.uint8]:
    """Return the level of every cell of a grid; `OUTSIDE` beyond the plane."""
    rows, columns = grid.rows, grid.columns
    levels = np.full(grid.values.shape, OUTSIDE, np.uint8)
    inside = slice(rows.first, rows.last), slice(columns.first, columns.last)
    levels[inside] = quantise(grid.values[inside], look.limit, look.mode, look.scale)
    return levels


class Cells(NamedTuple):
    """A drawn pane without marks: what the cross-hair moves over."""

    plane: NDArray[Any]
    look: Look
    view: Viewport
    background: Style
    grid: Grid
    levels: NDArray[np.uint8]
    strips: list[Strip]

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.grid.values.shape[1], len(self.strips)

    def style(self, row: int, column: int) -> Style:
        """Return the style of text over a cell."""
        if self.look.system == "none":
            return self.background
        upper, lower = self.levels[2 * row : 2 * row + 2, column].tolist()
        return _ink(self.look, self.background).over(_stronger(upper, lower, self.look.mode))


def draw(
    plane: NDArray[Any], look: Look, view: Viewport, size: tuple[int, int], background: Style, *, fast: bool = True
) -> Cells:
    """Draw the lines of a pane of `size` (columns, rows) that shows `plane` through `view`.

    `fast` lines carry ready terminal text; both kinds have the same cells.
    """
    width, height = size
    grid = reduce(plane, view, width, height * 2)
    levels = levels_of(grid, look)
    strips: list[Strip]
    if look.system == "none":
        texts = glyphs(_whole_cells(grid, levels, look), look.mode)
        strips = [Strip([Segment(text, background)], width) for text in texts]
    else:
        make = HeatStrip if fast else plain_strip
        colours = _ink(look, background)
        strips = [make(colours, keys, width) for keys in runs(levels)]
    return Cells(plane, look, view, background, grid, levels, strips)


def marked(cells: Cells, cursor: tuple[int, int] | None) -> list[Strip]:
    """Return the lines with the numbers (where pixels are large enough) and the cross-hair around `cursor` (x, y)."""
    if cells.view.columns_per_pixel >= NUMBER_COLUMNS - 1e-6:
        marks = numbers(cells, cursor)
    else:
        marks = reticle(cells, cursor) if cursor else {}
    strips = list(cells.strips)
    for row, line in marks.items():
        strips[row] = overlaid(strips[row], line, cells.size[0])
    return strips


def touched(cells: Cells, pixel: tuple[int, int]) -> range:
    """Return the terminal rows that a cross-hair around a pixel may change."""
    down = cells_of(cells.grid.rows, pixel[1])
    if down is None:
        return range(0)
    return range(max(down[0] // 2 - 1, 0), min((down[1] - 1) // 2 + 2, cells.size[1]))


def numbers(cells: Cells, cursor: tuple[int, int] | None) -> Marks:
    """Return the value of every pixel that is in view with enough columns, the chosen one's inverted."""
    marks: Marks = {}
    columns = [block for block in blocks(cells.grid.columns) if block.end - block.start >= NUMBER_COLUMNS]
    for down in blocks(cells.grid.rows):
        row = text_row(down)
        if row is None:
            continue
        line = marks.setdefault(row, {})
        for across in columns:
            chosen = cursor == (across.pixel, down.pixel)
            column, text = _value_text(cells.plane, down, across, pad=chosen or cells.look.system == "none")
            style = cells.style(row, across.start)
            line[column] = Segment(text, style + _CHOSEN if chosen else style)
    return marks


def _ink(look: Look, background: Style) -> Ink:
    return ink(look.palette, look.mode, look.system, background.bgcolor or Color.default())


def _whole_cells(grid: Grid, levels: NDArray[np.uint8], look: Look) -> NDArray[np.uint8]:
    """Return levels of whole terminal cells: the worse half's, outside where both halves are."""
    folded = quantise(pair_rows(grid.values), look.limit, look.mode, look.scale)
    outside = (levels[0::2] == OUTSIDE) & (levels[1::2] == OUTSIDE)
    return np.where(outside, np.uint8(OUTSIDE), folded)


def _stronger(upper: int, lower: int, mode: Mode) -> int:
    """Return the level further from zero; a cell half outside of the plane is taken for its inside."""
    zero = zero_level(mode)
    inside = [level for level in (upper, lower) if level != OUTSIDE]
    return max(inside, key=lambda level: abs(level - zero), default=OUTSIDE)


def blocks(axis: Span) -> list[Block]:
    """Return the pixels of an enlarged axis, each with the cells it covers."""
    if not axis.starts.size:
        return []
    begins = np.flatnonzero(np.diff(axis.starts, prepend=axis.starts[0] - 1)).tolist()
    ends = [*begins[1:], len(axis.starts)]
    return [
        Block(int(axis.starts[begin]), axis.first + begin, axis.first + end)
        for begin, end in zip(begins, ends, strict=True)
    ]


def text_row(down: Block) -> int | None:
    """Return the terminal row nearest the middle of a pixel that lies wholly on it, if there is one."""
    first, last = -(-down.start // 2), down.end // 2 - 1
    return min(max((down.start + down.end - 1) // 4, first), last) if first <= last else None


def _value_text(plane: NDArray[Any], down: Block, across: Block, *, pad: bool) -> tuple[int, str]:
    """Return the column and the text of a pixel's value; one column stays free, so that neighbours stay apart."""
    room = across.end - across.start
    text = fitting(plane[down.pixel, across.pixel].item(), max(room - 1, 1))
    if pad:
        return across.start, text.center(room)
    return across.start + (room - len(text)) // 2, text


def cells_of(axis: Span, pixel: int) -> tuple[int, int] | None:
    """Return the cells (start, end) that show a pixel, or None where it is not in view."""
    if not axis.starts.size or not axis.starts[0] <= pixel < axis.end:
        return None
    start = int(np.searchsorted(axis.starts, pixel, "left"))
    end = int(np.searchsorted(axis.starts, pixel, "right"))
    return axis.first + min(start, end - 1), axis.first + end


def reticle(cells: Cells, cursor: tuple[int, int]) -> Marks:
    """Return the arms of the cross-hair around a pixel's cells; none where it is out of view."""
    width, height = cells.size
    across, down = cells_of(cells.grid.columns, cursor[0]), cells_of(cells.grid.rows, cursor[1])
    marks: Marks = {}
    if across is None or down is None:
        return marks
    middle, row = (across[0] + across[1] - 1) // 2, (down[0] + down[1] - 1) // 4
    columns = [*range(across[0] - _ARM, across[0]), *range(across[1], across[1] + _ARM)]
    arms = [(row, column, "─") for column in columns]
    arms += [(down[0] // 2 - 1, middle, "│"), ((down[1] - 1) // 2 + 1, middle, "│")]
    for at, column, text in arms:
        if 0 <= at < height and 0 <= column < width:
            marks.setdefault(at, {})[column] = Segment(text, cells.style(at, column))
    return marks
