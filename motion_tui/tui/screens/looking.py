"""The main screen's state and what can be asked of it; actions and drawing are built on this."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from textual.reactive import var
from textual.screen import Screen

from motion_tui.parity.residue import Statistics
from motion_tui.tui.bridge import Bridge, Switches
from motion_tui.tui.look import Look
from motion_tui.tui.state import PairPicture, PairRequest, ScanSnapshot, SessionFacts, TwinChoice, ViewState
from motion_tui.tui.summary import Summary, summarise
from motion_tui.tui.views.pane import Pane
from motion_tui.tui.views.panes import Panes
from motion_tui.tui.work import ClipOpener, EarlyTwin


class Looking(Screen[None]):
    """Holds what is looked at (reactives) and what is known of it (plain attributes: they carry arrays)."""

    state: var[ViewState] = var(ViewState())
    look: var[Look] = var(Look())
    metric: var[int] = var(0)
    """Which of the feature's metrics the table and the curve show, counted from motion2."""
    opening: var[str] = var("")
    """What is being read in, in words."""

    def __init__(
        self,
        switches: Switches,
        opener: ClipOpener,
        sources: tuple[str, ...],
        choice: TwinChoice,
        early: EarlyTwin | None = None,
    ) -> None:
        super().__init__()
        self.opener = opener
        """How clips are opened; a dialog may replace it by one that knows a raw file's geometry."""
        self.bridge = Bridge(self, switches, early)
        self.sources = sources
        self.choice = choice
        """What was asked for last, whether it came up or not."""
        self.facts: SessionFacts | None = None
        self.picture: PairPicture | None = None
        self.unreadable: PairRequest | None = None
        """The picture that could not be had, when it was asked for last."""
        self.scan: ScanSnapshot | None = None
        self.summary: Summary = summarise(None, None)
        self.panes = Panes(id="panes")
        self.notes: list[str] = []
        """What was said since the start, newest last."""

    @property
    def shape(self) -> tuple[int, int]:
        """Columns and rows of the plane that is looked at."""
        if self.facts is None:
            return 16, 9
        return self.facts.geometry.extent(self.state.plane)

    @property
    def plane_name(self) -> str:
        """Y, U or V."""
        return self.facts.geometry.plane_names[self.state.plane] if self.facts else "Y"

    @property
    def metric_name(self) -> str:
        """The metric that table and curve show; empty until the first score is there."""
        names = tuple(self.scan.oracle.metrics) if self.scan and self.scan.oracle else ()
        first = next((index for index, name in enumerate(names) if "motion2" in name), 0)
        return names[(first + self.metric) % len(names)] if names else ""

    @property
    def last_frame(self) -> int:
        """Number of the clip's last frame."""
        return max(0, self.facts.frames - 1) if self.facts else 0

    @property
    def focus_pane(self) -> Pane:
        """The pane that keys act on."""
        return self.panes.panes[self.state.pane]

    @property
    def request(self) -> PairRequest:
        """The picture that the state asks for."""
        session = self.facts.session if self.facts else 0
        return PairRequest(session, self.state.frame, self.state.plane, self.state.stage)

    @property
    def is_behind(self) -> bool:
        """Whether the picture on the screen is not the one that is asked for."""
        shown = self.picture.request if self.picture else None
        return self.facts is not None and self.request not in (shown, self.unreadable)

    def is_on_the_way(self, request: PairRequest) -> bool:
        """Whether a picture that is late is worth a look: a held key shows what it passes, not the last frame alone."""
        wanted = self.request
        return self.is_behind and (request.plane, request.stage) == (wanted.plane, wanted.stage)

    @property
    def figures(self) -> Statistics | None:
        """Statistics of the residue on the screen, where the scan has compared its frame and no other plane enters."""
        difference = self.scan.differences.get(self.state.frame) if self.scan else None
        if difference is None or self.state.plane or self.facts is None:
            return None
        if len(self.facts.choice.config.options.planes_read) > 1:
            return None
        return difference.stages.get(self.state.stage)

    def go_to_frame(self, frame: int) -> None:
        """Look at a frame of the clip, the nearest one there is."""
        self.state = replace(self.state, frame=min(max(frame, 0), self.last_frame))

    def reveal(self) -> None:
        """Bring the cross-hair into view, moving the picture only when it has to."""
        if self.state.viewport is None:
            return
        view, size = self.state.viewport, self.focus_pane.heatmap.size
        column = (self.state.x + 0.5 - view.x0) / view.pixels_per_cell
        half_row = (self.state.y + 0.5 - view.y0) / view.pixels_per_cell
        if not (0 <= column < size.width and 0 <= half_row < size.height * 2):
            self.centre()

    def centre(self) -> None:
        """Bring the cross-hair to the middle of the panes."""
        self.focus_pane.heatmap.viewport = self.state.viewport
        self.focus_pane.heatmap.centre(self.state.x, self.state.y)

    def say(self, text: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """Notify, and keep the sentence for the messages view."""
        self.notes.append(text)
        self.notify(text, severity=severity, markup=False)
