"""The curve of per-frame deltas: braille stems that keep every spike, with a cursor frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message
from textual.widget import Widget


class Curve(Widget):
    """Per-frame values of any number of frames; a click or drag picks a frame."""

    ALLOW_SELECT = False

    @dataclass
    class FramePicked(Message):
        """The mouse chose a frame."""

        curve: Curve
        frame: int

        @property
        def control(self) -> Curve:
            """The curve it comes from."""
            return self.curve

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._values: Sequence[float | None] = ()
        self._cursor: int | None = None

    def show(
        self,
        values: Sequence[float | None],
        *,
        tolerance: float = 0.0,
        symlog: bool = False,
        title: str = "",
    ) -> None:
        """Draw one value a frame (None: no value there, or none yet); outside `tolerance` is marked."""
        self._values = values
        self.refresh()

    @property
    def cursor(self) -> int | None:
        """The frame shown as a background column. Assigning posts no message."""
        return self._cursor

    @cursor.setter
    def cursor(self, frame: int | None) -> None:
        if frame != self._cursor:
            self._cursor = frame
            self.refresh()
