"""From levels to what a terminal is sent: cached segments and ready codes, or glyphs where there is no colour."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.color import ColorSystem as RichColourSystem
from rich.segment import Segment
from rich.style import Style

from motion_tui.core.colour import LEVELS, ColourSystem, Mode, level_numbers, level_rgb, zero_level

OUTSIDE = LEVELS
"""The level of a cell outside of the plane: the background of the pane."""
RUN_BITS = 12
"""A key is `(upper level * 256 + lower level) << RUN_BITS | run length`."""
MOST_RUN = (1 << RUN_BITS) - 1
_CACHE_LIMIT = 1 << 16
_BLACK, _WHITE = Color.from_rgb(0, 0, 0), Color.from_rgb(255, 255, 255)
_RICH_SYSTEM = {
    "truecolor": RichColourSystem.TRUECOLOR,
    "256": RichColourSystem.EIGHT_BIT,
    "16": RichColourSystem.STANDARD,
}
_POSITIVE, _NEGATIVE, _MAGNITUDE, _NOTHING = "+*#@", "-~=%", "░▒▓█", "·"

T = TypeVar("T")


class Memo(dict[int, T], Generic[T]):
    """A dictionary that makes what is missing, and starts afresh when it has grown too large."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> T:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        made = self[key] = self._make(key)
        return made


class Ink:
    """The colours of one palette in one colour system, with caches of what they become."""

    def __init__(self, palette: str, mode: Mode, system: ColourSystem, background: Color) -> None:
        if system in ("256", "16"):
            numbers = level_numbers(palette, mode, "256" if system == "256" else "16")
            colours = [Color.from_ansi(number) for number in numbers.tolist()]
        else:
            colours = [Color.from_rgb(*channels) for channels in level_rgb(palette, mode).tolist()]
        self.colours = [*colours, background]
        """Level to colour; the last one is `OUTSIDE`."""
        shown = np.array([colour.get_truecolor() for colour in self.colours[:LEVELS]], np.float64)
        self._light = [*(shown @ (0.299, 0.587, 0.114) > 128).tolist(), False]
        rich_system = _RICH_SYSTEM.get(system, RichColourSystem.TRUECOLOR)
        downgraded = [colour.downgrade(rich_system) for colour in self.colours]
        self._foreground = [";".join(colour.get_ansi_codes(foreground=True)) for colour in downgraded]
        self._background = [";".join(colour.get_ansi_codes(foreground=False)) for colour in downgraded]
        self.segments: Memo[Segment] = Memo(self._segment)
        """Key to segment."""
        self.codes: Memo[str] = Memo(self._code)
        """Key to the same as text for the terminal, without a reset."""

    def over(self, level: int, *, bold: bool = False) -> Style:
        """Return the style of text written over a level's colour."""
        text = None if level == OUTSIDE else _BLACK if self._light[level] else _WHITE
        return Style(color=text, bgcolor=self.colours[level], bold=bold or None)

    def _segment(self, key: int) -> Segment:
        upper, lower, run = key >> RUN_BITS + 8, key >> RUN_BITS & 255, key & MOST_RUN
        if upper == lower:
            return Segment(" " * run, Style(bgcolor=self.colours[upper]))
        return Segment("▀" * run, Style(color=self.colours[upper], bgcolor=self.colours[lower]))

    def _code(self, key: int) -> str:
        upper, lower, run = key >> RUN_BITS + 8, key >> RUN_BITS & 255, key & MOST_RUN
        if upper == lower:
            return f"\x1b[{self._background[upper]}m{' ' * run}"
        return f"\x1b[{self._foreground[upper]};{self._background[lower]}m{'▀' * run}"


@lru_cache(maxsize=8)
def ink(palette: str, mode: Mode, system: ColourSystem, background: Color) -> Ink:
    """Return the ink of these settings; kept, since its caches are what makes repainting fast."""
    return Ink(palette, mode, system, background)


def runs(levels: NDArray[np.uint8]) -> list[list[int]]:
    """Return, for each terminal row of a grid of levels (half rows, columns), the keys of its runs of equal cells."""
    pairs = levels[0::2].astype(np.int32) << 8 | levels[1::2]
    rows, columns = pairs.shape
    change = np.ones((rows, columns), bool)
    np.not_equal(pairs[:, 1:], pairs[:, :-1], out=change[:, 1:])
    change[:, ::MOST_RUN] = True
    starts = np.flatnonzero(change)
    lengths = np.diff(starts, append=rows * columns)
    keys = (pairs.ravel()[starts] << RUN_BITS | lengths).tolist()
    bounds = np.searchsorted(starts, np.arange(rows + 1) * columns).tolist()
    return [keys[start:end] for start, end in pairwise(bounds)]


def glyphs(levels: NDArray[np.uint8], mode: Mode) -> list[str]:
    """Return terminal rows as text for no colour at all, from levels of whole cells: the sign is in the glyph."""
    zero = zero_level(mode)
    index = np.arange(256)
    table = np.full(256, " ", "<U1")
    for sign, marks in ((1, _MAGNITUDE if mode == "magnitude" else _POSITIVE), (-1, _NEGATIVE)):
        steps = (index - zero) * sign
        most = LEVELS - 1 - zero
        chosen = (steps > 0) & (steps <= most)
        table[chosen] = np.array(list(marks))[(steps[chosen] - 1) * len(marks) // most]
    table[zero], table[OUTSIDE] = _NOTHING, " "
    return ["".join(row) for row in table[levels]]
