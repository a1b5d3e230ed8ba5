"""The three panes as one picture: oracle |stage|, twin |stage|, and the signed residue, side by side.

Small planes are enlarged by whole factors. Large ones are folded: a dot shows the sample of largest magnitude that it
covers, so that a lone differing pixel stays visible. Colours are the screen's (`core.colour`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.colour import Mode, level_rgb, quantise
from motion_tui.core.spec import Stage
from motion_tui.parity.residue import Pixel, StagePair

SHORTEST, LONGEST = 256, 1920
"""Dots that a pane's longer side has at least (by enlarging) and at most (by folding)."""
GAP = 8
GAP_LEVEL = 96
PALETTE = "berlin"
MARK = (255, 255, 0)
"""Colour of the box around the worst pixel."""

Picture = NDArray[np.uint8]


def panes(pair: StagePair, stage: Stage) -> Picture:
    """Draw the three panes of a stage: uint8, (rows, columns, 3)."""
    oracle, twin = np.abs(pair.oracle.get(stage)), np.abs(pair.twin.get(stage))
    residue = pair.residue(stage)
    magnitude = max(float(oracle.max()), float(twin.max()))
    pictures = [_pane(plane, magnitude, "magnitude") for plane in (oracle, twin)]
    known = pair.statistics(stage)
    right = _pane(residue, known.max_abs, "diverging")
    if known.worst:
        _mark(right, known.worst, residue.shape)
    gap = np.full((right.shape[0], GAP, 3), GAP_LEVEL, np.uint8)
    return np.concatenate([pictures[0], gap, pictures[1], gap, right], axis=1)


def write_panes(path: Path, pair: StagePair, stage: Stage) -> None:
    """Write the panes as PNG."""
    from imageio import v3

    v3.imwrite(path, panes(pair, stage), extension=".png")


def fold(plane: NDArray[Any], factor: int) -> NDArray[Any]:
    """Shrink by a whole factor; of each block the sample of largest magnitude stays, with its sign."""
    height, width = plane.shape
    rows, columns = range(0, height, factor), range(0, width, factor)
    highest = np.maximum.reduceat(np.maximum.reduceat(plane, rows, axis=0), columns, axis=1)
    lowest = np.minimum.reduceat(np.minimum.reduceat(plane, rows, axis=0), columns, axis=1)
    return np.where(highest >= -lowest, highest, lowest)


def _scale(shape: tuple[int, ...]) -> tuple[int, int]:
    """The factors to fold and to enlarge a plane by; one of them is 1."""
    longest = max(shape)
    return -(-longest // LONGEST), max(1, -(-SHORTEST // longest))


def _pane(plane: NDArray[Any], limit: float, mode: Mode) -> Picture:
    shrink, grow = _scale(plane.shape)
    levels = quantise(fold(plane, shrink), limit or 1.0, mode)
    picture: Picture = level_rgb(PALETTE, mode)[levels]
    return picture.repeat(grow, axis=0).repeat(grow, axis=1)


def _mark(picture: Picture, pixel: Pixel, shape: tuple[int, ...]) -> None:
    """Draw a box around the dots of one sample of a plane of `shape`."""
    shrink, grow = _scale(shape)
    x, y = (place // shrink * grow for place in (pixel.x, pixel.y))
    reach = max(4, grow // 4)
    top, bottom = max(0, y - reach), min(picture.shape[0] - 1, y + grow - 1 + reach)
    left, right = max(0, x - reach), min(picture.shape[1] - 1, x + grow - 1 + reach)
    for edge in (
        np.s_[top, left : right + 1],
        np.s_[bottom, left : right + 1],
        np.s_[top : bottom + 1, left],
        np.s_[top : bottom + 1, right],
    ):
        picture[edge] = MARK
