"""The main screen: composes the views, and takes what the threads, the mouse and the parts say."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import ContentSwitcher
from textual.worker import Worker, WorkerState

from motion_tui.tui import messages
from motion_tui.tui.actions import bindings
from motion_tui.tui.backlog import writer_backlog
from motion_tui.tui.screens.showing import Showing
from motion_tui.tui.summary import Summary, summarise
from motion_tui.tui.views.chroma import ChromaView
from motion_tui.tui.views.curve import Curve
from motion_tui.tui.views.heatmap import Heatmap
from motion_tui.tui.views.keys import Keys
from motion_tui.tui.views.lines import Line
from motion_tui.tui.views.notes import NotesView
from motion_tui.tui.views.pane import Pane
from motion_tui.tui.views.panes import Panes
from motion_tui.tui.views.table import FrameTable
from motion_tui.tui.views.timeline import TimelineView
from motion_tui.tui.views.verdict import VerdictView

RETRY_SECONDS = 0.015
PLAY_SECONDS = 1 / 12


class MainScreen(Showing):
    """One screen for the whole job; dialogs are pushed on top of it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings()

    def compose(self) -> ComposeResult:
        """Clip, verdict, views, status, keys."""
        yield Line(id="title")
        yield Line(id="verdict-line")
        with ContentSwitcher(initial="panes", id="views"):
            yield self.panes
            yield ChromaView(id="chroma")
            yield TimelineView(id="timeline")
            yield VerdictView(id="verdict")
            yield NotesView(id="messages")
        yield Line(id="status")
        yield Keys(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Start to read the clip, start the clock of play, and look at the residue first."""
        self.open(self.sources, self.choice)
        self.set_interval(PLAY_SECONDS, self.play_on)
        self.focus_pane.focus()
        self._show_lines()

    def on_unmount(self) -> None:
        """End the threads with the screen."""
        self.bridge.close()

    # What the threads said

    @on(messages.OpenProgressed)
    def _progress(self, message: messages.OpenProgressed) -> None:
        share = f"{100 * message.done // message.total} %" if message.total else f"{message.done}"
        self.opening = f"loading {share} (esc cancels)"

    @on(messages.SessionOpened)
    def _session_opened(self, message: messages.SessionOpened) -> None:
        facts, before = message.facts, self.facts
        self.facts, self.scan, self.picture = facts, None, None
        self.summary = summarise(facts, None)
        if before is None or (before.clip, before.geometry) != (facts.clip, facts.geometry):
            frame = min(facts.first_pair, max(0, facts.frames - 1))
            x, y = facts.geometry.width // 2, facts.geometry.height // 2
            self.state = replace(self.state, frame=frame, plane=0, x=x, y=y, viewport=None)
        self.opening = ""  # shows the lines anew: only now does the state fit the clip
        for warning in facts.warnings:
            self.say(warning, "warning")
        if facts.trouble:
            self.say(f"No twin: {facts.trouble}", "error")
        self.panes.place(self.state, self.shape)
        self.panes.mark(self.state)
        self._load_table()
        self._show_view()
        self._show_lines()
        self.bridge.show(self.request)
        self.bridge.scan(facts)

    @on(messages.OpenCancelled)
    def _open_cancelled(self) -> None:
        self.opening = ""
        self.say("Loading was cancelled.")

    @on(messages.PairLoaded)
    def _pair_loaded(self, message: messages.PairLoaded) -> None:
        picture = message.picture
        if self.facts is None or picture.request.session != self.facts.session:
            return
        if writer_backlog(self.app):
            # The terminal is still taking the frame before: paint only the newest, when it is through.
            self.set_timer(RETRY_SECONDS, lambda: self.post_message(message))
            return
        if picture.request != self.request and not self.is_on_the_way(picture.request):
            return
        said = (self.facts.trouble, self.picture.trouble if self.picture else "")
        first = self.picture is None
        self.picture = picture
        self.facts = replace(self.facts, twin_device=picture.device, health=picture.health)
        if picture.failed and picture.trouble not in said:
            self.say(picture.trouble, "error")
        self._draw()
        self._show_marks()
        if picture.twin is not None and self.scan is not None and self.scan.finished and self.scan.trouble:
            self.bridge.scan(self.facts)  # the twin is back: go on where it failed
        if first and picture.residue_peak:
            # A new session opens with the cross-hair where it matters most.
            self.action_worst_pixel()
        if self.state.view in ("timeline", "chroma"):
            self._show_view()

    @on(messages.LoadFailed)
    def _load_failed(self, message: messages.LoadFailed) -> None:
        if self.facts is not None and message.session == self.facts.session:
            self.say(message.reason, "error")
            if message.request == self.request:
                self.picture, self.unreadable = None, self.request
                self.panes.blank(message.reason, self.look)
                self._show_marks()
            self.summary = Summary("missing", "NOTHING COMPARED", message.reason)
            self._show_lines()

    @on(messages.ScanAdvanced)
    def _scan_advanced(self, message: messages.ScanAdvanced) -> None:
        if self.facts is None or message.facts.session != self.facts.session:
            return
        first = self.scan is None or self.scan.oracle is None
        self.facts, self.scan, self.summary = message.facts, message.snapshot, message.summary
        self._load_table() if first else self._fill_table()
        self._show_view()
        self._show_lines()
        if self.picture is not None:
            self.panes.describe_residue(self.picture, self.figures)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say what no handler expected, rather than wait for an answer that does not come."""
        if event.state is WorkerState.ERROR:
            self.say(f"A bug, please report it: {event.worker.group}: {event.worker.error!r}", "error")

    # What the mouse and the parts said

    @on(Panes.Resized)
    def _resized(self) -> None:
        self.panes.place(self.state, self.shape)

    @on(Heatmap.ViewportChanged)
    def _viewport_changed(self, message: Heatmap.ViewportChanged) -> None:
        self.state = replace(self.state, viewport=message.viewport)

    @on(Heatmap.PixelPicked)
    def _pixel_picked(self, message: Heatmap.PixelPicked) -> None:
        self.state = replace(self.state, x=message.x, y=message.y)

    @on(Heatmap.PixelHovered)
    def _pixel_hovered(self, message: Heatmap.PixelHovered) -> None:
        self.pointer = (message.x, message.y)

    @on(Curve.FramePicked)
    @on(FrameTable.RowHighlighted)
    @on(FrameTable.RowSelected)
    def _frame_picked(self, message: Curve.FramePicked | FrameTable.RowHighlighted | FrameTable.RowSelected) -> None:
        self.go_to_frame(message.frame)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The pane that has the focus is the one that keys act on."""
        if isinstance(event.widget, Pane):
            self.state = replace(self.state, pane=event.widget.pane)

    @on(messages.TwinReloaded)
    def _twin_reloaded(self, message: messages.TwinReloaded) -> None:
        self.say(f"{message.path} was rebuilt and runs.")

    @on(messages.TwinRejected)
    def _twin_rejected(self, message: messages.TwinRejected) -> None:
        self.say(f"{message.reason} (the kernel before it goes on)", "error")
