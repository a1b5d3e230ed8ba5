"""The command palette: every action of the main screen, and a frame's number."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.worker import Worker

from motion_tui.tui.actions import ACTIONS
from motion_tui.tui.screens.overlay import Overlay

if TYPE_CHECKING:
    from motion_tui.tui.screens.main import MainScreen


class Palette(CommandPalette, Overlay[None]):
    """Textual's palette, of which a search that is overtaken by the closing of the palette does not end the app."""

    def run_worker(self, *arguments: Any, **settings: Any) -> Worker[Any]:
        """Run a search; where its widgets are gone before it ends, so is the need for it."""
        return super().run_worker(*arguments, **(settings | {"exit_on_error": False}))


class MotionCommands(Provider):
    """Offers the table of actions, and "Go to frame N" for a number."""

    async def discover(self) -> Hits:
        """All actions, before anything is typed."""
        for row in ACTIONS:
            yield DiscoveryHit(row.label, self._runner(row.name), help=f"{row.group}, key {row.shown}")

    async def search(self, query: str) -> Hits:
        """Actions that match, and the frame that a number means."""
        main = self._main
        if re.fullmatch(r"[0-9]{1,9}", query.strip()) and main is not None:
            frame = min(int(query), main.last_frame)
            yield Hit(1.0, f"Go to frame {frame}", partial(main.go_to_frame, frame), help="Frames")
        matcher = self.matcher(query)
        for row in ACTIONS:
            score = matcher.match(row.label)
            if score > 0:
                yield Hit(score, matcher.highlight(row.label), self._runner(row.name), help=f"key {row.shown}")

    @property
    def _main(self) -> MainScreen | None:
        from motion_tui.tui.screens.main import MainScreen

        return self.screen if isinstance(self.screen, MainScreen) else None

    def _runner(self, action: str) -> Callable[[], object]:
        return partial(self.screen.run_action, action)
