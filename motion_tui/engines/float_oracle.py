"""The oracle of float_motion: libvmaf's scalar float32 code, fast, equal to its `reference` bit for bit."""

from __future__ import annotations

import numpy as np

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.spec import float_taps
from motion_tui.engines.base import EngineConfig, Stages
from motion_tui.engines.blocks import over_blocks
from motion_tui.engines.cpu import FloatEngine
from motion_tui.engines.float_rows import add_rows, blur_rows, halved_row_sums, row_sums, sample_rows
from motion_tui.engines.integer_rows import Rows
from motion_tui.engines.planes import packed


def samples(plane: Plane, bit_depth: int) -> Rows:
    """The samples of a plane as float32, on the 8-bit scale, around zero."""
    source, scale = packed(plane), np.float32(1 << (bit_depth - 8))
    out: Rows = np.empty(plane.shape, np.float32)
    over_blocks(lambda _, first, last: sample_rows(source, scale, out, first, last), *out.shape)
    return out


def mean(sums: Rows, area: int) -> np.float32:
    """The rows' sums in order, over the area, in float32."""
    total: np.float32 = np.float32(add_rows(sums)) / np.float32(area)
    return total


def mean_difference(previous: Rows, current: Rows) -> np.float32:
    """The mean absolute difference of two float32 planes."""
    sums = np.empty(previous.shape[0], np.float32)
    over_blocks(lambda _, first, last: row_sums(previous, current, sums, first, last), *previous.shape)
    return mean(sums, previous.size)


def halved_mean_difference(previous: Rows, current: Rows) -> np.float32:
    """The mean absolute difference of two float32 planes at half size."""
    height, width = (int(n * 0.5 + 0.5) for n in previous.shape)
    sums = np.empty(height, np.float32)
    over_blocks(lambda _, first, last: halved_row_sums(previous, current, width, sums, first, last), height, width)
    return mean(sums, height * width)


class FloatOracle(FloatEngine):
    """float_motion in numba, rows side by side on all processors."""

    name = "oracle"
    library = "numba"

    def __init__(self, config: EngineConfig) -> None:
        super().__init__(config)
        self._taps = np.array(float_taps(config.options.motion_filter_size), np.float32)

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        previous, current = self._singles(pair, plane)
        (v_prev, h_prev), (v_cur, h_cur) = (self._blur(frame, keep_v=True) for frame in (previous, current))
        return Stages(previous - current, v_prev - v_cur, h_prev - h_cur)

    def plane_score(self, pair: FramePair, plane: int) -> float:
        previous, current = (self._blur(frame, keep_v=False)[1] for frame in self._singles(pair, plane))
        score = mean_difference(previous, current)
        if self.config.options.motion_add_scale1:
            score = np.float32(score + halved_mean_difference(previous, current))
        return float(score)

    def _singles(self, pair: FramePair, plane: int) -> tuple[Rows, Rows]:
        previous, current = self.samples(pair, plane)
        return samples(previous, pair.geometry.bit_depth), samples(current, pair.geometry.bit_depth)

    def _blur(self, source: Rows, *, keep_v: bool) -> tuple[Rows, Rows]:
        """V and H of a plane; without `keep_v` each block of rows has one scratch row for V."""
        h = np.empty_like(source)
        plane = np.empty_like(source) if keep_v else None

        def work(_block: int, first: int, last: int) -> None:
            v = np.empty_like(source[:1]) if plane is None else plane
            blur_rows(source, self._taps, v, h, first, last)

        over_blocks(work, *source.shape)
        return h if plane is None else plane, h
