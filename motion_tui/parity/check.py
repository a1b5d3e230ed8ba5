"""The comparison of a whole clip: oracle and twin side by side in two threads, residues streamed, one report.

Memory is bounded by two frames' stage planes whatever the clip's length; of a frame, its sums and statistics stay.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

from motion_tui.core.errors import NothingCompared, UsageError
from motion_tui.core.frames import FramePair
from motion_tui.core.scores import PairSums, Scores
from motion_tui.core.spec import STAGES, Stage
from motion_tui.engines.base import Engine, Stages
from motion_tui.parity.determinism import Recorder, Repeatability
from motion_tui.parity.neighbourhood import Neighbourhood, neighbourhood
from motion_tui.parity.report import ClipFacts, EngineFacts, ParityReport
from motion_tui.parity.residue import StagePair, Statistics, statistics
from motion_tui.parity.session import Progress, Session, assemble
from motion_tui.parity.twin import is_cpu_itself
from motion_tui.parity.verdict import MetricDelta, Tolerance, Verdict, compare_metric, default_tolerance, judge

STAGE_BYTES = 2 * 3 * 4
"""Bytes of a sample of a frame: two engines, three stages of four bytes."""
AHEAD_BYTES = 512 << 20
"""Largest frame, in bytes of all its stages, beside which a second one is held."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """How a clip is compared."""

    tolerance: Tolerance | None = None
    """None: exact for integer features, else what float rounding or a log's printing needs."""
    metrics: tuple[str, ...] = ()
    """Metrics to compare; none named: all that the oracle has."""
    residue: bool = True
    """Whether stage planes are compared too."""
    repeat: int = 1
    """How many times the twin computes the clip; more than 1 looks for answers that change."""
    accept_cpu: bool = False
    """Whether this project's own CPU arithmetic may stand for a twin that passes."""


@dataclass(frozen=True, slots=True, eq=False)
class _Half:
    """What one engine has of one pair."""

    sums: PairSums | None
    stages: dict[int, Stages]


def check(session: Session, plan: CheckPlan | None = None, progress: Progress | None = None) -> ParityReport:
    """Compare the whole clip; NothingCompared where there is nothing to compare, TwinError where the twin fails."""
    plan = plan or CheckPlan()
    clip = session.clip
    clip.geometry.require_motion(session.oracle.planes_read)
    if plan.repeat < 1:
        raise UsageError(f"--repeat {plan.repeat}: 1 or more runs")
    if not session.scored_frames:
        raise NothingCompared(
            f"{clip.name}: {len(clip)} frame(s), and a pair is {session.distance} apart: there is nothing to compare"
        )
    recorder = Recorder()
    walk = _Walk(session, plan, recorder, progress)
    for _ in range(plan.repeat):
        recorder.start()
        walk.run()
    repeat = recorder.result() if plan.repeat > 1 else None
    return _report(session, plan, walk, repeat)


class _Walk:
    """Runs over the clip; the first run's sums and statistics are kept."""

    def __init__(self, session: Session, plan: CheckPlan, recorder: Recorder, progress: Progress | None) -> None:
        self.session = session
        self.plan = plan
        self.recorder = recorder
        self.progress = progress
        self.oracle_sums: list[PairSums] = []
        self.twin_sums: list[PairSums] = []
        self.statistics: dict[Stage, Statistics] = {}
        self.frames_with_planes = 0
        self.h_planes = 0
        """Planes of H that were compared."""
        self.planes: set[int] = set()
        """The planes whose stages were compared in some frame."""
        self.zero_frames: list[int] = []
        """Frames that move on the oracle and are exactly 0 on the twin."""

    def run(self) -> None:
        """Go over the clip once."""
        first = self.recorder.runs == 1
        frames = self.session.scored_frames
        with closing(self._halves()) as halves:  # whatever fails below also ends the threads
            for done, (frame, ours, theirs) in enumerate(halves, start=1):
                self._residues(frame, ours, theirs, first)
                self.recorder.sums(frame, theirs.sums)
                if first:
                    self._keep_sums(frame, ours, theirs)
                if self.progress:
                    self.progress(done + (self.recorder.runs - 1) * len(frames), len(frames) * self.plan.repeat)

    def _halves(self) -> Generator[tuple[int, _Half, _Half], None, None]:
        """Both engines' work, each in its own thread; one frame ahead of the reader, if planes are not huge."""
        session = self.session
        area = sum(session.clip.geometry.extent(plane).area for plane in session.oracle.planes_read)
        ahead = 1 if area * STAGE_BYTES <= AHEAD_BYTES else 0
        with ThreadPoolExecutor(1) as ours, ThreadPoolExecutor(1) as theirs:
            waiting: list[tuple[int, Future[_Half], Future[_Half]]] = []
            try:
                for frame in session.scored_frames:
                    planes = self._planes(frame)
                    pair = session.clip.pair(frame, session.distance)
                    waiting.append(
                        (
                            frame,
                            ours.submit(self._half, session.oracle, pair, planes),
                            theirs.submit(self._half, session.twin, pair, planes),
                        )
                    )
                    if len(waiting) > ahead:
                        yield _finish(waiting.pop(0))
                while waiting:
                    yield _finish(waiting.pop(0))
            finally:
                for _, a, b in waiting:
                    a.cancel()
                    b.cancel()

    def _planes(self, frame: int) -> tuple[int, ...]:
        """The planes of a frame whose stages are to be compared."""
        twin = self.session.twin
        return tuple(p for p in twin.planes_read if twin.observable(frame, p)) if self.plan.residue else ()

    @staticmethod
    def _half(engine: Engine, pair: FramePair, planes: tuple[int, ...]) -> _Half:
        sums = engine.pair_sums(pair) if engine.has_sums(pair.current.index) else None
        return _Half(sums, {plane: engine.stages(pair, plane) for plane in planes})

    def _residues(self, frame: int, ours: _Half, theirs: _Half, first: bool) -> None:
        for plane, stages in theirs.stages.items():
            pair = StagePair(frame, plane, ours.stages[plane], stages)
            for stage in pair.observable:
                residue = pair.residue(stage)
                if self.plan.repeat > 1:
                    self.recorder.plane(frame, plane, stage, residue)
                if first:
                    self.h_planes += stage == "H"
                    known = self.statistics.get(stage, Statistics())
                    self.statistics[stage] = known + statistics(residue, frame, plane)
        self.frames_with_planes += bool(first and theirs.stages)
        self.planes |= theirs.stages.keys()

    def _keep_sums(self, frame: int, ours: _Half, theirs: _Half) -> None:
        assert ours.sums is not None  # the oracle always has them
        self.oracle_sums.append(ours.sums)
        if theirs.sums is not None:
            self.twin_sums.append(theirs.sums)
            if any(ours.sums.sums) and not any(theirs.sums.sums):
                self.zero_frames.append(frame)


def _finish(item: tuple[int, Future[_Half], Future[_Half]]) -> tuple[int, _Half, _Half]:
    frame, ours, theirs = item
    return frame, ours.result(), theirs.result()


def _report(session: Session, plan: CheckPlan, walk: _Walk, repeat: Repeatability | None) -> ParityReport:
    frames = len(session.clip)
    oracle = assemble(walk.oracle_sums, frames, session.oracle)
    twin = session.twin.recorded_scores()
    if twin is None and len(walk.twin_sums) == len(walk.oracle_sums):
        twin = assemble(walk.twin_sums, frames, session.twin)
    metrics: tuple[MetricDelta, ...] = ()
    if twin is not None:
        metrics = tuple(compare_metric(name, oracle, twin, plan.tolerance) for name in _names(plan, oracle))
    elif plan.metrics:
        raise NothingCompared(f"{session.twin.name} has no scores of all {frames} frames: {', '.join(plan.metrics)}")
    verdict, reason = _verdict(session, plan, walk, metrics, repeat)
    return ParityReport(
        verdict,
        reason,
        ClipFacts.of(session.clip),
        session.config.options,
        session.config.edition,
        EngineFacts.of(session.oracle),
        EngineFacts.of(session.twin),
        frames if metrics else walk.frames_with_planes,
        metrics,
        walk.statistics,
        plan.tolerance,
        tuple(_notes(walk, metrics, twin)),
        _worst(session, walk),
        repeat,
        session.twin.config.twin,
    )


def _names(plan: CheckPlan, oracle: Scores) -> Sequence[str]:
    unknown = [name for name in plan.metrics if name not in oracle.metrics]
    if unknown:
        raise UsageError(f"--metric {unknown[0]}: the oracle computes {', '.join(oracle.metrics)}")
    return tuple(dict.fromkeys(plan.metrics)) or tuple(oracle.metrics)


def _verdict(
    session: Session,
    plan: CheckPlan,
    walk: _Walk,
    metrics: tuple[MetricDelta, ...],
    repeat: Repeatability | None,
) -> tuple[Verdict, str]:
    """Scores decide; planes too where the tolerance is exact, or where there are no scores."""
    if not metrics and not walk.frames_with_planes:
        return "not-run", f"{session.twin.name} has neither scores nor planes of this clip's frames"
    verdict, reason = judge(metrics) if metrics else ("parity", "")
    tolerance = plan.tolerance or default_tolerance(session.config.options.feature)
    if not metrics or tolerance.value == 0:
        largest = max((known.max_abs for known in walk.statistics.values()), default=0)
        if not largest <= tolerance.value:
            verdict, reason = "gap", ""
    if repeat and repeat.first:
        verdict, reason = "gap", ""
    score_planes = len(session.scored_frames) * len(session.oracle.planes_read)
    if verdict == "parity" and not metrics and walk.h_planes < score_planes:
        return "not-run", (
            f"{session.twin.name} is equal where it was compared, but H, which is what the score adds up, is there for "
            f"{walk.h_planes} of {score_planes} planes: not a pass; dump the rest, or cut the clip with --frames"
        )
    if verdict == "parity" and "FAILED" in session.twin.health:
        return "not-run", f"{session.twin.device}: {session.twin.health}: such a device's right answers are no pass"
    if verdict == "parity" and is_cpu_itself(session.twin) and not plan.accept_cpu:
        return "not-run", (
            f"{session.twin.name} is this program's own arithmetic on the CPU: equal to itself is no parity of a twin "
            "(name a SYCL twin, or say --accept-cpu-twin)"
        )
    return verdict, reason


def _notes(walk: _Walk, metrics: tuple[MetricDelta, ...], twin: Scores | None) -> Iterator[str]:
    session = walk.session
    if is_cpu_itself(session.twin):
        yield f"the CPU compared with itself: {session.twin.name} is no GPU twin"
    if twin is None:
        yield f"scores are not observable: H planes for {len(walk.twin_sums)} of {len(walk.oracle_sums)} pairs"
    missing = [stage for stage in STAGES if stage not in walk.statistics]
    if missing and walk.plan.residue:
        yield f"not observable: stage {', '.join(missing)}"
    if unseen := [p for p in session.twin.planes_read if walk.planes and p not in walk.planes]:
        names = session.clip.geometry.plane_names
        yield f"not observable: plane {', '.join(names[plane] for plane in unseen)}, which the score reads"
    if 0 < walk.frames_with_planes < len(walk.oracle_sums):
        yield f"not observable: the stages of {len(walk.oracle_sums) - walk.frames_with_planes} pairs"
    if walk.zero_frames:
        shown = ", ".join(map(str, walk.zero_frames[:8])) + (", ..." if len(walk.zero_frames) > 8 else "")
        yield f"exactly 0 on the twin where the oracle sees motion: frame {shown} (a lost or reset accumulator?)"
    for decimals in dict.fromkeys(metric.decimals for metric in metrics if metric.printing):
        printed = [f"{m.name} in {m.printing} frames" for m in metrics if m.printing and m.decimals == decimals]
        yield f"could be mere printing, equal with {decimals} decimals: {', '.join(printed)}"


def _worst(session: Session, walk: _Walk) -> Neighbourhood | None:
    """What lies around the largest residue of the first stage that differs."""
    for stage in STAGES:
        known = walk.statistics.get(stage)
        if known and known.worst:
            return neighbourhood(session.stage_pair(known.worst.frame, known.worst.plane), stage, known.worst)
    return None
