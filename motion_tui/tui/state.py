"""Frozen records of the screen: what is looked at, what was asked for, and what came back.

Arrays live in these records and in plain attributes, never in reactives (Textual compares reactives with `==`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from motion_tui.clips.report import GeometryReport
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import Geometry
from motion_tui.core.scores import Scores
from motion_tui.core.spec import Stage
from motion_tui.engines.base import EngineConfig, Stages
from motion_tui.engines.timeline import Timeline
from motion_tui.parity.residue import ResiduePlane, Statistics
from motion_tui.tui.arrange import Layout, PaneName
from motion_tui.tui.paint.viewport import Viewport

ViewName = Literal["panes", "chroma", "timeline", "verdict", "messages"]


@dataclass(frozen=True, slots=True)
class ViewState:
    """Everything the user can change about what is shown; equal states show the same."""

    frame: int = 0
    plane: int = 0
    stage: Stage = "H"
    x: int = 0
    """Cross-hair column, in samples of the plane."""
    y: int = 0
    """Cross-hair row, in samples of the plane."""
    viewport: Viewport | None = None
    """The part of the plane that all panes show; None: the whole plane, fitted."""
    layout: Layout = "auto"
    pane: PaneName = "residue"
    view: ViewName = "panes"
    playing: bool = False


@dataclass(frozen=True, slots=True)
class TwinChoice:
    """Which engines look at the clip, and how they are made."""

    twin: str | None = None
    """A twin as `--twin` names it ("diff-first", "model:blur-first"); None: the default one."""
    scores: Path | None = None
    """A score log that stands for the twin."""
    planes: Path | None = None
    """A folder of plane dumps that stands for the twin."""
    config: EngineConfig = field(default_factory=EngineConfig)


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What the screen says of a session; text only."""

    session: int
    """Number of the session: whatever comes back from an older one is dropped."""
    report: GeometryReport
    """Where planes lie, and where each fact of the geometry came from."""
    frames: int
    first_pair: int
    """The first frame that has a pair; the ones before it have no predecessor."""
    choice: TwinChoice
    twin: str
    """The twin's name as it calls itself."""
    arithmetic: str
    """What the twin computes, in words."""
    oracle_device: str
    twin_device: str
    health: str
    """The twin's self-test in words; empty where it has none."""
    cpu_itself: bool = False
    """Whether the twin is this program's own arithmetic on the CPU, so that agreement proves nothing."""
    trouble: str = ""
    """Why there is no twin; empty where there is one."""

    @property
    def clip(self) -> str:
        """The clip as the user named it."""
        return self.report.name

    @property
    def geometry(self) -> Geometry:
        """The clip's geometry."""
        return self.report.geometry

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about what is odd about the clip."""
        return self.report.warnings

    @property
    def has_twin(self) -> bool:
        """Whether there is anything to compare the oracle with."""
        return not self.trouble


@dataclass(frozen=True, slots=True)
class PairRequest:
    """A wish for one picture; the newest one wins."""

    session: int
    frame: int
    plane: int
    stage: Stage


@dataclass(frozen=True, slots=True, eq=False)
class PairPicture:
    """All that the panes and the readout draw for one frame, plane and stage."""

    request: PairRequest
    current: Plane
    previous: Plane | None = None
    oracle: Stages | None = None
    twin: Stages | None = None
    residue: ResiduePlane | None = None
    peak: float = 0.0
    """Largest magnitude in the oracle's and the twin's plane of the stage: their common colour range."""
    residue_peak: float = 0.0
    """Largest magnitude of the residue."""
    timeline: Timeline | None = None
    device: str = ""
    """Where the twin really ran."""
    health: str = ""
    """Its self-test, in words."""
    trouble: str = ""
    """Why a plane is missing, in words."""
    failed: bool = False
    """Whether the trouble is a failure of the twin rather than a plane that nobody has."""


@dataclass(frozen=True, slots=True)
class FrameDifference:
    """What the residue of one frame's planes came to, stage by stage."""

    frame: int
    stages: Mapping[Stage, Statistics]
    first: Stage | None
    """The first stage that differs; None where all are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class ScanSnapshot:
    """What the background scan of a session knows so far."""

    frames: int
    scored: int = 0
    """Frames, from the front, whose metrics are final on both engines."""
    oracle_scored: int = 0
    """Frames whose metrics are final on the oracle, twin or no twin."""
    twin_scored: int = 0
    """Frames whose metrics are final on the twin: all of a score log's, as soon as it is read."""
    oracle: Scores | None = None
    twin: Scores | None = None
    differences: Mapping[int, FrameDifference] = field(default_factory=dict)
    """Frames whose stage planes were compared."""
    finished: bool = False
    trouble: str = ""
    unequal_lengths: bool = False
    """Whether the trouble is a log of another number of frames."""

    def cut(self, scores: Scores) -> Scores:
        """Return the part of `scores` that is final on both sides."""
        return replace(scores, metrics={name: values[: self.scored] for name, values in scores.metrics.items()})
