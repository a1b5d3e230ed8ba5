"""The terminal UI: wiring only. `run` is what the command line calls."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Literal

from textual import constants
from textual.app import App
from textual.theme import Theme

from motion_tui.clips.samples import sample_path
from motion_tui.core.colour import ColourSystem
from motion_tui.tui.bridge import Switches
from motion_tui.tui.look import Look
from motion_tui.tui.palette import MotionCommands, Palette
from motion_tui.tui.screens.main import MainScreen
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.themes import THEMES
from motion_tui.tui.work import ClipOpener, EarlyTwin

ColourChoice = Literal["auto", "truecolor", "256", "16", "none"]
_RICH_NAMES = {"truecolor": "truecolor", "256": "256", "16": "standard", "none": "standard"}


class MotionApp(App[int]):
    """Registers themes and the palette's provider, and opens the main screen."""

    TITLE = "motion-tui"
    CSS_PATH = "app.tcss"
    COMMANDS = App.COMMANDS | {MotionCommands}

    def __init__(
        self,
        sources: Sequence[str],
        *,
        opener: ClipOpener,
        choice: TwinChoice | None = None,
        early: EarlyTwin | None = None,
        system: ColourSystem = "truecolor",
        theme: str = "motion-dark",
        switches: Switches | None = None,
    ) -> None:
        super().__init__()
        self.main = MainScreen(switches or Switches(), opener, tuple(sources), choice or TwinChoice(), early)
        self._look = Look(system)
        for row in THEMES:
            self.register_theme(row)
        self.theme = theme

    def on_mount(self) -> None:
        """Show the main screen, which starts to read the clip."""
        self._heed_signals()
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        self.main.look = self._look.themed(self.current_theme.dark)
        self.push_screen(self.main)

    def on_ready(self) -> None:
        """Keep the collector's long pauses out of the way of keys."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()

    def _heed_signals(self) -> None:
        """Let the system's signals to end give the terminal back first, as `q` does."""
        for name in ("SIGTERM", "SIGHUP"):
            # Refused on Windows, and where the app does not run in the main thread.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                number = int(signal.Signals[name]) if name in signal.Signals.__members__ else 0
                asyncio.get_running_loop().add_signal_handler(number, self.exit, 128 + number)

    def end_input(self) -> None:
        """Let the input thread end where the terminal has gone (a dropped connection), after the app itself has.

        Textual tells the thread only after it has written to the terminal, which fails there; the thread would go on
        to read nothing without a pause, and the program would never end.
        """
        ended = getattr(self._driver, "exit_event", None)
        if ended is not None:
            ended.set()

    def action_command_palette(self) -> None:
        """Show the command palette."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def _theme_changed(self, theme: Theme) -> None:
        self.main.look = self.main.look.themed(theme.dark)


def colour_system(choice: ColourChoice, environment: dict[str, str]) -> ColourSystem:
    """Return what the terminal is taken to understand: the user's word, else its environment's."""
    if choice != "auto":
        return choice
    if environment.get("NO_COLOR"):
        return "none"
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "truecolor"
    term = environment.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        return "none"
    return "256" if "256" in term else "16"


def run(
    sources: Sequence[str],
    *,
    clip_flags: ClipOpener,
    choice: TwinChoice | None = None,
    early: EarlyTwin | None = None,
    color: ColourChoice = "auto",
) -> int:
    """Run the terminal UI until the user quits, without sources on the bundled sample; returns the exit code."""
    system = colour_system(color, dict(os.environ))
    # Textual reads its own variables when it is imported, and NO_COLOR when an app is made.
    vars(constants)["COLOR_SYSTEM"] = _RICH_NAMES[system]
    if system == "none":
        os.environ["NO_COLOR"] = "1"
    # Textual draws on stderr. Half blocks need UTF-8, which Python takes a terminal without a locale not to have.
    if isinstance(sys.__stderr__, io.TextIOWrapper):
        sys.__stderr__.reconfigure(encoding="utf-8")
    app = MotionApp(sources or (str(sample_path()),), opener=clip_flags, choice=choice, early=early, system=system)
    code = app.run() or 0
    app.end_input()
    return code
