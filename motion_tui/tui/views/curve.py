"""The curve of per-frame deltas: braille stems that keep every spike, with a cursor frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from motion_tui.tui.paint.curve import LABELS, CurveLook, as_values, curve, frame_at
from motion_tui.tui.paint.lines import Line
from motion_tui.tui.views.drawn import Drawn


class Curve(Drawn):
    """Per-frame values of any number of frames; a click or drag picks the worst frame under the pointer."""

    ROLES = "curve"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "curve--title",
        "curve--axis",
        "curve--outside",
        "curve--cursor",
        "curve--cursor-outside",
    }
    DEFAULT_CSS = """
    Curve {
        height: 1fr;
        color: $foreground;
        & > .curve--title { color: $foreground; text-style: bold; }
        & > .curve--axis { color: $foreground-muted; }
        & > .curve--outside { color: $text-error; }
        & > .curve--cursor { color: $foreground; background: $band; }
        & > .curve--cursor-outside { color: $text-error; background: $band; text-style: bold; }
    }
    """

    @dataclass
    class FramePicked(Message):
        """The mouse chose a frame."""

        curve: Curve
        frame: int

        @property
        def control(self) -> Curve:
            """The curve it comes from."""
            return self.curve

        def can_replace(self, message: Message) -> bool:
            """Of a drag only the last frame matters."""
            return isinstance(message, Curve.FramePicked) and message.curve is self.curve

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._values = as_values(())
        self._look = CurveLook()
        self._cursor: int | None = None
        self._pressed = False

    def show(
        self,
        values: Sequence[float | None],
        *,
        tolerance: float = 0.0,
        symlog: bool = False,
        title: str = "",
        note: str = "",
    ) -> None:
        """Draw one value a frame (None: no value there, or none yet); outside `tolerance` is marked."""
        self._values = as_values(values)
        self._look = CurveLook(tolerance, symlog, title, note)
        self.redraw()

    @property
    def cursor(self) -> int | None:
        """The frame shown as a background column. Assigning posts no message."""
        return self._cursor

    @cursor.setter
    def cursor(self, frame: int | None) -> None:
        if frame != self._cursor:
            self._cursor = frame
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the curve's lines."""
        return curve(self._values, self._look, width, height, self._cursor)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Pick a frame and follow the pointer from there."""
        self._pressed = True
        self.capture_mouse()
        self._pick(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pick the frames that a drag passes."""
        if self._pressed:
            self._pick(event)

    def on_mouse_up(self) -> None:
        """End a drag."""
        self._pressed = False
        self.release_mouse()

    def _pick(self, event: events.MouseEvent) -> None:
        column = event.get_content_offset_capture(self).x - LABELS
        frame = frame_at(self._values, column, self.size.width - LABELS)
        if frame is not None:
            self.post_message(self.FramePicked(self, frame))
