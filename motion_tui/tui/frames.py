"""The rows of the frame table and the curve: one metric of both sides, and what the planes' comparison found."""

from __future__ import annotations

from collections.abc import Sequence

from motion_tui.tui.state import ScanSnapshot
from motion_tui.tui.views.table import Column

MEANINGS = (
    ("motion_sad_score", "sum of |H| over 256 and the area, weighted and capped"),
    ("motion_v2_sad_score", "sum of |H| over 256 and the area, weighted and capped"),
    ("motion2", "smaller of this frame's score and the next one's"),
    ("motion3", "motion2 blended, capped, on request averaged"),
    ("motion", "the pair's own score"),
)


def meaning(metric: str) -> str:
    """One line on what a metric is, whatever its suffix."""
    return next((words for part, words in MEANINGS if part in metric), "")


def short_name(metric: str) -> str:
    """A metric's name without the parts that all have in common."""
    return metric.removeprefix("VMAF_").removeprefix("integer_").removeprefix("feature_")


def table_columns(metric: str, tolerance: float) -> tuple[Column, ...]:
    """Both scores of a metric, their delta (marked outside of `tolerance`), and how many pixels differ at last."""
    unit = short_name(metric)
    unit = unit if len(unit) <= 9 else unit[:8] + "…"
    return (
        Column("oracle", "oracle", unit, width=9),
        Column("twin", "twin", unit, width=9),
        Column("delta", "Δ", "difference", kind="delta", width=10, tolerance=tolerance),
        Column("pixels", "pixels", "differing", width=9, format=".0f"),
    )


def table_values(scan: ScanSnapshot, metric: str) -> dict[str, Sequence[float | None]]:
    """Values of the columns over the frames known so far."""
    oracle = scan.oracle.metrics.get(metric, ())[: scan.oracle_scored] if scan.oracle else ()
    twin = scan.twin.metrics.get(metric, ())[: scan.twin_scored] if scan.twin else ()
    delta = [None if a is None or b is None else b - a for a, b in zip(oracle, twin, strict=False)]
    last = scan.frames - 1 if scan.finished else max(scan.differences, default=-1)
    pixels: list[float | None] = [None] * (last + 1)
    for frame, difference in scan.differences.items():
        found = [total.nonzero for total in difference.stages.values()]
        pixels[frame] = float(found[-1]) if found else None
    return {"oracle": oracle, "twin": twin, "delta": delta, "pixels": pixels}
