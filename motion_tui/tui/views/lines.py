"""The one-line parts of the main screen: the clip, the verdict, and the status of what runs."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from motion_tui.tui.state import SessionFacts, ViewState
from motion_tui.tui.summary import Kind, Summary

_BADGES: dict[Kind, str] = {
    "waiting": "$faint on $panel",
    "scanning": "bold $text on $secondary",
    "exact": "bold $background on $success",
    "equal": "bold $background on $primary",
    "differs": "bold $background on $error",
    "missing": "bold $background on $warning",
}
NAME_WIDTH = 32
"""Columns that a clip's name may take."""


def geometry_words(facts: SessionFacts) -> str:
    """The geometry and where it came from, each source once."""
    origins = ", ".join(dict.fromkeys(facts.report.sources.values()))
    return f"{facts.geometry}" + (f" from {origins}" if origins else "")


def clip_name(clip: str) -> str:
    """The clip's own name, without folders, its middle left out where it is long."""
    name = clip.rpartition("/")[2]
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH // 2]}…{name[1 - NAME_WIDTH // 2 :]}"


def title_line(facts: SessionFacts | None, loading: str) -> Content:
    """Program, clip, geometry with its source, and the number of warnings."""
    parts: list[tuple[str, str] | str] = [(" motion-tui ", "bold $background on $primary"), " "]
    if facts is None:
        parts.append((loading or "no clip: press o to open one", "$faint"))
        return Content.assemble(*parts)
    if facts.warnings:
        count = len(facts.warnings)
        parts.append((f" {count} warning{'s' if count > 1 else ''}: M ", "bold $background on $warning"))
        parts.append(" ")
    if loading:
        parts.append((loading + "  ", "$accent"))
    parts += [(clip_name(facts.clip), "bold"), "  " + geometry_words(facts)]
    return Content.assemble(*parts)


def verdict_line(summary: Summary) -> Content:
    """The verdict as a badge, and what it rests on."""
    return Content.assemble((f" {summary.headline} ", _BADGES[summary.kind]), " ", summary.detail)


def status_line(facts: SessionFacts | None, state: ViewState, look: str, busy: str) -> Content:
    """Frame, plane, stage; twin and the device that really ran with its self-test; the arithmetic; colours."""
    if facts is None:
        return Content.styled(f" {look}", "$faint")
    plane = facts.geometry.plane_names[state.plane]
    where = f" {state.frame}/{facts.frames - 1} {plane} {state.stage} "
    parts: list[tuple[str, str] | str] = [(where, "bold"), ("│ ", "$faint")]
    if state.playing:
        parts.append(("playing ", "$accent"))
    if busy:
        parts.append((f"{busy} ", "$accent"))
    parts.append((facts.twin, "bold"))
    if facts.has_twin:
        parts.append(f" on {without_driver(facts.twin_device)}")
    if facts.health:
        parts.append((f", {facts.health}", "$text-error" if "FAILED" in facts.health else "$text-success"))
    options = facts.choice.config.options
    given = " ".join(f"{name}={getattr(options, name)}" for name in options.given)
    parts.append((f" │ {options.feature}, libvmaf {facts.choice.config.edition} {given}".rstrip(), "$faint"))
    layout = "" if state.layout == "auto" else f" │ layout {state.layout}"
    parts.append((f" │ {look}{layout}", "$faint"))
    return Content.assemble(*parts)


def without_driver(device: str) -> str:
    """A device's name and selector without its driver, which the verdict view has."""
    name, driver, _ = device.partition(", driver ")
    return f"{name}]" if driver else device


class Line(Static):
    """One line of text that is cut at the right, never wrapped."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Line { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }"

    def write(self, text: Content) -> None:
        """Show a text; its size does not depend on it, so that nothing else is laid out or painted anew."""
        self.update(text, layout=False)
