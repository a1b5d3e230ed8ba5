"""How planes are coloured: palettes for dark and light themes, the colour system, and the range."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from motion_tui.core.colour import DIVERGING, SEQUENTIAL, ColourSystem

RangeMode = Literal["frame", "clip", "log"]
RANGES: tuple[RangeMode, ...] = ("frame", "clip", "log")
"""Where the strongest colour's value comes from: this frame, all frames seen, this frame on a logarithmic scale."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of the panes; equal looks paint the same."""

    system: ColourSystem = "truecolor"
    diverging: str = "berlin"
    """Palette of residues, zero in its middle."""
    sequential: str = "viridis"
    """Palette of magnitudes."""
    range: RangeMode = "frame"
    signed: bool = True
    """Whether residues show their sign; without, dense +-1 noise at fit zoom does not look all positive."""

    def themed(self, dark: bool) -> Look:
        """The look for a dark or light background: zero takes the background's side."""
        return replace(self, diverging="berlin" if dark else "vik")

    def next_palette(self) -> Look:
        """The next pair of palettes: magnitudes change first, then the residue's."""
        names = list(SEQUENTIAL)
        following = (names.index(self.sequential) + 1) % len(names)
        look = replace(self, sequential=names[following])
        if following:
            return look
        signed = list(DIVERGING)
        return replace(look, diverging=signed[(signed.index(self.diverging) + 1) % len(signed)])

    def next_range(self) -> Look:
        """The next way to choose the strongest colour's value."""
        return replace(self, range=RANGES[(RANGES.index(self.range) + 1) % len(RANGES)])

    def __str__(self) -> str:
        return f"{self.system} {self.diverging}/{self.sequential} range {self.range}" + ("" if self.signed else " |r|")
