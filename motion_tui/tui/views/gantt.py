"""What one pair cost: the events of a timeline as bars on lanes."""

from __future__ import annotations

from typing import ClassVar

from motion_tui.core.colour import ColourSystem
from motion_tui.engines.timeline import Timeline
from motion_tui.tui.paint.gantt import gantt
from motion_tui.tui.paint.lines import Line
from motion_tui.tui.views.drawn import Drawn


class Gantt(Drawn):
    """Bars to scale, one lane for the host and one for each queue, with durations and the host's waits."""

    ROLES = "gantt"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "gantt--title",
        "gantt--lane",
        "gantt--axis",
        "gantt--kernel",
        "gantt--copy",
        "gantt--host",
        "gantt--wait",
    }
    DEFAULT_CSS = """
    Gantt {
        height: 12;
        color: $foreground;
        & > .gantt--title { text-style: bold; }
        & > .gantt--lane { color: $foreground; }
        & > .gantt--axis { color: $foreground-muted; }
        & > .gantt--kernel { background: $success-muted; color: $text-success; }
        & > .gantt--copy { background: $band; color: $text-primary; }
        & > .gantt--host { background: $foreground 25%; color: $foreground; }
        & > .gantt--wait { background: $warning-muted; color: $text-warning; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._timeline: Timeline | None = None
        self._plain = False

    def show(self, timeline: Timeline | None, *, colour_system: ColourSystem = "truecolor") -> None:
        """Draw the timeline of one request."""
        self._timeline, self._plain = timeline, colour_system == "none"
        self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the timeline's lines."""
        return gantt(self._timeline, width, height, plain=self._plain) if self._timeline else []
