"""The three chroma conventions of a geometry, to scale, with what a wrong one leaves out."""

from __future__ import annotations

from textual.widget import Widget

from motion_tui.core.colour import ColourSystem
from motion_tui.core.geometry import Geometry


class Extents(Widget):
    """The chroma plane under each convention, drawn to one scale; words alone where there is no room."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._geometry: Geometry | None = None

    def show(self, geometry: Geometry | None, *, colour_system: ColourSystem = "truecolor") -> None:
        """Draw the conventions of a clip's geometry."""
        self._geometry = geometry
        self.refresh()
