"""From a plane to the cells of a pane: where several pixels share a cell, the one of largest magnitude is kept."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motion_tui.tui.paint.viewport import Viewport

SLACK = 1e-6
"""Without it `floor(102 * 2.1666...)` loses the last row of a plane."""


class Span(NamedTuple):
    """One axis of a view: cells `first` up to `last` show the plane; cell `first + i` starts at pixel `starts[i]`."""

    first: int
    last: int
    starts: NDArray[np.intp]
    end: int
    """The pixel after the last one shown."""


class Grid(NamedTuple):
    """Cells of a pane: `values` (half rows, columns) in the plane's dtype, and where they lie inside the plane."""

    values: NDArray[Any]
    rows: Span
    columns: Span


def span(origin: float, pixels_per_cell: float, cells: int, size: int) -> Span:
    """Return which of `cells` cells from plane coordinate `origin` show a plane of `size` pixels, and which pixels.

    Each pixel within the view belongs to exactly one cell where a cell is a pixel or more.
    """
    edges = np.floor(origin + np.arange(cells + 1) * pixels_per_cell + SLACK).astype(np.intp)
    if pixels_per_cell > 1:
        edges = np.clip(edges, 0, size)
        inside = np.flatnonzero(edges[1:] > edges[:-1])
    else:
        inside = np.flatnonzero((edges[:-1] >= 0) & (edges[:-1] < size))
    if not inside.size:
        return Span(0, 0, edges[:0], 0)
    first, last = int(inside[0]), int(inside[-1]) + 1
    end = int(edges[last]) if pixels_per_cell > 1 else int(edges[last - 1]) + 1
    return Span(first, last, edges[first:last], end)


def pixels_of(axis: Span, cell: int) -> slice | None:
    """Return the pixels that cell number `cell` of an axis shows, or None where it lies outside of the plane."""
    if not axis.first <= cell < axis.last:
        return None
    start = int(axis.starts[cell - axis.first])
    later = axis.starts[axis.starts > start]
    return slice(start, int(later[0]) if later.size else axis.end)


def reduce(plane: NDArray[Any], view: Viewport, columns: int, half_rows: int) -> Grid:
    """Return what a pane of `columns` x `half_rows` cells shows of `plane` (2-D, integers or floats).

    A cell's value is the signed value of largest magnitude among its pixels; of +n and -n, +n; a NaN wins over all.
    Cells outside of the plane are 0 and not in the spans.
    """
    height, width = plane.shape
    down = span(view.y0, view.pixels_per_cell, half_rows, height)
    across = span(view.x0, view.pixels_per_cell, columns, width)
    values = np.zeros((half_rows, columns), plane.dtype)
    if down.last and across.last:
        fold = _fold if view.pixels_per_cell > 1 else _enlarge
        values[down.first : down.last, across.first : across.last] = fold(plane, down, across)
    return Grid(values, down, across)


def _enlarge(plane: NDArray[Any], down: Span, across: Span) -> NDArray[Any]:
    return plane[np.ix_(down.starts, across.starts)]


def _fold(plane: NDArray[Any], down: Span, across: Span) -> NDArray[Any]:
    """Fold bands of rows first, whole rows at a time, then columns: the order that NumPy does fast."""
    window = plane[:, across.starts[0] : across.end]
    signed = plane.dtype.kind != "u"
    high = np.empty((len(down.starts), window.shape[1]), plane.dtype)
    low = np.empty_like(high) if signed else high
    ends = [*down.starts[1:].tolist(), down.end]
    for i, (start, end) in enumerate(zip(down.starts.tolist(), ends, strict=True)):
        band = window[start:end]
        band.max(axis=0, out=high[i])
        if signed:
            band.min(axis=0, out=low[i])
    starts = across.starts - across.starts[0]
    high = np.maximum.reduceat(high, starts, axis=1)
    return worst(high, np.minimum.reduceat(low, starts, axis=1)) if signed else high


def worst(high: NDArray[Any], low: NDArray[Any]) -> NDArray[Any]:
    """Return, element by element, the value of larger magnitude of a maximum and a minimum.

    `high` is negated, never `low`: the negative of a dtype's minimum is no number of that dtype.
    """
    if high.dtype.kind == "u":
        return high
    return np.where(low < -high, low, high)


def pair_rows(values: NDArray[Any]) -> NDArray[Any]:
    """Fold half rows into whole terminal rows (one value a cell, for terminals without colours)."""
    upper, lower = values[0::2], values[1::2]
    return worst(np.maximum(upper, lower), np.minimum(upper, lower))


def worst_pixel(plane: NDArray[Any], columns: slice, rows: slice) -> tuple[int, int]:
    """Return x and y of the pixel of largest magnitude in a window of `plane`; the first such in reading order."""
    window = plane[rows, columns]
    size = np.abs(window.astype(np.float64))
    at = int(np.argmax(np.where(np.isnan(size), np.inf, size)))
    return columns.start + at % window.shape[1], rows.start + at // window.shape[1]
