"""The footer: as many whole keys as fit."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey


class Keys(Footer):
    """Leaves out the keys that have no room, rather than cutting one; help and palette have all of them."""

    def compose(self) -> ComposeResult:
        """The keys from the left that fit."""
        room = self.size.width + 1
        for child in super().compose():
            if isinstance(child, FooterKey):
                room -= len(child.key_display) + len(child.description) + 2
                if room < 0:
                    return
            yield child

    def on_resize(self) -> None:
        """Compose for the new width."""
        self.refresh(recompose=True)
