"""The curve: every spike has a dot, zero has a line, what is missing has none."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motion_tui.tui.paint.curve import (
    LABELS,
    CurveLook,
    as_values,
    braille,
    columns_of,
    curve,
    dots,
    frame_at,
    frames_of,
    symlog,
)
from motion_tui.tui.paint.lines import Line
from tests.tui.drawings import text_of

VALUES = st.lists(st.none() | st.just(0.0) | st.floats(-1e6, 1e6), min_size=1, max_size=200)


def roles(line: Line) -> Iterator[str]:
    """The role of every column."""
    for text, role in line:
        yield from [role] * len(text)


@given(VALUES, st.integers(2, 60), st.integers(1, 10), st.booleans())
def test_no_value_is_lost_and_none_is_made_up(
    values: list[float | None], columns: int, rows: int, logarithmic: bool
) -> None:
    known = as_values(values)
    shown = symlog(known, 1e-3) if logarithmic else known
    filled, zero = dots(shown, columns * 2, rows * 4)
    for column in range(columns * 2):
        frames = [values[frame] for frame in frames_of(column, len(values), columns * 2)]
        present = [value for value in frames if value is not None]
        assert filled[zero, column] == bool(present)
        assert filled[:zero, column].any() == any(value > 0 for value in present)
        assert filled[zero + 1 :, column].any() == any(value < 0 for value in present)


@given(VALUES, st.integers(2, 60))
def test_the_extremes_reach_the_ends(values: list[float | None], columns: int) -> None:
    filled, zero = dots(as_values(values), columns, 12)
    present = [value for value in values if value is not None]
    if any(present):
        assert filled[0].any() == (max(present) > 0 or zero == 0)
        assert filled[-1].any() == (min(present) < 0 or zero == 11)


@given(st.integers(1, 500), st.integers(1, 100))
def test_columns_and_frames_agree(frames: int, columns: int) -> None:
    for column in range(columns):
        for frame in frames_of(column, frames, columns):
            assert column in columns_of(frame, frames, columns)
    for frame in (0, frames // 2, frames - 1):
        assert all(frame in frames_of(column, frames, columns) for column in columns_of(frame, frames, columns))
        assert len(columns_of(frame, frames, columns)) >= 1


def test_a_lone_spike_among_ten_thousand_frames() -> None:
    values = [0.0] * 10_000
    values[1234] = 1e-9
    lines = curve(as_values(values), CurveLook(), 109, 12)
    at = 1234 * 100 // 10_000
    assert lines[1][-1] != ("", "")
    spike = text_of(lines[1:2])[LABELS + at]
    assert spike in "⡇⢸"
    assert text_of(lines[1:2])[LABELS:].replace(spike, "⠀") == "⠀" * 100
    assert list(roles(lines[1]))[LABELS + at] == "outside"
    assert text_of(lines[-2:-1]).count("▴") == 1
    assert text_of(lines[:1]).startswith("worst 1e-9 at frame 1234 · 1 of 10000 not zero")


def test_a_pick_finds_the_spike_under_the_pointer() -> None:
    values = as_values([None] + [0.0] * 9_998 + [-3.0])
    assert frame_at(values, 99, 100) == 9_999
    assert frame_at(values, 0, 100) == 1
    assert frame_at(values, 100, 100) is None
    assert frame_at(as_values([]), 0, 10) is None


def test_outside_is_beyond_the_tolerance_not_at_it() -> None:
    lines = curve(as_values([5e-5, -5e-5, 5.1e-5, None]), CurveLook(tolerance=5e-5), LABELS + 8, 8)
    assert list(roles(lines[1]))[LABELS:] == [""] * 4 + ["outside"] * 2 + [""] * 2
    assert text_of(lines[-2:-1])[LABELS:] == "────▴▴──"


def test_the_cursor_is_a_column_and_stays_told_from_outside() -> None:
    lines = curve(as_values([0.0, 1.0, 0.0, 0.0]), CurveLook(), LABELS + 4, 8, cursor=1)
    assert list(roles(lines[2]))[LABELS:] == ["", "cursor-outside", "", ""]
    lines = curve(as_values([0.0, 1.0, 0.0, 0.0]), CurveLook(), LABELS + 4, 8, cursor=2)
    assert list(roles(lines[2]))[LABELS:] == ["", "outside", "cursor", ""]


def test_every_size_gives_as_many_lines_of_that_width() -> None:
    for height in range(1, 9):
        for width in (5, LABELS + 2, 40):
            lines = curve(as_values([None, 1.0, -2.0]), CurveLook(title="motion2"), width, height)
            assert [len(line) for line in text_of(lines).split("\n")] == [width] * height


def test_a_heading_too_long_leaves_the_figures() -> None:
    lines = curve(as_values([None, 1.0, -2.0]), CurveLook(title="smaller of this score and the next"), 40, 8)
    assert text_of(lines[:1]) == "worst -2 at frame 2 · 2 of 2 not zero".ljust(40)


def test_axis_names_the_extremes_and_zero() -> None:
    text = text_of(curve(as_values([0.0, 2.0, -1.0]), CurveLook(), 40, 10)).split("\n")
    assert text[1].startswith("       2│")
    assert text[7].startswith("      -1│")
    assert sum(line.startswith("       0┼") for line in text) == 1
    assert "no values yet" in text_of(curve(as_values([None, None]), CurveLook(), 40, 10))
    assert "all zero · 0 of 2 not zero" in text_of(curve(as_values([0.0, 0.0]), CurveLook(), 40, 10))


def test_infinities_are_spikes_too() -> None:
    filled, zero = dots(np.array([math.inf, -math.inf, 0.0, 1.0]), 4, 8)
    assert filled[0, 0]
    assert filled[-1, 1]
    assert not filled[:zero, 2].any()


def test_braille_dots_are_where_unicode_has_them() -> None:
    for dot, (row, column) in enumerate([(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 0), (3, 1)]):
        filled = np.zeros((4, 2), bool)
        filled[row, column] = True
        assert braille(filled) == [chr(0x2800 + (1 << dot))]
