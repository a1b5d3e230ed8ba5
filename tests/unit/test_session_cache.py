"""What a session keeps: both sides of a pair always, and of older ones no more than fits; both computed at once."""

from __future__ import annotations

import threading

import pytest

from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import TwinError
from motion_tui.core.frames import FramePair
from motion_tui.engines.base import EngineConfig, Stages
from motion_tui.engines.reference import Reference
from motion_tui.engines.registry import open_engine
from motion_tui.parity import session as sessions
from motion_tui.parity.session import Session

PAIR_BYTES = 32 * 18 * 4 * 3 * 2
"""Two engines' D, V and H of a 32x18 plane in int32."""


@pytest.mark.parametrize(("budget", "pairs"), [(0, 1), (PAIR_BYTES, 1), (2 * PAIR_BYTES, 2), (4 * PAIR_BYTES, 4)])
def test_no_more_than_the_budget_is_kept_and_a_pair_always_is(
    monkeypatch: pytest.MonkeyPatch, budget: int, pairs: int
) -> None:
    monkeypatch.setattr(sessions, "CACHE_BYTES", budget)
    config = EngineConfig()
    clip = open_clip("synthetic:noise?size=32x18&format=400&frames=9")
    session = Session(clip, open_engine("reference", config), open_engine("model:blur-first", config))
    for frame in session.scored_frames:
        session.stage_pair(frame)
        assert sum(stages.nbytes for stages in session._stages.values()) <= max(budget, PAIR_BYTES)
        assert session.stages(session.oracle, frame) is session.stages(session.oracle, frame)
        assert session.stages(session.twin, frame) is session.stages(session.twin, frame)
    assert len(session._stages) == 2 * pairs
    session.close()


class Meeting(Reference):
    """Computes nothing before the other side is computing too."""

    def __init__(self, barrier: threading.Barrier, failure: str = "") -> None:
        super().__init__(EngineConfig())
        self.barrier, self.failure = barrier, failure

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        self.barrier.wait(10)
        if self.failure:
            raise TwinError(self.failure)
        return super().stages(pair, plane)


def test_both_sides_are_computed_at_the_same_time_and_a_failing_twin_leaves_the_oracles() -> None:
    barrier = threading.Barrier(2)
    clip = open_clip("synthetic:noise?size=32x18&format=400&frames=3")
    session = Session(clip, Meeting(barrier), Meeting(barrier))
    assert session.stage_pair(1).first_difference is None
    failing = Session(clip, Meeting(barrier), Meeting(barrier, "the worker died"))
    oracle, twin = failing.stages_of_both(2)
    assert oracle.h is not None
    with pytest.raises(TwinError, match="the worker died"):
        twin()
    assert failing._computing == 0  # what failed takes no room
