"""Where the main screen's parts go: a pure function from size, layout and picture shape to rectangles.

Three wide pictures side by side leave most of a tall terminal empty, so the layout follows the shapes of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Layout = Literal["auto", "row", "grid", "stack", "single"]
LAYOUTS: tuple[Layout, ...] = ("auto", "row", "grid", "stack", "single")
PaneName = Literal["oracle", "twin", "residue"]
PANES: tuple[PaneName, ...] = ("oracle", "twin", "residue")

READOUT_WIDTH, READOUT_HEIGHT = 38, 8
TABLE_HEIGHT = 5
CURVE_HEIGHT = 4
WIDE_CURVE = 100
"""From this many columns on, the curve stands beside readout and table instead of under them."""


class Box(NamedTuple):
    """A rectangle in cells."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The layout that was chosen and a rectangle for every visible part; parts without one are hidden."""

    layout: Layout
    boxes: dict[str, Box]


def arrange(width: int, height: int, shape: tuple[int, int], layout: Layout, pane: PaneName) -> Arrangement:
    """Place panes, readout, curve and table in `width` x `height` cells.

    `shape` is the plane's (columns, rows); `pane` the one that "single" shows. "auto" takes the layout whose
    pictures come out largest, of those that leave room for the figures.
    """
    if layout != "auto":
        return Arrangement(layout, _BUILDERS[layout](width, height, shape, pane))
    choices: list[Layout] = ["row", "grid", "stack"]
    built = {name: _BUILDERS[name](width, height, shape, pane) for name in choices}
    roomy = [name for name in choices if _is_roomy(built[name])] or choices[:1]
    best = max(roomy, key=lambda name: _picture_area(built[name]["residue"], shape))
    return Arrangement(best, built[best])


def _is_roomy(boxes: dict[str, Box]) -> bool:
    """Whether table and curve have room beside the pictures."""
    return "curve" in boxes and "table" in boxes and boxes["table"].height >= TABLE_HEIGHT


def _picture_area(box: Box, shape: tuple[int, int]) -> float:
    """Cells that a picture of `shape` covers at fit zoom in a pane: one line is its title."""
    columns, rows = shape
    scale = min(box.width / columns, 2 * (box.height - 1) / rows)
    return scale * scale * columns * rows


def _rows_needed(width: int, shape: tuple[int, int]) -> int:
    """Lines of a pane, title included, that shows a picture of `shape` at full `width`."""
    columns, rows = shape
    return 1 + -(-width * rows // (2 * columns))


def _information(box: Box) -> dict[str, Box]:
    """Readout, curve and table within `box`."""
    x, y, width, height = box
    if width < 2 * READOUT_WIDTH:
        readout = min(READOUT_HEIGHT, height)
        curve = CURVE_HEIGHT if height - readout - CURVE_HEIGHT >= TABLE_HEIGHT else 0
        if curve and height >= 26:
            curve = height // 5
        boxes = {
            "readout": Box(x, y, width, readout),
            "curve": Box(x, y + readout, width, curve),
            "table": Box(x, y + readout + curve, width, height - readout - curve),
        }
    elif width < 2 * READOUT_WIDTH + WIDE_CURVE // 2:
        left = max(READOUT_WIDTH, width // 2 - 6)
        readout = min(READOUT_HEIGHT, height)
        boxes = {
            "readout": Box(x, y, left, readout),
            "curve": Box(x, y + readout, left, height - readout),
            "table": Box(x + left, y, width - left, height),
        }
    else:
        table = max(READOUT_WIDTH + 8, width // 3)
        boxes = {
            "readout": Box(x, y, READOUT_WIDTH, height),
            "table": Box(x + READOUT_WIDTH, y, table, height),
            "curve": Box(x + READOUT_WIDTH + table, y, width - READOUT_WIDTH - table, height),
        }
    return {name: part for name, part in boxes.items() if part.height > 1 and part.width > 0}


def _row(width: int, height: int, shape: tuple[int, int], pane: PaneName) -> dict[str, Box]:
    """Three panes side by side, information below."""
    below = READOUT_HEIGHT + CURVE_HEIGHT if height >= 20 else READOUT_HEIGHT
    tall = max(4, min(_rows_needed(width // 3, shape), height - below))
    edges = [width * k // 3 for k in range(4)]
    boxes: dict[str, Box] = {name: Box(edges[k], 0, edges[k + 1] - edges[k], tall) for k, name in enumerate(PANES)}
    return {**boxes, **_information(Box(0, tall, width, height - tall))}


def _grid(width: int, height: int, shape: tuple[int, int], pane: PaneName) -> dict[str, Box]:
    """Two by two, information in the fourth cell."""
    left, top = width // 2, height // 2
    boxes = {
        "oracle": Box(0, 0, left, top),
        "twin": Box(left, 0, width - left, top),
        "residue": Box(0, top, left, height - top),
    }
    return {**boxes, **_information(Box(left, top, width - left, height - top))}


def _stack(width: int, height: int, shape: tuple[int, int], pane: PaneName) -> dict[str, Box]:
    """Panes one above the other, information at the right."""
    side = min(READOUT_WIDTH + 8, width // 2)
    edges = [height * k // 3 for k in range(4)]
    boxes: dict[str, Box] = {
        name: Box(0, edges[k], width - side, edges[k + 1] - edges[k]) for k, name in enumerate(PANES)
    }
    return {**boxes, **_information(Box(width - side, 0, side, height))}


def _single(width: int, height: int, shape: tuple[int, int], pane: PaneName) -> dict[str, Box]:
    """One pane as large as it gets, information where there is room."""
    if width >= 2 * READOUT_WIDTH + 20:
        side = READOUT_WIDTH + 8
        return {pane: Box(0, 0, width - side, height), **_information(Box(width - side, 0, side, height))}
    below = READOUT_HEIGHT
    return {
        pane: Box(0, 0, width, height - below),
        **_information(Box(0, height - below, width, below)),
    }


_BUILDERS = {"row": _row, "grid": _grid, "stack": _stack, "single": _single}
