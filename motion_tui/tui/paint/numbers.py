"""Numbers that fit: a pixel's value in as many columns as there are, and amounts for axes and labels."""

from __future__ import annotations

import math

_SUFFIXES = ("", "k", "M", "G", "T", "P", "E")


def fitting(value: int | float, room: int) -> str:
    """Return `value` in at most `room` characters: exact where it fits, else cut towards zero (`65k`), else `…`.

    A value that is not zero never reads as zero.
    """
    text = _whole(value, room) if isinstance(value, int) else _real(value, room)
    if text is None:
        text = "-…" if value < 0 else "…"
    return text[:room]


def _whole(value: int, room: int) -> str | None:
    size, sign = abs(value), "-" if value < 0 else ""
    for power, suffix in enumerate(_SUFFIXES):
        scaled = size // 1000**power
        text = f"{sign}{scaled}{suffix}"
        if len(text) <= room and (scaled or not size):
            return text
    return None


def _real(value: float, room: int) -> str | None:
    if value == 0:
        return "0"
    for digits in (6, 5, 4, 3, 2, 1):
        text = f"{value:.{digits}g}".replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
        if len(text) <= room:
            return text
    return None


def amount(value: float) -> str:
    """Return a number for an axis: three significant digits, plain where that is short."""
    if not math.isfinite(value):
        return str(value)
    text = f"{value:.3g}"
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
