"""Where to go next: frames and pixels that differ. Pure functions of what is known."""

from __future__ import annotations

import re

import numpy as np

from motion_tui.core.errors import UsageError
from motion_tui.parity.residue import ResiduePlane
from motion_tui.tui.state import ScanSnapshot

BLOCK = 1 << 18
"""Pixels looked at in one go, so that a near difference in a large plane costs little."""


def worst_pixel(residue: ResiduePlane) -> tuple[int, int] | None:
    """Column and row of the residue of largest magnitude; None where all are zero."""
    if not residue.size:
        return None
    low, high = residue.min(), residue.max()
    if not low and not high:
        return None
    at = int(residue.argmax() if high >= -low else residue.argmin())
    return at % residue.shape[1], at // residue.shape[1]


def next_pixel(residue: ResiduePlane, x: int, y: int, step: int) -> tuple[int, int] | None:
    """Column and row of the next (`step` 1) or previous (-1) nonzero pixel in reading order, round the end."""
    flat = residue.reshape(-1)
    here = y * residue.shape[1] + x
    found = _search(flat, here + 1, flat.size) if step > 0 else _search_back(flat, 0, here)
    if found is None:
        found = _search(flat, 0, here + 1) if step > 0 else _search_back(flat, here, flat.size)
    return None if found is None else (found % residue.shape[1], found // residue.shape[1])


def _search(flat: ResiduePlane, start: int, stop: int) -> int | None:
    """Index of the first nonzero value in [start, stop)."""
    for at in range(start, stop, BLOCK):
        block = flat[at : min(at + BLOCK, stop)] != 0
        if block.any():
            return at + int(block.argmax())
    return None


def _search_back(flat: ResiduePlane, start: int, stop: int) -> int | None:
    """Index of the last nonzero value in [start, stop)."""
    for at in range(stop, start, -BLOCK):
        first = max(at - BLOCK, start)
        block = flat[first:at] != 0
        if block.any():
            return at - 1 - int(block[::-1].argmax())
    return None


def differing_frames(scan: ScanSnapshot | None) -> list[int]:
    """Frames that are known to differ, by their planes or by a score, in order."""
    if scan is None:
        return []
    frames = {frame for frame, difference in scan.differences.items() if difference.first}
    if scan.oracle is not None and scan.twin is not None:
        for name, values in scan.cut(scan.oracle).metrics.items():
            twin = scan.cut(scan.twin).metrics.get(name, ())
            frames.update(
                np.flatnonzero(np.array([a != b for a, b in zip(values, twin, strict=False)], dtype=bool)).tolist()
            )
    return sorted(frames)


def next_frame(frames: list[int], here: int, step: int) -> int | None:
    """The nearest of `frames` after (`step` 1) or before (-1) `here`."""
    ahead = [frame for frame in frames if (frame - here) * step > 0]
    return (min(ahead) if step > 0 else max(ahead)) if ahead else None


def parse_place(text: str) -> tuple[int | None, tuple[int, int] | None]:
    """Read "12" (a frame), "30,40" (a pixel) or "12 30,40" (both); a UsageError says so."""
    match = re.fullmatch(r"\s*(?:(\d{1,9})(?!\d*\s*,))?\s*(?:(\d{1,9})\s*,\s*(\d{1,9}))?\s*", text)
    if not match or not text.strip():
        raise UsageError(f"'{text.strip()}': type a frame (12), a pixel (30,40) or both (12 30,40)")
    frame, x, y = match.groups()
    return (None if frame is None else int(frame)), (None if x is None else (int(x), int(y)))
