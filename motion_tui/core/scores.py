"""From what a pair adds up to, to the metrics of a clip: the score rules of libvmaf, in its order of operations.

What is computed here is float64 and exact in order; the sums come from an engine. Rules: ARITHMETIC.md section 2
(libvmaf `integer_motion.c` and `float_motion.c`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np

from motion_tui.core.options import Options
from motion_tui.core.spec import CURRENT_EDITION, UNITS_PER_CODE, Edition, Feature, edition_rules

Column = tuple[float | None, ...]
Metrics = dict[str, Column]


@dataclass(frozen=True, slots=True)
class PairSums:
    """What one pair adds up to, one entry for each plane that the options read (Y alone, or Y, U, V).

    For the integer features `sums` are exact SADs in 1/256 code values and `areas` the pixels each is divided
    by (a faulty twin may divide by another area than the plane's). For `float_motion` `sums` are the planes'
    scores, already divided, and `areas` are 1.
    """

    sums: tuple[int | float, ...]
    areas: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """Per-frame metrics of a clip: `metrics[name][i]` is frame i's value, None where there is none."""

    feature: str
    edition: str
    engine: str
    """Which engine, log or file the scores come from."""
    device: str
    """Where it really ran."""
    options: Options
    metrics: Mapping[str, tuple[float | None, ...]]
    decimals: Mapping[str, int] = field(default_factory=dict)
    """How many decimals a metric was printed with, for metrics of a log that printed a fixed number of them."""

    def __len__(self) -> int:
        return max((len(values) for values in self.metrics.values()), default=0)

    def __repr__(self) -> str:
        return f"<Scores of {self.engine}: {len(self)} frames of {', '.join(self.metrics) or 'no metric'}>"


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """How pair sums become metrics; the defaults are the current libvmaf's, the others are older or wrong ones."""

    float32_normalisation: bool = False
    """SAD over 256 and over the area in float32."""
    cap_last: bool = False
    """motion3 is blended from weighted scores as they are; else from capped ones."""
    sum_read: Literal["own", "running", "late", "early"] = "own"
    """Which sum a frame gets: its own, all so far (never reset), the one before, or the one after."""
    weights: int = 1
    """How often motion_fps_weight enters motion2 and motion3."""
    minimum: bool = True
    """motion2 is the smaller of neighbouring scores, not the frame's own."""
    last_frame: bool = True
    """motion2 and motion3 of the last frame are written."""


def score_rules(feature: Feature, edition: Edition) -> ScoreRules:
    """Return the score rules of a feature in a release of libvmaf."""
    older = edition_rules(feature, edition).float32_normalisation
    return ScoreRules(float32_normalisation=older, cap_last=older or feature == "float_motion")


def raw_score(pair: PairSums, options: Options, rules: ScoreRules) -> float:
    """Return the unweighted score of a pair: each SAD over 256 and its own area, added as float64."""
    total = 0.0
    for sad, area in zip(pair.sums, pair.areas, strict=True):
        if options.feature == "float_motion":
            total += sad
        elif rules.float32_normalisation:
            total += float(np.float32(sad / UNITS_PER_CODE) / np.float32(area))
        else:
            total += sad / UNITS_PER_CODE / area
    return total


def raw_scores(pairs: Sequence[PairSums], frames: int, options: Options, rules: ScoreRules) -> list[float]:
    """Return every frame's unweighted score, 0 for the frames that have no pair."""
    first = min(options.pair_distance, frames)
    if len(pairs) != frames - first:
        raise ValueError(f"{len(pairs)} pairs for {frames} frames: expected {frames - first}")
    own = [raw_score(pair, options, rules) for pair in pairs]
    if rules.sum_read == "running":
        own = list(accumulate(own))
    elif rules.sum_read == "late":
        own = [0.0, *own][: len(own)]
    elif rules.sum_read == "early":
        own = [*own[1:], 0.0][: len(own)]
    return [0.0] * first + own


def smaller_neighbour(scores: Sequence[float], frame: int, options: Options) -> float:
    """Return motion2 of a frame that has a pair, from the clip's scores."""
    first, following = options.pair_distance, frame + 1 < len(scores)
    if not following:
        return scores[frame]
    if options.motion_five_frame_window:
        return min(scores[frame - 1], scores[frame + 1]) if frame - 1 >= first else scores[frame + 1]
    return min(scores[frame], scores[frame + 1])


def blend(score: float, options: Options) -> float:
    """Return motion3 before any averaging: the part above the offset weighs less, then the cap."""
    factor, offset = options.motion_blend_factor, options.motion_blend_offset
    return min(score * factor + (1 - factor) * min(offset, score), options.motion_max_val)


def clip_metrics(
    pairs: Sequence[PairSums],
    frames: int,
    options: Options,
    edition: Edition = CURRENT_EDITION,
    rules: ScoreRules | None = None,
) -> Metrics:
    """Return the metrics of a clip of `frames` frames, by the edition's rules or by `rules`.

    `pairs[k]` belongs to frame `k + options.pair_distance`; there are `frames - pair_distance` of them (none for
    a clip that is too short).
    """
    rules = rules or score_rules(options.feature, edition)
    weight, cap = options.motion_fps_weight, options.motion_max_val
    first = min(options.pair_distance, frames)
    if options.motion_force_zero:
        sad = motion2 = motion3 = [0.0] * frames
    else:
        weighted = [score * weight for score in raw_scores(pairs, frames, options, rules)]
        sad = [min(score, cap) for score in weighted]
        scores = weighted if rules.cap_last else sad
        again = weight ** (rules.weights - 1)
        smaller = [0.0] * first + [
            (smaller_neighbour(scores, frame, options) if rules.minimum else scores[frame]) * again
            for frame in range(first, frames)
        ]
        motion2 = [min(score, cap) for score in smaller]
        stamp = blend(scores[first] * again, options) if frames > first else 0.0
        motion3 = [stamp] * first + [blend(score, options) for score in smaller[first:]]
        if options.motion_moving_average:
            motion3 = motion3[:1] + [(now + before) / 2 for before, now in pairwise(motion3)]
    return _named((tuple(sad), _written(motion2, rules), _written(motion3, rules)), options)


def _written(values: Sequence[float], rules: ScoreRules) -> Column:
    """The column of a metric that needs a following frame, or the end of the clip."""
    return tuple(values) if rules.last_frame or not values else (*values[:-1], None)


def _named(columns: tuple[Column, Column, Column], options: Options) -> Metrics:
    """Put the SAD score, motion2 and motion3 under the names that a `vmaf` log gives them."""
    sad, motion2, motion3 = columns
    suffix, plain = options.suffix, {}
    if options.feature == "motion_v2":
        named = {
            "VMAF_integer_feature_motion_v2_sad_score": sad,
            "VMAF_integer_feature_motion2_v2_score": motion2,
            "VMAF_integer_feature_motion3_v2_score": motion3,
        }
    elif options.feature == "float_motion":
        named, plain = {"motion2": motion2, "motion3": motion3}, {"motion": sad}
    else:
        named = {
            "VMAF_integer_feature_motion_sad_score": sad,
            "integer_motion2": motion2,
            "integer_motion3": motion3,
        }
        plain = {"integer_motion": sad}
    return {name + suffix: column for name, column in (named | (plain if options.debug else {})).items()}


def metric_names(options: Options) -> tuple[str, ...]:
    """Return the metric names as a `vmaf` log has them, plain motion last and with `debug` alone."""
    return tuple(_named(((), (), ()), options))
