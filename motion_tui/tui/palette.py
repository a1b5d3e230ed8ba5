"""The command palette: every action of the main screen, and a frame's number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider

from motion_tui.tui.actions import ACTIONS

if TYPE_CHECKING:
    from motion_tui.tui.screens.main import MainScreen


class MotionCommands(Provider):
    """Offers the table of actions, and "Go to frame N" for a number."""

    async def discover(self) -> Hits:
        """All actions, before anything is typed."""
        for row in ACTIONS:
            yield DiscoveryHit(row.label, self._runner(row.name), help=f"{row.group}, key {row.shown}")

    async def search(self, query: str) -> Hits:
        """Actions that match, and the frame that a number means."""
        main = self._main
        if query.strip().isdigit() and main is not None:
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
