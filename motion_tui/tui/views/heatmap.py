"""A pane that shows one plane as coloured half blocks, with a viewport, a cross-hair and the mouse."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.filter import LineFilter
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from motion_tui.core.colour import ColourSystem, Mode, Scale
from motion_tui.tui.paint.picture import Cells, Look, draw, marked, touched
from motion_tui.tui.paint.reduce import pixels_of, span, worst_pixel
from motion_tui.tui.paint.viewport import Viewport, centred, covering, fitted, kept_in_view

WHEEL_FACTOR = 1.5


@dataclass
class PixelMessage(Message):
    """Something about one pixel of a pane."""

    heatmap: Heatmap
    x: int
    y: int

    @property
    def control(self) -> Heatmap:
        """The pane it comes from."""
        return self.heatmap


class Heatmap(Widget):
    """One plane as half blocks. `show` gives it what to draw; gestures post messages; assignments are silent."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Heatmap { width: 1fr; height: 1fr; }"

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
    class PixelPicked(PixelMessage):
        """A click chose a pixel: the worst one under the pointer."""

    @dataclass
    class PixelHovered(PixelMessage):
        """The pointer moved over a pixel: the worst one under it."""

        def can_replace(self, message: Message) -> bool:
            """Only where the pointer is now matters."""
            return isinstance(message, Heatmap.PixelHovered) and message.heatmap is self.heatmap

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.fast = True
        """Lines as ready terminal text (same cells, less time); False goes through documented hooks alone."""
        # An array in a reactive would be compared with `==`, which arrays refuse: plain attributes and refresh().
        self._plane: NDArray[Any] | None = None
        self._look = Look()
        self._note = ""
        self._viewport: Viewport | None = None
        self._cursor: tuple[int, int] | None = None
        self._drawn: Cells | None = None
        self._press: Offset | None = None
        self._dragged = False

    def show(
        self,
        plane: NDArray[Any] | None,
        *,
        mode: Mode = "diverging",
        limit: float = 1.0,
        palette: str = "berlin",
        colour_system: ColourSystem = "truecolor",
        scale: Scale = "linear",
        note: str = "",
    ) -> None:
        """Draw `plane` (2-D, any real dtype); magnitudes at or above `limit` get the strongest colour.

        Without a plane, `note` says why there is none.
        """
        self._plane = plane if plane is not None and plane.size else None
        self._look = Look(mode, limit, palette, colour_system, scale)
        self._note = note
        self._redraw()

    @property
    def viewport(self) -> Viewport | None:
        """What is asked for; None while the plane is fitted to the pane. Assigning posts no message."""
        return self._viewport

    @viewport.setter
    def viewport(self, viewport: Viewport | None) -> None:
        if viewport != self._viewport:
            self._viewport = viewport
            self._redraw()

    @property
    def shown_viewport(self) -> Viewport:
        """What is on the screen: the viewport, or the one that fits."""
        return self._viewport or self._fitted()

    @property
    def cursor(self) -> tuple[int, int] | None:
        """The pixel under the cross-hair (x, y). Assigning posts no message."""
        return self._cursor

    @cursor.setter
    def cursor(self, cursor: tuple[int, int] | None) -> None:
        if cursor == self._cursor:
            return
        rows = {row for pixel in (self._cursor, cursor) if pixel and self._drawn for row in touched(self._drawn, pixel)}
        self._cursor = cursor
        if self._drawn is None:
            self.refresh()
        elif rows:
            # Only the lines that the cross-hair leaves and reaches: a pane is a lot to send over a slow link.
            self.refresh(*(Region(0, row, self.size.width, 1) for row in rows))

    def fit(self) -> None:
        """Show the whole plane, and keep doing so when the pane's size changes."""
        self._move(None)

    def zoom(self, factor: float, around: tuple[float, float] | None = None) -> None:
        """Magnify about plane coordinates (the cross-hair's pixel where it is in view, else the middle of the pane)."""
        viewport = self.shown_viewport.zoomed(factor, *(around or self._anchor()))
        whole = viewport.pixels_per_cell >= self._fitted().pixels_per_cell
        self._move(None if whole and factor < 1 else viewport)

    def pan(self, columns: int, rows: int) -> None:
        """Move the view by terminal columns and rows; positive shows what lies further right and down."""
        self._move(self.shown_viewport.panned(columns, rows * 2))

    def centre(self, x: int, y: int) -> None:
        """Bring a pixel to the middle of the pane at the present zoom, or as near as leaves no empty edge."""
        size = self.size.width, self.size.height * 2
        view = centred(self.shown_viewport, x + 0.5, y + 0.5, *size)
        if self._plane is not None:
            view = covering(view, self._plane.shape[1], self._plane.shape[0], *size)
        self._move(view)

    def pixel_at(self, column: int, row: int, half: int | None = None) -> tuple[int, int] | None:
        """Return the worst pixel (x, y) of a terminal cell (its upper half 0, lower half 1, both None)."""
        plane, view, (width, height) = self._plane, self.shown_viewport, self.size
        if plane is None:
            return None
        across = span(view.x0, view.pixels_per_cell, width, plane.shape[1])
        down = span(view.y0, view.pixels_per_cell, height * 2, plane.shape[0])
        columns = pixels_of(across, column)
        halves = [2 * row, 2 * row + 1] if half is None else [2 * row + half]
        rows = [pixels for pixels in (pixels_of(down, cell) for cell in halves) if pixels]
        if columns is None or not rows:
            return None
        return worst_pixel(plane, columns, slice(rows[0].start, rows[-1].stop))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines in `crop`: straight from the picture, past Textual's per-line cache and filters.

        A border needs that cache, and a terminal without colours needs the filter that takes them from the theme.
        """
        if self.gutter.totals != (0, 0) or self._look.system == "none":
            return super().render_lines(crop)
        strips = self._strips()[crop.y : crop.bottom]
        if crop.column_span == (0, self.size.width):
            return strips
        return [strip.crop(*crop.column_span) for strip in strips]

    def render_line(self, y: int) -> Strip:
        """Return one line, for a pane that has a border or padding of its own."""
        strips = self._strips()
        return strips[y] if y < len(strips) else Strip.blank(self.size.width, self._base_style())

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return no filters: the colours are final, and the filters' caches are too small for so many of them."""
        return super().get_line_filters() if self._look.system == "none" else ()

    def _strips(self) -> list[Strip]:
        plane, (width, height), base = self._plane, self.size, self._base_style()
        if plane is None or not width or not height:
            return self._blank(base)
        view = self.shown_viewport
        drawn = self._drawn
        if drawn is None or (drawn.size, drawn.view, drawn.background) != ((width, height), view, base):
            drawn = self._drawn = draw(plane, self._look, view, (width, height), base, fast=self.fast)
        return marked(drawn, self._cursor)

    def _blank(self, base: Style) -> list[Strip]:
        width, height = self.size
        lines = textwrap.wrap(self._note, max(width - 2, 1))[:height]
        above = (height - len(lines)) // 2
        texts = [""] * above + lines + [""] * (height - above - len(lines))
        return [Strip([Segment(text.center(width)[:width], base)], width) for text in texts]

    def _base_style(self) -> Style:
        style = self.rich_style
        return Style(color=style.color, bgcolor=style.bgcolor)

    def _fitted(self) -> Viewport:
        height, width = self._plane.shape if self._plane is not None else (1, 1)
        return fitted(width, height, self.size.width, self.size.height * 2)

    def _anchor(self) -> tuple[float, float]:
        width, height = self.size
        if self._cursor is not None:
            (left, top), (right, bottom) = self._point(0, 0), self._point(width, height)
            x, y = self._cursor[0] + 0.5, self._cursor[1] + 0.5
            if left <= x < right and top <= y < bottom:
                return x, y
        return self._point(width / 2, height / 2)

    def _point(self, column: float, row: float) -> tuple[float, float]:
        """Return the plane coordinates of a place in the pane."""
        view = self.shown_viewport
        return view.x0 + column * view.pixels_per_cell, view.y0 + row * 2 * view.pixels_per_cell

    def _redraw(self) -> None:
        self._drawn = None
        self.refresh()

    def _move(self, viewport: Viewport | None) -> None:
        if viewport is not None and self._plane is not None:
            height, width = self._plane.shape
            viewport = kept_in_view(viewport, width, height, self.size.width, self.size.height * 2)
        if viewport != self._viewport:
            self.viewport = viewport
            self.post_message(self.ViewportChanged(self, viewport))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Magnify about the pointer."""
        self._wheel(event, WHEEL_FACTOR)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Shrink about the pointer."""
        self._wheel(event, 1 / WHEEL_FACTOR)

    def _wheel(self, event: events.MouseEvent, factor: float) -> None:
        at = event.get_content_offset_capture(self)
        pixel = self.pixel_at(at.x, at.y)
        # The worst pixel under the pointer stays there: it is what one wants to see larger.
        self.zoom(factor, (pixel[0] + 0.5, pixel[1] + 0.5) if pixel else self._point(at.x + 0.5, at.y + 0.5))
        event.stop()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin a drag; whether it is one shows when the pointer moves."""
        self._press, self._dragged = event.get_content_offset_capture(self), False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pan while a button is down (the event itself does not say so), else report the pixel under the pointer."""
        at = event.get_content_offset_capture(self)
        if self._press is None:
            pixel = self.pixel_at(at.x, at.y)
            if pixel:
                self.post_message(self.PixelHovered(self, *pixel))
        elif at != self._press:
            self._dragged = True
            self.pan(self._press.x - at.x, self._press.y - at.y)
            self._press = at

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End a drag, or pick the pixel under the pointer."""
        self.release_mouse()
        at = event.get_content_offset_capture(self)
        pressed, self._press = self._press, None
        pixel = self.pixel_at(at.x, at.y)
        if pressed is not None and not self._dragged and pixel:
            self.post_message(self.PixelPicked(self, *pixel))

    def on_click(self, event: events.Click) -> None:
        """Fit on a double click."""
        if event.chain == 2 and not self._dragged:
            self.fit()
