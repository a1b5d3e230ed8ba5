"""JSON: scores in the layout of a `vmaf` log, and reports; doubles read back to the same bits, NaN is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from motion_tui.core.scores import Scores
from motion_tui.export.text import changed
from motion_tui.export.versions import program_version, versions
from motion_tui.parity.report import ClipFacts, ParityReport
from motion_tui.parity.residue import Statistics
from motion_tui.parity.verdict import MetricDelta

SCHEMA = 1


def dumps(document: Any) -> str:
    """Return a document as JSON text, one line end at its end; NaN is refused."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def finite(value: float | None) -> float | None:
    """Return a value as JSON can hold it: NaN and infinity have no form there, and become null."""
    return value if value is not None and math.isfinite(value) else None


def pooled(values: Sequence[float | None]) -> dict[str, float]:
    """Pool a metric as libvmaf does; its harmonic mean is of `value + 1`, less 1."""
    known = [value for value in map(finite, values) if value is not None]
    if not known:
        return {}
    return {
        "min": min(known),
        "max": max(known),
        "mean": sum(known) / len(known),
        "harmonic_mean": len(known) / sum(1 / (value + 1) for value in known) - 1,
    }


def scores_document(scores: Scores, clip: ClipFacts) -> dict[str, Any]:
    """Return scores in the layout of a `vmaf --json` log, and what they were computed by and of."""
    return {
        "version": f"motion-tui {program_version()}",
        "engine": scores.engine,
        "device": scores.device,
        "feature": scores.feature,
        "edition": scores.edition,
        "options": scores.options.as_dict(),
        "clip": clip_document(clip),
        "versions": versions(),
        "frames": [
            {"frameNum": i, "metrics": {name: finite(values[i]) for name, values in scores.metrics.items()}}
            for i in range(len(scores))
        ],
        "pooled_metrics": {name: pooled(values) for name, values in scores.metrics.items()},
        "aggregate_metrics": {},
    }


def clip_document(clip: ClipFacts) -> dict[str, Any]:
    """Return what is known of a clip, and where each fact came from."""
    document: dict[str, Any] = {"name": clip.name}
    if clip.geometry:
        document |= {
            "width": clip.geometry.width,
            "height": clip.geometry.height,
            "pixel_format": clip.geometry.pixel_format,
            "bit_depth": clip.geometry.bit_depth,
            "frames": clip.frames,
        }
    return document | {"sources": dict(clip.sources), "warnings": list(clip.warnings)}


def metric_document(metric: MetricDelta) -> dict[str, Any]:
    """Return how one metric differs."""
    return {
        "max_abs": metric.max_abs,
        "frame": metric.frame,
        "mismatches": metric.mismatches,
        "tolerance": metric.tolerance.value,
        "decimals": metric.decimals,
        "could_be_printing": metric.printing,
        "max_ulps": metric.ulps,
    }


def statistics_document(known: Statistics) -> dict[str, Any]:
    """Return the statistics of one stage's residue."""
    return {
        "pixels": known.pixels,
        "nonzero": known.nonzero,
        "max_abs": known.max_abs,
        "sum_positive": known.sum_positive,
        "sum_negative": known.sum_negative,
        "worst": known.worst._asdict() if known.worst else None,
        "bounding_box": known.bounding_box._asdict() if known.bounding_box else None,
        "edge_share": known.edge_share,
        "edge_share_if_uniform": known.edge_share_if_uniform,
    }


def report_document(report: ParityReport) -> dict[str, Any]:
    """Return one clip's report."""
    repeat = report.repeat
    return {
        "schema": SCHEMA,
        "verdict": report.verdict,
        "reason": report.reason or None,
        "clip": clip_document(report.clip),
        "feature": report.options.feature,
        "edition": report.edition,
        "options": report.options.as_dict(),
        "oracle": report.oracle.name,
        "twin": report.twin.name,
        "arithmetic": {"oracle": report.oracle.arithmetic, "twin": report.twin.arithmetic},
        "device_used": report.twin.device or None,
        "oracle_device": report.oracle.device or None,
        "settings": {name: str(value) for name, value in changed(report.settings).items()},
        "health": report.twin.health or None,
        "versions": versions(),
        "tolerance": {"value": report.tolerance.value, "source": report.tolerance.source},
        "frames_compared": report.frames_compared,
        "metrics": {metric.name: metric_document(metric) for metric in report.metrics},
        "residue": {stage: statistics_document(known) for stage, known in report.residue.items()},
        "first_difference": report.first_difference,
        "smallest_passing_tolerance": report.smallest_passing_tolerance,
        "repeat": repeat
        and {
            "runs": repeat.runs,
            "hashes": list(repeat.hashes),
            "frames": list(repeat.frames),
            "first": repeat.first
            and {
                "run": repeat.first.run,
                "frame": repeat.first.frame,
                "stage": repeat.first.stage,
                "pixel": repeat.first.pixel and repeat.first.pixel._asdict(),
            },
        },
        "notes": list(report.notes),
    }


def reports_text(reports: Sequence[ParityReport], verdict: str) -> str:
    """Return one report as it is, several as a list under the worst verdict."""
    documents = [report_document(report) for report in reports]
    if len(documents) == 1:
        return dumps(documents[0])
    return dumps({"schema": SCHEMA, "verdict": verdict, "reports": documents})
