"""Residue and its statistics: exact at the ends of int32, equal to a scalar loop, additive over frames."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from motion_tui.core.errors import NothingCompared
from motion_tui.engines.base import Stages
from motion_tui.parity.residue import Box, Pixel, StagePair, Statistics, statistics, subtract

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9)
ENDS = st.sampled_from([-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 1]) | st.integers(-70000, 70000)


@st.composite
def two_planes(draw: st.DrawFn) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    shape = draw(SHAPES)
    first, second = (draw(hnp.arrays(np.int32, shape, elements=ENDS)) for _ in range(2))
    return first, second


@given(two_planes())
def test_subtract_is_exact_for_any_int32(planes: tuple[NDArray[np.int32], NDArray[np.int32]]) -> None:
    twin, oracle = planes
    residue = subtract(twin, oracle)
    expected = [[int(a) - int(b) for a, b in zip(x, y, strict=True)] for x, y in zip(twin, oracle, strict=True)]
    assert residue.tolist() == expected
    assert not residue.flags.writeable
    assert residue.dtype in (np.int32, np.int64)


def test_subtract_of_unsigned_samples_goes_below_zero() -> None:
    assert subtract(np.array([[0, 7]], np.uint16), np.array([[65535, 7]], np.uint16)).tolist() == [[-65535, 0]]


def test_subtract_keeps_float_differences() -> None:
    tiny = np.array([[1.0, 1.0 + 2**-23]], np.float32)
    assert subtract(tiny, np.ones((1, 2), np.float32)).tolist() == [[0.0, 2**-23]]


def test_planes_of_unlike_shape_are_not_compared() -> None:
    with pytest.raises(NothingCompared, match=r"\(4, 3\).*\(3, 4\)"):
        subtract(np.zeros((3, 4), np.int32), np.zeros((4, 3), np.int32))


def loop_statistics(plane: NDArray[Any], frame: int) -> Statistics:
    """The same by the definition, one sample after another."""
    height, width = plane.shape
    found = [(int(plane[y, x]), x, y) for y in range(height) for x in range(width) if plane[y, x]]
    on_edge = [(x, y) for y in range(height) for x in range(width) if min(x, y, width - 1 - x, height - 1 - y) < 2]
    largest = max((abs(value) for value, _, _ in found), default=0)
    # of equals the first positive one in reading order, else the first negative one
    worst = min(((value < 0, y, x) for value, x, y in found if abs(value) == largest), default=None)
    return Statistics(
        pixels=plane.size,
        nonzero=len(found),
        max_abs=largest,
        sum_positive=sum(value for value, _, _ in found if value > 0),
        sum_negative=sum(value for value, _, _ in found if value < 0),
        worst=Pixel(frame, 0, worst[2], worst[1]) if worst else None,
        bounding_box=Box(
            min(x for _, x, _ in found),
            min(y for *_, y in found),
            max(x for _, x, _ in found),
            max(y for *_, y in found),
        )
        if found
        else None,
        edge_nonzero=len({(x, y) for _, x, y in found} & set(on_edge)),
        edge_pixels=len(on_edge),
    )


@settings(max_examples=200)
@given(hnp.arrays(np.int32, SHAPES, elements=ENDS))
def test_statistics_equal_a_scalar_loop(plane: NDArray[np.int32]) -> None:
    assert statistics(plane, 3, 0) == loop_statistics(plane, 3)


@given(st.lists(hnp.arrays(np.int32, (4, 5), elements=st.integers(-3, 3)), min_size=2, max_size=4))
def test_statistics_add_up_over_frames(planes: list[NDArray[np.int32]]) -> None:
    parts = [statistics(plane, frame, 0) for frame, plane in enumerate(planes)]
    total = reduce(lambda a, b: a + b, parts)
    stacked = np.stack(planes)
    assert total.nonzero == int(np.count_nonzero(stacked))
    assert total.max_abs == int(np.abs(stacked).max())
    assert total.sum_positive + total.sum_negative == stacked.sum()
    if total.worst:
        assert abs(stacked[total.worst.frame, total.worst.y, total.worst.x]) == total.max_abs


@pytest.mark.parametrize("place", [(0, 0), (8, 0), (0, 6), (8, 6), (4, 3)], ids=str)
def test_one_sample_is_seen_wherever_it_is(place: tuple[int, int]) -> None:
    """YUView #497: a difference in the last column alone was drawn, and reported as none."""
    x, y = place
    twin = np.zeros((7, 9), np.int32)
    twin[y, x] = -1
    found = statistics(subtract(twin, np.zeros_like(twin)), 5, 2)
    assert (found.nonzero, found.max_abs, found.sum_negative) == (1, 1, -1)
    assert found.worst == Pixel(5, 2, x, y)
    assert found.bounding_box == Box(x, y, x, y)
    assert found.edge_share == float(place != (4, 3))


def test_edge_share_against_a_uniform_spread() -> None:
    everywhere = statistics(np.ones((10, 20), np.int32), 0, 0)
    assert everywhere.edge_share == everywhere.edge_share_if_uniform == 1 - (6 * 16) / 200


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_not_a_number_is_not_compared(value: float) -> None:
    with pytest.raises(NothingCompared, match="frame 4, plane 1"):
        statistics(np.array([[0.0, value]]), 4, 1)


def test_magnitudes_are_compared_with_magnitudes_and_a_missing_stage_with_nothing() -> None:
    signed = np.array([[-3, 4]], np.int32)
    oracle = Stages(signed, signed, signed)
    pair = StagePair(1, 0, oracle, Stages(None, np.array([[3, 4]], np.uint16), signed, unsigned=("V",)))
    assert pair.observable == ("V", "H")
    assert pair.residue("V").tolist() == pair.residue("H").tolist() == [[0, 0]]
    assert pair.first_difference is None
    with pytest.raises(NothingCompared, match="stage D is not observable"):
        pair.residue("D")
