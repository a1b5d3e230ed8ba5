"""What all dialogs share: a box, a line for what is wrong, accept and cancel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, Static

from motion_tui.core.errors import MotionError
from motion_tui.tui.screens.overlay import Overlay

Result = TypeVar("Result")
Choice = TypeVar("Choice")
KEYS = "tab next  ctrl+s accept  esc cancel"
"""How a form is used without a mouse."""


class Dialog(Overlay[Result | None]):
    """A form over the main screen; dismissed with a result, or with None when it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel"),
        Binding("ctrl+s", "accept", "Accept"),
    ]
    TITLE_TEXT = ""
    ACCEPT_TEXT = "OK"

    def compose(self) -> ComposeResult:
        """Title, form, error, buttons."""
        with Vertical(classes="dialog"):
            yield Label(self.TITLE_TEXT, classes="dialog-title")
            with VerticalScroll(classes="dialog-form", can_focus=False):
                yield from self.form()
            yield Static(classes="dialog-error", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Label(KEYS, classes="dialog-keys")
                yield Button(self.ACCEPT_TEXT, variant="primary", id="accept", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    def form(self) -> Iterable[Widget]:
        """The widgets of the form."""
        raise NotImplementedError

    def result(self) -> Result:
        """Read the form; a MotionError says what is wrong with it."""
        raise NotImplementedError

    def complain(self, text: str) -> None:
        """Show what is wrong."""
        self.query_one(".dialog-error", Static).update(text)

    def selected(self, name: str) -> Any:
        """What a drop-down list has chosen; None where that is its prompt."""
        return self.query_one(f"#{name}", Select).selection

    def action_cancel(self) -> None:
        """Close without a result."""
        self.dismiss(None)

    def action_accept(self) -> None:
        """Close with the form's result, or say what is wrong with it."""
        try:
            result = self.result()
        except MotionError as error:
            self.complain(str(error))
        else:
            self.dismiss(result)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_accept()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "accept":
            self.action_accept()
        elif event.button.id == "cancel":
            self.action_cancel()


class Tick(Checkbox):
    """A checkbox whose mark is there only when it is ticked, not merely brighter then."""

    BUTTON_INNER = " "

    def watch_value(self) -> None:
        """Show or hide the mark."""
        self.BUTTON_INNER = "X" if self.value else " "
        super().watch_value()


class DropDown(Select[Choice]):
    """A drop-down list that takes the keys for pages only once it is laid out: Textual 8.2 ends the app before."""

    def on_key(self, event: events.Key) -> None:
        """Drop a key for a page of a list that has no lines yet."""
        laid_out = bool(self.query_one(OptionList).scrollable_content_region)
        if event.key in ("pageup", "pagedown") and self.expanded and not laid_out:
            event.stop()


class Row(Horizontal):
    """A label and a field on one line."""

    def __init__(self, label: str, field: Widget, hint: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id, classes="row")
        self._label, self._field, self._hint = label, field, hint

    def compose(self) -> ComposeResult:
        """Label, field, hint."""
        yield Label(self._label, classes="row-label")
        yield self._field
        if self._hint:
            yield Label(self._hint, classes="row-hint")
