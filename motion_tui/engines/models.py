"""Known orders and faults on the CPU, each a row."""

from __future__ import annotations

import numpy as np

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.scores import PairSums
from motion_tui.core.spec import H_SHIFT
from motion_tui.engines.base import Engine, EngineConfig, Stages
from motion_tui.engines.reference import Wide, blur, difference


def blur_first(previous: Plane, current: Plane, bit_depth: int) -> tuple[Wide, Wide, Wide]:
    """Blur each frame, then difference: motion_sycl before its fix, CUDA, HIP and Metal, libvmaf up to 3.1."""
    v_prev, v_cur = (blur(p.astype(np.int64), axis=0, shift=bit_depth) for p in (previous, current))
    h_prev, h_cur = (blur(v, axis=1, shift=H_SHIFT) for v in (v_prev, v_cur))
    return difference(previous, current), v_prev - v_cur, h_prev - h_cur


MODELS = {"blur-first": blur_first}


class Model(Engine):
    """A known order or fault, computed on the CPU."""

    def __init__(self, config: EngineConfig, model: str) -> None:
        super().__init__(config)
        self.name = f"model:{model}"
        self.arithmetic = model
        self._stage_planes = MODELS[model]

    @property
    def device(self) -> str:
        return "CPU (NumPy)"

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        planes = self._stage_planes(*pair.planes(plane), pair.geometry.bit_depth)
        return Stages(*(stage.astype(np.int32) for stage in planes))

    def pair_sums(self, pair: FramePair) -> PairSums:
        sums = [
            int(np.abs(self._stage_planes(*pair.planes(p), pair.geometry.bit_depth)[2]).sum()) for p in self.planes_read
        ]
        return PairSums(tuple(sums), tuple(pair.geometry.extent(plane).area for plane in self.planes_read))
