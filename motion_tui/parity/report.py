"""What a comparison found, as one frozen record: the report behind the text, the JSON, the tests and the exit code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from motion_tui.clips.base import Clip
from motion_tui.core.errors import MotionError, NothingCompared
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import Options
from motion_tui.core.spec import STAGES, Edition, Stage
from motion_tui.engines.base import Engine, EngineConfig, TwinSettings
from motion_tui.parity.determinism import Repeatability
from motion_tui.parity.neighbourhood import Neighbourhood
from motion_tui.parity.residue import Statistics
from motion_tui.parity.verdict import EXACT, MetricDelta, Tolerance, Verdict


@dataclass(frozen=True, slots=True)
class ClipFacts:
    """What is said of a clip in every output; `geometry` is None where it could not be opened."""

    name: str
    geometry: Geometry | None = None
    frames: int = 0
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    warnings: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """The command line's words that it was opened with, beside its name."""

    @classmethod
    def of(cls, clip: Clip) -> ClipFacts:
        """Take them from an open clip."""
        return cls(clip.name, clip.geometry, len(clip), dict(clip.sources), tuple(clip.warnings))


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What is said of an engine in every output."""

    name: str
    arithmetic: str = ""
    device: str = ""
    health: str = ""

    @classmethod
    def of(cls, engine: Engine) -> EngineFacts:
        """Take them from an engine that has run."""
        return cls(engine.name, engine.arithmetic, engine.device, engine.health)


@dataclass(frozen=True, slots=True, eq=False)
class ParityReport:
    """One clip compared by oracle and twin."""

    verdict: Verdict
    reason: str
    """Why nothing was compared or what failed; empty for parity and for a gap."""
    clip: ClipFacts
    options: Options
    edition: Edition
    oracle: EngineFacts
    twin: EngineFacts
    frames_compared: int = 0
    metrics: tuple[MetricDelta, ...] = ()
    residue: Mapping[Stage, Statistics] = field(default_factory=lambda: MappingProxyType({}))
    asked: Tolerance | None = None
    """The tolerance that was asked for; None: each metric's own."""
    notes: tuple[str, ...] = ()
    neighbourhood: Neighbourhood | None = None
    repeat: Repeatability | None = None
    settings: TwinSettings = field(default_factory=TwinSettings)
    """Where and how the twin ran."""
    failure: MotionError | None = None
    """What stopped the comparison."""

    def __repr__(self) -> str:
        return f"<ParityReport {self.verdict}: {self.twin.name} on {self.clip.name}>"

    @property
    def tolerance(self) -> Tolerance:
        """The tolerance that was asked for, else the widest that any metric was judged by."""
        judged = (metric.tolerance for metric in self.metrics)
        return self.asked or max(judged, key=lambda tolerance: tolerance.value, default=EXACT)

    @property
    def smallest_passing_tolerance(self) -> float | None:
        """The smallest tolerance of scores that would pass; None where no score was compared."""
        return max((metric.max_abs for metric in self.metrics), default=None)

    @property
    def first_difference(self) -> Stage | None:
        """The first stage with a nonzero residue."""
        return next((stage for stage in STAGES if stage in self.residue and self.residue[stage].nonzero), None)


def failed(
    clip: ClipFacts, config: EngineConfig, twin: str, asked: Tolerance | None, error: MotionError
) -> ParityReport:
    """Report a comparison that an error stopped: nothing compared, or a failure."""
    verdict: Verdict = "not-run" if isinstance(error, NothingCompared) else "error"
    return ParityReport(
        verdict,
        str(error),
        clip,
        config.options,
        config.edition,
        EngineFacts("oracle"),
        EngineFacts(twin),
        asked=asked,
        settings=config.twin,
        failure=error,
    )
