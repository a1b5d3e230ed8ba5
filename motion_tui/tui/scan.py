"""The background scan of a clip: scores of both engines, then the stage planes of every frame, a step at a time."""

from __future__ import annotations

from collections.abc import Iterator

from motion_tui.core.errors import MotionError, NothingCompared
from motion_tui.core.scores import PairSums, Scores
from motion_tui.core.spec import STAGES, Stage
from motion_tui.engines.base import Engine
from motion_tui.parity.residue import StagePair, Statistics
from motion_tui.parity.session import Session, assemble
from motion_tui.tui.state import FrameDifference, ScanSnapshot


class Scan:
    """Scores a clip with both engines, then compares its stage planes.

    `steps` does one frame's work between yields, on the thread that iterates it; `snapshot` says what is known and
    belongs to the same thread. A twin that fails ends its own part; the oracle's goes on.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._oracle: list[PairSums] = []
        self._twin: list[PairSums] = []
        self._recorded: Scores | None = None
        self._differences: dict[int, FrameDifference] = {}
        self._trouble = ""
        self._unequal_lengths = False
        self._finished = False

    def steps(self) -> Iterator[None]:
        """Yield before each engine's work on a frame, and before each stage that is compared."""
        session = self._session
        session.clip.geometry.require_motion(session.oracle.planes_read)
        self._take_recorded()
        for frame in session.scored_frames:
            yield
            self._oracle.append(session.pair_sums(session.oracle, frame))
            yield
            self._score_twin(frame)
        for frame in session.scored_frames:
            if self._trouble:
                break
            yield from self._compare(frame)
        self._finished = True

    def _take_recorded(self) -> None:
        """Take a log's scores, unless they are of another number of frames."""
        twin, frames = self._session.twin, len(self._session.clip)
        recorded = twin.recorded_scores()
        if recorded is not None and len(recorded) != frames:
            self._unequal_lengths = True
            self._trouble = f"{twin.name} has {len(recorded)} frames and the clip {frames}: nothing to compare"
        else:
            self._recorded = recorded

    def _score_twin(self, frame: int) -> None:
        """Add the twin's sums of `frame`, unless they are recorded already or the twin has failed."""
        twin = self._session.twin
        if self._trouble or self._recorded is not None or not twin.has_sums(frame):
            return
        try:
            self._twin.append(self._session.pair_sums(twin, frame))
        except MotionError as error:
            self._trouble = str(error)

    def _compare(self, frame: int) -> Iterator[None]:
        """Compare the stage planes of `frame`, where the twin has any; nothing is kept but figures."""
        totals: dict[Stage, Statistics] = {}
        try:
            for plane in self._session.twin.planes_read:
                if self._session.twin.observable(frame, plane):
                    yield from self._compare_plane(frame, plane, totals)
        except NothingCompared:
            return
        except MotionError as error:
            self._trouble = str(error)
            return
        if totals:
            first = next((stage for stage in STAGES if stage in totals and totals[stage].nonzero), None)
            self._differences[frame] = FrameDifference(frame, totals, first)

    def _compare_plane(self, frame: int, plane: int, totals: dict[Stage, Statistics]) -> Iterator[None]:
        """Add the statistics of one plane to `totals`, a stage at a time."""
        session = self._session
        yield
        oracle = session.stages(session.oracle, frame, plane, keep=False)
        yield
        twin = session.stages(session.twin, frame, plane, keep=False)
        pair = StagePair(frame, plane, oracle, twin)
        for stage in twin.observable:
            yield
            totals[stage] = totals.get(stage, Statistics()) + pair.statistics(stage)

    def snapshot(self) -> ScanSnapshot:
        """What is known so far, as a record of its own."""
        oracle_scored = self._scored(self._oracle)
        twin_scored = len(self._recorded) if self._recorded else self._scored(self._twin)
        return ScanSnapshot(
            frames=len(self._session.clip),
            scored=min(oracle_scored, twin_scored),
            oracle_scored=oracle_scored,
            twin_scored=twin_scored,
            oracle=self._scores(self._session.oracle, self._oracle),
            twin=self._recorded or self._scores(self._session.twin, self._twin),
            differences=dict(self._differences),
            finished=self._finished,
            trouble=self._trouble,
            unequal_lengths=self._unequal_lengths,
        )

    def _scores(self, engine: Engine, sums: list[PairSums]) -> Scores | None:
        """Metrics of the frames from the front whose sums are there; None where there are none yet."""
        frames = min(self._session.distance, len(self._session.clip)) + len(sums)
        return assemble(sums, frames, engine) if sums or frames == len(self._session.clip) else None

    def _scored(self, sums: list[PairSums]) -> int:
        """Frames whose metrics are final: the last one known still waits for its successor, until the clip ends."""
        frames = len(self._session.clip)
        known = min(self._session.distance, frames) + len(sums)
        return known if known == frames else max(0, known - 1)
