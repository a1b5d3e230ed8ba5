"""The self-test of a device: two pairs whose answer follows from the taps alone.

Full swing: 0 after the peak in every sample. The taps add up to 65536, so V and H are the peak on the 8-bit scale
everywhere, borders included: 65280 at 8 bits. Impulse: one sample differs; H is the taps' outer product, rounded
twice, around it, and 0 elsewhere. In both, one of the frames is zero, so every order of operations agrees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.spec import H_SHIFT, RADIUS, TAPS

WIDTH, HEIGHT = 23, 11
PEAK = 255
RunPair = Callable[[NDArray[np.uint8], NDArray[np.uint8]], NDArray[Any]]
"""Runs (previous, current), 8 bits, and returns H."""


def known_pairs() -> dict[str, tuple[NDArray[np.uint8], NDArray[np.int32]]]:
    """Return each test's previous frame (the current one is zero) and its H, shape (HEIGHT, WIDTH)."""
    swing = np.full((HEIGHT, WIDTH), PEAK, np.uint8)
    impulse = np.zeros((HEIGHT, WIDTH), np.uint8)
    y, x = HEIGHT // 2, WIDTH // 2
    impulse[y, x] = PEAK
    answer = np.zeros((HEIGHT, WIDTH), np.int32)
    for row, tap in enumerate(TAPS, start=y - RADIUS):
        vertical = (tap * PEAK + 128) >> 8
        for column, other in enumerate(TAPS, start=x - RADIUS):
            answer[row, column] = (other * vertical + (1 << (H_SHIFT - 1))) >> H_SHIFT
    return {
        "full swing": (swing, np.full((HEIGHT, WIDTH), PEAK * 256, np.int32)),
        "impulse": (impulse, answer),
    }


def self_test(run: RunPair) -> str:
    """Return "" where the device gives the known answers, else what it gave and where."""
    current = np.zeros((HEIGHT, WIDTH), np.uint8)
    for name, (previous, answer) in known_pairs().items():
        h = run(previous, current)
        wrong = np.argwhere(h != answer)
        if len(wrong):
            y, x = wrong[0]
            return f"{name}: {len(wrong)} pixels wrong, H at ({x}, {y}) is {h[y, x]} and must be {answer[y, x]}"
    return ""
