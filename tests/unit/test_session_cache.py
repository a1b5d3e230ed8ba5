"""What a session keeps: both sides of a pair always, and of older ones no more than fits."""

from __future__ import annotations

import pytest

from motion_tui.clips.registry import open_clip
from motion_tui.engines.base import EngineConfig
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
