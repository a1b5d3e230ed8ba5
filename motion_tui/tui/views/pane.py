"""A pane: one line that says what is shown and in which colours, and the heatmap below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.filter import LineFilter
from textual.strip import Strip
from textual.widget import Widget

from motion_tui.core.colour import Mode
from motion_tui.tui.arrange import PaneName
from motion_tui.tui.look import Look
from motion_tui.tui.paint.legend import legend
from motion_tui.tui.paint.picture import Look as PlaneLook
from motion_tui.tui.views.heatmap import Heatmap

WAITING: dict[PaneName, str] = {
    "oracle": "oracle: the CPU reference",
    "twin": "twin: what is compared with it",
    "residue": "residue: twin - oracle",
}
"""What an empty pane says until its first picture."""


class PaneTitle(Widget):
    """Words at the left, the legend at the right; what has no room is left out, the figures before the legend."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"pane-title--faint"}
    DEFAULT_CSS = """
    PaneTitle { height: 1; background: $panel; color: $foreground; }
    PaneTitle > .pane-title--faint { color: $faint; }
    """

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words, self._figures = words, ""
        self._look: PlaneLook | None = None

    def write(self, words: str, figures: str, look: PlaneLook | None) -> None:
        """Set what is shown, what is said of it, and the colours (None where there is no plane)."""
        self._words, self._figures, self._look = words, figures, look
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        width, base = self.size.width, self.rich_style
        faint = Style(color=self.get_component_rich_style("pane-title--faint").color, bgcolor=base.bgcolor)
        left = [Segment(f" {self._words}"[:width], base)]
        room = width - left[0].cell_length - 2
        right: list[Segment] = []
        if self._look:
            beside = len(self._figures) + 2 if self._figures else 0
            right = legend(self._look, room - 1 - beside, faint) or legend(self._look, room - 1, faint)
        room -= Segment.get_line_length(right) + 1
        if self._figures and len(self._figures) <= room:
            left.append(Segment(f"  {self._figures}", faint))
        gap = width - Segment.get_line_length([*left, *right]) - (1 if right else 0)
        return Strip([*left, Segment(" " * gap, base), *right, Segment(" " * (1 if right else 0), base)], width)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return no filters where there are colours: the legend's are those of the heatmap, which are final."""
        return super().get_line_filters() if self._look is None or self._look.system == "none" else ()


class Pane(Vertical, can_focus=True):
    """Holds a heatmap; the focused pane's title is highlighted."""

    DEFAULT_CSS = """
    Pane { position: absolute; padding-right: 1; }
    Pane:focus > PaneTitle { background: $primary 40%; text-style: bold; }
    Pane:focus > PaneTitle > .pane-title--faint { color: $foreground; }
    Pane > Heatmap { height: 1fr; background: $letterbox; }
    Pane.-plain > Heatmap { background: $background; }
    """

    def __init__(self, name: PaneName) -> None:
        super().__init__(id=name)
        self.pane: PaneName = name
        self.heatmap = Heatmap()
        self.heatmap.show(None, note=WAITING[name])
        self._title = PaneTitle(name)
        self._look: PlaneLook | None = None

    def compose(self) -> ComposeResult:
        """Title and heatmap."""
        yield self._title
        yield self.heatmap

    def describe(self, words: str, figures: str = "") -> None:
        """Set the title: what is shown, and what is said of it beside the legend."""
        self._title.write(words, figures, self._look)

    def draw(self, plane: NDArray[Any] | None, reason: str, mode: Mode, limit: float, look: Look) -> None:
        """Draw a plane, or say why there is none; `describe` shows the colours."""
        palette = look.diverging if mode == "diverging" else look.sequential
        painted = PlaneLook(mode, limit, palette, look.system, "log" if look.range == "log" else "linear")
        self._look = None if plane is None else painted
        self.set_class(look.system == "none", "-plain")
        self.heatmap.show(
            plane, mode=mode, limit=limit, palette=palette, colour_system=look.system, scale=painted.scale, note=reason
        )
