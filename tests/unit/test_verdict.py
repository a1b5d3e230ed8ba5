"""Verdicts: a pass is earned; what cannot be compared is never one."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motion_tui.core.errors import NothingCompared, UsageError
from motion_tui.core.options import Options
from motion_tui.core.scores import Scores
from motion_tui.parity.verdict import (
    EXACT,
    Tolerance,
    chosen_tolerance,
    compare_metric,
    default_tolerance,
    judge,
    places,
    ulp_distance,
)

Values = tuple[float | None, ...]


def scores(values: Values, decimals: Mapping[str, int] | None = None, feature: str = "motion") -> Scores:
    return Scores(feature, "3.2", "x", "CPU", Options(), {"m": values}, decimals or {})


def test_exact_is_equality_and_one_ulp_is_a_mismatch() -> None:
    value = 19.374131944444443
    assert compare_metric("m", scores((0.0, value)), scores((0.0, value))).mismatches == 0
    found = compare_metric("m", scores((0.0, value)), scores((0.0, math.nextafter(value, 20) if value else 0)))
    assert (found.mismatches, found.frame, found.ulps, found.max_abs > 0) == (1, 1, 1, True)
    assert judge([found])[0] == "gap"


def test_delta_is_twin_minus_oracle_and_of_equal_ones_the_first_frame_is_named() -> None:
    found = compare_metric("m", scores((1.0, 2.0, 3.0)), scores((1.5, 1.5, 3.0)), EXACT)
    assert found.deltas == (0.5, -0.5, 0.0)
    assert (found.max_abs, found.frame, found.mismatches) == (0.5, 0, 2)


def test_a_tolerance_is_inclusive() -> None:
    a, b = scores((1.0,)), scores((1.25,))
    assert compare_metric("m", a, b, Tolerance(0.25)).mismatches == 0
    assert compare_metric("m", a, b, Tolerance(math.nextafter(0.25, 0))).mismatches == 1


def test_places_is_the_fields_gate() -> None:
    assert places(4).value == 5e-5
    assert [places(n).value for n in (0, 2, 6)] == [0.5, 0.005, 5e-7]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ((1.0,), (math.nan,)),
        ((math.nan,), (math.nan,)),
        ((1.0,), (None,)),
        ((None,), (1.0,)),
        ((1.0,), (math.inf,)),
        ((1.0, 2.0), (1.0,)),
        ((), ()),
        ((None, None), (None, None)),
    ],
    ids=str,
)
@pytest.mark.parametrize("tolerance", [None, EXACT, Tolerance(1e9)], ids=["default", "exact", "huge"])
def test_what_cannot_be_compared_is_never_compared(ours: Values, theirs: Values, tolerance: Tolerance | None) -> None:
    with pytest.raises(NothingCompared):
        compare_metric("m", scores(ours), scores(theirs), tolerance)


def test_a_missing_metric_is_named_with_what_there_is() -> None:
    with pytest.raises(NothingCompared, match="no metric other: it has m"):
        compare_metric("other", scores((1.0,)), scores((1.0,)))


def test_no_metric_at_all_is_not_parity() -> None:
    assert judge([])[0] == "not-run"


@pytest.mark.parametrize("tolerance", [math.nan, math.inf, -1.0])
def test_a_tolerance_has_to_be_a_length(tolerance: float) -> None:
    with pytest.raises(UsageError):
        Tolerance(tolerance)


def test_tolerance_flags_exclude_each_other() -> None:
    assert chosen_tolerance(False, None, None) is None
    assert chosen_tolerance(True, None, None) is not None
    with pytest.raises(UsageError, match="exclude each other"):
        chosen_tolerance(True, 4, None)
    with pytest.raises(UsageError, match="exclude each other"):
        chosen_tolerance(False, 4, 0.1)


def test_float_motion_alone_has_a_tolerance_by_default() -> None:
    assert default_tolerance("motion") == default_tolerance("motion_v2") == EXACT
    assert default_tolerance("float_motion").value == 5e-5
    found = compare_metric("m", scores((1.0,), feature="float_motion"), scores((1.00004,)))
    assert found.mismatches == 0


class TestPrintedLogs:
    """A log of six decimals: what it shows, and what it cannot show."""

    true = 39.54730902777778
    printed = scores((39.547309,), {"m": 6})

    def test_rounding_is_parity_at_the_logs_resolution(self) -> None:
        found = compare_metric("m", scores((self.true,)), self.printed)
        assert (found.mismatches, found.printing, found.ulps) == (0, 1, None)
        assert found.tolerance.value == 5e-7
        assert judge([found])[0] == "parity"

    def test_a_step_of_the_last_place_is_a_gap(self) -> None:
        found = compare_metric("m", scores((self.true,)), scores((39.547310,), {"m": 6}))
        assert (found.mismatches, found.printing) == (1, 0)

    def test_exact_is_a_gap_that_could_be_mere_printing(self) -> None:
        found = compare_metric("m", scores((self.true,)), self.printed, EXACT)
        assert (found.mismatches, found.printing) == (1, 1)

    def test_exact_is_no_pass_even_where_the_figures_are_equal(self) -> None:
        found = compare_metric("m", scores((0.0, 255.0)), scores((0.0, 255.0), {"m": 6}), EXACT)
        assert found.mismatches == 0
        verdict, reason = judge([found])
        assert verdict == "not-run"
        assert "6 decimals" in reason

    @given(st.floats(0, 300, allow_nan=False))
    def test_correct_printing_is_never_a_gap(self, value: float) -> None:
        log = scores((float(f"{value:.6f}"),), {"m": 6})
        assert compare_metric("m", scores((value,)), log).mismatches == 0


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_neighbouring_doubles_are_one_ulp_apart(value: float) -> None:
    above = math.nextafter(value, math.inf)
    assert ulp_distance(value, value) == 0
    if math.isfinite(above):
        assert ulp_distance(value, above) == ulp_distance(above, value) == 1


def test_ulps_across_zero() -> None:
    assert ulp_distance(0.0, -0.0) == 0
    assert ulp_distance(-5e-324, 5e-324) == 2
    assert ulp_distance(1.0, 2.0) == 2**52
