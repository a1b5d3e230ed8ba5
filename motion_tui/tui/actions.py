"""Every action of the main screen in one table: its keys, words and group.

Bindings, footer, help screen and command palette are all made from it, so that none of them can miss one.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do on the main screen."""

    name: str
    """Name of the screen's `action_` method, with arguments if it takes any."""
    keys: str
    """Textual key names, separated by commas."""
    shown: str
    """The keys as help and footer print them."""
    label: str
    group: str


ACTIONS = (
    Action("step(1)", "n,full_stop", "n .", "Next frame", "Frames"),
    Action("step(-1)", "p,comma", "p ,", "Previous frame", "Frames"),
    Action("step(10)", "right_curly_bracket,shift+right", "}", "Ten frames on", "Frames"),
    Action("step(-10)", "left_curly_bracket,shift+left", "{", "Ten frames back", "Frames"),
    Action("seek('first')", "g,home", "g", "First frame", "Frames"),
    Action("seek('last')", "G,end", "G", "Last frame", "Frames"),
    Action("seek_difference(1)", "right_square_bracket", "]", "Next frame with a difference", "Frames"),
    Action("seek_difference(-1)", "left_square_bracket", "[", "Previous frame with a difference", "Frames"),
    Action("go_to", "slash", "/", "Go to a frame or a pixel", "Frames"),
    Action("play", "space", "space", "Play or pause", "Frames"),
    Action("worst_pixel", "z", "z", "Worst pixel of this plane", "Pixels"),
    Action("worst_of_clip", "Z", "Z", "Worst pixel of the clip so far", "Pixels"),
    Action("next_pixel(1)", "N", "N", "Next differing pixel", "Pixels"),
    Action("next_pixel(-1)", "P", "P", "Previous differing pixel", "Pixels"),
    Action("move(-1,0)", "left,h", "← h", "Cross-hair left", "Pixels"),
    Action("move(1,0)", "right,l", "→ l", "Cross-hair right", "Pixels"),
    Action("move(0,-1)", "up,k", "↑ k", "Cross-hair up", "Pixels"),
    Action("move(0,1)", "down,j", "↓ j", "Cross-hair down", "Pixels"),
    Action("copy_value", "y", "y", "Copy the pixel's values", "Pixels"),
    Action("zoom(2)", "plus,equals_sign", "+", "Zoom in at the cross-hair", "Picture"),
    Action("zoom(0.5)", "minus", "-", "Zoom out", "Picture"),
    Action("fit", "0", "0", "Fit the plane to the pane", "Picture"),
    Action("actual", "1", "1", "One pixel to one dot", "Picture"),
    Action("numbers", "9", "9", "Zoom until numbers show", "Picture"),
    Action("pan(-1,0)", "H", "H", "Pan left", "Picture"),
    Action("pan(1,0)", "L", "L", "Pan right", "Picture"),
    Action("pan(0,-1)", "K", "K", "Pan up", "Picture"),
    Action("pan(0,1)", "J", "J", "Pan down", "Picture"),
    Action("cycle_stage", "s", "s", "Stage D, V, H", "Picture"),
    Action("cycle_plane", "u", "u", "Plane Y, U, V", "Picture"),
    Action("cycle_layout", "m", "m", "Layout: auto, row, grid, stack, single", "Picture"),
    Action("cycle_palette", "c", "c", "Colours", "Picture"),
    Action("cycle_range", "r", "r", "Colour range", "Picture"),
    Action("toggle_sign", "a", "a", "Residue with its sign, or as a magnitude", "Picture"),
    Action("cycle_theme", "d", "d", "Dark or light", "Picture"),
    Action("cycle_metric", "e", "e", "Metric of table and curve", "Frames"),
    Action("choose", "t", "t", "Twin, device, feature, edition, options", "Session"),
    Action("open_clip", "o", "o", "Open a clip", "Session"),
    Action("open_log", "O", "O", "Open a score log or plane dumps as the twin", "Session"),
    Action("restart_twin", "R", "R", "Run the twin again (and rebuild a user's kernel)", "Session"),
    Action("cancel", "escape", "esc", "Cancel what is loading; back to the panes", "Session"),
    Action("export", "x", "x", "Export a snapshot", "Session"),
    Action("view('chroma')", "C", "C", "Chroma geometry", "Views"),
    Action("view('timeline')", "T", "T", "Timeline of the twin", "Views"),
    Action("view('verdict')", "V", "V", "Verdict and statistics", "Views"),
    Action("view('messages')", "M", "M", "Warnings and messages", "Views"),
    Action("help", "question_mark,f1", "?", "Help", "Views"),
    Action("app.quit", "q", "q", "Quit", "Views"),
)


FOOTER = {
    "help": "help",
    "app.quit": "quit",
    "step(1)": "next",
    "seek_difference(1)": "diff",
    "worst_pixel": "worst",
    "cycle_stage": "stage",
    "zoom(2)": "zoom",
    "choose": "twin",
    "view('verdict')": "verdict",
    "view('chroma')": "chroma",
    "view('timeline')": "time",
    "fit": "fit",
    "cycle_plane": "plane",
    "cycle_layout": "layout",
    "cycle_metric": "metric",
    "open_clip": "open",
    "export": "export",
    "go_to": "go to",
}
"""What the footer shows, most wanted first, since a narrow terminal cuts it; everything is in help and palette."""


def bindings() -> list[BindingType]:
    """The table as Textual bindings, in the footer's order."""
    order = list(FOOTER)
    rows = sorted(ACTIONS, key=lambda row: order.index(row.name) if row.name in FOOTER else len(order))
    return [
        Binding(
            row.keys,
            row.name,
            FOOTER.get(row.name, row.label),
            show=row.name in FOOTER,
            key_display=row.shown.split()[0],
        )
        for row in rows
    ]
