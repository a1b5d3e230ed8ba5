"""Levels of a heatmap and their colours, in every colour system that a terminal may have.

A value becomes one of 255 levels (`quantise`), and a level a colour (`level_rgb`, `level_numbers`). One level, the
middle of a diverging table and the lowest of a magnitude table, belongs to exact zero alone, and the next one to it
is a visible step away: a residue of 1 among zeros has to be seen. Drawing and image export share both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.errors import UsageError
from motion_tui.core.palettes import PALETTES, Kind

ColourSystem = Literal["truecolor", "256", "16", "none"]
Mode = Literal["diverging", "magnitude"]
Scale = Literal["linear", "log"]

LEVELS = 255
"""Odd, so that zero has an exact middle; level 255 is free for "outside of the plane"."""
MIDDLE = LEVELS // 2


def _names(kind: Kind) -> tuple[str, ...]:
    return tuple(name for name, row in PALETTES.items() if row.kind == kind)


DIVERGING = _names("diverging")
"""Signed palettes: `berlin` has a dark zero (dark themes), `vik` a light one (light themes)."""
SEQUENTIAL = _names("sequential")
"""Palettes of magnitudes."""

_FIRST_STEP = {"diverging": 0.25, "sequential": 0.1}
"""Where on its half of the palette the smallest nonzero value starts, so that it is told from zero at a glance."""
_SIXTEEN: dict[tuple[str, Mode], tuple[int, ...]] = {
    ("dark", "diverging"): (14, 6, 12, 4, 0, 1, 9, 3, 11),
    ("light", "diverging"): (4, 12, 6, 14, 15, 11, 3, 9, 1),
    ("dark", "magnitude"): (0, 4, 5, 1, 9, 11, 15),
    ("light", "magnitude"): (15, 11, 3, 9, 1, 5, 0),
}
"""Scales of the 16 named colours, lowest value first; told apart by hue where lightness does not suffice."""


def zero_level(mode: Mode) -> int:
    """Return the level that belongs to exact zero."""
    return MIDDLE if mode == "diverging" else 0


def quantise(
    values: NDArray[Any], limit: float, mode: Mode = "diverging", scale: Scale = "linear", unit: float = 1.0
) -> NDArray[np.uint8]:
    """Return the level (0..254) of every value; magnitudes at or above `limit`, and NaN, get the strongest one.

    Any real dtype and shape. Zero's level is never given to another value. On a `log` scale the steps are even in
    `log(1 + |value| / unit)`.
    """
    steps = MIDDLE if mode == "diverging" else LEVELS - 1
    size = np.abs(values.astype(np.float64))
    top = max(float(limit), 0.0)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        share = np.log1p(size / unit) / np.log1p(top / unit) if scale == "log" else size / top
        # Rounded up, so that the smallest value has the first step, and as many integers as there are steps stay apart.
        step = np.ceil(share * steps - 1e-9)
    step = np.clip(np.nan_to_num(step, nan=steps, posinf=steps), 1, steps)
    step = np.where(size == 0, 0, step).astype(np.int16)
    if mode == "diverging":
        step = MIDDLE + np.where(values < 0, -step, step)
    levels: NDArray[np.uint8] = step.astype(np.uint8)
    return levels


@lru_cache(maxsize=32)
def level_rgb(palette: str, mode: Mode) -> NDArray[np.uint8]:
    """Return the 24-bit colours of the levels: uint8, (255, 3), read-only.

    A diverging palette serves magnitudes too, by its positive half.
    """
    row = PALETTES.get(palette)
    if row is None:
        raise UsageError(f"unknown palette '{palette}': one of {', '.join(PALETTES)}")
    if mode == "diverging" and row.kind != "diverging":
        raise UsageError(f"palette '{palette}' has no middle for zero: signed values need {' or '.join(DIVERGING)}")
    anchors = np.frombuffer(bytes.fromhex(row.anchors), np.uint8).reshape(-1, 3).astype(np.float64)
    start = 0.5 if row.kind == "diverging" else 0.0
    steps = MIDDLE if mode == "diverging" else LEVELS - 1
    half = (1 - start) * np.concatenate([[0.0], np.linspace(_FIRST_STEP[row.kind], 1, steps)])
    places = np.concatenate([start - half[:0:-1], start + half]) if mode == "diverging" else start + half
    even = np.linspace(0, 1, len(anchors))
    table = np.stack([np.interp(places, even, channel) for channel in anchors.T], axis=1)
    colours: NDArray[np.uint8] = np.rint(table).astype(np.uint8)
    colours.flags.writeable = False
    return colours


@lru_cache(maxsize=32)
def level_numbers(palette: str, mode: Mode, system: Literal["256", "16"]) -> NDArray[np.uint8]:
    """Return the levels' numbers in a terminal's own palette: uint8, (255,), read-only.

    Chosen by hand rather than rounded level by level, which leaves four steps a side and none next to zero.
    """
    dark = int(level_rgb(palette, mode)[zero_level(mode)].sum()) < 3 * 128
    scale = _SIXTEEN["dark" if dark else "light", mode] if system == "16" else PALETTES[palette].numbers
    if mode == "magnitude" and PALETTES[palette].kind == "diverging" and system == "256":
        scale = scale[len(scale) // 2 :]
    steps = np.array(scale, np.uint8)
    if mode == "diverging":
        half = len(steps) // 2
        parts = [_spread(steps[:half], MIDDLE), steps[half : half + 1], _spread(steps[half + 1 :], MIDDLE)]
    else:
        parts = [steps[:1], _spread(steps[1:], LEVELS - 1)]
    numbers = np.concatenate(parts)
    numbers.flags.writeable = False
    return numbers


def _spread(steps: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Stretch a run of palette numbers over `count` levels."""
    spread: NDArray[np.uint8] = steps[np.arange(count) * len(steps) // count]
    return spread
