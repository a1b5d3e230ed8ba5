"""A table of frames: virtual rows, so that a hundred thousand of them open at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.message import Message
from textual.scroll_view import ScrollView

Kind = Literal["value", "delta"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of numbers after the frame's own number."""

    key: str
    title: str
    unit: str = ""
    kind: Kind = "value"
    """A nonzero `delta` is highlighted."""
    width: int = 14
    format: str = ".6f"


class FrameTable(ScrollView, can_focus=True):
    """One row a frame. `load` sets columns and rows, `update` fills in values as they arrive."""

    ALLOW_SELECT = False

    @dataclass
    class RowHighlighted(Message):
        """The cursor moved to a frame."""

        table: FrameTable
        frame: int

        @property
        def control(self) -> FrameTable:
            """The table it comes from."""
            return self.table

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
        self._frames = 0
        self._first_scored = 1
        self._cursor = 0

    def load(self, columns: Sequence[Column], frames: int, *, first_scored: int = 1) -> None:
        """Set columns and the number of frames; every value is pending until `update` brings it.

        Frames before `first_scored` have no predecessor, and their rows say so.
        """
        self._columns, self._frames, self._first_scored = tuple(columns), frames, first_scored
        self.refresh()

    def update_values(self, key: str, start: int, values: Sequence[float | None]) -> None:
        """Set the values of a column from frame `start` on; None means that there is no value there."""

    @property
    def cursor(self) -> int:
        """The frame of the highlighted row. Assigning posts no message and scrolls the row into view."""
        return self._cursor

    @cursor.setter
    def cursor(self, frame: int) -> None:
        self._cursor = frame
        self.refresh()

    def sort(self, key: str | None) -> None:
        """Order rows by a column, largest magnitude first; None is the order of the clip."""
