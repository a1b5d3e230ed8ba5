"""What part of a plane a pane shows: a frozen record, so that synced panes can share it."""

from __future__ import annotations

import math
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
        """Return the viewport magnified by `factor` about the plane coordinates (`x`, `y`), which stay where they are.

        Above one cell a pixel the size of a pixel is a whole number of cells, so that all pixels look alike.
        """
        ppc = snapped(self.pixels_per_cell / factor, enlarge=factor > 1)
        if ppc == self.pixels_per_cell:
            return self
        column = (x - self.x0) / self.pixels_per_cell
        half_row = (y - self.y0) / self.pixels_per_cell
        return aligned(Viewport(x - column * ppc, y - half_row * ppc, ppc))


def snapped(pixels_per_cell: float, *, enlarge: bool) -> float:
    """Return the next scale in the direction asked for at which a pixel is a whole number of cells, or shares one."""
    if pixels_per_cell >= 1:
        return pixels_per_cell
    columns = 1 / pixels_per_cell
    whole = math.ceil(columns - 1e-6) if enlarge else math.floor(columns + 1e-6)
    return 1 / min(max(whole, 1), MOST_COLUMNS_PER_PIXEL)


def aligned(view: Viewport) -> Viewport:
    """Return the viewport with its corner on a cell boundary of the plane, so that pixels stay whole when enlarged."""
    ppc = view.pixels_per_cell
    return Viewport(round(view.x0 / ppc) * ppc, round(view.y0 / ppc) * ppc, ppc)


def fitted(width: int, height: int, columns: int, half_rows: int) -> Viewport:
    """Return the viewport that shows a whole `width` x `height` plane, centred, in `columns` x `half_rows` cells."""
    need = max(width / max(columns, 1), height / max(half_rows, 1))
    ppc = snapped(need, enlarge=False)
    spare_x = max(columns - math.ceil(width / ppc - 1e-6), 0) // 2
    spare_y = max(half_rows - math.ceil(height / ppc - 1e-6), 0) // 2
    return Viewport(-spare_x * ppc, -(spare_y // 2 * 2) * ppc, ppc)


def centred(view: Viewport, x: float, y: float, columns: int, half_rows: int) -> Viewport:
    """Return the viewport moved so that the plane coordinates (`x`, `y`) lie in the middle of the pane."""
    ppc = view.pixels_per_cell
    return aligned(Viewport(x - columns / 2 * ppc, y - half_rows / 2 * ppc, ppc))


def kept_in_view(view: Viewport, width: int, height: int, columns: int, half_rows: int) -> Viewport:
    """Return the viewport moved as little as puts the middle of the pane somewhere on the plane."""
    ppc = view.pixels_per_cell
    half_x, half_y = columns / 2 * ppc, half_rows / 2 * ppc
    x0 = min(max(view.x0, -half_x), width - half_x)
    y0 = min(max(view.y0, -half_y), height - half_y)
    return view if (x0, y0) == (view.x0, view.y0) else aligned(Viewport(x0, y0, ppc))
