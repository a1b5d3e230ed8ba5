"""Ready lines: runs of colour as strips, by Textual's documented way or as text that is made once."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.segment import Segment
from textual.strip import Strip

from motion_tui.tui.paint.ink import Ink


class HeatStrip(Strip):
    """A strip whose terminal text is ready; its segments are made only where somebody asks (overlays, screenshots).

    It relies on how Textual 8 keeps a strip's segments, hence the pin; `plain_strip` gives the same cells without.
    """

    def __init__(self, ink: Ink, keys: list[int], width: int) -> None:
        self._ink, self._keys = ink, keys
        self._made: list[Segment] | None = None
        super().__init__((), width)

    @property
    def _segments(self) -> list[Segment]:
        if self._made is None:
            self._made = list(map(self._ink.segments.__getitem__, self._keys))
        return self._made

    @_segments.setter
    def _segments(self, value: list[Segment]) -> None:
        """The base class sets an empty list; the keys are what counts."""

    def render(self, console: Console) -> str:
        """Return the line for the terminal."""
        if self._render_cache is None:
            self._render_cache = "".join(map(self._ink.codes.__getitem__, self._keys)) + "\x1b[0m"
        return self._render_cache


def plain_strip(ink: Ink, keys: list[int], width: int) -> Strip:
    """Return the same line by documented means alone."""
    return Strip(map(ink.segments.__getitem__, keys), width)


def overlaid(strip: Strip, marks: dict[int, Segment], width: int) -> Strip:
    """Return a strip with segments laid over it, by the column each starts at; they do not overlap."""
    return Strip(_laid(strip, marks, width), width)


def _laid(strip: Strip, marks: dict[int, Segment], width: int) -> Iterator[Segment]:
    at = 0
    for column in sorted(marks):
        mark = marks[column]
        if column > at:
            yield from strip.crop(at, column)
        yield mark
        at = column + mark.cell_length
    if at < width:
        yield from strip.crop(at, width)
