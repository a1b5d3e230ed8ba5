"""What an engine is to the rest of the program, and what it is made with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray

from motion_tui.core.closing import Closing
from motion_tui.core.errors import NothingCompared, UsageError
from motion_tui.core.frames import FramePair
from motion_tui.core.geometry import CHROMA_RULES, ChromaRule
from motion_tui.core.options import Options
from motion_tui.core.scores import PairSums, ScoreRules, Scores, score_rules
from motion_tui.core.spec import CURRENT_EDITION, EDITIONS, STAGES, Edition, Stage
from motion_tui.engines.timeline import Timeline

StagePlane = NDArray[Any]
"""A 2-D array of a stage: int32 (D, V, H of the integer features) or float32 (float_motion)."""


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """The three stage planes of one plane of one pair, signed `prev - cur`, in the stages' own units.

    A blur-first engine gives `V = V(prev) - V(cur)` and `H = H(V(prev)) - H(V(cur))`, so that stages can be
    compared across orders. A recorded engine may lack a stage: that is None, never zeros.
    """

    d: StagePlane | None
    v: StagePlane | None
    h: StagePlane | None
    unsigned: tuple[Stage, ...] = ()
    """Stages held as magnitudes (a dump of unsigned samples); their residue is taken of magnitudes."""

    def get(self, stage: Stage) -> StagePlane:
        """Return the plane of stage "D", "V" or "H"; NothingCompared where it was not recorded."""
        plane = self._planes[stage]
        if plane is None:
            raise NothingCompared(f"stage {stage} is not observable: it was not recorded")
        return plane

    @property
    def observable(self) -> tuple[Stage, ...]:
        """The stages that are there."""
        return tuple(stage for stage, plane in self._planes.items() if plane is not None)

    @property
    def nbytes(self) -> int:
        """Bytes of all planes."""
        return sum(plane.nbytes for plane in self._planes.values() if plane is not None)

    @property
    def _planes(self) -> dict[Stage, StagePlane | None]:
        return {"D": self.d, "V": self.v, "H": self.h}


LONGEST_LIMIT = 86400
"""Seconds."""


@dataclass(frozen=True, slots=True)
class TwinSettings:
    """Where and how a SYCL twin runs; the defaults are right, the others reproduce what is found in the field."""

    device: str | None = None
    """A SYCL filter string ("opencl:cpu:0"); None is the environment's choice, else the best device."""
    chroma_extent: Literal["plane", "as-420"] = "plane"
    staging: Literal["pinned", "wait"] = "pinned"
    state: Literal["follow", "reuse-first"] = "follow"
    submit: Literal["direct", "replay"] = "direct"
    kernel: Path | None = None
    """A user's own kernel: FILE.py, FILE.spv or FILE.cl; runs only when named."""
    time_limit: float = 30.0
    """Seconds that one request may take before the worker is killed."""
    work_group: int = 0
    """Largest work-group size along the fastest dimension; 0 leaves it to the device."""

    def __post_init__(self) -> None:
        if self.device is not None and not self.device.strip():
            raise UsageError("device '': name one that `motion-tui devices` lists, or leave the choice out")
        if not 0 < self.time_limit <= LONGEST_LIMIT:
            raise UsageError(f"time limit {self.time_limit:g}: more than 0 and at most {LONGEST_LIMIT} seconds")
        if self.work_group < 0:
            raise UsageError(f"work-group {self.work_group}: 1 or more, or 0 for the device's choice")


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What an engine is made with: the arithmetic asked for, and for twins where and how to run."""

    options: Options = field(default_factory=Options)
    edition: Edition = CURRENT_EDITION
    chroma: ChromaRule | None = None
    """How chroma is cut for `motion_add_uv`; None: the feature's own rule (integer "plane", float "picture")."""
    twin: TwinSettings = field(default_factory=TwinSettings)

    def __post_init__(self) -> None:
        if self.edition not in EDITIONS:
            raise UsageError(f"unknown edition '{self.edition}' of libvmaf: one of {', '.join(EDITIONS)}")
        if self.chroma is not None and self.chroma not in CHROMA_RULES:
            raise UsageError(f"unknown chroma rule '{self.chroma}': one of {', '.join(CHROMA_RULES)}")

    @property
    def chroma_rule(self) -> ChromaRule:
        """How chroma is cut: as asked for, else as the feature does it."""
        return self.chroma or ("picture" if self.options.feature == "float_motion" else "plane")


class Engine(Closing, ABC):
    """One implementation of motion on one frame pair.

    Methods may be called from any thread, one at a time; a call may take long and must not touch a widget.
    """

    name: str
    """As the user names it: "oracle", "twin:blur-first", "model:edge-repeated"."""
    arithmetic: str
    """What it computes, in words: "diff-first, reflect-101, 64-bit sums"."""

    def __init__(self, config: EngineConfig) -> None:
        self.config = config

    @property
    @abstractmethod
    def device(self) -> str:
        """Where it really ran (or will run): a device's name, or "CPU"."""

    @property
    def planes_read(self) -> tuple[int, ...]:
        """The planes that enter a score under the engine's options."""
        return self.config.options.planes_read

    @property
    def score_rules(self) -> ScoreRules:
        """How its pair sums become metrics: the edition's rules, but for models of a faulty host side."""
        return score_rules(self.config.options.feature, self.config.edition)

    def prepare(self) -> None:
        """Make ready what the first call would: take the device, test it; errors are those of a first call."""

    @abstractmethod
    def pair_sums(self, pair: FramePair) -> PairSums:
        """Return what the pair adds up to, by the fastest path, without stage planes."""

    @abstractmethod
    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        """Return the stage planes of plane 0, 1 or 2 of the pair."""

    def observable(self, frame: int, plane: int = 0) -> tuple[Stage, ...]:
        """The stages that the engine has of one plane of `frame`'s pair: all, but for recorded engines."""
        return STAGES

    def has_sums(self, frame: int) -> bool:
        """Whether `pair_sums` can answer for `frame`'s pair: always, but for recorded engines."""
        return True

    def recorded_scores(self) -> Scores | None:
        """The finished scores of an engine that is a score log; None for engines that compute."""
        return None

    @property
    def health(self) -> str:
        """The outcome of a self-test with a known answer, in words; empty for engines that have none."""
        return ""

    @property
    def timeline(self) -> Timeline | None:
        """What the last call cost on the device and the host, from profiling events; None on the CPU."""
        return None

    def reload(self) -> None:
        """Take the user's own files as they are now; a TwinError leaves what there was. Nothing for other engines."""

    def cancel(self) -> None:
        """End the call in flight, from any thread: it raises a TwinError. Nothing for engines that cannot hang."""

    def close(self) -> None:
        """Release devices and processes; calling it twice is fine."""
