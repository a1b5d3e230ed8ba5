"""Rows of the frame table as text."""

from __future__ import annotations

import math

import numpy as np

from motion_tui.tui.paint.table import Column, Store, cell, column_at, header, row, total_width
from tests.tui.drawings import text_of

COLUMNS = (
    Column("oracle", "oracle", "motion2", width=10),
    Column("delta", "delta", "twin - oracle", "delta", width=13, tolerance=5e-5),
)


def stores(frames: int = 5) -> list[Store]:
    """Frame 0 has no delta, frames 3 and on have not arrived."""
    oracle, delta = Store(frames), Store(frames)
    oracle.update(0, [0.0, 1.5, 12.25])
    delta.update(0, [None, 0.0, -1e-4])
    return [oracle, delta]


def test_numbers_stand_below_their_heading() -> None:
    lines = text_of([*header(COLUMNS, 5, "delta"), *(row(COLUMNS, stores(), frame, 1) for frame in range(4))])
    assert lines.split("\n") == [
        "  frame      oracle         delta▾",
        "            motion2  twin - oracle",
        "first 0    0.000000              —",
        "      1    1.500000              0",
        "      2   12.250000     -1.000e-04",
        "      3           ·              ·",
    ]
    assert total_width(COLUMNS, 5) == len(lines.split("\n")[0])


def test_roles_say_what_a_number_is() -> None:
    store = Store(6)
    store.update(0, [0.0, 5e-5, -6e-5, math.nan, None])
    assert [cell(COLUMNS[1], store, frame)[1] for frame in range(6)] == [
        "muted",
        "nonzero",
        "outside",
        "outside",
        "muted",
        "muted",
    ]


def test_a_value_too_long_for_its_column_keeps_its_magnitude() -> None:
    store = Store(1)
    store.update(0, [123456789012.5])
    assert cell(COLUMNS[0], store, 0)[0] == "1.2346e+11"


def test_columns_are_found_by_place() -> None:
    text = text_of(header(COLUMNS, 5, None)[:1])
    assert column_at(COLUMNS, 5, 0) is None
    assert column_at(COLUMNS, 5, text.index("oracle")) == COLUMNS[0]
    assert column_at(COLUMNS, 5, text.index("delta")) == COLUMNS[1]
    assert column_at(COLUMNS, 5, len(text)) is None


def test_worst_first_puts_what_is_not_a_number_on_top_and_the_unknown_last() -> None:
    store = Store(7)
    store.update(0, [None, 1.0, -3.0, math.nan, 0.0, 3.0])
    assert store.worst_first().tolist() == [3, 2, 5, 1, 4, 0, 6]


def test_a_store_of_a_hundred_thousand_frames_is_small() -> None:
    store = Store(100_000)
    assert sum(array.nbytes for array in (store.values, store.arrived, store.absent)) == 1_000_000
    store.update(50_000, np.arange(10.0).tolist())
    assert store.values[50_009] == 9.0
