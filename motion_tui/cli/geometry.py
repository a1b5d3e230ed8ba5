"""`motion-tui geometry (CLIP | --size WxH --format F --bits B)`: where planes lie, and three ideas of chroma."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.clips.report import GeometryReport, geometry_report, layout_report
from motion_tui.core.errors import UsageError
from motion_tui.core.text import printable
from motion_tui.export.files import write_text
from motion_tui.export.json import dumps


def geometry(
    clip: Annotated[list[str] | None, Parameter(help="A clip, or the image files of one; none: see --size.")] = None,
    /,
    *,
    json: Annotated[Output, Parameter(help="FILE or -: the report as JSON.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
    flags: ClipFlags | None = None,
) -> int:
    """Show planes, byte offsets, the three chroma conventions and what is left over, of a clip or of a geometry."""
    outputs = require_outputs(force, inputs=clip or (), json=json)
    report = _report(clip or [], flags or ClipFlags())
    if json is not None:
        write_text(json, dumps(report.as_dict()), force)
    if not outputs:
        sys.stdout.write("\n".join(report_lines(report)) + "\n")
    return 0


def _report(clip: list[str], flags: ClipFlags) -> GeometryReport:
    if clip:
        with diagnostics.progress("open") as opening:
            opened = flags.open(clip, progress=opening)
        with opened:
            diagnostics.warn_of(opened)
            return geometry_report(opened)
    if not flags.size:
        raise UsageError("geometry: no clip and no --size: name a clip, or give --size WxH (and --format, --bits)")
    from motion_tui.clips.resolve import ASSUMED, build_layout, given_facts

    request = flags.request()
    request.refuse_others(
        "a geometry without a clip", "size", "format", "bits", "endian", "stride", "order", "align", "plane_padding",
        "chroma_rows",
    )  # fmt: skip
    if request.size is None or request.frames is not None:
        raise UsageError("geometry: --frames needs a clip: name one, or leave --frames out")
    layout, sources = build_layout([*given_facts(request), ASSUMED], request.size)
    return layout_report(layout, {"size": "--size", **sources})


def report_lines(report: GeometryReport) -> Iterator[str]:
    """Yield the report as lines of text."""
    geometry, layout = report.geometry, report.layout
    yield f"{printable(report.name)}: {geometry}" + (
        "" if report.frames is None else f", {report.frames} frames, {report.container}"
    )
    yield printable("from: " + ", ".join(f"{key} {source}" for key, source in report.sources.items()))
    stored = [f"{geometry.bytes_per_sample} byte{'s' if geometry.bytes_per_sample > 1 else ''} a sample"]
    if geometry.bytes_per_sample > 1:
        stored += [f"{layout.endian}-endian", f"{layout.align.upper()}-aligned"]
    if len(geometry.plane_names) > 1:
        stored += [layout.order.upper(), f"chroma siting: {report.siting}"]
    yield "stored: " + ", ".join(stored)
    yield ""
    yield f"{'plane':<6} {'size':>13} {'row bytes':>10} {'stride':>8} {'offset':>14} {'bytes':>14}"
    for name, offset, extent, row_bytes, stride, size in report.regions:
        yield f"{name:<6} {extent!s:>13} {row_bytes:>10} {stride:>8} {offset:>14} {size:>14}"
    yield f"{'frame':<6} {geometry.luma!s:>13} {'':>10} {'':>8} {'':>14} {report.frame_bytes:>14}"
    yield ""
    yield f"{'chroma as':<10} {'size':>13} {'staged bytes':>14} {'left out':>10} {'invented':>10}"
    for row in report.chroma:
        counts = f"{row.staged_bytes:>14} {row.left_out:>10} {row.invented:>10}"
        yield f"{row.rule:<10} {row.extent!s:>13} {counts}  {row.words}"
    if not report.chroma:
        yield "none: 4:0:0 has no chroma"
    if report.places:
        yield ""
        yield f"{'frame':<10} {'first byte':>16} {'end':>16}"
        for place in report.places:
            yield f"{place.frame:<10} {place.begin:>16} {place.end:>16}"
    if report.file_bytes is not None:
        what = "decoded planes" if report.container == "video" else "file"
        yield f"{what}: {report.file_bytes} bytes, {report.left_over} left over"
