"""The verdict view: every metric, every stage, and where the worst of it is."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from motion_tui.core.spec import stage_unit
from motion_tui.tui.frames import meaning
from motion_tui.tui.state import ScanSnapshot, SessionFacts
from motion_tui.tui.summary import Summary
from motion_tui.tui.views.lines import geometry_words

Part = tuple[str, str] | str
HEAD = "bold $primary"
FAINT = "$faint"


def verdict_text(summary: Summary, facts: SessionFacts | None, scan: ScanSnapshot | None) -> Content:
    """The whole comparison as text."""
    parts: list[Part] = ["\n"]
    parts += _metrics(summary)
    is_float = facts is not None and facts.choice.config.options.feature == "float_motion"
    parts += _stages(summary, is_float=is_float)
    if scan is not None:
        parts += _first_frames(scan)
    if facts is not None:
        parts += _engines(facts)
    return Content.assemble((summary.headline, "bold"), f"  {summary.detail}\n", *parts)


def _engines(facts: SessionFacts) -> list[Part]:
    config = facts.choice.config
    given = ", ".join(f"{name}={getattr(config.options, name)}" for name in config.options.given) or "defaults"
    rows = (
        ("clip", f"{facts.clip}, {facts.frames} frame{'' if facts.frames == 1 else 's'}"),
        ("geometry", geometry_words(facts)),
        ("feature", f"{config.options.feature}, edition libvmaf {config.edition}, options {given}"),
        ("oracle", f"on {facts.oracle_device}"),
        ("twin", facts.twin),
        ("computes", facts.arithmetic),
        ("on device", facts.twin_device if facts.has_twin else ""),
        ("self-test", facts.health or "none"),
    )
    heading: list[Part] = [("\nWhat was compared\n", HEAD)]
    return heading + [part for name, words in rows if words for part in ((f"  {name:11}", FAINT), f"{words}\n")]


def _metrics(summary: Summary) -> list[Part]:
    width = max((len(delta.name) for delta in summary.metrics), default=10) + 1
    parts: list[Part] = [
        ("Scores", HEAD),
        (f"\n  {'metric':{width}}{'max |Δ|':>10}{'at frame':>10}{'differ':>8}\n", FAINT),
    ]
    for delta in summary.metrics:
        at = "" if delta.frame is None else str(delta.frame)
        differ = sum(1 for value in delta.deltas if value)
        row = f"  {delta.name:{width}}{delta.max_abs:>10.3g}{at:>10}{differ:>8}\n"
        parts.append((row, "$text-error" if delta.mismatches else ""))
        notes = filter(None, (meaning(delta.name), f"compared: {delta.tolerance.source}"))
        parts += [(f"    {note}\n", FAINT) for note in notes]
        if delta.printing:
            parts.append((f"    {delta.printing} of them could be mere printing ({delta.decimals} decimals)\n", FAINT))
    return parts if summary.metrics else [*parts, ("  none compared yet\n", FAINT)]


def _stages(summary: Summary, *, is_float: bool) -> list[Part]:
    parts: list[Part] = [
        ("\nStage planes (residue = twin - oracle)", HEAD),
        (f"\n  {'stage':7}{'pixels':>13}{'differ':>12}{'share':>9}{'max |r|':>10}  worst pixel\n", FAINT),
    ]
    for stage, total in (summary.stages or {}).items():
        share = f"{100 * total.nonzero / total.pixels:.2f} %" if total.pixels else ""
        worst = total.worst
        place = f"frame {worst.frame} plane {'YUV'[worst.plane]} at {worst.x},{worst.y}" if worst else "-"
        row = f"  {stage:7}{total.pixels:>13}{total.nonzero:>12}{share:>9}{total.max_abs:>10g}  {place}\n"
        parts.append((row, "$text-error" if total.nonzero else ""))
        if total.nonzero and total.edge_share is not None and total.edge_share_if_uniform is not None:
            share_words = f"{100 * total.edge_share:.1f} % of it in the outer two rows and columns"
            parts.append((f"    {share_words}, {100 * total.edge_share_if_uniform:.1f} % if spread evenly\n", FAINT))
            unit = stage_unit(stage, is_float=is_float)
            parts.append((f"    sum {total.sum_positive:+g} and {total.sum_negative:+g} {unit}\n", FAINT))
    return parts if summary.stages else [*parts, ("  none compared yet\n", FAINT)]


def _first_frames(scan: ScanSnapshot) -> list[Part]:
    differing = [scan.differences[frame] for frame in sorted(scan.differences) if scan.differences[frame].first]
    if not differing:
        return []
    shown = ", ".join(f"{difference.frame} ({difference.first})" for difference in differing[:12])
    more = f", ... {len(differing)} in all" if len(differing) > 12 else ""
    return [("\nFrames whose planes differ (first stage)\n", HEAD), f"  {shown}{more}\n"]


class VerdictView(VerticalScroll):
    """Shows `verdict_text`."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="verdict-text")

    def show(self, summary: Summary, facts: SessionFacts | None, scan: ScanSnapshot | None) -> None:
        """Show what is known."""
        self.query_one("#verdict-text", Static).update(verdict_text(summary, facts, scan))
