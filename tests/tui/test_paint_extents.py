"""Chroma conventions to scale: areas, and a difference of one sample that is still drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motion_tui.core.geometry import PIXEL_FORMATS, Geometry
from motion_tui.tui.paint.extents import conventions, extents, share, side
from tests.tui.drawings import text_of


def test_the_three_conventions_at_a_size_where_all_differ() -> None:
    """4:2:2 with an odd width: a file rounds up, libvmaf down, and the old twin halves the rows as well."""
    found = {staged.rule: staged for staged in conventions(Geometry(1921, 1080, "422", 10))}
    assert [str(staged.extent) for staged in found.values()] == ["961x1080", "960x1080", "961x540"]
    assert [staged.missing for staged in found.values()] == [0, 1080, 961 * 540]
    assert [staged.words() for staged in found.values()] == [
        ("complete", "right"),
        ("0.1 % left out", "wrong"),
        ("50.0 % left out", "wrong"),
    ]


def test_444_staged_as_420_loses_three_quarters() -> None:
    assert conventions(Geometry(1920, 1080, "444", 8))[2].words() == ("75.0 % left out", "wrong")


def test_411_staged_as_420_reaches_past_the_plane_and_says_so() -> None:
    text, role = conventions(Geometry(1920, 1080, "411", 8))[2].words()
    assert (text, role) == ("50.0 % left out, overrun", "wrong")
    assert "░" in text_of(extents(Geometry(1920, 1080, "411", 8), 80, 12))


@given(st.integers(1, 9000), st.integers(1, 9000), st.floats(0.1, 500))
def test_a_difference_of_one_sample_has_a_cell(extent: int, true: int, scale: float) -> None:
    cells = side(extent, true, scale)
    assert (cells.missing > 0) == (extent < true)
    assert (cells.beyond > 0) == (extent > true)
    assert cells.staged >= 1
    assert abs(cells.staged + cells.missing - true / scale) <= 2


@pytest.mark.parametrize("name", [name for name in PIXEL_FORMATS if name != "400"])
@pytest.mark.parametrize("size", [(78, 12), (54, 7), (200, 50)])
def test_hatched_cells_are_where_a_convention_leaves_something_out(name: str, size: tuple[int, int]) -> None:
    geometry = Geometry(1283, 723, name, 8)
    text = text_of(extents(geometry, *size, plain=True)).split("\n")
    assert [len(line) for line in text] == [size[0]] * size[1]
    panel = (size[0] - 4) // 3
    for i, staged in enumerate(conventions(geometry)):
        drawn = "".join(line[i * (panel + 2) : i * (panel + 2) + panel] for line in text[1 : size[1] - 3])
        assert ("╱" in drawn) == bool(staged.missing)
        assert ("░" in drawn) == staged.beyond
        assert "▒" in drawn


def test_hatched_area_is_to_scale() -> None:
    text = text_of(extents(Geometry(1920, 1080, "444", 8), 200, 50, plain=True)).split("\n")
    drawn = "".join(line[134:] for line in text[1:47])
    hatched = drawn.count("╱")
    staged = drawn.count("▒") + len("960x540")
    assert abs(hatched / (hatched + staged) - 0.75) < 0.02


def test_little_room_leaves_words() -> None:
    lines = text_of(extents(Geometry(19, 23, "422", 8), 40, 12, "as-420")).split("\n")
    assert lines == [
        "plane          10x23 complete",
        "picture         9x23 10.0 % left out",
        "as-420  ◂      10x12 47.8 % left out",
    ]
    assert "no chroma" in text_of(extents(Geometry(64, 64, "400", 8), 80, 12))


def test_shares_never_round_to_nothing_or_all() -> None:
    assert [share(*pair) for pair in ((0, 7), (1, 100_000), (1, 3), (99_999, 100_000), (7, 7))] == [
        "0.0 %",
        "under 0.1 %",
        "33.3 %",
        "over 99.9 %",
        "100.0 %",
    ]
