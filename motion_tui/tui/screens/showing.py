"""How the main screen shows its state: what changes with which field, and how each part is filled."""

from __future__ import annotations

from textual.reactive import var
from textual.widgets import ContentSwitcher

from motion_tui.tui.frames import meaning, short_name, table_columns, table_values
from motion_tui.tui.look import Look
from motion_tui.tui.screens.main_dialogs import Dialogs
from motion_tui.tui.state import ViewState
from motion_tui.tui.views.chroma import ChromaView
from motion_tui.tui.views.lines import Line, status_line, title_line, verdict_line
from motion_tui.tui.views.notes import NotesView
from motion_tui.tui.views.readout import readout_text
from motion_tui.tui.views.timeline import TimelineView
from motion_tui.tui.views.verdict import VerdictView

LATE_SECONDS = 0.06
"""After so long the screen says that a picture is being computed."""


class Showing(Dialogs):
    """The watchers of the state, and the drawing of every part; what arrives from the threads is taken in `main`."""

    pointer: var[tuple[int, int] | None] = var(None)
    """The pixel under the mouse, while it is being looked at."""

    def watch_state(self, old: ViewState, new: ViewState) -> None:
        """Show what changed; called by Textual after every assignment of an unequal state."""
        if not self.is_mounted:
            return
        if old.view != new.view:
            self.query_one("#views", ContentSwitcher).current = new.view
            self._show_view()
        if (old.layout, old.pane, old.plane) != (new.layout, new.pane, new.plane):
            self.panes.place(new, self.shape)
        self.pointer = None
        if self.facts is not None and (old.frame, old.plane, old.stage) != (new.frame, new.plane, new.stage):
            # Painted together with the picture, which is mostly there at once: a paint of its own would delay that.
            self.bridge.show(self.request)
            self.set_timer(LATE_SECONDS, self._show_late)
        else:
            self._show_marks()

    def watch_look(self, look: Look) -> None:
        """Paint again in other colours."""
        if self.is_mounted:
            self._draw()
            self._fill_table()
            self._show_view()
            self._show_lines()

    def watch_opening(self) -> None:
        """Say what is being read in."""
        if self.is_mounted:
            self._show_lines()

    def watch_pointer(self) -> None:
        """Read the pixel under the mouse."""
        if self.is_mounted:
            self._show_readout()

    def watch_metric(self) -> None:
        """Fill table and curve with another metric."""
        if self.is_mounted:
            self._load_table()

    def _show_late(self) -> None:
        """Show where the user has gone, when the picture takes longer."""
        if self.is_behind:
            self._show_marks()

    def _show_marks(self) -> None:
        """Show the state in every part but the pictures."""
        self.panes.mark(self.state)
        self._show_readout()
        self._show_lines()

    def _draw(self) -> None:
        if self.picture is not None and self.facts is not None:
            self.panes.draw(self.picture, self.look)
            self.panes.describe_residue(self.picture, self.figures)

    def _show_readout(self) -> None:
        x, y = self.pointer or (self.state.x, self.state.y)
        picture = self.picture
        name = self.plane_name
        self.panes.readout.write(readout_text(picture, name, x, y, pointer=self.pointer is not None))

    def _show_lines(self) -> None:
        self.query_one("#title", Line).write(title_line(self.facts, self.opening))
        self.query_one("#verdict-line", Line).write(verdict_line(self.summary))
        busy = "computing" if self.is_behind else ""
        self.query_one("#status", Line).write(status_line(self.facts, self.state, str(self.look), busy))

    def _show_view(self) -> None:
        """Fill the view that is on top; the others wait until they are."""
        view, system = self.state.view, self.look.system
        if view == "chroma":
            self.query_one(ChromaView).show(self.facts, self.scan, self.state.frame, system)
        elif view == "timeline":
            self.query_one(TimelineView).show(self.picture, self.facts, system)
        elif view == "verdict":
            self.query_one(VerdictView).show(self.summary, self.facts, self.scan)
        elif view == "messages":
            self.query_one(NotesView).show(self.facts, self.notes)

    def _load_table(self) -> None:
        if self.facts is None:
            return
        columns = table_columns(self.metric_name, self.summary.tolerance(self.metric_name))
        self.panes.table.load(columns, self.facts.frames, first_scored=self.facts.first_pair)
        self._fill_table()

    def _fill_table(self) -> None:
        if self.scan is None:
            return
        values = table_values(self.scan, self.metric_name)
        for key, column in values.items():
            self.panes.table.update_values(key, 0, column)
        name, tolerance = self.metric_name, self.summary.tolerance(self.metric_name)
        if self.panes.table.columns != table_columns(name, tolerance):
            self._load_table()  # what the metric may differ by is known by now
            return
        self.panes.curve.show(
            values["delta"],
            tolerance=tolerance,
            symlog=self.look.range == "log",
            title=f"Δ {short_name(name)}",
            note=f"the {meaning(name)}",
        )
        self.panes.table.cursor = self.state.frame
        self.panes.curve.cursor = self.state.frame
