"""What the background threads do, as plain functions of a session: no thread, no widget, no message here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from motion_tui.clips.base import Clip
from motion_tui.clips.report import geometry_report
from motion_tui.core.errors import MotionError, NothingCompared, TwinError
from motion_tui.core.frames import FramePair
from motion_tui.core.scores import PairSums
from motion_tui.engines.base import Engine, EngineConfig, StagePlane, Stages
from motion_tui.engines.twins import built_in_twins
from motion_tui.parity.residue import StagePair
from motion_tui.parity.session import Session
from motion_tui.parity.twin import is_cpu_itself, open_twin
from motion_tui.tui.state import PairPicture, PairRequest, SessionFacts, TwinChoice

if TYPE_CHECKING:
    from motion_tui.engines.twins.client import Client


class ClipOpener(Protocol):
    """The command line's clip flags: they know how to open what the user named."""

    def open(
        self,
        sources: Sequence[str],
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Clip:
        """Open the clip; runs on a thread, calls `progress(done, total)` and polls `cancelled`."""
        ...


class AbsentTwin(Engine):
    """Stands where a twin could not be made: every call gives the reason, so the oracle's side goes on."""

    arithmetic = "none"

    def __init__(self, name: str, config: EngineConfig, reason: MotionError) -> None:
        super().__init__(config)
        self.name = name
        self.reason = reason

    @property
    def device(self) -> str:
        return "none"

    def pair_sums(self, pair: FramePair) -> PairSums:
        raise TwinError(str(self.reason))

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        raise TwinError(str(self.reason))


def make_twin(choice: TwinChoice) -> Engine:
    """Open the twin of `choice`, or a stand-in that knows why there is none."""
    try:
        return open_twin(choice.config, twin=choice.twin, scores=choice.scores, planes=choice.planes)
    except MotionError as error:
        return AbsentTwin(str(choice.twin or choice.scores or choice.planes or "twin"), choice.config, error)


@dataclass(frozen=True, slots=True, eq=False)
class EarlyTwin:
    """A twin made before the screen is imported, so that its worker finds its device meanwhile."""

    choice: TwinChoice
    engine: Engine

    @classmethod
    def make(cls, choice: TwinChoice) -> EarlyTwin | None:
        """Make the twin of `choice`, if that is quick: no log or dump to read, no kernel to compile."""
        slow = (choice.scores, choice.planes, choice.config.twin.kernel)
        return cls(choice, make_twin(choice)) if slow == (None, None, None) else None


def facts(number: int, session: Session, choice: TwinChoice) -> SessionFacts:
    """What the screen says of a session."""
    clip = session.clip
    twin = session.twin
    return SessionFacts(
        session=number,
        report=geometry_report(clip),
        frames=len(clip),
        first_pair=session.distance,
        choice=choice,
        twin=twin.name,
        arithmetic=twin.arithmetic,
        oracle_device=session.oracle.device,
        twin_device=twin.device,
        health=twin.health,
        cpu_itself=is_cpu_itself(twin),
        trouble=str(twin.reason) if isinstance(twin, AbsentTwin) else "",
    )


def refreshed(known: SessionFacts, session: Session) -> SessionFacts:
    """What is said of a session, with the device that has really run by now."""
    return replace(known, twin_device=session.twin.device, health=session.twin.health)


def magnitude(plane: StagePlane) -> float:
    """Largest magnitude in a plane, without a plane of magnitudes."""
    return max(float(plane.max()), -float(plane.min())) if plane.size else 0.0


def load_pair(session: Session, request: PairRequest) -> PairPicture:
    """Compute what the panes show; a twin's failure leaves the oracle's side standing and says why."""
    frame, plane, stage = request.frame, request.plane, request.stage
    current = session.clip.frame(frame).planes[plane]
    if frame not in session.scored_frames:
        trouble = f"frame {frame} has no predecessor: nothing to compare"
        return PairPicture(request, current, device=session.twin.device, health=session.twin.health, trouble=trouble)
    previous = session.clip.frame(frame - session.distance).planes[plane]
    oracle, of_twin = session.stages_of_both(frame, plane)
    peak = magnitude(oracle.get(stage))
    try:
        twin = of_twin()
        residue = StagePair(frame, plane, oracle, twin).residue(stage)
        peak = max(peak, magnitude(twin.get(stage)))
    except (TwinError, NothingCompared) as error:
        return PairPicture(
            request,
            current,
            previous,
            oracle,
            peak=peak,
            device=session.twin.device,
            health=session.twin.health,
            trouble=str(error),
            failed=isinstance(error, TwinError),
        )
    return PairPicture(
        request,
        current,
        previous,
        oracle,
        twin,
        residue,
        peak=peak,
        residue_peak=magnitude(residue),
        timeline=session.twin.timeline,
        device=session.twin.device,
        health=session.twin.health,
    )


def twin_names() -> tuple[tuple[str, str], ...]:
    """Every twin that needs no file, as `--twin` names it, with a few words."""
    from motion_tui.engines.models import MODELS  # takes numba with it, which the first paint can do without

    return (
        *((name, "SYCL kernel") for name in built_in_twins()),
        *((f"model:{name}", row.summary) for name, row in MODELS.items()),
        ("reference", "the oracle's own arithmetic in NumPy"),
    )


def device_client() -> Client:
    """A client that can list devices; DeviceError where SYCL is not installed."""
    from motion_tui.engines.twins.client import Client

    return Client()


def list_devices(client: Client) -> tuple[tuple[str, str], ...]:
    """The SYCL devices of this machine: the exact string to pass back, and words; DeviceError where there are none."""
    with closing(client):
        found = client.devices()
    return tuple(
        (
            row.filter_string,
            f"{row.filter_string}  {row.name}" + (f" (unusable: {row.unusable})" if row.unusable else ""),
        )
        for row in found
    )


def saves(path: Path) -> Iterator[bool]:
    """Yield True whenever `path` was saved, and False twice a second otherwise, so that the caller can stop."""
    from watchfiles import watch

    for changes in watch(path.parent, rust_timeout=500, yield_on_timeout=True, raise_interrupt=False):
        yield any(Path(name).name == path.name for _, name in changes)
