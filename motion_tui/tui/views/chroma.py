"""The chroma view: the three conventions to scale, and where every plane lies in a frame."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from motion_tui.core.colour import ColourSystem
from motion_tui.core.geometry import CHROMA_RULES, ChromaRule, Geometry
from motion_tui.core.spec import UNITS_PER_CODE
from motion_tui.parity.session import Session
from motion_tui.tui.state import SessionFacts
from motion_tui.tui.views.extents import Extents
from motion_tui.tui.views.lines import geometry_words

Part = tuple[str, str] | str
HEAD = "bold $primary"
FAINT = "$text-muted"
RULE_WORDS: dict[ChromaRule, str] = {
    "plane": "a file, and a right staging buffer",
    "picture": "libvmaf's own picture",
    "as-420": "motion_sycl before its fix",
}


def geometry_text(facts: SessionFacts) -> Content:
    """Bytes and offsets of the planes, the conventions, and what the twin at hand stages."""
    geometry = facts.geometry
    parts: list[Part] = [(f"{facts.clip}\n", "bold"), f"{geometry_words(facts)}, {facts.frames} frames\n\n"]
    for name, source in facts.sources.items():
        parts += [(f"  {name:10}", FAINT), f"from {source}\n"]
    parts.append((f"\n{'plane':8}{'size':>14}{'bytes':>14}{'offset':>14}\n", FAINT))
    offset = 0
    for name, extent, size in zip(geometry.plane_names, geometry.extents, geometry.plane_bytes, strict=True):
        parts.append(f"{name:8}{extent!s:>14}{size:>14}{offset:>14}\n")
        offset += size
    parts.append(f"{'frame':8}{'':>14}{geometry.frame_bytes:>14}{'':>14} tightly packed\n")
    if len(geometry.plane_names) > 1:
        parts += _conventions(geometry)
        parts += _staging(facts)
    return Content.assemble(*parts)


def _conventions(geometry: Geometry) -> list[Part]:
    true = geometry.extent(1)
    parts: list[Part] = [("\nChroma under the three conventions\n", HEAD)]
    for rule in CHROMA_RULES:
        extent = geometry.extent(1, rule)
        inside = min(extent.width, true.width) * min(extent.height, true.height)
        missing = true.area - inside
        words = f"leaves out {missing} of {true.area} samples ({100 * missing / true.area:.1f} %)"
        parts.append(f"  {rule:9}{extent!s:>12}  ")
        parts.append((f"{RULE_WORDS[rule]}: ", FAINT))
        parts.append((words if missing else "complete", "$text-error" if missing else "$text-success"))
        parts.append("\n")
    return parts


def _staging(facts: SessionFacts) -> list[Part]:
    config = facts.choice.config
    rule = config.twin.chroma_extent
    extent, true = facts.geometry.extent(1, rule), facts.geometry.extent(1)
    staged = min(extent.width, true.width) * min(extent.height, true.height)
    reads = "is read" if config.options.motion_add_uv else "is not read without motion_add_uv"
    return [
        ("\nStaged by the twin at hand\n", HEAD),
        f"  --chroma-extent {rule}: {extent} of {true}; ",
        f"{100 - 100 * staged / true.area:.1f} % never reaches the device\n",
        f"  each chroma SAD is divided by {UNITS_PER_CODE} x {extent.area} ({extent}); right is {true.area}\n",
        (f"  chroma {reads}\n", FAINT),
    ]


class ChromaView(VerticalScroll):
    """Drawing above, figures below."""

    DEFAULT_CSS = "ChromaView > Extents { height: 12; margin-bottom: 1; }"

    def compose(self) -> ComposeResult:
        """Extents and text."""
        yield Extents(id="extents")
        yield Static(id="geometry-text")

    def show(self, facts: SessionFacts | None, session: Session | None, system: ColourSystem) -> None:
        """Show the clip's geometry."""
        drawing = self.query_one(Extents)
        drawing.display = facts is not None and len(facts.geometry.plane_names) > 1
        drawing.show(facts.geometry if facts else None, colour_system=system)
        self.query_one("#geometry-text", Static).update(geometry_text(facts) if facts else "")
