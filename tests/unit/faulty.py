"""Twins with planted faults, for tests of what compares them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motion_tui.core.errors import TwinError
from motion_tui.core.frames import FramePair
from motion_tui.core.scores import PairSums
from motion_tui.engines.base import EngineConfig, Stages
from motion_tui.engines.reference import Reference

Change = Callable[[int, Stages], Stages]
"""From the frame and the right stages to those that the twin reports."""


class FaultyTwin(Reference):
    """The reference under a twin's name, each pair's stages passed through `change`; sums follow from H."""

    name = "twin:faulty"

    def __init__(self, change: Change, config: EngineConfig | None = None) -> None:
        super().__init__(config or EngineConfig())
        self.change = change
        self.calls = 0

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        self.calls += 1
        return self.change(pair.current.index, super().stages(pair, plane))

    def pair_sums(self, pair: FramePair) -> PairSums:
        right = super().pair_sums(pair)
        h = self.change(pair.current.index, super().stages(pair)).h
        assert h is not None
        return PairSums((int(np.abs(h.astype(np.int64)).sum()), *right.sums[1:]), right.areas)


def unchanged(_: int, stages: Stages) -> Stages:
    """A right twin."""
    return stages


def one_pixel(frame: int, x: int, y: int, by: int) -> Change:
    """Add `by` to one sample of H in one frame."""

    def change(now: int, stages: Stages) -> Stages:
        if now != frame or stages.h is None:
            return stages
        h = stages.h.copy()
        h[y, x] += by
        return Stages(stages.d, stages.v, h)

    return change


def zeroed(frame: int) -> Change:
    """H of one frame is all zeros: an accumulator that was reset at the wrong time."""

    def change(now: int, stages: Stages) -> Stages:
        if now != frame or stages.h is None:
            return stages
        return Stages(stages.d, stages.v, np.zeros_like(stages.h))

    return change


class CrashingTwin(FaultyTwin):
    """Fails at one frame."""

    def __init__(self, frame: int) -> None:
        super().__init__(unchanged)
        self.frame = frame

    def pair_sums(self, pair: FramePair) -> PairSums:
        if pair.current.index == self.frame:
            raise TwinError(f"twin:faulty: the worker died at frame {self.frame}")
        return super().pair_sums(pair)
