"""The main view: three synced panes, the readout, the curve of deltas and the table of frames."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Offset
from textual.message import Message

from motion_tui.core.colour import Mode
from motion_tui.core.errors import NothingCompared
from motion_tui.core.spec import Stage
from motion_tui.engines.base import StagePlane, Stages
from motion_tui.parity.residue import Statistics
from motion_tui.tui.arrange import PANES, Arrangement, arrange
from motion_tui.tui.look import Look
from motion_tui.tui.state import PairPicture, ViewState
from motion_tui.tui.views.curve import Curve
from motion_tui.tui.views.pane import Pane
from motion_tui.tui.views.readout import Readout
from motion_tui.tui.views.table import FrameTable


def stage_plane(stages: Stages | None, stage: Stage) -> StagePlane | None:
    """A stage's plane; None where the side has none."""
    try:
        return None if stages is None else stages.get(stage)
    except NothingCompared:
        return None


class Panes(Container):
    """Places its parts by `arrange` and hands them what they draw; decides nothing."""

    DEFAULT_CSS = """
    Panes { layout: vertical; overflow: hidden; }
    Panes > * { position: absolute; }
    """

    class Resized(Message):
        """The room for the parts changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.panes: dict[str, Pane] = {name: Pane(name) for name in PANES}
        self.readout = Readout(id="readout")
        self.curve = Curve(id="curve")
        self.table = FrameTable(id="table")
        self._seen: dict[tuple[int, str], tuple[float, float]] = {}
        self._signed = True

    def compose(self) -> ComposeResult:
        """Panes, readout, curve, table."""
        yield from self.panes.values()
        yield self.readout
        yield self.curve
        yield self.table

    def on_resize(self, event: events.Resize) -> None:
        """Let the screen place the parts anew."""
        self.post_message(self.Resized())

    def place(self, state: ViewState, shape: tuple[int, int]) -> Arrangement:
        """Put every part in its rectangle; returns what was chosen."""
        arrangement = arrange(self.size.width, self.size.height, shape, state.layout, state.pane)
        for part in (*self.panes.values(), self.readout, self.curve, self.table):
            box = arrangement.boxes.get(part.id or "")
            part.display = box is not None
            if box is not None:
                part.styles.offset = Offset(box.x, box.y)
                part.styles.width, part.styles.height = box.width, box.height
        return arrangement

    def mark(self, state: ViewState) -> None:
        """Show viewport, cross-hair and frame in every part."""
        for pane in self.panes.values():
            pane.heatmap.viewport = state.viewport
            pane.heatmap.cursor = (state.x, state.y)
        self.curve.cursor = state.frame
        self.table.cursor = state.frame

    def draw(self, picture: PairPicture, look: Look) -> None:
        """Draw a picture's planes."""
        stage = picture.request.stage
        peak, residue_peak = self._choose_limits(picture, look)
        for name, stages in (("oracle", picture.oracle), ("twin", picture.twin)):
            plane = stage_plane(stages, stage)
            self.panes[name].draw(plane, picture.trouble, "magnitude", peak, look)
            self.panes[name].describe(f"{name} |{stage}|")
        self._signed = look.signed
        mode: Mode = "diverging" if look.signed else "magnitude"
        # The twin's pane says why it has no plane: once is enough.
        without = picture.trouble if picture.oracle is None else f"no residue without the twin's {stage}"
        self.panes["residue"].draw(picture.residue, without, mode, residue_peak, look)

    def blank(self, reason: str, look: Look) -> None:
        """Say in every pane why there is no picture."""
        for pane in self.panes.values():
            pane.draw(None, reason, "magnitude", 1.0, look)
            pane.describe(pane.pane)

    def describe_residue(self, picture: PairPicture, figures: Statistics | None) -> None:
        """Say how much of the residue is not zero; `figures` are its statistics where they are known already."""
        found = ""
        if picture.residue is not None and not picture.residue_peak:
            found = "all zero"
        elif figures is not None:
            found = f"{figures.nonzero} differ"
        stage = picture.request.stage
        self.panes["residue"].describe(f"residue {stage}" if self._signed else f"|residue {stage}|", found)

    def _choose_limits(self, picture: PairPicture, look: Look) -> tuple[float, float]:
        """The values of the strongest colours: of this picture, or of all seen of its session and stage."""
        own = (picture.peak, picture.residue_peak)
        key = (picture.request.session, picture.request.stage)
        seen = self._seen.get(key, (0.0, 0.0))
        self._seen[key] = (max(own[0], seen[0]), max(own[1], seen[1]))
        peak, residue = self._seen[key] if look.range == "clip" else own
        return peak or 1.0, residue or 1.0
