"""The chroma view: the three conventions to scale, where every plane lies, and what the twin at hand stages."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from motion_tui.clips.report import GeometryReport
from motion_tui.core.colour import ColourSystem
from motion_tui.core.errors import MotionError
from motion_tui.core.spec import UNITS_PER_CODE
from motion_tui.engines.twins.extents import staged_extent
from motion_tui.tui.state import ScanSnapshot, SessionFacts
from motion_tui.tui.views.extents import Extents

Part = tuple[str, str] | str
HEAD = "bold $primary"
FAINT = "$faint"


def geometry_text(facts: SessionFacts, scan: ScanSnapshot | None, frame: int) -> Content:
    """What the twin at hand stages and what that does, the conventions, and planes with bytes and offsets."""
    report = facts.report
    parts: list[Part] = [("4:0:0 has no chroma: the conventions have nothing to disagree about.\n", FAINT)]
    if report.chroma:
        parts = _staging(facts) + _effect(facts, scan, frame) + _conventions(report)
    return Content.assemble(*parts, "\n", *_planes(report))


def _planes(report: GeometryReport) -> list[Part]:
    layout = report.layout
    stored = f"{report.container}, {report.geometry}, {report.frames} frames"
    if report.geometry.bytes_per_sample > 1:
        stored += f", {layout.endian}-endian, {layout.align.upper()}-aligned"
    if report.chroma:
        stored += f", {layout.order.upper()}, chroma siting: {report.siting}"
    parts: list[Part] = [(report.name, "bold"), f"\n{stored}\n"]
    origins = ", ".join(f"{fact} from {source}" for fact, source in report.sources.items())
    parts.append((f"{origins}\n", FAINT))
    parts.append((f"\n{'plane':7}{'size':>12}{'row':>8}{'stride':>8}{'offset':>13}{'bytes':>13}\n", FAINT))
    for name, offset, extent, row_bytes, stride, size in report.regions:
        parts.append(f"{name:7}{extent!s:>12}{row_bytes:>8}{stride:>8}{offset:>13}{size:>13}\n")
    parts.append(f"{'frame':7}{'':>41}{report.frame_bytes:>13}\n")
    for place in report.places:
        parts.append((f"frame {place.frame} is bytes {place.begin} to {place.end} of the file\n", FAINT))
    if report.file_bytes is not None:
        style = "$text-warning" if report.left_over else FAINT
        parts.append((f"file: {report.file_bytes} bytes, {report.left_over} left over\n", style))
    return parts


def _conventions(report: GeometryReport) -> list[Part]:
    true = report.chroma[0].extent
    parts: list[Part] = [("\nChroma under the three conventions\n", HEAD)]
    for row in report.chroma:
        parts.append(f"  {row.rule:9}{row.extent!s:>11}  ")
        if row.left_out or row.invented:
            words = [f"leaves out {row.left_out} of {true.area} samples ({100 * row.left_out / true.area:.1f} %)"]
            words += [f"invents {row.invented}"] if row.invented else []
            parts.append((", ".join(words), "$text-error"))
        else:
            parts.append(("complete", "$text-success"))
        parts.append((f"  {row.words}\n", FAINT))
    return parts


def _staging(facts: SessionFacts) -> list[Part]:
    config = facts.choice.config
    parts: list[Part] = [("Staged by the twin at hand", HEAD), f"  --chroma-extent {config.twin.chroma_extent}\n"]
    try:
        staged = staged_extent(facts.geometry, 1, config.chroma_rule, config.twin)
    except MotionError as error:
        return [*parts, (f"  {error}\n", "$text-warning")]
    lost = 1 - staged.copied.area / staged.true.area
    parts.append((f"  {staged.copied} of {staged.true}: ", "$text-error" if lost else ""))
    reached = f"{100 * lost:.1f} % never reaches the device\n" if lost else "all of it reaches the device\n"
    parts.append((reached, "$text-error" if lost else "$text-success"))
    wrong = staged.area != staged.true.area
    parts.append((f"  each chroma SAD is divided by {UNITS_PER_CODE} x {staged.area}", "$text-error" if wrong else ""))
    parts.append(f" (right: {staged.true.area})\n" if wrong else "\n")
    return parts


def _effect(facts: SessionFacts, scan: ScanSnapshot | None, frame: int) -> list[Part]:
    if not facts.choice.config.options.motion_add_uv:
        return [("  chroma does not enter the score: motion_add_uv is off (t chooses options)\n", FAINT)]
    if scan is None or scan.oracle is None or scan.twin is None or frame >= scan.scored:
        return []
    name = next(iter(scan.oracle.metrics))
    oracle, twin = scan.oracle.metrics[name][frame], scan.twin.metrics.get(name, (None,) * (frame + 1))[frame]
    if oracle is None or twin is None:
        return []
    style = "$text-error" if twin != oracle else "$text-success"
    return [f"  frame {frame}: {name} oracle {oracle:.9g}, twin {twin:.9g}, ", (f"Δ {twin - oracle:+.3g}\n", style)]


class ChromaView(VerticalScroll):
    """Drawing above, figures below."""

    DEFAULT_CSS = "ChromaView > Extents { height: 40%; min-height: 12; margin-bottom: 1; }"

    def compose(self) -> ComposeResult:
        """Extents and text."""
        yield Extents(id="extents")
        yield Static(id="geometry-text")

    def show(self, facts: SessionFacts | None, scan: ScanSnapshot | None, frame: int, system: ColourSystem) -> None:
        """Show the clip's geometry."""
        drawing = self.query_one(Extents)
        drawing.display = facts is not None and bool(facts.report.chroma)
        chosen = facts.choice.config.twin.chroma_extent if facts else None
        drawing.show(facts.geometry if facts else None, chosen=chosen, colour_system=system)
        self.query_one("#geometry-text", Static).update(geometry_text(facts, scan, frame) if facts else "")
