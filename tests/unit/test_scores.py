"""Score rules on sums given by hand: 1 to 7 frames, every option, the float32 edition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motion_tui.core.options import Options
from motion_tui.core.scores import PairSums, ScoreRules, clip_metrics
from motion_tui.core.spec import Edition

Rows = tuple[list[float | None], list[float | None], list[float | None]]


def rows(
    scores: list[float], frames: int, options: dict[str, Any] | None = None, rules: ScoreRules | None = None
) -> Rows:
    """SAD score, motion2 and motion3 of a clip whose pairs score `scores` (multiples of 1/256)."""
    parsed = Options.parse("motion", options)
    pairs = [PairSums((int(score * 256),), (1,)) for score in scores]
    sad, motion2, motion3 = (list(column) for column in clip_metrics(pairs, frames, parsed, rules=rules).values())
    return sad, motion2, motion3


@pytest.mark.parametrize(
    ("scores", "frames", "expected"),
    [
        ([], 0, ([], [], [])),
        ([], 1, ([0], [0], [0])),
        ([7], 2, ([0, 7], [0, 7], [7, 7])),
        ([7, 3], 3, ([0, 7, 3], [0, 3, 3], [7, 3, 3])),
        ([3, 7], 3, ([0, 3, 7], [0, 3, 7], [3, 3, 7])),
        ([5, 9, 2, 4, 8, 6], 7, ([0, 5, 9, 2, 4, 8, 6], [0, 5, 2, 2, 4, 6, 6], [5, 5, 2, 2, 4, 6, 6])),
    ],
)
def test_three_frame_window(scores: list[float], frames: int, expected: Rows) -> None:
    assert rows(scores, frames) == expected


@pytest.mark.parametrize(
    ("scores", "frames", "expected"),
    [
        ([], 1, ([0], [0], [0])),
        ([], 2, ([0, 0], [0, 0], [0, 0])),
        ([7], 3, ([0, 0, 7], [0, 0, 7], [7, 7, 7])),
        ([7, 3], 4, ([0, 0, 7, 3], [0, 0, 3, 3], [7, 7, 3, 3])),
        ([5, 9, 2], 5, ([0, 0, 5, 9, 2], [0, 0, 9, 2, 2], [5, 5, 9, 2, 2])),
        ([5, 9, 2, 4, 8], 7, ([0, 0, 5, 9, 2, 4, 8], [0, 0, 9, 2, 4, 2, 8], [5, 5, 9, 2, 4, 2, 8])),
    ],
)
def test_five_frame_window(scores: list[float], frames: int, expected: Rows) -> None:
    assert rows(scores, frames, {"mffw": True}) == expected


def test_moving_average() -> None:
    _, motion2, motion3 = rows([5, 9, 2], 4, {"mma": True})
    assert motion2 == [0, 5, 2, 2]
    assert motion3 == [5, (5 + 5) / 2, (5 + 2) / 2, 2]
    assert rows([], 1, {"mma": True})[2] == [0]


def test_moving_average_with_the_five_frame_window() -> None:
    assert rows([5, 9, 2], 5, {"mma": True, "mffw": True})[2] == [5, 5, (9 + 5) / 2, (2 + 9) / 2, 2]


def test_force_zero_keeps_every_row() -> None:
    assert rows([5, 9], 3, {"force_0": True}) == ([0, 0, 0], [0, 0, 0], [0, 0, 0])


def test_weight_and_cap_act_on_every_metric() -> None:
    sad, motion2, motion3 = rows([10, 30], 3, {"mfw": 0.5, "mmxv": 8})
    assert (sad, motion2, motion3) == ([0, 5, 8], [0, 5, 8], [5, 5, 8])


def test_blend_above_the_offset() -> None:
    _, motion2, motion3 = rows([10, 30], 3, {"mbf": 0.25, "mbo": 4})
    assert motion2 == [0, 10, 30]
    assert motion3 == [10 * 0.25 + 0.75 * 4, 10 * 0.25 + 0.75 * 4, 30 * 0.25 + 0.75 * 4]


@pytest.mark.parametrize(("feature", "expected"), [("motion", 20 * 0.5 + 0.5 * 5), ("float_motion", 20)])
def test_the_cap_comes_before_the_blend_in_the_integer_feature_alone(feature: str, expected: float) -> None:
    options = Options.parse(feature, {"mbf": 0.5, "mbo": 5, "mmxv": 20})
    pair = PairSums((100 * 256,), (1,)) if feature == "motion" else PairSums((100.0,), (1,))
    metrics = clip_metrics([pair], 2, options)
    motion3 = next(column for name, column in metrics.items() if "motion3" in name)
    assert motion3 == (expected, expected)


def test_planes_are_divided_by_their_own_area_and_added() -> None:
    options = Options.parse("motion", {"mau": True})
    metrics = clip_metrics([PairSums((1000, 77, 31), (64, 16, 9))], 2, options)
    assert metrics["integer_motion2_mau"][1] == 1000 / 256 / 64 + 77 / 256 / 16 + 31 / 256 / 9


@given(sad=st.integers(0, 2**40), area=st.integers(9, 2**26))
def test_edition_3_1_divides_in_float32(sad: int, area: int) -> None:
    edition: Edition = "3.1"
    values = clip_metrics([PairSums((sad,), (area,))], 2, Options.parse("motion", {"mmxv": 10000}), edition)
    expected = float(np.float32(sad / 256.0) / np.float32(area))
    assert values["integer_motion2"] == (0, min(expected, 10000))


def test_motion_v2_has_the_current_rules_in_every_edition() -> None:
    pair, options = PairSums((12345,), (289,)), Options.parse("motion_v2")
    assert clip_metrics([pair], 2, options, "3.1") == clip_metrics([pair], 2, options, "3.2")


def test_debug_adds_plain_motion() -> None:
    metrics = clip_metrics([PairSums((512,), (1,))], 2, Options.parse("motion", {"debug": True}))
    assert metrics["integer_motion"] == metrics["VMAF_integer_feature_motion_sad_score"] == (0, 2)


def test_a_wrong_number_of_pairs_is_no_clip() -> None:
    with pytest.raises(ValueError, match="2 pairs for 2 frames: expected 1"):
        rows([1, 2], 2)


def test_a_clip_without_its_last_frame_written() -> None:
    rules = ScoreRules(last_frame=False)
    assert rows([5, 9], 3, rules=rules) == ([0, 5, 9], [0, 5, None], [5, 5, None])
    assert rows([], 1, rules=rules) == ([0], [None], [None])
