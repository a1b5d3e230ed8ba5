"""The difference of two logs as text, JSON and Markdown."""

from __future__ import annotations

from motion_tui.core.text import printable
from motion_tui.export import markdown, text
from motion_tui.export.json import SCHEMA, dumps, metric_document
from motion_tui.parity.logdiff import LogDiff

HEADER = (*text.METRIC_HEADER, "max ULPs", "could be printing")


def _rows(diff: LogDiff) -> list[list[str]]:
    return [
        [*row, text.number(metric.ulps), str(metric.printing)]
        for row, metric in zip(text.metric_rows(diff.metrics), diff.metrics, strict=True)
    ]


def _headline(diff: LogDiff) -> str:
    smallest = diff.smallest_passing_tolerance
    tail = "" if smallest is None else f"; smallest passing tolerance {smallest!r}"
    paths = printable(f"{diff.b.path} - {diff.a.path}")
    return f"{len(diff.metrics)} metrics compared, {len(diff.not_compared)} not; {paths}{tail}"


def diff_text(diff: LogDiff) -> str:
    """Return an aligned table under the verdict."""
    head = f"{diff.verdict.upper()}  {_headline(diff)}\n"
    if not diff.metrics:
        return head
    return f"{head}  tolerance  {text.tolerances(diff.metrics)}\n\n{text.table(HEADER, _rows(diff))}"


def diff_markdown(diff: LogDiff) -> str:
    """Return a Markdown section."""
    parts = [f"## {diff.verdict}: two logs\n", markdown.escape(_headline(diff)) + "\n"]
    if diff.metrics:
        parts.append(f"- tolerance: {markdown.escape(text.tolerances(diff.metrics))}\n")
        parts.append(markdown.table(HEADER, _rows(diff)))
    if diff.not_compared:
        parts.append("\n".join(f"- {markdown.escape(reason)}" for reason in diff.not_compared.values()) + "\n")
    return "\n".join(parts)


def diff_json(diff: LogDiff) -> str:
    """Return everything as JSON."""
    logs = {
        side: {"path": log.path, "format": log.format, "version": log.version, "frames": log.frames}
        for side, log in (("a", diff.a), ("b", diff.b))
    }
    return dumps(
        {
            "schema": SCHEMA,
            "verdict": diff.verdict,
            **logs,
            "metrics": {
                metric.name: metric_document(metric) | {"tolerance_source": metric.tolerance.source}
                for metric in diff.metrics
            },
            "not_compared": diff.not_compared,
            "smallest_passing_tolerance": diff.smallest_passing_tolerance,
        }
    )
