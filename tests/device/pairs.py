"""Pairs of noise for device tests: seeded, and printed where a test fails."""

from __future__ import annotations

import numpy as np

from motion_tui.core.frames import Frame, FramePair, freeze
from motion_tui.core.geometry import Geometry
from motion_tui.engines.base import Stages

SIZES = ((3, 3), (4, 5), (17, 17), (19, 23), (31, 9), (33, 33), (64, 64), (257, 145), (576, 324), (1283, 723))
DEPTHS = (8, 10, 12, 16)


def noise_pair(width: int, height: int, bits: int = 8, pixel_format: str = "400", seed: int = 0) -> FramePair:
    """A pair of full-range noise; the rows of its planes lie apart, as in a larger picture."""
    geometry = Geometry(width, height, pixel_format, bits)
    noise = np.random.default_rng([seed, width, height, bits])
    print(f"noise {geometry}, seed {[seed, width, height, bits]}")

    def frame(index: int) -> Frame:
        planes = (
            noise.integers(0, 1 << bits, (extent.height, extent.width + 5), geometry.dtype)[:, : extent.width]
            for extent in geometry.extents
        )
        return Frame(index, geometry, tuple(freeze(plane) for plane in planes))

    return FramePair(frame(0), frame(1))


def assert_same(found: Stages, wanted: Stages) -> None:
    """All three stages are equal, in type, shape and every pixel."""
    for stage in ("D", "V", "H"):
        ours, theirs = found.get(stage), wanted.get(stage)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs, err_msg=f"stage {stage}", strict=True)
