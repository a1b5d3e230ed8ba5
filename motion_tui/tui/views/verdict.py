"""The verdict view: every metric, every stage, and where the worst of it is."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from motion_tui.core.spec import STAGE_UNITS
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
    if facts is not None:
        parts += _engines(facts)
    parts += _metrics(summary)
    parts += _stages(summary)
    if scan is not None:
        parts += _first_frames(scan)
    return Content.assemble((f"{summary.headline}: ", "bold"), f"{summary.detail}\n", *parts)


def _engines(facts: SessionFacts) -> list[Part]:
    config = facts.choice.config
    given = ", ".join(f"{name}={getattr(config.options, name)}" for name in config.options.given) or "defaults"
    rows = (
        ("clip", f"{facts.clip}, {facts.frames} frames, {geometry_words(facts)}"),
        ("feature", f"{config.options.feature}, edition libvmaf {config.edition}, options {given}"),
        ("oracle", f"on {facts.oracle_device}"),
        ("twin", f"{facts.twin} ({facts.arithmetic}) on {facts.twin_device}"),
        ("self-test", facts.health or "none"),
    )
    return [part for name, words in rows for part in ((f"  {name:10}", FAINT), f"{words}\n")] + ["\n"]


def _metrics(summary: Summary) -> list[Part]:
    parts: list[Part] = [
        ("Scores", HEAD),
        (f"\n  {'metric':40}{'max |Δ|':>10}{'frame':>7}{'differ':>7}  tolerance\n", FAINT),
    ]
    for delta in summary.metrics:
        at = "" if delta.frame is None else str(delta.frame)
        differ = sum(1 for value in delta.deltas if value)
        row = f"  {delta.name:40}{delta.max_abs:>10.3g}{at:>7}{differ:>7}  {delta.tolerance.source}"
        parts += [(row, "$text-error" if delta.mismatches else ""), (f"\n    {meaning(delta.name)}\n", FAINT)]
        if delta.printing:
            parts.append((f"    {delta.printing} of them could be mere printing ({delta.decimals} decimals)\n", FAINT))
    return parts if summary.metrics else [*parts, ("  none compared yet\n", FAINT)]


def _stages(summary: Summary) -> list[Part]:
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
            parts.append((f"    sum {total.sum_positive:+g} and {total.sum_negative:+g} {STAGE_UNITS[stage]}\n", FAINT))
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
