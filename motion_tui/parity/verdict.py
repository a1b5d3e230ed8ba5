"""Verdicts: whether two sets of scores agree, under which tolerance, and what would have to hold for a pass.

A log that printed a fixed number of decimals can show a difference, but no agreement closer than half a unit of
its last place: under a tolerance below that it is never a pass.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from motion_tui.core.errors import NothingCompared, UsageError
from motion_tui.core.scores import Scores

Verdict = Literal["parity", "gap", "not-run", "error"]
FLOAT_TOLERANCE = 5e-5
"""float_motion of a twin differs from the CPU by float32 rounding that grows with the frame, published up to 2.7e-5
at 3840x2160; the field's own gate of 4 places is the next round figure above."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far apart two scores may be (inclusive), and where that figure comes from; 0 is exact (`==`)."""

    value: float = 0.0
    source: str = "exact"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and self.value >= 0):
            raise UsageError(f"tolerance {self.value}: a finite number, 0 or more, is needed")


EXACT = Tolerance()


def places(number: int) -> Tolerance:
    """The field's gate: `|a - b| <= 0.5 * 10**-number`."""
    if not 0 <= number <= 17:
        raise UsageError(f"--places {number}: 0 to 17 decimal places")
    return Tolerance(float(f"5e-{number + 1}"), f"places={number}")


def chosen_tolerance(exact: bool, places_: int | None, tolerance: float | None) -> Tolerance | None:
    """Return what the three flags ask for; None where none is given, a UsageError where several are."""
    if (exact, places_ is not None, tolerance is not None).count(True) > 1:
        raise UsageError("--exact, --places and --tolerance exclude each other: give one of them")
    if exact:
        return Tolerance(0.0, "exact, asked for")
    if places_ is not None:
        return places(places_)
    return None if tolerance is None else Tolerance(tolerance, f"tolerance={tolerance!r}")


def default_tolerance(feature: str) -> Tolerance:
    """Exact for the integer features; for float_motion the figure that float rounding is known to need."""
    if feature == "float_motion":
        return Tolerance(FLOAT_TOLERANCE, "float_motion: float32 rounding, the field's 4 places")
    return EXACT


def print_tolerance(decimals: int) -> Tolerance:
    """What printing with so many decimals can hide: half a unit of the last place."""
    return Tolerance(float(f"5e-{decimals + 1}"), f"half a unit of the last of {decimals} decimals in the log")


@dataclass(frozen=True, slots=True)
class MetricDelta:
    """How one metric differs over the frames: `deltas[i] = twin - oracle`, None where neither has a value."""

    name: str
    deltas: tuple[float | None, ...]
    max_abs: float
    frame: int | None
    """The frame of the largest difference; None where all are 0."""
    mismatches: int
    """Frames that are outside the tolerance."""
    tolerance: Tolerance = EXACT
    printing: int = 0
    """Frames that differ, but print alike with the log's decimals: their difference could be mere printing."""
    decimals: int | None = None
    """Decimals that the coarser side was printed with; None where both have all their digits."""
    ulps: int | None = None
    """Largest difference in units of the last place of doubles, where both sides have all their digits."""

    @property
    def resolved(self) -> bool:
        """Whether the two sides have the digits that agreement within the tolerance would need."""
        return self.decimals is None or self.tolerance.value >= print_tolerance(self.decimals).value


def ulp_distance(a: float, b: float) -> int:
    """How many doubles lie between `a` and `b`, 0 for equal ones."""
    return abs(_ordinal(a) - _ordinal(b))


def _ordinal(value: float) -> int:
    """The place of a double among all doubles, counted from zero; both zeros have place 0."""
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


def compare_metric(name: str, oracle: Scores, twin: Scores, tolerance: Tolerance | None = None) -> MetricDelta:
    """Compare one metric frame by frame; NothingCompared where it is missing, NaN, or of another length.

    `tolerance` None: the feature's own, widened to what a log's printing hides.
    """
    for scores in (oracle, twin):
        if name not in scores.metrics:
            raise NothingCompared(
                f"{scores.engine} has no metric {name}: it has {', '.join(scores.metrics) or 'none'} "
                "(--metric NAME compares one that both have)"
            )
    ours, theirs = oracle.metrics[name], twin.metrics[name]
    if len(ours) != len(theirs):
        raise NothingCompared(f"{name}: {oracle.engine} has {len(ours)} frames and {twin.engine} {len(theirs)}")
    printed = [scores.decimals[name] for scores in (oracle, twin) if name in scores.decimals]
    decimals = min(printed, default=None)
    if tolerance is None:
        candidates = [default_tolerance(oracle.feature)] + ([print_tolerance(decimals)] if decimals else [])
        tolerance = max(candidates, key=lambda candidate: candidate.value)
    deltas: list[float | None] = []
    printing = mismatches = ulps = 0
    for frame, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if a is None and b is None:
            deltas.append(None)
            continue
        if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
            raise NothingCompared(
                f"{name}: frame {frame} is {a} on {oracle.engine} and {b} on {twin.engine}: not comparable"
            )
        deltas.append(b - a)
        if a == b:
            continue
        ulps = max(ulps, ulp_distance(a, b))
        alike = decimals is not None and f"{a:.{decimals}f}" == f"{b:.{decimals}f}"
        printing += alike
        within_print = alike and decimals is not None and tolerance.value >= print_tolerance(decimals).value
        mismatches += not (abs(b - a) <= tolerance.value or within_print)
    worst, at = largest(deltas)
    if worst is None:
        raise NothingCompared(f"{name}: no frame has a value")
    return MetricDelta(
        name,
        tuple(deltas),
        worst,
        at if worst else None,
        mismatches,
        tolerance,
        printing,
        decimals,
        None if printed else ulps,
    )


def largest(deltas: Sequence[float | None]) -> tuple[float | None, int | None]:
    """Return the largest |delta| and the first frame that has it; None, None where no frame has a value."""
    known = [(abs(delta), frame) for frame, delta in enumerate(deltas) if delta is not None]
    return max(known, key=lambda item: (item[0], -item[1])) if known else (None, None)


def judge(metrics: Iterable[MetricDelta]) -> tuple[Verdict, str]:
    """Return the verdict on compared metrics, and the reason where it is neither parity nor a plain gap."""
    metrics = list(metrics)
    if not metrics:
        return "not-run", "no metric was compared"
    if any(metric.mismatches for metric in metrics):
        return "gap", ""
    coarse = [metric for metric in metrics if not metric.resolved]
    if coarse:
        metric = coarse[0]
        return "not-run", (
            f"{metric.name} was printed with {metric.decimals} decimals, too few to show agreement within "
            f"{metric.tolerance.value:g} ({metric.tolerance.source}): write the log with all digits "
            "(vmaf --precision max), or ask for a wider tolerance"
        )
    return "parity", ""
