"""The chooser: twin, device, feature, edition and options, built from the registries and the option table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_type_hints

from textual import on
from textual.widget import Widget
from textual.widgets import Input, Select, Static

from motion_tui.core.options import OPTIONS, Options
from motion_tui.core.spec import EDITIONS, FEATURES
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.tui import messages
from motion_tui.tui.screens.dialog import Dialog, DropDown, Row
from motion_tui.tui.state import TwinChoice

MODES = tuple(
    (field.name, get_args(hint))
    for field, hint in ((field, get_type_hints(TwinSettings)[field.name]) for field in fields(TwinSettings))
    if getattr(hint, "__origin__", None) is Literal
)
"""How a twin may be driven: each setting of `TwinSettings` that is a choice of words, with its words."""


class ChooseDialog(Dialog[TwinChoice]):
    """Shows what is chosen; accepting makes the engines anew."""

    TITLE_TEXT = "Twin, device, feature, edition, options"
    ACCEPT_TEXT = "Use these"

    def __init__(self, choice: TwinChoice, twins: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._choice = choice
        self._twins = [(f"{name}  {words}".rstrip(), name) for name, words in twins]

    def form(self) -> Iterable[Widget]:
        """Engines first, arithmetic next, how the twin runs last."""
        choice, config = self._choice, self._choice.config
        recorded = choice.scores or choice.planes
        if recorded:
            yield Static(f"The twin is {recorded}; choosing one below takes its place.", classes="dialog-note")
        known = {name for _, name in self._twins}
        twin = choice.twin if choice.twin in known else Select.NULL
        prompt = "keep the log or dumps" if recorded else "the feature's own"
        yield Row("twin", DropDown(self._twins, prompt=prompt, value=twin, id="twin", compact=True))
        kernel = str(config.twin.kernel or "")
        yield Row(
            "kernel", Input(kernel, placeholder="your own: FILE.py, FILE.spv, FILE.cl", id="kernel", compact=True)
        )
        device = config.twin.device
        devices = [(device, device)] if device else []
        yield Row(
            "device",
            DropDown(
                devices,
                prompt="the environment's, else the best",
                value=device or Select.NULL,
                id="device",
                compact=True,
            ),
        )
        yield Row("feature", self._words("feature", FEATURES, config.options.feature))
        yield Row("edition", self._words("edition", EDITIONS, config.edition))
        for name, row in OPTIONS.items():
            value = getattr(config.options, name)
            field: Widget
            if isinstance(row.default, bool):
                field = self._words(f"option-{name}", ("false", "true"), str(value).lower(), classes="short")
            else:
                field = Input(f"{value:g}", id=f"option-{name}", compact=True, classes="short")
            yield Row(name.removeprefix("motion_"), field, row.help, id=f"row-{name}")
        for name, words in MODES:
            yield Row(name.replace("_", " "), self._words(name, words, getattr(config.twin, name)))

    def on_mount(self) -> None:
        """Show the options of the feature at hand."""
        self._show_options(self._choice.config.options.feature)

    def list_devices(self, message: messages.DevicesListed) -> None:
        """Fill the devices in; they come from a thread, after the dialog is up."""
        select = self.query_one("#device", Select)
        chosen = select.selection
        select.set_options([(words, name) for name, words in message.devices])
        if chosen in {name for name, _ in message.devices}:
            select.value = chosen
        if message.reason:
            self.complain(message.reason)

    @on(Select.Changed, "#feature")
    def _feature_changed(self, event: Select.Changed) -> None:
        self._show_options(str(event.value))

    def _show_options(self, feature: str) -> None:
        for name, row in OPTIONS.items():
            self.query_one(f"#row-{name}").display = feature in row.features

    def result(self) -> TwinChoice:
        """The choice, with its options checked."""
        feature = str(self.selected("feature"))
        values: dict[str, object] = {}
        for name, row in OPTIONS.items():
            if feature in row.features:
                field = self.query_one(f"#option-{name}")
                value: object = field.value if isinstance(field, Input) else self.selected(f"option-{name}")
                if row.parse(value) != getattr(Options.parse(feature), name):
                    values[name] = value
        kernel = self.query_one("#kernel", Input).value.strip()
        settings = replace(
            self._choice.config.twin,
            device=self.selected("device"),
            kernel=Path(kernel).expanduser() if kernel else None,
            **{name: self.selected(name) for name, _ in MODES},
        )
        config = replace(
            self._choice.config,
            options=Options.parse(feature, values),
            edition=cast(Any, self.selected("edition")),
            twin=settings,
        )
        return self._chosen_twin(config)

    def _chosen_twin(self, config: EngineConfig) -> TwinChoice:
        twin = self.selected("twin")
        if twin is None and (self._choice.scores or self._choice.planes):
            return replace(self._choice, config=config)
        return TwinChoice(twin=twin, config=config)

    def _words(self, name: str, words: Sequence[str], value: str, classes: str = "") -> Select[str]:
        rows = [(word, word) for word in words]
        return DropDown(rows, value=value, allow_blank=False, id=name, classes=classes, compact=True)
