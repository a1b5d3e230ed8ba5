"""Plain text for a terminal or a pipe: aligned tables, and the report of a comparison. No colours, no boxes."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from motion_tui.core.scores import Scores
from motion_tui.core.spec import stage_unit
from motion_tui.core.text import printable
from motion_tui.engines.recorded import LOG_DEVICE, PLANES_DEVICE
from motion_tui.parity.report import EngineFacts, ParityReport
from motion_tui.parity.verdict import MetricDelta


def number(value: float | int | None) -> str:
    """A figure that reads back to the same bits; empty where there is none."""
    return "" if value is None else repr(value)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align columns: the first to the left, figures to the right."""
    shown = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in shown) for i in range(len(header))]
    lines = []
    for row in shown:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def scores_text(scores: Scores) -> str:
    """One line a frame, one column a metric."""
    first = scores.options.pair_distance
    header = ["frame", *scores.metrics, ""]
    rows = [
        [
            str(i),
            *(number(values[i]) for values in scores.metrics.values()),
            "" if i >= first else "no pair" if i else "no previous frame",
        ]
        for i in range(len(scores))
    ]
    return table(header, rows)


def headline(reports: Sequence[ParityReport], verdict: str) -> str:
    """Return the worst verdict of several reports, and how many there are of each."""
    counts = Counter(report.verdict for report in reports)
    return f"{verdict}: {len(reports)} reports, " + ", ".join(f"{count} {each}" for each, count in counts.items())


def reports_text(reports: Sequence[ParityReport], verdict: str) -> str:
    """Return the reports, and of several the count below; what failed is in the count alone."""
    parts = [report_text(report) for report in reports if report.failure is None]
    if len(reports) > 1:
        parts.append(f"{headline(reports, verdict)}\n")
    return "\n".join(parts)


def report_text(report: ParityReport) -> str:
    """Return the whole report of one clip: verdict first."""
    return "\n".join(_report_lines(report)) + "\n"


def verdict_line(report: ParityReport) -> str:
    """Return the verdict in one line: what it is, of what, against what, how far."""
    return f"{report.verdict.upper()}  {report.clip.name}  {summary(report)}"


def summary(report: ParityReport) -> str:
    """Return what the verdict rests on, in one line."""
    if report.reason:
        return report.reason
    part = "" if report.frames_compared == report.clip.frames else f" of {report.clip.frames}"
    parts = [f"{report.oracle.name} and {report.twin.name}, {report.frames_compared}{part} frames"]
    smallest = report.smallest_passing_tolerance
    if smallest is not None:
        parts.append("scores equal to the bit" if smallest == 0 else f"scores differ by up to {smallest!r}")
    if report.residue:
        stage = report.first_difference
        parts.append("all compared stages equal" if stage is None else f"stages part at {stage}")
    if report.repeat and report.repeat.first:
        parts.append("not deterministic")
    return "; ".join(parts)


def metric_rows(metrics: Sequence[MetricDelta]) -> list[list[str]]:
    """Rows of name, largest |delta|, its frame, frames outside the tolerance, and the tolerance."""
    return [[m.name, number(m.max_abs), number(m.frame), str(m.mismatches), f"{m.tolerance.value:g}"] for m in metrics]


def tolerances(metrics: Sequence[MetricDelta]) -> str:
    """Return the tolerances that metrics were judged by, and where each comes from."""
    return "; ".join(f"{each.value:g} ({each.source})" for each in dict.fromkeys(m.tolerance for m in metrics))


METRIC_HEADER = ("metric", "max |delta|", "frame", "outside", "tolerance")
STAGE_HEADER = (
    "stage",
    "unit",
    "pixels",
    "nonzero",
    "max |r|",
    "sum +",
    "sum -",
    "worst (frame plane x y)",
    "edge share",
)


def stage_rows(report: ParityReport) -> list[list[str]]:
    """Rows of residue statistics, a stage each."""
    rows = []
    for stage, known in report.residue.items():
        worst = " ".join(map(str, known.worst)) if known.worst else ""
        share = (
            "" if known.edge_share is None else f"{known.edge_share:.3f} ({known.edge_share_if_uniform:.3f} if uniform)"
        )
        figures = [
            number(v) for v in (known.pixels, known.nonzero, known.max_abs, known.sum_positive, known.sum_negative)
        ]
        unit = stage_unit(stage, is_float=report.options.feature == "float_motion")
        rows.append([stage, unit, *figures, worst, share])
    return rows


def facts(report: ParityReport) -> list[tuple[str, str]]:
    """What was compared, as pairs of a word and its value."""
    clip, twin = report.clip, report.twin
    options = [f"{name}={value}" for name, value in report.options.as_dict().items() if name in report.options.given]
    rows = [("clip", f"{clip.name}: {clip.geometry}, {clip.frames} frames" if clip.geometry else clip.name)]
    rows.append(("feature", " ".join([report.options.feature, f"edition {report.edition}", *options])))
    rows += [
        (word, f"{engine.name}: {engine.arithmetic}; {_where(engine)}")
        for word, engine in (("oracle", report.oracle), ("twin", twin))
    ]
    if settings := changed(report.settings):
        rows.append(("run with", " ".join(f"{name}={value}" for name, value in settings.items())))
    if twin.health:
        rows.append(("self-test", twin.health))
    if report.metrics:
        rows.append(("tolerance", tolerances(report.metrics)))
    return rows


def _where(engine: EngineFacts) -> str:
    """Where an engine ran, in words."""
    recorded = {LOG_DEVICE: "a log", PLANES_DEVICE: "plane files"}.get(engine.device)
    return f"where it ran is not known: {recorded}" if recorded else f"on {engine.device or 'nothing'}"


def _report_lines(report: ParityReport) -> Iterator[str]:
    yield printable(verdict_line(report))
    yield from (printable(f"  {word:<10} {value}") for word, value in facts(report))
    if report.metrics:
        yield ""
        yield table(METRIC_HEADER, metric_rows(report.metrics)).rstrip("\n")
    if report.residue:
        yield ""
        yield table(STAGE_HEADER, stage_rows(report)).rstrip("\n")
    yield from (printable(f"note: {note}") for note in notes(report))
    if report.neighbourhood:
        yield ""
        yield report.neighbourhood.text()


def notes(report: ParityReport) -> list[str]:
    """Everything that the tables don't say."""
    lines = list(report.notes)
    if report.repeat:
        first = report.repeat.first
        if first is None:
            lines.append(f"{report.repeat.runs} runs gave the same sums and residues: {report.repeat.hashes[0]}")
        else:
            place = f"run {first.run}, frame {first.frame}"
            if first.stage:
                place += f", stage {first.stage}"
            if first.pixel:
                place += f", plane {first.pixel.plane}, x {first.pixel.x}, y {first.pixel.y}"
            frames = ", ".join(map(str, report.repeat.frames[:16]))
            lines.append(f"not deterministic: first at {place}; frames that changed: {frames}")
    if report.neighbourhood:
        lines.append(f"look again: {again(report)}")
    return lines


def again(report: ParityReport) -> str:
    """Return the command that writes what lies around the worst residue, with everything it depends on."""
    words = ["motion-tui", "export", report.clip.name, *report.clip.flags]
    words += ["--feature", report.options.feature, "--edition", report.edition]
    for name, option in report.options.as_dict().items():
        if name in report.options.given:
            words += ["--option", f"{name}={str(option).lower() if isinstance(option, bool) else option}"]
    kind, _, rest = report.twin.name.partition(":")
    if kind == "planes":
        words += ["--planes", rest]
    elif report.settings.kernel is None:
        words += ["--twin", report.twin.name]
    words += flag_words(report.settings)
    if report.neighbourhood:
        words += ["--frame", str(report.neighbourhood.pixel.frame), "--stage", report.neighbourhood.stage]
    return shlex.join([*words, "--out", "DIR"])


def changed(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that do not have their default, by name."""
    default = type(record)()
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {name: value for name, value in values.items() if value != getattr(default, name)}


def flag_words(record: Any) -> tuple[str, ...]:
    """Return a dataclass of flags as the words of a command line."""
    return tuple(
        word for name, value in changed(record).items() for word in (f"--{name.replace('_', '-')}", str(value))
    )
