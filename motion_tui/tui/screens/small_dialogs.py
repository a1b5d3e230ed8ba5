"""The dialogs of one or two fields: go to, open a log or dumps, export."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from textual.widget import Widget
from textual.widgets import Checkbox, Input, Static

from motion_tui.core.errors import UsageError
from motion_tui.tui.navigate import parse_place
from motion_tui.tui.screens.dialog import Dialog, Row, Tick

Place = tuple[int | None, tuple[int, int] | None]


class GoToDialog(Dialog[Place]):
    """Asks for a frame, a pixel, or both."""

    TITLE_TEXT = "Go to"
    ACCEPT_TEXT = "Go"

    def form(self) -> Iterable[Widget]:
        """One line."""
        yield Input(placeholder="frame 12, pixel 30,40, or 12 30,40", id="place", compact=True)

    def result(self) -> Place:
        """The place that was typed."""
        return parse_place(self.query_one("#place", Input).value)


class LogDialog(Dialog[Path]):
    """Asks for a score log or a folder of plane dumps, to stand for the twin."""

    TITLE_TEXT = "Open a score log or plane dumps as the twin"
    ACCEPT_TEXT = "Open"

    def form(self) -> Iterable[Widget]:
        """A path."""
        yield Static(
            "A vmaf log (JSON, XML, CSV, subtitle), or a folder of stage planes a kernel wrote "
            "(f0001_p0_H.npy, f0001_p0_H_int32.raw).",
            classes="dialog-note",
        )
        yield Input(placeholder="path", id="path", compact=True)

    def result(self) -> Path:
        """The path, which exists."""
        path = Path(self.query_one("#path", Input).value.strip()).expanduser()
        if not path.exists() or path == Path():
            raise UsageError(f"{path}: there is no such file or folder")
        return path


class ExportDialog(Dialog[tuple[Path, bool]]):
    """Asks where the snapshot of the frame goes."""

    TITLE_TEXT = "Export a snapshot of this frame"
    ACCEPT_TEXT = "Export"

    def __init__(self, frame: int) -> None:
        super().__init__()
        self._frame = frame

    def form(self) -> Iterable[Widget]:
        """Folder, and whether it may exist."""
        yield Static("Pictures of the panes, the stage planes, and the report, in a folder.", classes="dialog-note")
        yield Row("folder", Input(f"motion-frame-{self._frame}", id="path", compact=True))
        yield Tick("overwrite what is there", id="overwrite", compact=True)

    def result(self) -> tuple[Path, bool]:
        """The folder, and whether to overwrite."""
        text = self.query_one("#path", Input).value.strip()
        if not text:
            raise UsageError("name a folder")
        return Path(text).expanduser(), self.query_one("#overwrite", Checkbox).value
