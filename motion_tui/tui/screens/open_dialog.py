"""The dialog that opens a clip, and asks for the geometry of a raw file that does not say it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import on
from textual.widget import Widget
from textual.widgets import Input, Select, Static

from motion_tui.core.errors import UsageError
from motion_tui.core.geometry import PIXEL_FORMATS, Geometry
from motion_tui.tui.screens.dialog import Dialog, DropDown, Row


@dataclass(frozen=True, slots=True)
class ClipWish:
    """What to open; empty fields are left to the file."""

    sources: tuple[str, ...]
    size: str | None
    format: str | None
    bits: int | None
    endian: str | None
    stride: int | None


class OpenDialog(Dialog[ClipWish]):
    """A path or synthetic clip, and for raw files their geometry."""

    TITLE_TEXT = "Open a clip"
    ACCEPT_TEXT = "Open"

    def __init__(self, sources: Sequence[str] = (), reason: str = "", candidates: Sequence[Geometry] = ()) -> None:
        super().__init__()
        self._sources, self._reason, self._candidates = tuple(sources), reason, tuple(candidates)

    def form(self) -> Iterable[Widget]:
        """Source first, geometry of raw files below."""
        yield Row(
            "clip",
            Input(shlex.join(self._sources), placeholder="file, images, or synthetic:...", id="source", compact=True),
        )
        if self._reason:
            yield Static(self._reason, classes="dialog-note", markup=False)
        if self._candidates:
            fits = [(str(geometry), geometry) for geometry in self._candidates]
            yield Row("fits", DropDown(fits, prompt="geometries that the size allows", id="fits", compact=True))
        yield Static("Raw files that do not say it themselves:", classes="dialog-note")
        yield Row("size", Input(placeholder="WxH", id="size", compact=True))
        formats = [(name, name) for name in PIXEL_FORMATS]
        yield Row("format", DropDown(formats, prompt="as the file says", id="format", compact=True))
        depths = [(f"{bits} bits", bits) for bits in range(8, 17)]
        yield Row("depth", DropDown(depths, prompt="as the file says", id="bits", compact=True))
        orders = [("little endian", "little"), ("big endian", "big")]
        yield Row("bytes", DropDown(orders, prompt="as the file says", id="endian", compact=True))
        yield Row("stride", Input(placeholder="bytes from row to row", id="stride", type="integer", compact=True))

    @on(Select.Changed, "#fits")
    def _take_candidate(self, event: Select.Changed) -> None:
        """Fill the fields with a geometry that fits."""
        if isinstance(event.value, Geometry):
            self.query_one("#size", Input).value = str(event.value.luma)
            self.query_one("#format", Select).value = event.value.pixel_format
            self.query_one("#bits", Select).value = event.value.bit_depth

    def result(self) -> ClipWish:
        """What was filled in."""
        try:
            sources = tuple(shlex.split(self.query_one("#source", Input).value))
        except ValueError as error:
            raise UsageError(f"clip: {error}; close the quotes") from None
        if not sources:
            raise UsageError("name a clip: a file, several images, or synthetic:noise?size=64x36")
        stride = self.query_one("#stride", Input).value.strip()
        return ClipWish(
            sources,
            self.query_one("#size", Input).value.strip() or None,
            self.selected("format"),
            self.selected("bits"),
            self.selected("endian"),
            int(stride) if stride else None,
        )
