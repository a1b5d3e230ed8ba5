"""From what a pair adds up to, to the metrics of a clip: the score rules of libvmaf, in its order of operations.

What is computed here is float64 and exact in order; the sums come from an engine. Rules: ARITHMETIC.md section 2
(libvmaf `integer_motion.c`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from motion_tui.core.options import Options
from motion_tui.core.spec import CURRENT_EDITION, UNITS_PER_CODE, Edition


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


def raw_score(pair: PairSums) -> float:
    """Return the unweighted score of a pair: each SAD over 256 and its own area, added as float64."""
    total = 0.0
    for sad, area in zip(pair.sums, pair.areas, strict=True):
        total += sad / UNITS_PER_CODE / area
    return total


def integer_metrics(
    pairs: Sequence[PairSums], frames: int, options: Options, edition: Edition = CURRENT_EDITION
) -> dict[str, tuple[float | None, ...]]:
    """Return the integer feature's metrics of a clip of `frames` frames.

    `pairs[k]` belongs to frame `k + options.pair_distance`; there are `frames - pair_distance` of them (none for
    a clip that is too short).
    """
    sad = [0.0] * frames
    for index, pair in enumerate(pairs, start=options.pair_distance):
        sad[index] = min(raw_score(pair) * options.motion_fps_weight, options.motion_max_val)
    first = options.pair_distance
    motion2 = [0.0] * frames
    for i in range(first, frames):
        neighbours = [sad[i]]
        if options.motion_five_frame_window:
            neighbours = ([sad[i - 1]] if i - 1 >= first and i + 1 < frames else []) + (
                [sad[i + 1]] if i + 1 < frames else [sad[i]]
            )
        elif i + 1 < frames:
            neighbours.append(sad[i + 1])
        motion2[i] = min(neighbours)

    def processed(value: float) -> float:
        factor, offset = options.motion_blend_factor, options.motion_blend_offset
        blended = value * factor + (1 - factor) * min(offset, value)
        return min(blended, options.motion_max_val)

    stamp = processed(sad[first]) if frames > first else 0.0
    unaveraged = [stamp] * min(first, frames) + [processed(value) for value in motion2[first:]]
    motion3 = list(unaveraged)
    if options.motion_moving_average:
        for i in range(1, frames):
            motion3[i] = (unaveraged[i] + unaveraged[i - 1]) / 2
    if options.motion_force_zero:
        sad = motion2 = motion3 = [0.0] * frames
    return {
        name: tuple(values) for name, values in zip(metric_names(options), (sad, motion2, motion3, sad), strict=False)
    }


def clip_metrics(
    pairs: Sequence[PairSums], frames: int, options: Options, edition: Edition = CURRENT_EDITION
) -> dict[str, tuple[float | None, ...]]:
    """Return the metrics of a clip for whatever feature `options` names; see `integer_metrics` for `pairs`."""
    return integer_metrics(pairs, frames, options, edition)


def metric_names(options: Options) -> tuple[str, ...]:
    """Return the metric names as a `vmaf` log has them: SAD score, motion2, motion3, and motion with `debug`."""
    suffix = options.suffix
    if options.feature == "motion_v2":
        names = [
            "VMAF_integer_feature_motion_v2_sad_score",
            "VMAF_integer_feature_motion2_v2_score",
            "VMAF_integer_feature_motion3_v2_score",
        ]
        return tuple(name + suffix for name in names)
    names = ["VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3"]
    if options.debug:
        names.append("integer_motion")
    return tuple(name + suffix for name in names)
