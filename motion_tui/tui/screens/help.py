"""Help: every key, from the table of actions, and what the screen shows."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Label, Static

from motion_tui.tui.actions import ACTIONS
from motion_tui.tui.screens.overlay import Overlay

ABOUT = (
    "Three panes show one frame of a clip: the oracle's stage plane, the twin's, and the residue, twin - oracle. "
    "D is previous - current, V after the vertical blur, H after the horizontal one; scores are made of |H|. "
    "Where several pixels share a dot, the dot has the value of largest magnitude: nothing is averaged away. "
    "Zero has a colour of its own, and the smallest residue is a visible step away from it."
)
MOUSE = (
    ("wheel", "zoom at the pointer"),
    ("drag", "pan"),
    ("click", "cross-hair in all panes"),
    ("double click", "fit"),
    ("hover", "read a pixel"),
    ("click on curve or table", "go to that frame"),
    ("ctrl+p", "command palette: all of these, and frame numbers"),
    ("tab", "focus: panes, table"),
)


def help_text() -> Content:
    """All keys by group."""
    parts: list[tuple[str, str] | str] = [ABOUT + "\n"]
    for group in dict.fromkeys(row.group for row in ACTIONS):
        parts.append((f"\n{group}\n", "bold $primary"))
        for row in ACTIONS:
            if row.group == group:
                parts += [(f"  {row.shown:8}", "bold $accent"), f"{row.label}\n"]
    parts.append(("\nMouse and more\n", "bold $primary"))
    for gesture, effect in MOUSE:
        parts += [(f"  {gesture:24}", "bold $accent"), f"{effect}\n"]
    return Content.assemble(*parts)


class HelpScreen(Overlay[None]):
    """A page over the main screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1", "dismiss(None)", "Close")]

    def compose(self) -> ComposeResult:
        """Title and text."""
        with Vertical(classes="dialog wide"):
            yield Label("Help (esc closes)", classes="dialog-title")
            with VerticalScroll(classes="dialog-form"):
                yield Static(help_text())
