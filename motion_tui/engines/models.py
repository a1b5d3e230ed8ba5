"""Known orders and faults on the CPU, each a row: what it changes in the arithmetic, and in words what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motion_tui.core.errors import UsageError
from motion_tui.core.frames import FramePair
from motion_tui.core.geometry import Extent
from motion_tui.core.scores import PairSums, ScoreRules, score_rules
from motion_tui.core.spec import edition_rules
from motion_tui.core.text import nearest
from motion_tui.engines import arithmetic as parts
from motion_tui.engines.arithmetic import Arithmetic, Pass
from motion_tui.engines.base import EngineConfig, StagePlane, Stages
from motion_tui.engines.cpu import CpuEngine


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One known order or fault: the parts it changes, and a sentence for a person."""

    changes: Mapping[str, Any]
    """Fields of `Arithmetic`; `scores` holds fields of `ScoreRules`."""
    summary: str


def _row(summary: str, **changes: Any) -> ModelRow:
    return ModelRow(changes, summary)


MODELS = {
    "blur-first": _row("each frame is blurred, then the difference taken", blur_first=True),
    "edge-repeated": _row("the bottom and right borders repeat their sample", border=parts.repeat_far),
    "edge-clamped": _row("all borders repeat their sample", border=parts.clamp),
    "blur-first+edge-repeated": _row(
        "blur-first, and the bottom and right borders repeat their sample", blur_first=True, border=parts.repeat_far
    ),
    "row-stride-doubled": _row("above 8 bits every other row is read", read=parts.doubled_rows),
    "msb-aligned": _row("samples in the high bits are not shifted down", read=parts.msb_aligned),
    "bytes-swapped": _row("samples of the other byte order", read=parts.bytes_swapped),
    "depth-truncated": _row("samples cut to 8 bits", read=parts.high_byte),
    "vertical-rounding-missing": _row("the vertical pass shifts without rounding", vertical=Pass(halves=0)),
    "horizontal-rounding-missing": _row("the horizontal pass shifts without rounding", horizontal=Pass(halves=0)),
    "rounding-doubled": _row("the vertical pass rounds with twice the constant", vertical=Pass(halves=2)),
    "vertical-sum-int32": _row("the vertical sum wraps at 32 bits", vertical=Pass(bits=32)),
    "horizontal-sum-int32": _row("the horizontal sum wraps at 32 bits", horizontal=Pass(bits=32)),
    "difference-reversed": _row("the difference is cur - prev", reversed=True),
    "chroma-normalised-by-luma": _row("the SADs of U and V are divided by the area of Y", luma_area=True),
    "chroma-staged-as-420": _row("only (w+1)/2 x (h+1)/2 of each chroma plane is staged", chroma="as-420"),
    "sad-not-reset": _row("the SAD accumulator is never reset", scores={"sum_read": "running"}),
    "sad-one-frame-late": _row("a frame gets the SAD of the one before", scores={"sum_read": "late"}),
    "frame-shift": _row("a frame gets the SAD of the one after", scores={"sum_read": "early"}),
    "fps-weight-twice": _row("motion_fps_weight enters motion2 and motion3 twice", scores={"weights": 2}),
    "float32-normalisation": _row("SADs are divided in float32", scores={"float32_normalisation": True}),
    "motion2-without-min": _row("motion2 is the frame's own score", scores={"minimum": False}),
    "last-frame-missing": _row("the last frame's motion2 and motion3 are not written", scores={"last_frame": False}),
}
"""Every row by name; a new one needs a row in the diagnosis table and a test."""


def model_arithmetic(row: ModelRow, config: EngineConfig) -> Arithmetic:
    """Return the arithmetic of the edition asked for, with the row's changes."""
    rules = edition_rules(config.options.feature, config.edition)
    scores = score_rules(config.options.feature, config.edition)
    base = Arithmetic(blur_first=rules.blur_first, border=parts.repeat_far if rules.repeat_far else parts.reflect)
    changes = dict(row.changes)
    scores = replace(scores, **changes.pop("scores", {}))
    return replace(base, scores=scores, **changes)


class Model(CpuEngine):
    """A known order or fault of the integer features, computed on the CPU."""

    library = "numba"

    def __init__(self, config: EngineConfig, name: str) -> None:
        if name not in MODELS:
            raise UsageError(f"unknown model '{name}': {nearest(name, MODELS)}")
        if config.options.feature == "float_motion":
            raise UsageError(f"model:{name} is a model of the integer features: choose --feature motion or motion_v2")
        self._parts = model_arithmetic(MODELS[name], config)
        self._asked_for = config.chroma_rule
        super().__init__(
            replace(config, chroma=self._parts.chroma or config.chroma),
            f"{MODELS[name].summary} (libvmaf {config.edition})",
        )
        self.name = f"model:{name}"

    @property
    def score_rules(self) -> ScoreRules:
        return self._parts.scores

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        extent = pair.geometry.extent(plane, self._asked_for)
        d, v, h = (_placed(stage, extent) for stage in self._stage_planes(pair, plane))
        return Stages(d, v, h)

    def pair_sums(self, pair: FramePair) -> PairSums:
        h_planes = [self._stage_planes(pair, plane)[2] for plane in self.planes_read]
        areas = [h_planes[0].size if self._parts.luma_area else h.size for h in h_planes]
        return PairSums(tuple(int(np.abs(h).sum(dtype=np.int64)) for h in h_planes), tuple(areas))

    def _stage_planes(self, pair: FramePair, plane: int) -> tuple[StagePlane, StagePlane, StagePlane]:
        return self._parts.stage_planes(*self.samples(pair, plane), pair.geometry.bit_depth)


def _placed(stage: StagePlane, extent: Extent) -> StagePlane:
    """The stage in a plane of full size, 0 where nothing was staged."""
    height, width = stage.shape
    return np.pad(stage, [(0, max(0, extent.height - height)), (0, max(0, extent.width - width))])
