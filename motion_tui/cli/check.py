"""`motion-tui check CLIP...`: the parity gate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.cli.run_flags import RunFlags, TwinFlags, require_twin
from motion_tui.cli.tolerance_flags import ToleranceFlags
from motion_tui.cli.whole import Whole
from motion_tui.clips import image_files
from motion_tui.clips.base import Clip
from motion_tui.core.errors import MotionError, UsageError
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.export.files import STDOUT, write_text
from motion_tui.export.registry import reports_in
from motion_tui.export.text import flag_words, reports_text
from motion_tui.parity.check import CheckPlan
from motion_tui.parity.check import check as check_session
from motion_tui.parity.report import ClipFacts, ParityReport, failed
from motion_tui.parity.session import Session
from motion_tui.parity.twin import open_libvmaf

OpenTwin = Callable[[Clip], Engine]


def check(
    clip: Annotated[list[str], Parameter(help="Clips, one report each; several image files are one clip.")],
    /,
    *,
    against: TwinFlags | None = None,
    against_libvmaf: Annotated[
        bool, Parameter(negative="", help="Compare with the libvmaf in imageio-ffmpeg's FFmpeg (six decimals).")
    ] = False,
    tolerance: ToleranceFlags | None = None,
    metric: Annotated[
        tuple[str, ...], Parameter(negative="", help="Compare this metric alone; repeatable. Default: all.")
    ] = (),
    repeat: Annotated[Whole, Parameter(help="Run the twin N times; an answer that changes is a gap.")] = 1,
    and_device: Annotated[
        tuple[str, ...], Parameter(negative="", help="Run the twin on this device too, a report each; repeatable.")
    ] = (),
    residue: Annotated[bool, Parameter(help="Compare stage planes too, not scores alone.")] = True,
    accept_cpu_twin: Annotated[
        bool, Parameter(negative="", help="Let oracle, reference or model:NAME pass as a twin.")
    ] = False,
    json: Annotated[Output, Parameter(help="FILE or -: the report as JSON.")] = None,
    md: Annotated[Output, Parameter(help="FILE or -: the report as Markdown.")] = None,
    junit: Annotated[Output, Parameter(help="FILE or -: the report as JUnit XML.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
    flags: ClipFlags | None = None,
    run: RunFlags | None = None,
) -> int:
    """Compare a twin with the oracle: every metric of every frame, and every stage pixel by pixel.

    Exit code: 0 parity, 1 a gap, 2 bad input or usage, 3 nothing was compared (no pair, a missing metric, another
    number of frames, NaN, or only the CPU with itself), 4 no device or the twin failed; of several clips the highest.

    Without a tolerance flag an integer twin has to be exact, scores and planes; float_motion may differ by 5e-5; a
    log that prints N decimals by half a unit of its last place, which is all that it can show: a log is never a pass
    under a tolerance below that. Under any other tolerance the scores alone decide, and residues are only reported.
    """
    config, named = (run or RunFlags()).config, against or TwinFlags()
    inputs = (*clip, *named.inputs, config.twin.kernel)
    outputs = require_outputs(force, inputs=inputs, json=json, md=md, junit=junit)
    plan = CheckPlan((tolerance or ToleranceFlags()).chosen, metric, residue, repeat, accept_cpu_twin)
    if against_libvmaf and named != TwinFlags():
        raise UsageError("--against-libvmaf excludes --twin, --scores and --planes: name one of them")
    require_twin(config.twin, "libvmaf" if against_libvmaf else named.engine)
    if against_libvmaf or named.recorded:
        _require_once(and_device, repeat)
    devices = [config, *(replace(config, twin=replace(config.twin, device=device)) for device in and_device)]
    with ExitStack() as stack:
        oracle = stack.enter_context(open_engine("oracle", config))
        twins = [_libvmaf(each) if against_libvmaf else _shared(stack, named, each) for each in devices]
        reports = [
            _check_clip(sources, flags or ClipFlags(), Sides(oracle, named.word, each, twin), plan)
            for sources in _clips(clip)
            for each, twin in zip(devices, twins, strict=True)
        ]
    code = max(_code(report) for report in reports)
    verdict = next(report.verdict for report in reports if _code(report) == code)
    for report in reports:
        if report.reason:
            place = "" if report.clip.name in report.reason else f"{report.clip.name}: "
            diagnostics.say(place + report.reason)
    if STDOUT not in map(str, outputs.values()):
        sys.stdout.write(reports_text(reports, verdict))
    for form, path in outputs.items():
        write_text(path, reports_in(form, reports, verdict), force)
    return code


def _require_once(and_device: Sequence[str], repeat: int) -> None:
    """Refuse to run again what does not run at all."""
    if and_device:
        raise UsageError("--and-device runs a twin on another device: a log, planes and libvmaf have none")
    if repeat != 1:
        raise UsageError("--repeat runs a twin again: a log, planes and libvmaf's scores would be read again, no more")


def _clips(words: Sequence[str]) -> list[list[str]]:
    """Split the arguments into clips: each word is one, but image files together are one."""
    if len(words) > 1 and all(Path(word).suffix.lower() in image_files.SUFFIXES for word in words):
        return [list(words)]
    return [[word] for word in words]


def _shared(stack: ExitStack, flags: TwinFlags, config: EngineConfig) -> OpenTwin:
    """One twin for all clips, opened for the first: a worker follows clips of any size."""
    made: list[Engine] = []

    def twin(_: Clip) -> Engine:
        if not made:
            made.append(stack.enter_context(flags.open(config)))
        return made[0]

    return twin


def _libvmaf(config: EngineConfig) -> OpenTwin:
    """What libvmaf says of each clip."""

    return lambda clip: open_libvmaf(clip, config)


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides of a comparison: the oracle, and the twin that is opened when its turn comes."""

    oracle: Engine
    twin_word: str
    config: EngineConfig
    open_twin: OpenTwin


def _check_clip(sources: list[str], flags: ClipFlags, sides: Sides, plan: CheckPlan) -> ParityReport:
    """Compare one clip; what stops that becomes its report."""
    facts = ClipFacts(" ".join(sources))
    try:
        with diagnostics.progress("open") as opening:
            opened = flags.open(sources, progress=opening)
        with opened, diagnostics.progress("check") as progress:
            diagnostics.warn_of(opened)
            facts = ClipFacts.of(opened)
            report = check_session(Session(opened, sides.oracle, sides.open_twin(opened)), plan, progress)
            return replace(report, clip=replace(report.clip, flags=flag_words(flags)))
    except MotionError as error:
        return failed(facts, sides.config, sides.twin_word, plan.tolerance, error)


def _code(report: ParityReport) -> int:
    """The exit code of one report."""
    if report.failure is not None:
        return diagnostics.exit_code(report.failure)
    codes = {"parity": diagnostics.PARITY, "gap": diagnostics.GAP}
    return codes.get(report.verdict, diagnostics.NOT_COMPARED)
