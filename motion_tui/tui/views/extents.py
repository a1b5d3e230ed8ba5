"""The three chroma conventions of a geometry, to scale, with what a wrong one leaves out."""

from __future__ import annotations

from typing import ClassVar

from motion_tui.core.colour import ColourSystem
from motion_tui.core.geometry import ChromaRule, Geometry
from motion_tui.tui.paint.extents import extents
from motion_tui.tui.paint.lines import Line
from motion_tui.tui.views.drawn import Drawn


class Extents(Drawn):
    """The chroma plane under each convention, drawn to one scale; words alone where there is no room."""

    ROLES = "extents"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "extents--title",
        "extents--staged",
        "extents--left-out",
        "extents--beyond",
        "extents--wrong",
        "extents--right",
        "extents--muted",
    }
    DEFAULT_CSS = """
    Extents {
        height: 12;
        color: $foreground;
        & > .extents--title { text-style: bold; color: $foreground; }
        & > .extents--staged { background: $band; color: $text-primary; }
        & > .extents--left-out { color: $text-error; background: $left-out; }
        & > .extents--beyond { color: $text-warning; }
        & > .extents--wrong { color: $text-error; }
        & > .extents--right { color: $text-success; }
        & > .extents--muted { color: $foreground-muted; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._geometry: Geometry | None = None
        self._chosen: ChromaRule | None = None
        self._plain = False

    def show(
        self,
        geometry: Geometry | None,
        *,
        chosen: ChromaRule | None = None,
        colour_system: ColourSystem = "truecolor",
    ) -> None:
        """Draw the conventions of a clip's geometry; `chosen` is the one that the twin at hand stages by."""
        self._geometry, self._chosen, self._plain = geometry, chosen, colour_system == "none"
        self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the conventions' lines."""
        return extents(self._geometry, width, height, self._chosen, plain=self._plain) if self._geometry else []
