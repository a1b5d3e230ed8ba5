"""The reference: libvmaf's integer motion in NumPy, one line a step, written to be read beside its C.

Source: libvmaf `integer_motion.c`. Edition 3.2: difference, vertical filter, horizontal filter, absolute sum. Edition
3.1: both filters on each frame, then the difference, and another far border.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.scores import PairSums
from motion_tui.core.spec import H_SHIFT, RADIUS, TAPS, EditionRules
from motion_tui.engines.base import Stages
from motion_tui.engines.cpu import IntegerEngine

Wide = NDArray[np.int64]


def difference(previous: Plane, current: Plane) -> Wide:
    """D: `prev - cur`, in this order, since the shifts below floor negatives."""
    return previous.astype(np.int64) - current.astype(np.int64)


def mirror(plane: Wide, axis: int, repeat_far: bool) -> Wide:
    """`plane` with two samples more on either side: -1 reads 1, n reads n-2 (n-1 where the far edge is repeated)."""
    n = plane.shape[axis]
    index = np.abs(np.arange(-RADIUS, n + RADIUS))
    index[index >= n] = 2 * n - 2 + repeat_far - index[index >= n]
    taken: Wide = plane.take(index, axis=axis)
    return taken


def blur(plane: Wide, axis: int, shift: int, repeat_far: bool = False) -> Wide:
    """One pass of the five taps along `axis`, rounded, shifted."""
    padded = mirror(plane, axis, repeat_far)
    length = plane.shape[axis]
    total = sum(tap * padded.take(range(k, k + length), axis=axis) for k, tap in enumerate(TAPS))
    return np.asarray((total + (1 << (shift - 1))) >> shift)


def stage_planes(previous: Plane, current: Plane, bit_depth: int, rules: EditionRules) -> tuple[Wide, Wide, Wide]:
    """D, V and H of one plane of a pair as int64 arrays of the plane's shape."""
    d = difference(previous, current)
    if not rules.blur_first:
        v = blur(d, axis=0, shift=bit_depth, repeat_far=rules.repeat_far)
        h = blur(v, axis=1, shift=H_SHIFT, repeat_far=rules.repeat_far)
        return d, v, h
    frames = [frame.astype(np.int64) for frame in (previous, current)]
    v_prev, v_cur = (blur(frame, axis=0, shift=bit_depth, repeat_far=rules.repeat_far) for frame in frames)
    h_prev, h_cur = (blur(v, axis=1, shift=H_SHIFT, repeat_far=rules.repeat_far) for v in (v_prev, v_cur))
    return d, v_prev - v_cur, h_prev - h_cur


class Reference(IntegerEngine):
    """The NumPy reference of the integer features."""

    name = "reference"
    library = "NumPy"

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        d, v, h = (stage.astype(np.int32) for stage in self._stage_planes(pair, plane))
        return Stages(d, v, h)

    def pair_sums(self, pair: FramePair) -> PairSums:
        h_planes = [self._stage_planes(pair, plane)[2] for plane in self.planes_read]
        return PairSums(tuple(int(np.abs(h).sum()) for h in h_planes), tuple(h.size for h in h_planes))

    def _stage_planes(self, pair: FramePair, plane: int) -> tuple[Wide, Wide, Wide]:
        return stage_planes(*self.samples(pair, plane), pair.geometry.bit_depth, self.rules)
