"""Markdown for a pull request's comment: the verdict, two tables, the notes, and the map of the worst place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from motion_tui.core.text import printable
from motion_tui.export.text import METRIC_HEADER, STAGE_HEADER, facts, headline, metric_rows, notes, stage_rows, summary
from motion_tui.parity.report import ParityReport

_MARKS = re.compile(r"[\\|<`*]|(?<=\])\(")


def escape(text: str) -> str:
    """Keep text inside its cell and its line, and as it is: no link, tag, emphasis or code of its own."""
    return _MARKS.sub(r"\\\g<0>", printable(text))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(escape(cell) for cell in line) + " |" for line in lines) + "\n"


def reports_text(reports: Sequence[ParityReport], verdict: str) -> str:
    """Return one section a clip, under the worst verdict where there are several."""
    head = f"# {headline(reports, verdict)}\n\n" if len(reports) > 1 else ""
    return head + "\n".join(_section(report) for report in reports)


def _section(report: ParityReport) -> str:
    parts = [f"## {report.verdict}: {escape(report.clip.name)}\n", escape(summary(report)) + "\n"]
    parts.append("\n".join(f"- {word}: {escape(value)}" for word, value in facts(report)) + "\n")
    if report.metrics:
        parts.append(table(METRIC_HEADER, metric_rows(report.metrics)))
    if report.residue:
        parts.append(table(STAGE_HEADER, stage_rows(report)))
    if lines := notes(report):
        parts.append("\n".join(f"- {escape(line)}" for line in lines) + "\n")
    if report.neighbourhood:
        parts.append(f"```text\n{report.neighbourhood.text()}\n```\n")
    return "\n".join(parts)
