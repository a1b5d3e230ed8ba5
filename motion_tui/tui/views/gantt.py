"""What one pair cost: the events of a timeline as bars on lanes."""

from __future__ import annotations

from textual.widget import Widget

from motion_tui.core.colour import ColourSystem
from motion_tui.engines.timeline import Timeline


class Gantt(Widget):
    """Bars to scale, one lane for the host and one for each queue, with durations and the host's waits."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._timeline: Timeline | None = None

    def show(self, timeline: Timeline | None, *, colour_system: ColourSystem = "truecolor") -> None:
        """Draw the timeline of one request."""
        self._timeline = timeline
        self.refresh()
