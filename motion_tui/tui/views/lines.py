"""The one-line parts of the main screen: the clip, the verdict, and the status of what runs."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from motion_tui.tui.state import SessionFacts, ViewState
from motion_tui.tui.summary import Kind, Summary

_BADGES: dict[Kind, str] = {
    "waiting": "$text-muted on $panel",
    "scanning": "bold $text on $secondary",
    "exact": "bold $background on $success",
    "equal": "bold $background on $primary",
    "differs": "bold $background on $error",
    "missing": "bold $background on $warning",
}


def geometry_words(facts: SessionFacts) -> str:
    """The geometry and where it came from, each source once."""
    origins = ", ".join(dict.fromkeys(facts.report.sources.values()))
    return f"{facts.geometry}" + (f" (from {origins})" if origins else "")


def title_line(facts: SessionFacts | None, loading: str) -> Content:
    """Program, clip, geometry with its source, and the number of warnings."""
    parts: list[tuple[str, str] | str] = [(" motion-tui ", "bold $background on $primary"), " "]
    if facts is None:
        parts.append((loading or "no clip: press o to open one", "$text-muted"))
        return Content.assemble(*parts)
    if facts.warnings:
        count = len(facts.warnings)
        parts.append((f" {count} warning{'s' if count > 1 else ''}: M ", "bold $background on $warning"))
        parts.append(" ")
    parts += [(facts.clip, "bold"), ("  " + geometry_words(facts), "$text-muted")]
    if loading:
        parts.append(("  " + loading, "$accent"))
    return Content.assemble(*parts)


def verdict_line(summary: Summary) -> Content:
    """The verdict as a badge, and what it rests on."""
    return Content.assemble((f" {summary.headline} ", _BADGES[summary.kind]), " ", summary.detail)


def status_line(facts: SessionFacts | None, state: ViewState, colours: str, busy: str) -> Content:
    """Frame, stage, plane; twin and the device that really ran with its self-test; colours."""
    if facts is None:
        return Content.assemble((" " + colours, "$text-muted"))
    plane = facts.geometry.plane_names[state.plane]
    parts: list[tuple[str, str] | str] = [
        " frame ",
        (f"{state.frame}/{facts.frames - 1}", "bold"),
        "  stage ",
        (state.stage, "bold"),
        "  plane ",
        (plane, "bold"),
    ]
    if state.playing:
        parts.append(("  playing", "$accent"))
    if busy:
        parts.append((f"  {busy}", "$accent"))
    parts += ["  │  ", (facts.twin, "bold")]
    if facts.has_twin:
        parts.append(f" on {facts.twin_device}")
    if facts.health:
        parts.append((f", self-test {facts.health}", "$text-muted"))
    options = facts.choice.config.options
    parts.append((f"  │  {options.feature}, libvmaf {facts.choice.config.edition}", "$text-muted"))
    if options.given:
        parts.append((" " + " ".join(f"{name}={getattr(options, name)}" for name in options.given), "$text-muted"))
    parts.append((f"  │  {colours}", "$text-muted"))
    return Content.assemble(*parts)


class Line(Static):
    """One line of text that is cut at the right, never wrapped."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Line { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }"
