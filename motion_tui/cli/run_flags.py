"""The flags that say what is computed and where a twin runs, shared by every command; and those that name the twin.

A command takes `run: RunFlags | None = None` and, where it compares, `against: TwinFlags | None = None` as
keyword-only parameters; cyclopts flattens the fields into `--feature`, `--twin` and the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from motion_tui.cli.paths import MaybeNamed
from motion_tui.cli.whole import Whole
from motion_tui.core.errors import UsageError
from motion_tui.core.geometry import ChromaRule
from motion_tui.core.options import Options
from motion_tui.core.spec import CURRENT_EDITION, Edition, Feature
from motion_tui.engines.base import Engine, EngineConfig, TwinSettings
from motion_tui.export.text import flag_words
from motion_tui.parity.twin import engine_name, open_twin

RUN_GROUP = Group("What is computed", sort_key=20)
DEVICE_GROUP = Group("How a twin runs", sort_key=40)
TWIN_GROUP = Group("What is compared with the oracle", sort_key=30)


def parse_options(items: list[str]) -> dict[str, str]:
    """Split `KEY=VALUE` words; a bare KEY means true; a UsageError where a key is given twice."""
    values: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if key in values:
            raise UsageError(f"option {key} is given twice: give it once")
        values[key] = value if equals else "true"
    return values


@Parameter(name="*", group=RUN_GROUP)
@dataclass(frozen=True)
class RunFlags:
    """The arithmetic asked for, and how a twin's device is driven; the defaults are right."""

    feature: Annotated[Feature, Parameter(help="libvmaf's name of the feature.")] = "motion"
    option: Annotated[
        tuple[str, ...],
        Parameter(
            name=["--option", "-o"],
            negative="",
            help="K=V, a libvmaf option of the feature by name or alias, say motion_fps_weight=0.5; repeatable.",
        ),
    ] = ()
    edition: Annotated[Edition, Parameter(help="Whose arithmetic: 3.2 (current libvmaf) or 3.1 (and 3.0).")] = (
        CURRENT_EDITION
    )
    chroma: Annotated[
        ChromaRule | None,
        Parameter(help="How motion_add_uv cuts chroma: plane rounds up, picture down, as-420 is a known fault."),
    ] = None
    device: Annotated[
        str | None, Parameter(group=DEVICE_GROUP, help="SYCL filter string, as `motion-tui devices` lists it.")
    ] = None
    kernel: Annotated[
        MaybeNamed, Parameter(group=DEVICE_GROUP, help="Your own twin: FILE.py, FILE.spv or FILE.cl. It is run.")
    ] = None
    staging: Annotated[
        Literal["pinned", "wait"], Parameter(group=DEVICE_GROUP, help="How planes reach the device.")
    ] = "pinned"
    submit: Annotated[
        Literal["direct", "replay"], Parameter(group=DEVICE_GROUP, help="Fresh submissions, or a recorded list.")
    ] = "direct"
    chroma_extent: Annotated[
        Literal["plane", "as-420"], Parameter(group=DEVICE_GROUP, help="Chroma that is staged; as-420 is a fault.")
    ] = "plane"
    state: Annotated[
        Literal["follow", "reuse-first"],
        Parameter(group=DEVICE_GROUP, help="Buffers follow the clip; reuse-first is a fault."),
    ] = "follow"
    time_limit: Annotated[
        float, Parameter(group=DEVICE_GROUP, help="Seconds that one frame may take before the twin is killed.")
    ] = 30.0
    work_group: Annotated[
        Whole, Parameter(group=DEVICE_GROUP, help="Largest work-group along a row; 0 leaves it to the device.")
    ] = 0

    @property
    def config(self) -> EngineConfig:
        """What engines are made with; a UsageError names a wrong option."""
        return EngineConfig(
            options=Options.parse(self.feature, parse_options(list(self.option))),
            edition=self.edition,
            chroma=self.chroma,
            twin=TwinSettings(
                device=self.device,
                chroma_extent=self.chroma_extent,
                staging=self.staging,
                state=self.state,
                submit=self.submit,
                kernel=self.kernel,
                time_limit=self.time_limit,
                work_group=self.work_group,
            ),
        )


def require_twin(settings: TwinSettings, engine: str) -> None:
    """Refuse flags that say how a twin runs where `engine` is none, rather than pass over them in silence."""
    if not engine.startswith("twin:") and (words := flag_words(settings)):
        raise UsageError(f"{words[0]} says how a twin runs, and {engine} is none: drop one of the two")


@Parameter(name="*", group=TWIN_GROUP)
@dataclass(frozen=True)
class TwinFlags:
    """The other side of a comparison: a twin that runs, a log of scores, or planes that a user's kernel wrote."""

    twin: Annotated[
        str | None,
        Parameter(
            help="diff-first (default), blur-first, float; model:NAME, reference or oracle run on the CPU "
            "and are never a pass by themselves."
        ),
    ] = None
    scores: Annotated[MaybeNamed, Parameter(help="A vmaf log: JSON, XML, CSV or subtitle.")] = None
    planes: Annotated[
        MaybeNamed, Parameter(help="A folder of f0001_p0_H.npy, or f0001_p0_H_int32.raw: stage planes.")
    ] = None

    def open(self, config: EngineConfig) -> Engine:
        """Open what was named, once; a UsageError where several were."""
        return open_twin(config, twin=self.twin, scores=self.scores, planes=self.planes)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The log or the folder that is read."""
        return tuple(path for path in (self.scores, self.planes) if path is not None)

    @property
    def word(self) -> str:
        """What was named, for a report of a twin that could not be opened."""
        return str(self.scores or self.planes or self.twin or "the feature's own twin")

    @property
    def engine(self) -> str:
        """The engine that was named, "twin:NAME" for one that runs on a device."""
        return f"the recorded {self.scores or self.planes}" if self.recorded else engine_name(self.twin or "default")

    @property
    def recorded(self) -> bool:
        """Whether nothing runs: a log or planes were named."""
        return self.scores is not None or self.planes is not None
