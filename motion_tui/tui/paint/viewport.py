"""What part of a plane a pane shows: a frozen record, so that synced panes can share it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

MOST_COLUMNS_PER_PIXEL = 32


@dataclass(frozen=True, slots=True)
class Viewport:
    """A part of a plane, as seen by a pane whose size is not part of the record.

    A *cell* here is one terminal column wide and half a terminal row high, which is about square. `x0`, `y0` are the
    plane coordinates of the top left cell's corner and may be negative (letterbox before the plane).
    """

    x0: float
    y0: float
    pixels_per_cell: float
    """Pixels of the plane along one side of a cell; below 1 a pixel covers several cells."""

    @property
    def columns_per_pixel(self) -> float:
        """Terminal columns along one side of a pixel."""
        return 1 / self.pixels_per_cell

    def panned(self, columns: float, half_rows: float) -> Viewport:
        """Return the viewport moved by cells: positive shows what lies further right and down."""
        ppc = self.pixels_per_cell
        return Viewport(self.x0 + columns * ppc, self.y0 + half_rows * ppc, ppc)

    def zoomed(self, factor: float, x: float, y: float) -> Viewport:
        """Return the viewport magnified by `factor`; the pixel at plane coordinates (`x`, `y`) keeps its cell.

        Above one cell a pixel the size of a pixel is a whole number of cells, so that all pixels look alike.
        """
        # Within the enlarged scales every step leads to another one; from the reduced ones 1:1 is not jumped over.
        nearest = round if self.pixels_per_cell > 1 else _up if factor > 1 else _down
        ppc = snapped(self.pixels_per_cell / factor, nearest)
        if ppc == self.pixels_per_cell:
            return self
        return Viewport(self._origin(x, self.x0, ppc), self._origin(y, self.y0, ppc), ppc)

    def _origin(self, at: float, start: float, pixels_per_cell: float) -> float:
        """Return where a view of another scale starts, so that `at` stays in the cell that it is in now."""
        cell = (at - start) / self.pixels_per_cell
        if pixels_per_cell > 1:
            return at - cell * pixels_per_cell
        return (math.floor(at / pixels_per_cell + 1e-6) - math.floor(cell + 1e-6)) * pixels_per_cell


def snapped(pixels_per_cell: float, nearest: Callable[[float], int]) -> float:
    """Return the scale at which a pixel is the nearest whole number of cells, or the same where it shares one."""
    if pixels_per_cell >= 1:
        return pixels_per_cell
    return 1 / min(max(nearest(1 / pixels_per_cell), 1), MOST_COLUMNS_PER_PIXEL)


def _up(columns: float) -> int:
    return math.ceil(columns - 1e-6)


def _down(columns: float) -> int:
    return math.floor(columns + 1e-6)


def aligned(view: Viewport) -> Viewport:
    """Return the viewport with its corner on a cell boundary of the plane, so that pixels stay whole when enlarged."""
    ppc = view.pixels_per_cell
    return Viewport(round(view.x0 / ppc) * ppc, round(view.y0 / ppc) * ppc, ppc) if ppc <= 1 else view


def fitted(width: int, height: int, columns: int, half_rows: int) -> Viewport:
    """Return the viewport that shows a whole `width` x `height` plane, centred, in `columns` x `half_rows` cells."""
    need = max(width / max(columns, 1), height / max(half_rows, 1))
    ppc = snapped(need, _down)
    spare_x = max(columns - math.ceil(width / ppc - 1e-6), 0) // 2
    spare_y = max(half_rows - math.ceil(height / ppc - 1e-6), 0) // 2
    return Viewport(-spare_x * ppc, -(spare_y // 2 * 2) * ppc, ppc)


def centred(view: Viewport, x: float, y: float, columns: int, half_rows: int) -> Viewport:
    """Return the viewport moved so that the plane coordinates (`x`, `y`) lie in the middle of the pane."""
    ppc = view.pixels_per_cell
    return aligned(Viewport(x - columns / 2 * ppc, y - half_rows / 2 * ppc, ppc))


def covering(view: Viewport, width: int, height: int, columns: int, half_rows: int) -> Viewport:
    """Return the viewport moved so that no pane's edge is empty along an axis on which the plane could fill it."""
    ppc = view.pixels_per_cell
    spare_x, spare_y = width - columns * ppc, height - half_rows * ppc
    x0 = min(max(view.x0, 0.0), spare_x) if spare_x > 0 else view.x0
    y0 = min(max(view.y0, 0.0), spare_y) if spare_y > 0 else view.y0
    return view if (x0, y0) == (view.x0, view.y0) else Viewport(x0, y0, ppc)


def kept_in_view(view: Viewport, width: int, height: int, columns: int, half_rows: int) -> Viewport:
    """Return the viewport moved as little as puts the middle of the pane somewhere on the plane."""
    ppc = view.pixels_per_cell
    half_x, half_y = columns / 2 * ppc, half_rows / 2 * ppc
    x0 = min(max(view.x0, -half_x), width - half_x)
    y0 = min(max(view.y0, -half_y), height - half_y)
    return view if (x0, y0) == (view.x0, view.y0) else aligned(Viewport(x0, y0, ppc))
