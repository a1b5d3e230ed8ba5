"""The timeline view: what the twin's last request cost, to scale and in figures."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from motion_tui.core.colour import ColourSystem
from motion_tui.engines.timeline import Timeline
from motion_tui.tui.state import PairPicture, SessionFacts
from motion_tui.tui.views.gantt import Gantt


def timeline_text(timeline: Timeline | None, facts: SessionFacts | None) -> Content:
    """The events as a table, and how staging and submission were set."""
    if facts is None:
        return Content("")
    twin = facts.choice.config.twin
    parts: list[tuple[str, str] | str] = [
        (f"{facts.twin}", "bold $primary"),
        (f" on {facts.twin_device}   staging {twin.staging}, submit {twin.submit}\n", "$faint"),
    ]
    if timeline is None:
        parts.append("No timeline: the twin at hand does not run on a SYCL device.\n")
        return Content.assemble(*parts)
    parts.append(f"{timeline.host_waits} host wait{'' if timeline.host_waits == 1 else 's'} within the request\n\n")
    parts.append((f"{'event':28}{'lane':14}{'start µs':>11}{'µs':>11}{'bytes':>12}\n", "$faint"))
    for event in sorted(timeline.events, key=lambda event: (event.start, event.end)):
        size = str(event.size) if event.size else ""
        span = event.end - event.start
        parts.append(f"{event.name[:27]:28}{event.lane[:13]:14}{event.start:>11.1f}{span:>11.1f}{size:>12}\n")
    return Content.assemble(*parts)


class TimelineView(VerticalScroll):
    """Gantt above, figures below."""

    DEFAULT_CSS = "TimelineView > Gantt { height: 9; margin-bottom: 1; }"

    def compose(self) -> ComposeResult:
        """Gantt and table."""
        yield Gantt(id="gantt")
        yield Static(id="timeline-text")

    def show(self, picture: PairPicture | None, facts: SessionFacts | None, system: ColourSystem) -> None:
        """Show the timeline of the picture at hand."""
        timeline = picture.timeline if picture else None
        gantt = self.query_one(Gantt)
        gantt.display = timeline is not None
        gantt.show(timeline, colour_system=system)
        self.query_one("#timeline-text", Static).update(timeline_text(timeline, facts))
