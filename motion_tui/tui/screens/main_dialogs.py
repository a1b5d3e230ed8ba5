"""The actions that ask something first: where to go, what to open, which twin, where to export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from textual import on

from motion_tui.tui import messages
from motion_tui.tui.screens.choose import ChooseDialog
from motion_tui.tui.screens.help import HelpScreen
from motion_tui.tui.screens.main_actions import Actions
from motion_tui.tui.screens.open_dialog import ClipWish, OpenDialog
from motion_tui.tui.screens.small_dialogs import ExportDialog, GoToDialog, LogDialog, Place
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.summary import Summary
from motion_tui.tui.work import ClipOpener, twin_names


class Dialogs(Actions):
    """Pushes a dialog, and does what it was dismissed with."""

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen())

    def action_go_to(self) -> None:
        """Ask for a frame or pixel."""
        self.app.push_screen(GoToDialog(), self._go_to)

    def _go_to(self, place: Place | None) -> None:
        if place is None:
            return
        frame, pixel = place
        if frame is not None:
            self.go_to_frame(frame)
        if pixel is not None:
            width, height = self.shape
            self.state = replace(self.state, x=min(pixel[0], width - 1), y=min(pixel[1], height - 1))
            self.reveal()

    def action_open_clip(self) -> None:
        """Ask for a clip."""
        self.app.push_screen(OpenDialog(self.sources), self._open_wish)

    def _open_wish(self, wish: ClipWish | None) -> None:
        if wish is None:
            return
        self.opener = wished(self.opener, wish)
        self.open(wish.sources, self.facts.choice if self.facts else self.choice)

    def open(self, sources: tuple[str, ...], choice: TwinChoice) -> None:
        """Open a clip; what is on the screen stays until it is there."""
        self.sources, self.choice = sources, choice
        self.opening = f"opening {' '.join(sources)} (esc cancels)"
        self.bridge.open(sources, self.opener, choice)

    @on(messages.OpenFailed)
    def _open_failed(self, message: messages.OpenFailed) -> None:
        """A raw file that does not say its geometry is asked about; everything else is said."""
        if self.facts is None:
            self.summary = Summary("missing", "NO CLIP", message.reason)
        self.opening = ""
        if message.candidates is None:
            self.say(message.reason, "error")
        else:
            self.notes.append(message.reason)  # the form shows it
            self.app.push_screen(OpenDialog(message.sources, message.reason, message.candidates), self._open_wish)

    def action_choose(self) -> None:
        """Ask for twin, device, feature, edition and options."""
        dialog = ChooseDialog(self.facts.choice if self.facts else self.choice, twin_names())
        self.app.push_screen(dialog, self._choose)
        self.bridge.list_devices()

    def _choose(self, choice: TwinChoice | None) -> None:
        if choice is not None:
            self.choice = choice
            self.opening = "starting the twin"
            self.bridge.choose(choice)

    @on(messages.DevicesListed)
    def _devices_listed(self, message: messages.DevicesListed) -> None:
        if isinstance(self.app.screen, ChooseDialog):
            self.app.screen.list_devices(message)

    def action_open_log(self) -> None:
        """Ask for a log or plane dumps."""
        self.app.push_screen(LogDialog(), self._open_log)

    def _open_log(self, path: Path | None) -> None:
        if path is not None:
            config = (self.facts.choice if self.facts else self.choice).config
            folder = path.is_dir()
            self._choose(TwinChoice(scores=None if folder else path, planes=path if folder else None, config=config))

    def action_export(self) -> None:
        """Ask where the snapshot goes."""
        if self.facts is not None:
            self.app.push_screen(ExportDialog(self.state.frame), self._export)

    def _export(self, wish: tuple[Path, bool] | None) -> None:
        if wish is not None:
            self.bridge.export(self.request, *wish)

    @on(messages.Exported)
    def _exported(self, message: messages.Exported) -> None:
        self.say(f"Wrote {message.path}.")

    @on(messages.ExportFailed)
    def _export_failed(self, message: messages.ExportFailed) -> None:
        self.say(message.reason, "error")


def wished(opener: ClipOpener, wish: ClipWish) -> ClipOpener:
    """Return the command line's clip flags with the dialog's geometry in place of theirs."""
    given = {name: getattr(wish, name) for name in ("size", "format", "bits", "endian", "stride")}
    return cast(ClipOpener, replace(cast(Any, opener), **given))
