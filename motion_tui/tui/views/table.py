"""A table of frames: virtual rows, so that a hundred thousand of them open at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from motion_tui.tui.paint.lines import Line
from motion_tui.tui.paint.table import (
    HEADER_ROWS,
    Column,
    Order,
    Store,
    column_at,
    fitting_columns,
    header,
    row,
    total_width,
)

__all__ = ["Column", "FrameTable"]

_KEPT_ROWS = 2048


class FrameTable(ScrollView, can_focus=True):
    """One row a frame. `load` sets columns and rows, `update_values` fills in values as they arrive."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "first", "First", show=False),
        Binding("end", "last", "Last", show=False),
        Binding("enter", "select", "Open frame", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--header",
        "table--unit",
        "table--frame",
        "table--muted",
        "table--value",
        "table--nonzero",
        "table--outside",
        "table--cursor",
    }
    DEFAULT_CSS = """
    FrameTable {
        height: 1fr;
        color: $foreground;
        & > .table--header { text-style: bold; background: $panel; color: $foreground; }
        & > .table--unit { background: $panel; color: $foreground-muted; }
        & > .table--frame { color: $foreground-muted; }
        & > .table--muted { color: $foreground-muted; }
        & > .table--nonzero { color: $text-warning; }
        & > .table--outside { color: $text-error; text-style: bold; }
        & > .table--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    }
    """

    @dataclass
    class RowHighlighted(Message):
        """The cursor moved to a frame."""

        table: FrameTable
        frame: int

        @property
        def control(self) -> FrameTable:
            """The table it comes from."""
            return self.table

        def can_replace(self, message: Message) -> bool:
            """Of a held key only the last frame matters."""
            return isinstance(message, FrameTable.RowHighlighted) and message.table is self.table

    @dataclass
    class RowSelected(Message):
        """Enter, or a click, chose a frame."""

        table: FrameTable
        frame: int

        @property
        def control(self) -> FrameTable:
            """The table it comes from."""
            return self.table

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._columns: tuple[Column, ...] = ()
        self._stores: dict[str, Store] = {}
        self._frames = 0
        self._first_scored = 1
        self._cursor = 0
        self._sorted_by: str | None = None
        self._order: Order | None = None
        self._lines: dict[int, Line] = {}

    @property
    def columns(self) -> tuple[Column, ...]:
        """What was loaded, whether it has room or not."""
        return self._columns

    def load(self, columns: Sequence[Column], frames: int, *, first_scored: int = 1) -> None:
        """Set columns and the number of frames; every value is pending until `update_values` brings it.

        Frames before `first_scored` have no predecessor, and their rows say so. The cursor stays where it can.
        """
        self._columns, self._frames, self._first_scored = tuple(columns), frames, first_scored
        self._stores = {column.key: Store(frames) for column in columns}
        if self._sorted_by not in self._stores:
            self._sorted_by = None
        self._cursor = min(self._cursor, max(frames - 1, 0))
        self.virtual_size = Size(total_width(self._shown, frames), frames + HEADER_ROWS)
        self._changed()

    def update_values(self, key: str, start: int, values: Sequence[float | None]) -> None:
        """Set the values of a column from frame `start` on; None means that there is no value there."""
        self._stores[key].update(start, values)
        if key == self._sorted_by or len(values) > _KEPT_ROWS:
            self._changed()
            return
        for frame in range(start, start + len(values)):
            # Only rows that were drawn since the last change can be on the screen.
            if self._lines.pop(frame, None) is not None:
                self._refresh_row(frame)

    @property
    def cursor(self) -> int:
        """The frame of the highlighted row. Assigning posts no message and scrolls the row into view."""
        return self._cursor

    @cursor.setter
    def cursor(self, frame: int) -> None:
        frame = min(max(frame, 0), max(self._frames - 1, 0))
        before, self._cursor = self._cursor, frame
        if before != frame:
            self._refresh_row(before)
            self._refresh_row(frame)
        self._reveal()

    @property
    def sorted_by(self) -> str | None:
        """The key of the column that rows are ordered by; None is the order of the clip."""
        return self._sorted_by

    def sort(self, key: str | None) -> None:
        """Order rows by a column, largest magnitude first; None is the order of the clip."""
        if key != self._sorted_by:
            self._sorted_by = key
            self._changed()
            self._reveal()

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows, in the order shown."""
        self._go(self._sorted().place(self._cursor) + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by screens."""
        self._go(self._sorted().place(self._cursor) + pages * max(self._visible_rows - 1, 1))

    def action_first(self) -> None:
        """Move the cursor to the first row."""
        self._go(0)

    def action_last(self) -> None:
        """Move the cursor to the last row."""
        self._go(self._frames - 1)

    def action_select(self) -> None:
        """Choose the highlighted frame."""
        if self._frames:
            self.post_message(self.RowSelected(self, self._cursor))

    def on_click(self, event: events.Click) -> None:
        """Choose a row, or order by the column whose header was clicked."""
        at = event.get_content_offset(self)
        if at is None:
            return
        if at.y < HEADER_ROWS:
            column = column_at(self._shown, self._frames, at.x + self.scroll_offset.x)
            self.sort(column.key if column and column.key != self._sorted_by else None)
        elif (place := self.scroll_offset.y + at.y - HEADER_ROWS) < self._frames:
            self._go(place)
            self.action_select()

    def render_line(self, y: int) -> Strip:
        """Return a line on the screen: the header stays, rows scroll below it."""
        left, width = self.scroll_offset.x, self.size.width
        if y < HEADER_ROWS:
            line, cursor = header(self._shown, self._frames, self._sorted_by)[y], False
            rest = self._style("unit" if y else "header", False)
        else:
            place = self.scroll_offset.y + y - HEADER_ROWS
            if place >= self._frames:
                return Strip.blank(width, self.rich_style)
            frame = self._sorted().frame(place)
            line, cursor = self._line(frame), frame == self._cursor
            rest = self._style("", cursor)
        strip = Strip([Segment(text, self._style(role, cursor)) for text, role in line])
        return strip.crop_extend(left, left + width, rest)

    def on_resize(self) -> None:
        """Show the columns that have room, and keep the highlighted row in view."""
        self.virtual_size = Size(total_width(self._shown, self._frames), self._frames + HEADER_ROWS)
        self._lines.clear()
        self._reveal()

    @property
    def _shown(self) -> tuple[Column, ...]:
        """The columns that have room: half a number misleads."""
        return fitting_columns(self._columns, self._frames, self.size.width)

    @property
    def _visible_rows(self) -> int:
        return max(self.scrollable_content_region.height - HEADER_ROWS, 1)

    def _style(self, role: str, cursor: bool) -> Style:
        style = self.get_component_rich_style(f"table--{role}") if role else self.rich_style
        if not cursor:
            return style
        over = self.get_component_rich_style("table--cursor")
        # What is outside of the tolerance keeps its weight under the cursor; colours there are the cursor's.
        return style + Style(color=over.color, bgcolor=over.bgcolor)

    def _line(self, frame: int) -> Line:
        if frame not in self._lines:
            if len(self._lines) >= _KEPT_ROWS:
                self._lines.clear()
            shown = self._shown
            self._lines[frame] = row(shown, [self._stores[column.key] for column in shown], frame, self._first_scored)
        return self._lines[frame]

    def _changed(self) -> None:
        self._order = None
        self._lines.clear()
        self.refresh()

    def _sorted(self) -> Order:
        """The order of the rows, made when it is first asked for after a change."""
        if self._order is None:
            store = self._stores[self._sorted_by] if self._sorted_by else None
            self._order = Order(store.worst_first() if store else np.arange(self._frames))
        return self._order

    def _go(self, place: int) -> None:
        if not self._frames:
            return
        frame = self._sorted().frame(min(max(place, 0), self._frames - 1))
        if frame != self._cursor:
            self.cursor = frame
            self.post_message(self.RowHighlighted(self, frame))

    def _reveal(self) -> None:
        if not self._frames:
            return
        place, top = self._sorted().place(self._cursor), self.scroll_offset.y
        if place < top:
            self.scroll_to(y=place, animate=False)
        elif place >= top + self._visible_rows:
            self.scroll_to(y=place - self._visible_rows + 1, animate=False)

    def _refresh_row(self, frame: int) -> None:
        if frame < self._frames:
            self.refresh(
                Region(0, self._sorted().place(frame) - self.scroll_offset.y + HEADER_ROWS, self.size.width, 1)
            )
