"""Options: names and aliases, ranges, refusals with the nearest name, and what they put into metric names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motion_tui.core.errors import UsageError
from motion_tui.core.options import OPTIONS, Options
from motion_tui.core.scores import metric_names


def test_defaults_are_libvmafs() -> None:
    options = Options.parse("motion")
    assert options.as_dict() == {
        "debug": False,
        "motion_add_uv": False,
        "motion_blend_factor": 1.0,
        "motion_blend_offset": 40.0,
        "motion_five_frame_window": False,
        "motion_force_zero": False,
        "motion_fps_weight": 1.0,
        "motion_max_val": 10000.0,
        "motion_moving_average": False,
    }
    assert options.given == ()
    assert Options.parse("float_motion").debug
    assert Options.parse("float_motion").motion_filter_size == 5


@pytest.mark.parametrize(
    ("alias", "name", "text", "value"),
    [
        ("mfw", "motion_fps_weight", "0.5", 0.5),
        ("mbf", "motion_blend_factor", "0.25", 0.25),
        ("mbo", "motion_blend_offset", "12", 12.0),
        ("mmxv", "motion_max_val", "30.5", 30.5),
        ("mffw", "motion_five_frame_window", "true", True),
        ("mma", "motion_moving_average", "1", True),
        ("force_0", "motion_force_zero", "True", True),
        ("mau", "motion_add_uv", "false", False),
    ],
)
def test_aliases_mean_the_full_name(alias: str, name: str, text: str, value: object) -> None:
    by_alias, by_name = Options.parse("motion", {alias: text}), Options.parse("motion", {name: value})
    assert by_alias == by_name
    assert by_alias.as_dict()[name] == value
    assert by_alias.given == (name,)


@pytest.mark.parametrize(
    ("feature", "values", "message"),
    [
        ("motion", {"motion_fps_wieght": 1}, "unknown option 'motion_fps_wieght' of motion: did you mean motion_fps_w"),
        ("motion", {"zzzz": 1}, "unknown option 'zzzz' of motion: one of debug, motion_add_uv, "),
        ("motion", {"mfs": 3}, "option motion_filter_size belongs to float_motion, not to motion"),
        ("float_motion", {"mffw": True}, "option motion_five_frame_window belongs to motion and motion_v2"),
        ("motion", {"mfw": "nan"}, "option motion_fps_weight=nan: expected a number from 0 to 5"),
        ("motion", {"mfw": 5.01}, "expected a number from 0 to 5"),
        ("motion", {"mfw": -0.1}, "expected a number from 0 to 5"),
        ("motion", {"mbf": 1.5}, "expected a number from 0 to 1"),
        ("motion", {"mbo": 1001}, "expected a number from 0 to 1000"),
        ("motion", {"mmxv": "lots"}, "option motion_max_val=lots: expected a number from 0 to 10000"),
        ("motion", {"mma": "maybe"}, "option motion_moving_average=maybe: expected true or false"),
        ("float_motion", {"mfs": 10}, "expected a whole number from 0 to 9"),
        ("float_motion", {"mfs": 10**9}, "expected a whole number from 0 to 9"),
        ("motion", {"mfw": "inf"}, "expected a number from 0 to 5"),
        ("float_motion", {"mfs": 2.5}, "expected a whole number from 0 to 9"),
        ("motion", {"mfw": 1, "motion_fps_weight": 2}, "option motion_fps_weight is given twice"),
        ("moton", {}, "unknown feature 'moton': did you mean motion"),
        ("vif", {}, "unknown feature 'vif': one of motion, motion_v2, float_motion"),
    ],
)
def test_refusals_name_the_option_and_what_to_do(feature: str, values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Options.parse(feature, values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("feature", "values", "names"),
    [
        ("motion", {}, "VMAF_integer_feature_motion_sad_score integer_motion2 integer_motion3"),
        (
            "motion",
            {"debug": True, "mfw": 0.5},
            "VMAF_integer_feature_motion_sad_score_mfw_0.5 integer_motion2_mfw_0.5 integer_motion3_mfw_0.5 "
            "integer_motion_mfw_0.5",
        ),
        (
            "motion",
            {
                "mmxv": 20,
                "mfw": 0.5,
                "mffw": True,
                "mau": True,
                "force_0": True,
                "mma": True,
                "mbo": 1e-7,
                "mbf": 1 / 3,
            },
            "VMAF_integer_feature_motion_sad_score{0} integer_motion2{0} integer_motion3{0}".format(
                "_mau_mbf_0.333333_mbo_1e-07_mffw_force_0_mfw_0.5_mmxv_20_mma"
            ),
        ),
        (
            "motion_v2",
            {"mfw": 0.5},
            "VMAF_integer_feature_motion_v2_sad_score_mfw_0.5 VMAF_integer_feature_motion2_v2_score_mfw_0.5 "
            "VMAF_integer_feature_motion3_v2_score_mfw_0.5",
        ),
        ("float_motion", {}, "motion2 motion3 motion"),
        ("float_motion", {"debug": False, "mfs": 3, "mdc": True}, "motion2_mdc_mfs_3 motion3_mdc_mfs_3"),
    ],
)
def test_metric_names(feature: str, values: dict[str, object], names: str) -> None:
    assert metric_names(Options.parse(feature, values)) == tuple(names.split())


@given(st.floats(0, 5, allow_subnormal=True))
def test_numbers_in_names_are_printed_as_g(weight: float) -> None:
    suffix = Options.parse("motion", {"mfw": weight}).suffix
    assert suffix == ("" if "%g" % weight == "1" else f"_mfw_{'%g' % weight}")  # noqa: UP031 (C's own form)


def test_numbers_keep_the_six_digits_that_libvmaf_keeps() -> None:
    options = Options.parse("motion", {"mbf": 0.123456789, "mfw": "1.00000049", "mmxv": "9999.996"})
    assert (options.motion_blend_factor, options.motion_fps_weight, options.motion_max_val) == (0.123457, 1.0, 10000.0)
    assert options.suffix == "_mbf_0.123457"


def test_suffix_order_is_that_of_the_full_names() -> None:
    assert list(OPTIONS) == sorted(OPTIONS)
    assert list(Options.parse("float_motion").as_dict()) == [
        name for name, row in OPTIONS.items() if "float_motion" in row.features
    ]
