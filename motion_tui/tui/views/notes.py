"""Warnings of the clip and everything that was said since the start."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from motion_tui.tui.state import SessionFacts


class NotesView(VerticalScroll):
    """What went by as notifications, to be read again."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="notes-text")

    def show(self, facts: SessionFacts | None, notes: Sequence[str]) -> None:
        """Show the clip's warnings and the notes, newest first."""
        parts: list[tuple[str, str] | str] = [("Warnings about the clip\n", "bold $primary")]
        warnings = facts.warnings if facts else ()
        parts += [f"  {warning}\n" for warning in warnings] or [("  none\n", "$faint")]
        parts.append(("\nMessages, newest first\n", "bold $primary"))
        parts += [f"  {note}\n" for note in reversed(notes)] or [("  none\n", "$faint")]
        self.query_one("#notes-text", Static).update(Content.assemble(*parts))
