"""The Python API: open a clip, score it, compare a twin with the oracle. Everything of it is in `motion_tui` itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from motion_tui.clips.base import Clip
from motion_tui.clips.registry import open_clip
from motion_tui.core.closing import Closing
from motion_tui.core.errors import UsageError
from motion_tui.core.options import Options
from motion_tui.core.scores import Scores
from motion_tui.core.spec import CURRENT_EDITION, STAGES, Edition, Stage
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.registry import open_engine
from motion_tui.parity.check import CheckPlan, check
from motion_tui.parity.report import ParityReport
from motion_tui.parity.residue import ResiduePlane
from motion_tui.parity.session import Session, score_clip
from motion_tui.parity.twin import open_twin
from motion_tui.parity.verdict import Tolerance, Verdict

ClipLike = Clip | str | Path | Sequence[Any]
"""An open clip, or whatever `open_clip` opens without more being said."""


class Comparison(Closing):
    """A twin compared with the oracle: the verdict at once, residue planes on demand.

    It keeps the engines open for `residue`; close it, or use it as a context manager, to end a twin's worker.
    """

    def __init__(self, session: Session, report: ParityReport, owns_clip: bool) -> None:
        self._session = session
        self._owns_clip = owns_clip
        self.report = report
        """Everything that `motion-tui check` prints."""

    @property
    def verdict(self) -> Verdict:
        """ "parity", "gap" or "not-run" (nothing was compared, or the CPU with itself)."""
        return self.report.verdict

    @property
    def deltas(self) -> dict[str, tuple[float | None, ...]]:
        """Per metric, `twin - oracle` of every frame."""
        return {metric.name: metric.deltas for metric in self.report.metrics}

    def residue(self, frame: int, plane: int = 0, stage: Stage = "H") -> ResiduePlane:
        """Return `twin - oracle` of one stage of one plane of the pair that ends at `frame`: a read-only 2-D array."""
        frames, planes = self._session.scored_frames, range(len(self._session.clip.geometry.plane_names))
        if frame not in frames:
            raise UsageError(f"frame {frame} has no pair: frames {frames.start} to {frames.stop - 1} have one")
        if plane not in planes:
            raise UsageError(f"plane {plane}: the clip has planes 0 to {planes[-1]}")
        if stage not in STAGES:
            raise UsageError(f"stage {stage!r}: one of {', '.join(STAGES)}")
        return self._session.stage_pair(frame, plane).residue(stage)

    def close(self) -> None:
        """End the engines; a clip that was handed in stays open."""
        self._session.close_engines()
        if self._owns_clip:
            self._session.clip.close()

    def __repr__(self) -> str:
        return f"<Comparison {self.verdict}: {self.report.twin.name} on {self.report.clip.name}>"


def score(
    clip: ClipLike,
    feature: str = "motion",
    engine: str = "oracle",
    options: Mapping[str, object] | None = None,
    *,
    edition: Edition = CURRENT_EDITION,
    device: str | None = None,
) -> Scores:
    """Score every frame of a clip; `.metrics` has the names of a `vmaf` log and one value a frame."""
    config = _config(feature, options, edition, device)
    opened = _opened(clip)
    try:
        with open_engine(engine, config) as made:
            return score_clip(opened, made)
    finally:
        if opened is not clip:
            opened.close()


def compare(
    clip: ClipLike,
    twin: str | None = None,
    options: Mapping[str, object] | None = None,
    *,
    feature: str = "motion",
    scores: str | Path | None = None,
    planes: str | Path | None = None,
    tolerance: float | None = None,
    edition: Edition = CURRENT_EDITION,
    device: str | None = None,
    accept_cpu: bool = False,
) -> Comparison:
    """Compare a twin (or a log of `scores`, or a folder of `planes`) with the oracle over the whole clip.

    `tolerance` None is exact for integer features; see `motion-tui check --help`. NothingCompared is raised where
    there is nothing to compare; a CPU engine named as the twin is "not-run" at best, unless `accept_cpu`.
    """
    config = _config(feature, options, edition, device)
    asked = None if tolerance is None else Tolerance(float(tolerance), f"tolerance={tolerance!r}")
    named = open_twin(
        config,
        twin=twin,
        scores=_named("scores", scores),
        planes=_named("planes", planes),
    )
    with ExitStack() as stack:
        stack.enter_context(named)
        opened = _opened(clip)
        if opened is not clip:
            stack.enter_context(opened)
        session = Session(opened, stack.enter_context(open_engine("oracle", config)), named)
        report = check(session, CheckPlan(asked, accept_cpu=accept_cpu))
        stack.pop_all()  # the comparison closes them
    return Comparison(session, report, opened is not clip)


def _config(feature: str, options: Mapping[str, object] | None, edition: Edition, device: str | None) -> EngineConfig:
    return EngineConfig(Options.parse(feature, options), edition, twin=TwinSettings(device=device))


def _named(word: str, name: str | Path | None) -> Path | None:
    """Return a name as a path; an empty one is refused, since `Path("")` is the current folder."""
    if name == "":
        raise UsageError(f"{word}='': name a file or folder, or leave it out")
    return None if name is None else Path(name)


def _opened(clip: ClipLike) -> Clip:
    return clip if isinstance(clip, Clip) else open_clip(clip)
