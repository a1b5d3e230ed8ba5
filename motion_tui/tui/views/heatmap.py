"""A pane that shows one plane as coloured half blocks, with a viewport, a cross-hair and the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from textual.message import Message
from textual.widget import Widget

from motion_tui.core.colour import ColourSystem, Mode, Scale
from motion_tui.tui.paint.viewport import Viewport, centred, fitted


class Heatmap(Widget):
    """One plane as half blocks. `show` gives it what to draw; gestures post messages; assignments are silent."""

    ALLOW_SELECT = False

    @dataclass
    class ViewportChanged(Message):
        """A gesture (wheel, drag, or a method called for a key) moved the view; None means fitted."""

        heatmap: Heatmap
        viewport: Viewport | None

        @property
        def control(self) -> Heatmap:
            """The pane it comes from."""
            return self.heatmap

    @dataclass
    class PixelPicked(Message):
        """A click chose a pixel: the worst one under the pointer."""

        heatmap: Heatmap
        x: int
        y: int

        @property
        def control(self) -> Heatmap:
            """The pane it comes from."""
            return self.heatmap

    @dataclass
    class PixelHovered(Message):
        """The pointer moved over a pixel: the worst one under it."""

        heatmap: Heatmap
        x: int
        y: int

        @property
        def control(self) -> Heatmap:
            """The pane it comes from."""
            return self.heatmap

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.fast = True
        """Lines as ready terminal codes (same cells, less time); False goes through documented hooks alone."""
        self._plane: NDArray[Any] | None = None
        self._viewport: Viewport | None = None
        self._cursor: tuple[int, int] | None = None

    def show(
        self,
        plane: NDArray[Any] | None,
        *,
        mode: Mode = "diverging",
        limit: float = 1.0,
        palette: str = "berlin",
        colour_system: ColourSystem = "truecolor",
        scale: Scale = "linear",
    ) -> None:
        """Draw `plane` (2-D, any real dtype); magnitudes at or above `limit` get the strongest colour."""
        self._plane = plane
        self.refresh()

    @property
    def viewport(self) -> Viewport | None:
        """What is asked for; None while the plane is fitted to the pane. Assigning posts no message."""
        return self._viewport

    @viewport.setter
    def viewport(self, viewport: Viewport | None) -> None:
        if viewport != self._viewport:
            self._viewport = viewport
            self.refresh()

    @property
    def shown_viewport(self) -> Viewport:
        """What is on the screen: the viewport, or the one that fits."""
        if self._viewport is not None:
            return self._viewport
        height, width = self._plane.shape if self._plane is not None else (1, 1)
        return fitted(width, height, self.size.width, self.size.height * 2)

    @property
    def cursor(self) -> tuple[int, int] | None:
        """The pixel under the cross-hair (x, y). Assigning posts no message."""
        return self._cursor

    @cursor.setter
    def cursor(self, cursor: tuple[int, int] | None) -> None:
        if cursor != self._cursor:
            self._cursor = cursor
            self.refresh()

    def fit(self) -> None:
        """Show the whole plane, and keep doing so when the pane's size changes."""
        self._move(None)

    def zoom(self, factor: float, around: tuple[float, float] | None = None) -> None:
        """Magnify about plane coordinates (the cross-hair's pixel, else the middle of the pane)."""
        if around is None:
            around = self._anchor()
        self._move(self.shown_viewport.zoomed(factor, *around))

    def pan(self, columns: int, rows: int) -> None:
        """Move the view by terminal columns and rows."""
        self._move(self.shown_viewport.panned(columns, rows * 2))

    def centre(self, x: int, y: int) -> None:
        """Bring a pixel to the middle of the pane at the present zoom."""
        self._move(centred(self.shown_viewport, x + 0.5, y + 0.5, self.size.width, self.size.height * 2))

    def pixel_at(self, column: int, row: int, half: int | None = None) -> tuple[int, int] | None:
        """Return the worst pixel (x, y) of a terminal cell (its upper half 0, lower half 1, both None)."""
        return None

    def _anchor(self) -> tuple[float, float]:
        if self._cursor is not None:
            return self._cursor[0] + 0.5, self._cursor[1] + 0.5
        view = self.shown_viewport
        ppc = view.pixels_per_cell
        return view.x0 + self.size.width / 2 * ppc, view.y0 + self.size.height * ppc

    def _move(self, viewport: Viewport | None) -> None:
        if viewport != self._viewport:
            self.viewport = viewport
            self.post_message(self.ViewportChanged(self, viewport))
