"""The kernel sources in plain Python against the scalar arithmetic: what is compiled is right before it is compiled.

NumPy warns when an int32 wraps, and warnings are errors here: a sum that needs more than 32 bits fails.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion_kernels import arithmetic, catalogue, plan
from tests.parity import scalar
from tests.parity.plain_runner import run, stage

EXPECTED = {
    "diff-first": scalar.diff_first,
    "single-pass": scalar.diff_first,
    "blur-first": scalar.blur_first,
}
SIZES = ((3, 3), (4, 5), (5, 3), (17, 4), (9, 17))
DEPTHS = (8, 10, 15, 16)
WIDE = (3 * plan.CHUNKS + 5, 3)
"""Wide enough for every work-item of a row sum to take several columns."""


def planes(size: tuple[int, int], bpc: int, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two planes of full-range noise; the corners hold both extremes."""
    width, height = size
    noise = np.random.default_rng([seed, width, height, bpc])
    dtype = np.uint8 if bpc == 8 else np.uint16
    pair = noise.integers(0, 1 << bpc, (2, height, width)).astype(dtype)
    pair[:, 0, 0], pair[:, -1, -1] = (0, (1 << bpc) - 1), ((1 << bpc) - 1, 0)
    return pair[0], pair[1]


def test_every_integer_twin_has_an_expectation() -> None:
    integer = {name for name in catalogue.TWINS if "motion" in catalogue.twin(name).features}
    assert integer == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("bpc", DEPTHS)
@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_stages_equal_the_scalar_arithmetic(name: str, bpc: int, size: tuple[int, int]) -> None:
    twin = catalogue.twin(name)
    previous, current = planes(size, bpc, 1)
    arrays = run(twin, twin.stage_steps, previous, current, bpc)
    for letter, wanted in zip("DVH", EXPECTED[name](previous, current, bpc), strict=True):
        assert stage(twin, arrays, letter, size[0]).tolist() == wanted, letter  # type: ignore[arg-type]


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("bpc", DEPTHS)
@pytest.mark.parametrize("size", [(3, 3), (4, 5), WIDE], ids="{0[0]}x{0[1]}".format)
def test_the_scoring_path_adds_up_to_the_same(name: str, bpc: int, size: tuple[int, int]) -> None:
    twin = catalogue.twin(name)
    previous, current = planes(size, bpc, 2)
    sums = run(twin, twin.sum_steps, previous, current, bpc)[twin.sums]
    assert sums.shape == (size[1], min(size[0], plan.CHUNKS))
    h = EXPECTED[name](previous, current, bpc)[2]
    assert sums.sum(axis=1).tolist() == [sum(map(abs, row)) for row in h]


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize(("bpc", "score"), [(8, 255), (10, 255.75), (12, 255.9375), (16, 255.99609375)])
@pytest.mark.parametrize("rising", [True, False])
def test_full_swing_is_the_largest_score(name: str, bpc: int, score: float, rising: bool) -> None:
    twin = catalogue.twin(name)
    dark = np.zeros((4, 5), np.uint8 if bpc == 8 else np.uint16)
    bright = np.full_like(dark, (1 << bpc) - 1)
    previous, current = (dark, bright) if rising else (bright, dark)
    sums = run(twin, twin.sum_steps, previous, current, bpc)[twin.sums]
    assert int(sums.sum()) / 256 / dark.size == score


@pytest.mark.parametrize("filter_size", [5, 3, 1])
@pytest.mark.parametrize("bpc", [8, 10, 16])
@pytest.mark.parametrize("size", [(3, 3), (9, 5)], ids="{0[0]}x{0[1]}".format)
def test_float_stages_equal_the_scalar_float32_code(filter_size: int, bpc: int, size: tuple[int, int]) -> None:
    twin = catalogue.twin("float")
    previous, current = planes(size, bpc, 3)
    arrays = run(twin, twin.stage_steps, previous, current, bpc, filter_size)
    for letter, wanted in zip("DVH", scalar.float_motion(previous, current, bpc, filter_size), strict=True):
        found = stage(twin, arrays, letter, size[0])  # type: ignore[arg-type]
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, wanted, letter)


def test_float_sums_are_the_sums_of_float32_strands() -> None:
    twin = catalogue.twin("float")
    previous, current = planes(WIDE, 10, 4)
    sums = run(twin, twin.sum_steps, previous, current, 10)[twin.sums]
    h = np.abs(scalar.float_motion(previous, current, 10, 5)[2])
    for k in range(plan.CHUNKS):
        wanted = np.add.accumulate(h[:, k :: plan.CHUNKS], axis=1)[:, -1]
        np.testing.assert_array_equal(sums[:, k], wanted)


def filtered(values: tuple[int, ...], shift: int) -> int:
    """`arithmetic.weigh` of five int32 values."""
    a, b, c, d, e = map(np.int32, values)
    return int(arithmetic.weigh(a, b, c, d, e, shift))


VALUE = st.integers(-65535, 65535)


@given(st.tuples(VALUE, VALUE, VALUE, VALUE, VALUE), st.integers(8, 16))
def test_halved_taps_are_exact_in_32_bits(values: tuple[int, ...], shift: int) -> None:
    total = sum(tap * value for tap, value in zip(scalar.TAPS, values, strict=True))
    assert filtered(values, shift) == (total + (1 << (shift - 1))) >> shift


@pytest.mark.parametrize("value", [65535, -65535])
@pytest.mark.parametrize("shift", [8, 16])
def test_halved_taps_hold_at_the_extremes(value: int, shift: int) -> None:
    total = 65536 * value
    assert filtered((value,) * 5, shift) == (total + (1 << (shift - 1))) >> shift


@given(st.integers(3, 40), st.data())
def test_rows_are_reflected_once(length: int, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, length - 1))
    for distance in (1, 2):
        assert arithmetic.before(row, distance) == scalar.reflect(row - distance, length)
        assert arithmetic.after(row, distance, length) == scalar.reflect(row + distance, length)
