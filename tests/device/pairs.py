"""Pairs of noise for device tests, printed where a test fails, and the comparison of stages."""

from __future__ import annotations

import numpy as np

from motion_tui.core.frames import FramePair
from motion_tui.core.geometry import Geometry
from motion_tui.engines.base import Engine, EngineConfig, Stages
from motion_tui.engines.reference import Reference
from tests.parity import pairs


def noise_pair(width: int, height: int, bits: int = 8, pixel_format: str = "400", seed: int = 0) -> FramePair:
    """A pair of full-range noise with many extremes."""
    geometry = Geometry(width, height, pixel_format, bits)
    print(f"noise {geometry}, seed {seed}")
    return pairs.noise_pair(geometry, seed)


def assert_same(found: Stages, wanted: Stages) -> None:
    """All three stages are equal, in type, shape and every pixel."""
    for stage in ("D", "V", "H"):
        ours, theirs = found.get(stage), wanted.get(stage)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs, err_msg=f"stage {stage}", strict=True)


def assert_right(twin: Engine, pair: FramePair) -> None:
    """The twin's stages are the reference's."""
    assert_same(twin.stages(pair), Reference(EngineConfig()).stages(pair))
