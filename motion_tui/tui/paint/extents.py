"""The three chroma conventions of a geometry as rectangles to one scale, with what a wrong one leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from motion_tui.core.geometry import CHROMA_RULES, ChromaRule, Extent, Geometry
from motion_tui.tui.paint.lines import Canvas, Line, joined

RULE_WORDS: dict[ChromaRule, str] = {"plane": "rounded up", "picture": "rounded down", "as-420": "halved as 4:2:0"}
LEFT_OUT, BEYOND = "╱", "░"
_GAP = 2
_LEAST_WIDTH, _LEAST_HEIGHT = 54, 7
_CAPTIONS = 3
"""Lines below and above a rectangle, the legend not counted."""


@dataclass(frozen=True, slots=True)
class Staged:
    """One convention against the true plane."""

    rule: ChromaRule
    extent: Extent
    true: Extent

    @property
    def missing(self) -> int:
        """Samples of the true plane that the convention leaves out."""
        return self.true.area - min(self.extent.width, self.true.width) * min(self.extent.height, self.true.height)

    @property
    def beyond(self) -> bool:
        """Whether the convention reaches past the true plane."""
        return self.extent.width > self.true.width or self.extent.height > self.true.height

    def words(self) -> tuple[str, str]:
        """Return what the convention does, and the role of that."""
        parts = []
        if self.missing:
            parts.append(f"{share(self.missing, self.true.area)} left out")
        if self.beyond:
            parts.append("overrun")
        return (", ".join(parts), "wrong") if parts else ("complete", "right")


class Side(NamedTuple):
    """Cells along one axis of a rectangle."""

    staged: int
    missing: int
    beyond: int


def share(part: int, whole: int) -> str:
    """Return a share in percent; one that is not zero never reads as zero, nor one that is not whole as whole."""
    percent = 100 * part / whole
    if 0 < percent < 0.1:
        return "under 0.1 %"
    if 99.9 < percent < 100:
        return "over 99.9 %"
    return f"{percent:.1f} %"


def conventions(geometry: Geometry) -> list[Staged]:
    """Return the three conventions of a geometry's chroma."""
    true = geometry.extent(1)
    return [Staged(rule, geometry.extent(1, rule), true) for rule in CHROMA_RULES]


def side(extent: int, true: int, samples_per_cell: float) -> Side:
    """Return the cells of one axis; a difference of a single sample still has a cell of its own."""
    cells = max(round(true / samples_per_cell), 1 if extent >= true else 2)
    staged = max(round(extent / samples_per_cell), 1)
    if extent < true:
        staged = min(staged, cells - 1)
        return Side(staged, cells - staged, 0)
    return Side(cells, 0, max(staged - cells, 1) if extent > true else 0)


def extents(
    geometry: Geometry, width: int, height: int, chosen: ChromaRule | None = None, *, plain: bool = False
) -> list[Line]:
    """Return the drawing of a geometry's chroma conventions, or words where there is no chroma or no room.

    `chosen` is what the twin at hand does. `plain` fills with glyphs rather than with a background. Roles: `title`,
    `staged`, `left-out`, `beyond`, `wrong`, `right`, `muted`.
    """
    if len(geometry.plane_names) < 2:
        return [[(f"{geometry}: no chroma planes", "muted")]]
    found = conventions(geometry)
    if width < _LEAST_WIDTH or height < _LEAST_HEIGHT:
        return [_sentence(staged, chosen) for staged in found]
    canvas = Canvas(width, height)
    panel = (width - 2 * _GAP) // 3
    rows = height - _CAPTIONS - 1
    across = max(max(staged.extent.width, staged.true.width) for staged in found)
    down = max(max(staged.extent.height, staged.true.height) for staged in found)
    scale = max(across / (panel - 1), down / (2 * max(rows - 1, 1)))
    for i, staged in enumerate(found):
        x = i * (panel + _GAP)
        mark = " ◂ this twin" if staged.rule == chosen else ""
        canvas.write(x, 0, f"{staged.rule}{mark}"[:panel], "title")
        _rectangle(canvas, x, 1, staged, scale, plain=plain)
        canvas.write(x, height - 3, joined((str(staged.extent), RULE_WORDS[staged.rule]), panel, " "), "muted")
        text, role = staged.words()
        canvas.write(x, height - 2, text[:panel], role)
    _legend(canvas, height - 1, any(staged.beyond for staged in found), plain=plain)
    return canvas.lines()


def _rectangle(canvas: Canvas, x: int, y: int, staged: Staged, scale: float, *, plain: bool) -> None:
    across = side(staged.extent.width, staged.true.width, scale)
    down = side(staged.extent.height, staged.true.height, 2 * scale)
    true_columns, true_rows = across.staged + across.missing, down.staged + down.missing
    columns, rows = across.staged + across.beyond, down.staged + down.beyond
    canvas.fill(x, y, true_columns, true_rows, LEFT_OUT, "left-out")
    canvas.fill(x, y, columns, rows, BEYOND, "beyond")
    inner_columns, inner_rows = min(columns, true_columns), min(rows, true_rows)
    canvas.fill(x, y, inner_columns, inner_rows, _filling(plain), "staged")
    label = str(staged.extent)
    if len(label) <= inner_columns:
        canvas.write(x + (inner_columns - len(label)) // 2, y + (inner_rows - 1) // 2, label, "staged")


def _legend(canvas: Canvas, y: int, beyond: bool, *, plain: bool) -> None:
    keys = [(_filling(plain), "staged", "staged"), (LEFT_OUT, "left-out", "never reaches the device")]
    if beyond:
        keys.append((BEYOND, "beyond", "past the plane"))
    x = 0
    for glyph, role, words in keys:
        canvas.write(x, y, glyph * 2, role)
        canvas.write(x + 3, y, words, "muted")
        x += len(words) + 6


def _filling(plain: bool) -> str:
    return "▒" if plain else " "


def _sentence(staged: Staged, chosen: ChromaRule | None) -> Line:
    text, role = staged.words()
    mark = "◂" if staged.rule == chosen else " "
    return [(f"{staged.rule:8}{mark}", "title"), (f"{staged.extent!s:>11} ", ""), (text, role)]
