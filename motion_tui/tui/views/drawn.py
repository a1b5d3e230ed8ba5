"""What the drawing views share: lines with roles from a pure function, coloured by the theme, kept until a change."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from motion_tui.tui.paint.lines import Line


class Drawn(Widget):
    """A view whose whole content is a drawing of its size. Subclasses give `draw`, and call `redraw` on a change."""

    ALLOW_SELECT = False
    ROLES = ""
    """What component classes begin with, before `--` and the role."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._drawing: list[Line] | None = None
        self._drawn_size = self.size

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the drawing for a size in columns and rows."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Forget the drawing and ask for a new one."""
        self._drawing = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line of the drawing in the theme's colours."""
        if self._drawing is None or self._drawn_size != self.size:
            self._drawn_size = self.size
            self._drawing = self.draw(*self.size)
        if y >= len(self._drawing):
            return Strip.blank(self.size.width, self.rich_style)
        segments = [Segment(text, self._style(role)) for text, role in self._drawing[y]]
        return Strip(segments, self.size.width)

    def _style(self, role: str) -> Style:
        return self.get_component_rich_style(f"{self.ROLES}--{role}") if role else self.rich_style
