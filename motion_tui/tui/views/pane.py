"""A pane: one line that says what is shown and in which colours, and the heatmap below it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from motion_tui.core.colour import Mode
from motion_tui.tui.arrange import PaneName
from motion_tui.tui.look import Look
from motion_tui.tui.views.heatmap import Heatmap
from motion_tui.tui.views.lines import Line


class Pane(Vertical, can_focus=True):
    """Holds a heatmap; the focused pane's title is highlighted."""

    DEFAULT_CSS = """
    Pane { position: absolute; padding-right: 1; }
    Pane > Line { background: $panel; color: $faint; }
    Pane:focus > Line { background: $primary 40%; color: $text; text-style: bold; }
    Pane > Heatmap { height: 1fr; }
    """

    def __init__(self, name: PaneName) -> None:
        super().__init__(id=name)
        self.pane: PaneName = name
        self.heatmap = Heatmap()
        self._title = Line()

    def compose(self) -> ComposeResult:
        """Title and heatmap."""
        yield self._title
        yield self.heatmap

    def describe(self, what: str, legend: str) -> None:
        """Set the title: what is shown, and the range of its colours."""
        self._title.write(Content.assemble(f" {what}", ("  " + legend, "$faint")))

    def draw(self, plane: NDArray[Any] | None, reason: str, mode: Mode, limit: float, look: Look) -> None:
        """Draw a plane, or say why there is none."""
        self.heatmap.show(
            plane,
            mode=mode,
            limit=limit,
            palette=look.diverging if mode == "diverging" else look.sequential,
            colour_system=look.system,
            scale="log" if look.range == "log" else "linear",
            note=reason,
        )
