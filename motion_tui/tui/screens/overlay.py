"""What dialogs, help and the command palette share: each can be dismissed while it is on top, and only then."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, ScreenResultType


class Overlay(ModalScreen[ScreenResultType]):
    """A screen over the main one.

    Textual pops whatever is on top when a screen is dismissed. So a second enter or escape before the first one's
    screen is gone, or an enter that is answered only once the palette lies over a form, would close another screen
    than the one that was meant.
    """

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close with `result`; where another screen is on top, nothing happens."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
