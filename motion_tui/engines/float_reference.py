"""The reference of float_motion: libvmaf's scalar float32 code in NumPy, in its order of operations.

Source: libvmaf `float_motion.c`, `motion.c`. Every array and every sum is float32; products are added in tap order,
and rows are summed left to right, one addition at a time (`np.add.accumulate`; NumPy's `sum` pairs its terms).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.spec import FLOAT_OFFSET, float_taps
from motion_tui.engines.base import EngineConfig, Stages
from motion_tui.engines.cpu import FloatEngine

Single = NDArray[np.float32]
F = np.float32


def samples(plane: Plane, bit_depth: int) -> Single:
    """The samples on the 8-bit scale, around zero."""
    return np.asarray(plane.astype(F) / F(1 << (bit_depth - 8)) + F(FLOAT_OFFSET), F)


def blur(plane: Single, axis: int, size: int) -> Single:
    """One pass of the filter along `axis`, borders reflected without the edge sample."""
    taps = [F(tap) for tap in float_taps(size)]
    radius = len(taps) // 2
    padded = np.moveaxis(np.pad(plane, [(radius, radius) if a == axis else (0, 0) for a in (0, 1)], "reflect"), axis, 0)
    n = plane.shape[axis]
    total = np.zeros_like(padded[:n])
    for k, tap in enumerate(taps):
        total = total + tap * padded[k : k + n]
    return np.moveaxis(total, 0, axis)


def halved_lines(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Single]:
    """For each of the `int(n/2 + 0.5)` lines of half size: the two lines it reads, and the weight of the second."""
    half = int(n * 0.5 + 0.5)
    ratio = F(n) / F(half)
    t = (np.arange(half, dtype=F) + F(0.5)) * ratio - F(0.5)
    first, second = (np.where(i > n - 1, F(2 * (n - 1)) - i, np.abs(i)) for i in (np.floor(t), np.ceil(t)))
    return first.astype(np.intp), second.astype(np.intp), t - first


def halved(plane: Single) -> Single:
    """The plane at half size, bilinear: four weighted samples, added in reading order."""
    top, bottom, dy = halved_lines(plane.shape[0])
    left, right, dx = halved_lines(plane.shape[1])
    dy, one = dy[:, None], F(1)
    total: NDArray[Any] = (one - dy) * (one - dx) * plane[np.ix_(top, left)]
    total = total + (one - dy) * dx * plane[np.ix_(top, right)]
    total = total + dy * (one - dx) * plane[np.ix_(bottom, left)]
    return np.asarray(total + dy * dx * plane[np.ix_(bottom, right)])


def mean_difference(previous: Single, current: Single) -> np.float32:
    """The mean of the absolute differences: row sums left to right, a total top to bottom, one division."""
    rows = np.add.accumulate(np.abs(previous - current), axis=1)[:, -1]
    mean: np.float32 = np.add.accumulate(rows)[-1] / F(previous.size)
    return mean


class FloatReference(FloatEngine):
    """float_motion in NumPy."""

    name = "reference"
    library = "NumPy"

    def __init__(self, config: EngineConfig) -> None:
        super().__init__(config)
        self._size = config.options.motion_filter_size

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        previous, current = self._singles(pair, plane)
        v_prev, v_cur = (blur(frame, 0, self._size) for frame in (previous, current))
        h_prev, h_cur = (blur(v, 1, self._size) for v in (v_prev, v_cur))
        return Stages(previous - current, v_prev - v_cur, h_prev - h_cur)

    def _singles(self, pair: FramePair, plane: int) -> tuple[Single, Single]:
        previous, current = self.samples(pair, plane)
        return samples(previous, pair.geometry.bit_depth), samples(current, pair.geometry.bit_depth)

    def plane_score(self, pair: FramePair, plane: int) -> float:
        previous, current = (blur(blur(s, 0, self._size), 1, self._size) for s in self._singles(pair, plane))
        score = mean_difference(previous, current)
        if self.config.options.motion_add_scale1:
            score = F(score + mean_difference(halved(previous), halved(current)))
        return float(score)
