"""The oracle: the integer features' arithmetic, fast, equal to `reference` bit for bit."""

from __future__ import annotations

import numpy as np

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.scores import PairSums
from motion_tui.engines.base import Stages
from motion_tui.engines.blocks import over_blocks, row_blocks
from motion_tui.engines.cpu import IntegerEngine
from motion_tui.engines.integer_rows import Rows, blur_rows, sad_blur_first, sad_diff_first
from motion_tui.engines.planes import packed


def blur(source: Rows, bit_depth: int, repeat_far: int) -> tuple[Rows, Rows]:
    """V and H of an int32 plane, each int32 and of its shape."""
    v, h = np.empty_like(source), np.empty_like(source)

    def work(_block: int, first: int, last: int) -> None:
        blur_rows(source, v, h, first, last, bit_depth, repeat_far)

    over_blocks(work, *source.shape)
    return v, h


class Oracle(IntegerEngine):
    """The integer motion in numba, rows side by side on all processors."""

    name = "oracle"
    library = "numba"

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        rules, bit_depth = self.rules, pair.geometry.bit_depth
        samples = self.samples(pair, plane)
        d = np.subtract(*samples, dtype=np.int32, order="C")
        if not rules.blur_first:
            return Stages(d, *blur(d, bit_depth, rules.repeat_far))
        previous, current = (plane_of.astype(np.int32, order="C") for plane_of in samples)
        v_prev, h_prev = blur(previous, bit_depth, rules.repeat_far)
        v_cur, h_cur = blur(current, bit_depth, rules.repeat_far)
        return Stages(d, v_prev - v_cur, h_prev - h_cur)

    def pair_sums(self, pair: FramePair) -> PairSums:
        planes = [self.samples(pair, plane) for plane in self.planes_read]
        sums = tuple(self._sad(*samples, pair.geometry.bit_depth) for samples in planes)
        return PairSums(sums, tuple(previous.size for previous, _ in planes))

    def _sad(self, previous: Plane, current: Plane, bit_depth: int) -> int:
        rules = self.rules
        kernel = sad_blur_first if rules.blur_first else sad_diff_first
        previous, current = packed(previous), packed(current)
        partial = np.zeros((len(row_blocks(*previous.shape)), 1), np.int64)

        def work(block: int, first: int, last: int) -> None:
            kernel(previous, current, first, last, bit_depth, rules.repeat_far, partial[block])

        over_blocks(work, *previous.shape)
        return int(partial.sum())
