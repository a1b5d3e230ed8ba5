"""Two score logs, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from motion_tui.core.errors import NothingCompared
from motion_tui.core.options import Options
from motion_tui.core.scores import Scores
from motion_tui.core.spec import CURRENT_EDITION
from motion_tui.engines.logs import ScoreLog, read_log
from motion_tui.parity.verdict import EXACT, MetricDelta, Tolerance, Verdict, compare_metric, print_tolerance


@dataclass(frozen=True, slots=True)
class LogDiff:
    """How two logs differ; deltas are `b - a`."""

    a: ScoreLog
    b: ScoreLog
    verdict: Verdict
    metrics: tuple[MetricDelta, ...]
    not_compared: dict[str, str]
    """Metrics that could not be compared, each with the reason."""

    @property
    def smallest_passing_tolerance(self) -> float | None:
        """The smallest tolerance that every compared metric passes; None where none was compared."""
        return max((metric.max_abs for metric in self.metrics), default=None)


def diff_logs(a: Path, b: Path, tolerance: Tolerance | None = None, metrics: Sequence[str] = ()) -> LogDiff:
    """Compare two logs in every metric of either, or in `metrics`.

    Without a tolerance figures have to be equal as printed; where one log has more digits than the other, half a
    unit of the coarser one's last place is allowed.
    """
    left, right = read_log(a), read_log(b)
    names = dict.fromkeys(metrics or (*left.metrics, *right.metrics))
    compared: list[MetricDelta] = []
    failed: dict[str, str] = {}
    for name in names:
        without = [log.path for log in (left, right) if name not in log.metrics]
        if without and not metrics:
            failed[name] = f"{without[0]} has no metric {name}"
            continue
        try:
            allowed = tolerance or _default(name, left, right)
            compared.append(compare_metric(name, _scores(left), _scores(right), allowed))
        except NothingCompared as reason:
            failed[name] = str(reason)
    verdict: Verdict = "gap" if any(metric.mismatches for metric in compared) else "parity"
    if failed or not compared:
        verdict = "not-run"
    return LogDiff(left, right, verdict, tuple(compared), failed)


def _default(name: str, a: ScoreLog, b: ScoreLog) -> Tolerance:
    """Equal as printed, but for what only the coarser of two unlike logs hides."""
    one, other = a.decimals.get(name), b.decimals.get(name)
    if one == other:
        return EXACT
    return print_tolerance(min(decimals for decimals in (one, other) if decimals is not None))


def _scores(log: ScoreLog) -> Scores:
    return Scores("motion", CURRENT_EDITION, log.path, "", Options(), log.metrics, log.decimals)
