"""Folding a plane into cells, against exact fractions and a loop over pixels."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from motion_tui.tui.paint.reduce import pair_rows, pixels_of, reduce, span, worst, worst_pixel
from motion_tui.tui.paint.viewport import Viewport, fitted

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "float32", "float64"]
SIDES = st.integers(1, 40)
SCALES = st.fractions(Fraction(1, 8), 9, max_denominator=60)
ORIGINS = st.fractions(-20, 40, max_denominator=8)


def cell_pixels(origin: Fraction, scale: Fraction, cell: int, size: int) -> list[int]:
    """The pixels of a cell, by exact arithmetic: those from its edge to the next, or the one it lies on."""
    start, end = math.floor(origin + cell * scale), math.floor(origin + (cell + 1) * scale)
    pixels = [start] if scale <= 1 else list(range(start, end))
    return [pixel for pixel in pixels if 0 <= pixel < size]


def worst_of(values: list[Any]) -> Any:
    """The value of largest magnitude, plus before minus."""
    return max(values, key=lambda value: (abs(value), value > 0))


@given(
    st.sampled_from(DTYPES), SIDES, SIDES, SCALES, ORIGINS, ORIGINS, SIDES, st.integers(1, 12), st.integers(0, 1 << 32)
)
def test_every_cell_is_the_worst_of_its_pixels(
    dtype: str, width: int, height: int, scale: Fraction, x0: Fraction, y0: Fraction, columns: int, rows: int, seed: int
) -> None:
    plane = random_plane(dtype, height, width, seed)
    view = Viewport(float(x0), float(y0), float(scale))
    grid = reduce(plane, view, columns, rows * 2)
    assert grid.values.dtype == plane.dtype
    for row in range(rows * 2):
        down = cell_pixels(y0, scale, row, height)
        assert (grid.rows.first <= row < grid.rows.last) == bool(down)
        for column in range(columns):
            across = cell_pixels(x0, scale, column, width)
            if down and across:
                values = [plane[y, x].item() for y in down for x in across]
                assert grid.values[row, column].item() == worst_of(values)
            else:
                assert grid.values[row, column] == 0
    for column in range(columns):
        across = cell_pixels(x0, scale, column, width)
        shown = pixels_of(grid.columns, column)
        assert list(range(shown.start, shown.stop) if shown else []) == across


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(1, 300), st.integers(1, 100))
def test_a_fitted_view_shows_every_pixel_once(width: int, height: int, columns: int, rows: int) -> None:
    view = fitted(width, height, columns, rows * 2)
    for origin, cells, size in ((view.x0, columns, width), (view.y0, rows * 2, height)):
        axis = span(origin, view.pixels_per_cell, cells, size)
        assert axis.starts[0] == 0
        assert axis.end == size
        assert (np.diff(axis.starts) >= (0 if view.pixels_per_cell <= 1 else 1)).all()
        assert view.pixels_per_cell > 1 or (np.diff(axis.starts) <= 1).all()


@pytest.mark.parametrize(
    ("width", "height", "columns", "rows"), [(221, 130, 102, 60), (3840, 2160, 66, 48), (7, 5, 3, 2)]
)
def test_a_lone_pixel_in_the_last_row_and_column_survives(width: int, height: int, columns: int, rows: int) -> None:
    plane = np.zeros((height, width), np.int32)
    plane[-1, -1] = -1
    assert reduce(plane, fitted(width, height, columns, rows), columns, rows).values.min() == -1


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_the_smallest_number_of_a_dtype_is_the_worst(dtype: str) -> None:
    info = np.iinfo(dtype)
    plane = np.array([[info.min, info.max], [0, 1]], dtype)
    assert reduce(plane, Viewport(0, 0, 2), 1, 2).values[0, 0] == info.min
    assert reduce(np.full((2, 2), info.min, dtype), Viewport(0, 0, 2), 1, 2).values[0, 0] == info.min


def test_of_plus_and_minus_alike_plus_is_kept() -> None:
    plane = np.array([[-5, 5], [5, -5]], np.int16)
    assert reduce(plane, Viewport(0, 0, 2), 1, 2).values[0, 0] == 5


def test_a_nan_is_never_folded_away() -> None:
    plane = np.array([[-9.0, np.nan], [5.0, 0.0]])
    assert np.isnan(reduce(plane, Viewport(0, 0, 2), 1, 2).values[0, 0])
    assert worst_pixel(plane, slice(0, 2), slice(0, 2)) == (1, 0)


def test_half_rows_fold_the_same_way() -> None:
    values = np.array([[1, -3, -128], [-2, 3, 127]], np.int8)
    assert pair_rows(values).tolist() == [[-2, 3, -128]]
    assert worst(np.array([4], np.uint8), np.array([1], np.uint8)).tolist() == [4]


@given(SIDES, SIDES, st.integers(0, 1 << 32), st.data())
def test_the_worst_pixel_of_a_window(width: int, height: int, seed: int, data: st.DataObject) -> None:
    plane = random_plane("int8", height, width, seed)
    left, top = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    right, bottom = data.draw(st.integers(left + 1, width)), data.draw(st.integers(top + 1, height))
    x, y = worst_pixel(plane, slice(left, right), slice(top, bottom))
    assert left <= x < right
    assert top <= y < bottom
    assert abs(int(plane[y, x])) == np.abs(plane[top:bottom, left:right].astype(int)).max()


def random_plane(dtype: str, height: int, width: int, seed: int) -> NDArray[Any]:
    """Full-range noise, sparse, so that zeros, ties and extremes all occur."""
    noise = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        plane = noise.normal(size=(height, width)).astype(kind)
    else:
        info = np.iinfo(kind)
        plane = noise.integers(info.min, info.max, (height, width), kind, endpoint=True)
        plane[noise.random((height, width)) < 0.1] = info.min
    plane[noise.random((height, width)) < 0.3] = 0
    return plane
