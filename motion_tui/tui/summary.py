"""What the background scan amounts to, in a line: the first thing that a maintainer wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motion_tui.core.errors import NothingCompared
from motion_tui.core.spec import STAGES, Stage
from motion_tui.parity.residue import Statistics
from motion_tui.parity.verdict import MetricDelta, compare_metric, judge, places
from motion_tui.tui.state import FrameDifference, ScanSnapshot, SessionFacts

Kind = Literal["waiting", "scanning", "exact", "equal", "differs", "missing"]
FIELD_GATE = places(4)
"""The field's gate: a gap can pass it and still be one."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The state of the comparison in words and figures."""

    kind: Kind
    headline: str
    detail: str
    metrics: tuple[MetricDelta, ...] = ()
    stages: dict[Stage, Statistics] | None = None
    """Statistics of each stage over the frames compared so far."""
    first: FrameDifference | None = None
    """The first frame whose planes differ."""

    def tolerance(self, metric: str) -> float:
        """What a metric may differ by; 0 where it was not compared."""
        return next((delta.tolerance.value for delta in self.metrics if delta.name == metric), 0.0)

    @property
    def worst(self) -> tuple[Stage, Statistics] | None:
        """The last stage that differs, with its statistics: its worst pixel is what a score sees."""
        return last_differing(self.stages or {})


def last_differing(stages: dict[Stage, Statistics]) -> tuple[Stage, Statistics] | None:
    """The last of the stages, in their own order, that has a residue."""
    return next(((stage, total) for stage, total in reversed(stages.items()) if total.nonzero), None)


def summarise(facts: SessionFacts | None, scan: ScanSnapshot | None) -> Summary:
    """Return the summary of what is known; a pass is said only when every frame was compared."""
    if facts is None:
        return Summary("waiting", "OPENING", "reading the clip, starting the twin")
    if facts.trouble:
        return Summary("missing", "NO TWIN", facts.trouble)
    if "FAILED" in facts.health:
        return Summary("missing", "DEVICE FAILS", facts.health)
    if scan is None:
        return Summary("waiting", "WAITING", "nothing compared yet")
    metrics, lacking = _metrics(scan)
    stages, first = _stages(scan)
    unequal = [delta for delta in metrics if delta.max_abs]
    if unequal or first:
        found = (_first(first), _scores(unequal, bool(metrics)), _worst(stages), _progress(facts, scan))
        detail = " · ".join(filter(None, found))
        kind, headline, reason = _gap(facts, metrics, first)
        return Summary(kind, headline, reason or detail, metrics, stages, first)
    if scan.trouble:
        headline = "NOT COMPARED" if scan.unequal_lengths else "TWIN FAILED" if scan.twin else "NO TWIN"
        return Summary("missing", headline, scan.trouble, metrics, stages)
    if lacking:
        return Summary("missing", "NOT COMPARED", lacking, metrics, stages)
    pairs = facts.frames - min(facts.first_pair, facts.frames)
    if not scan.finished:
        return Summary("scanning", "SCANNING", f"equal so far; {_progress(facts, scan)}", metrics, stages)
    if not pairs or not (metrics or scan.differences):
        return Summary("missing", "NOTHING COMPARED", "no frame has a pair that both sides scored", metrics, stages)
    scored = f"scores of {_count(scan.scored, 'frame')}" if metrics else "no scores"
    planes = f"D, V, H of {_count(len(scan.differences), 'pair')}" if scan.differences else "no planes (scores alone)"
    detail = f"equal: {scored}, {planes}"
    if facts.cpu_itself:
        return Summary("equal", "EQUAL, CPU AGAINST CPU", f"{detail}; a twin on a device was not run", metrics, stages)
    if not scan.differences:
        return Summary("equal", "SCORES EQUAL", detail, metrics, stages)
    if len(scan.differences) < pairs:
        return Summary("equal", "EQUAL WHERE COMPARED", f"{detail} (of {pairs})", metrics, stages)
    return Summary("exact", "BIT-EXACT", detail, metrics, stages)


def _gap(facts: SessionFacts, metrics: tuple[MetricDelta, ...], first: FrameDifference | None) -> tuple[Kind, str, str]:
    """What a difference amounts to: integer planes and scores are compared exactly, float ones by their tolerance."""
    verdict, reason = judge(metrics) if metrics else ("gap", "")
    exact = facts.choice.config.options.feature != "float_motion"
    if verdict == "gap" or (exact and first is not None):
        return "differs", "NOT BIT-EXACT", ""
    if verdict == "parity":
        return "equal", "WITHIN TOLERANCE", ""
    return "missing", "NOT RESOLVED", reason


def _metrics(scan: ScanSnapshot) -> tuple[tuple[MetricDelta, ...], str]:
    """Compare the metrics over the frames that are final on both sides; the text says what one of them lacks."""
    if scan.oracle is None or scan.twin is None or not scan.scored:
        return (), ""
    found, lacking = [], ""
    for name in scan.oracle.metrics:
        try:
            found.append(compare_metric(name, scan.cut(scan.oracle), scan.cut(scan.twin)))
        except NothingCompared as error:
            lacking = lacking or str(error)
    return tuple(found), lacking


def _stages(scan: ScanSnapshot) -> tuple[dict[Stage, Statistics], FrameDifference | None]:
    """Add up the statistics of all compared frames, and find the first that differs."""
    totals: dict[Stage, Statistics] = {}
    first = None
    for frame in sorted(scan.differences):
        difference = scan.differences[frame]
        for stage, figures in difference.stages.items():
            totals[stage] = totals.get(stage, Statistics()) + figures
        if first is None and difference.first:
            first = difference
    return {stage: totals[stage] for stage in STAGES if stage in totals}, first


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _first(first: FrameDifference | None) -> str:
    """The first frame and stage that differ."""
    return "" if first is None else f"first at frame {first.frame}, stage {first.first}"


def _scores(unequal: list[MetricDelta], compared: bool) -> str:
    """The largest score delta and whether the field's gate would see it."""
    if not unequal:
        return "scores equal" if compared else ""
    worst = max(unequal, key=lambda delta: delta.max_abs)
    gate = "passes" if worst.max_abs <= FIELD_GATE.value else "fails"
    return f"Δ {worst.max_abs:.2g} {gate} {FIELD_GATE.source}"


def _worst(stages: dict[Stage, Statistics]) -> str:
    """The worst pixel of the last stage that differs: what the scores see."""
    found = last_differing(stages)
    if found is None or found[1].worst is None:
        return ""
    stage, total = found
    at = found[1].worst
    plane = " " + "YUV"[at.plane] if at.plane else ""
    return f"worst {stage} {total.max_abs:.7g} at f{at.frame}{plane} {at.x},{at.y}"


def _progress(facts: SessionFacts, scan: ScanSnapshot) -> str:
    """How far the scan is; empty when it is done."""
    if scan.finished:
        return f"twin stopped: {scan.trouble}" if scan.trouble else ""
    pairs = facts.frames - min(facts.first_pair, facts.frames)
    if scan.scored < scan.frames:
        return f"scored {scan.scored}/{scan.frames}"
    return f"planes {len(scan.differences)}/{pairs}"
