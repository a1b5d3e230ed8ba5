"""The reference: libvmaf's current integer motion in NumPy, one line a step, written to be read beside its C.

Source: libvmaf `integer_motion.c` (edition 3.2): difference, vertical filter, horizontal filter, absolute sum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.scores import PairSums
from motion_tui.core.spec import H_SHIFT, RADIUS, TAPS
from motion_tui.engines.base import Engine, Stages

Wide = NDArray[np.int64]


def difference(previous: Plane, current: Plane) -> Wide:
    """D: `prev - cur`, in this order, since the shifts below floor negatives."""
    return previous.astype(np.int64) - current.astype(np.int64)


def blur(plane: Wide, axis: int, shift: int) -> Wide:
    """One pass of the five taps along `axis`, borders reflected without the edge sample, rounded, shifted."""
    padded = np.pad(plane, [(RADIUS, RADIUS) if a == axis else (0, 0) for a in (0, 1)], mode="reflect")
    length = plane.shape[axis]
    total = sum(tap * padded.take(range(k, k + length), axis=axis) for k, tap in enumerate(TAPS))
    return np.asarray((total + (1 << (shift - 1))) >> shift)


def stage_planes(previous: Plane, current: Plane, bit_depth: int) -> tuple[Wide, Wide, Wide]:
    """D, V and H of one plane of a pair as int64 arrays of the plane's shape."""
    d = difference(previous, current)
    v = blur(d, axis=0, shift=bit_depth)
    h = blur(v, axis=1, shift=H_SHIFT)
    return d, v, h


class Reference(Engine):
    """The NumPy reference."""

    name = "reference"
    arithmetic = "diff-first, reflect-101, 64-bit sums (libvmaf 3.2)"

    @property
    def device(self) -> str:
        return "CPU (NumPy)"

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        planes = stage_planes(*pair.planes(plane), pair.geometry.bit_depth)
        return Stages(*(stage.astype(np.int32) for stage in planes))

    def pair_sums(self, pair: FramePair) -> PairSums:
        sums = []
        for plane in self.planes_read:
            _, _, h = stage_planes(*pair.planes(plane), pair.geometry.bit_depth)
            sums.append(int(np.abs(h).sum()))
        return PairSums(tuple(sums), tuple(pair.geometry.extent(plane).area for plane in self.planes_read))
