"""The legend of a pane: the colours from one end of its range to the other, with the values of both ends."""

from __future__ import annotations

import numpy as np
from rich.segment import Segment
from rich.style import Style

from motion_tui.core.colour import quantise
from motion_tui.tui.paint.ink import glyphs, ink
from motion_tui.tui.paint.picture import Look

MOST_CELLS, LEAST_CELLS = 21, 3


def legend(look: Look, room: int, style: Style) -> list[Segment]:
    """Return the legend of `look` in at most `room` columns; nothing where not even the least of it fits.

    Whole numbers that each have a swatch of their own get swatches of one width: then every colour of the plane is
    in it. Otherwise the colours are evenly spaced, with zero in the middle of a signed range.
    """
    signed = look.mode == "diverging"
    low, high = (f"-{look.limit:g}", f"+{look.limit:g}") if signed else ("0", f"{look.limit:g}")
    if look.scale == "log":
        high += " log"
    cells = min(room - len(low) - len(high) - 2, MOST_CELLS)
    if cells < LEAST_CELLS:
        return []
    count = _swatches(look.limit, cells, signed)
    values = np.linspace(-look.limit if signed else 0.0, look.limit, count)
    if look.scale == "log":
        values = np.sign(values) * np.expm1(np.abs(values) / look.limit * np.log1p(look.limit))
    values[np.abs(values) < look.limit * 1e-9] = 0.0
    levels = np.repeat(quantise(values, look.limit, look.mode, look.scale), cells // count)
    if look.system == "none":
        ramp = [Segment(glyphs(levels[None], look.mode)[0], style)]
    else:
        assert style.bgcolor is not None
        colours = ink(look.palette, look.mode, look.system, style.bgcolor).colours
        ramp = [Segment(" ", Style(bgcolor=colours[level])) for level in levels.tolist()]
    return [Segment(f"{low} ", style), *ramp, Segment(f" {high}", style)]


def _swatches(limit: float, cells: int, signed: bool) -> int:
    """How many values are shown: all of a short range of whole numbers, else one a cell, an odd number if signed."""
    whole = 2 * limit + 1 if signed else limit + 1
    if limit == int(limit) and whole <= cells:
        return int(whole)
    return cells - (cells + 1) % 2 if signed else cells
