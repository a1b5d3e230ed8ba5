"""`motion-tui bench`: what the kernels cost at a size, twin beside twin, CPU and the field's published table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.cli.whole import Whole

if TYPE_CHECKING:
    from motion_tui.parity.bench import BenchReport, Spread


def bench(
    *,
    size: Annotated[str, Parameter(help="WxH of the plane.")] = "3840x2160",
    bits: Annotated[tuple[Whole, ...], Parameter(negative="", help="Bits a sample; repeatable.")] = (8, 10),
    runs: Annotated[Whole, Parameter(help="Runs of each twin.")] = 20,
    twin: Annotated[tuple[str, ...], Parameter(negative="", help="A twin to time; repeatable. None: all.")] = (),
    kernel: Annotated[Path | None, Parameter(help="Your own twin: FILE.py, FILE.spv or FILE.cl.")] = None,
    device: Annotated[str | None, Parameter(help="SYCL filter string, as `motion-tui devices` lists it.")] = None,
    steps: Annotated[bool, Parameter(negative="", help="List every kernel (the JSON always does).")] = False,
    json: Annotated[Output, Parameter(help="FILE or -: the report as JSON.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
) -> int:
    """Time the kernels of each twin by profiling events; exit code 4 where there is no device.

    "stream" leaves out what a stream has kept from the pair before, as the field's published figures do; "pair" is
    all kernels. Both are of one plane.
    """
    from motion_tui.clips.request import parse_size
    from motion_tui.core.errors import UsageError
    from motion_tui.export.files import write_text
    from motion_tui.export.json import dumps
    from motion_tui.parity.bench import PUBLISHED, run_bench

    outputs = require_outputs(force, json=json)
    wrong = [depth for depth in bits if not 8 <= depth <= 16]
    if wrong or not bits:
        raise UsageError(f"--bits {' '.join(map(str, bits))}: 8 to 16")
    with diagnostics.progress("bench") as progress:
        report = run_bench(parse_size(size), tuple(dict.fromkeys(bits)), runs, device, twin, kernel, progress)
    if outputs:
        published = [{"device": name, "size": "3840x2160", "ms": row} for name, row in PUBLISHED]
        write_text(outputs["json"], dumps({"schema": 1, **asdict(report), "published": published}), force)
    else:
        sys.stdout.write("\n".join(report_lines(report, steps)) + "\n")
    return 0


def report_lines(report: BenchReport, steps: bool = False) -> Iterator[str]:
    """Yield the report as text: the twins, their kernels, the CPU, the ratios, the published table."""
    from motion_tui.parity.bench import PUBLISHED

    yield f"{report.size}, {report.runs} runs, {report.device_used}; kernel milliseconds: median (low to high)"
    yield ""
    yield f"{'twin':<12} {'bits':>4} {'path':<7} {'stream':<26} {'pair':<26} {'copy':<26}"
    for cost in report.twins:
        columns = f"{_ms(cost.stream_ms):<26} {_ms(cost.pair_ms):<26} {_ms(cost.copy_ms):<26}"
        yield f"{cost.twin:<12} {cost.bits:>4} {cost.path:<7} {columns}".rstrip()
    yield ""
    if steps:
        for cost in report.twins:
            for step in cost.steps:
                kept = " (kept by a stream)" if step.kept else ""
                yield f"{cost.twin:<12} {cost.bits:>4} {cost.path:<7} {_ms(step.ms):<26} {step.kernel}{kept}"
        yield ""
    for row in report.cpu:
        yield f"CPU {row.engine:<8} {row.bits:>4} {'':<7} {_ms(row.ms)}"
    yield ""
    for ratio in report.ratios:
        yield f"{ratio.value:8.2f} x  {ratio.slower} / {ratio.faster}"
    yield ""
    for device, times in PUBLISHED:
        figures = ", ".join(f"{name} {value:g}" for name, value in times.items())
        yield f"published at 3840x2160, {device}: {figures} ms; blur-first / diff-first {_published_ratio(times):.2f}"


def _published_ratio(times: dict[str, float]) -> float:
    return times["blur-first"] / times["diff-first"]


def _ms(spread: Spread) -> str:
    return f"{spread.median:.3f} ({spread.low:.3f} to {spread.high:.3f})"
