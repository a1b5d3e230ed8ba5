"""Verdicts: whether two sets of scores agree, under which tolerance, and what would have to hold for a pass."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from motion_tui.core.errors import NothingCompared
from motion_tui.core.scores import Scores

Verdict = Literal["parity", "gap", "not-run", "error"]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far apart two scores may be (inclusive), and where that figure comes from; 0 is exact (`==`)."""

    value: float = 0.0
    source: str = "exact"


def places(number: int) -> Tolerance:
    """The field's gate: `|a - b| <= 0.5 * 10**-number`."""
    return Tolerance(0.5 * 10.0**-number, f"places={number}")


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


def compare_metric(name: str, oracle: Scores, twin: Scores, tolerance: Tolerance) -> MetricDelta:
    """Compare one metric frame by frame; NothingCompared where it is missing, NaN, or of another length."""
    if name not in twin.metrics:
        raise NothingCompared(f"{twin.engine} has no metric {name}: it has {', '.join(twin.metrics) or 'none'}")
    ours, theirs = oracle.metrics[name], twin.metrics[name]
    if len(ours) != len(theirs):
        raise NothingCompared(f"{name}: the oracle has {len(ours)} frames and {twin.engine} {len(theirs)}")
    deltas: list[float | None] = []
    for frame, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if a is None and b is None:
            deltas.append(None)
        elif a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
            raise NothingCompared(
                f"{name}: frame {frame} is {a} on the oracle and {b} on {twin.engine}: not comparable"
            )
        else:
            deltas.append(b - a)
    known = [(abs(delta), frame) for frame, delta in enumerate(deltas) if delta is not None]
    if not known:
        raise NothingCompared(f"{name}: no frame has a value")
    worst, at = max(known, key=lambda item: (item[0], -item[1]))
    outside = sum(1 for size, _ in known if not size <= tolerance.value)
    return MetricDelta(name, tuple(deltas), worst, at if worst else None, outside)
