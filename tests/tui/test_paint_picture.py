"""A pane's lines: the cells that numpy demands, the same by both ways, with numbers and cross-hair on top."""

from __future__ import annotations

from io import StringIO
from typing import Any, Literal

import numpy as np
import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rich.console import Console
from rich.style import Style
from textual.strip import Strip

from motion_tui.core.colour import ColourSystem, Mode, level_rgb
from motion_tui.tui.paint.ink import OUTSIDE, runs
from motion_tui.tui.paint.numbers import amount, fitting
from motion_tui.tui.paint.picture import Look, draw, levels_of, marked, touched
from motion_tui.tui.paint.reduce import reduce
from motion_tui.tui.paint.strips import HeatStrip
from motion_tui.tui.paint.viewport import Viewport, fitted

BACKGROUND = Style.parse("#e0e0e0 on #121212")
RICH_NAMES: dict[ColourSystem, Literal["truecolor", "256", "standard"]] = {
    "truecolor": "truecolor",
    "256": "256",
    "16": "standard",
}
Cell = tuple[str, str, str]


def noise(width: int, height: int, seed: int = 1) -> NDArray[np.int32]:
    """Small signed values, half of them zero."""
    random = np.random.default_rng(seed)
    plane = random.integers(-20, 21, (height, width)).astype(np.int32)
    plane[random.random((height, width)) < 0.5] = 0
    return plane


def lines(plane: NDArray[Any], look: Look, view: Viewport, size: tuple[int, int], **more: Any) -> list[Strip]:
    """Drawn and marked."""
    return marked(draw(plane, look, view, size, BACKGROUND, fast=more.get("fast", True)), more.get("cursor"))


def on_terminal(strips: list[Strip], width: int, system: ColourSystem) -> list[list[Cell]]:
    """What an emulated terminal shows: character, foreground and background of every cell."""
    console = Console(file=StringIO(), force_terminal=True, color_system=RICH_NAMES[system])
    screen = pyte.Screen(width + 1, len(strips) + 1)
    stream = pyte.Stream(screen)
    stream.feed("\r\n".join(strip.render(console) for strip in strips))
    rows = [[screen.buffer[row][column] for column in range(width)] for row in range(len(strips))]
    return [[(cell.data, "" if cell.data == " " else cell.fg, cell.bg) for cell in row] for row in rows]


@pytest.mark.parametrize("system", ["truecolor", "256", "16"])
@pytest.mark.parametrize("mode", ["diverging", "magnitude"])
@pytest.mark.parametrize("view", [None, Viewport(-3, -2, 0.5), Viewport(5, 4, 0.125), Viewport(2.5, 1.25, 1.75)])
def test_both_ways_show_the_same_cells(system: ColourSystem, mode: Mode, view: Viewport | None) -> None:
    plane = noise(67, 41)
    look = Look(mode, 16, "berlin", system)
    shown = view or fitted(67, 41, 30, 20)
    fast, plain = (lines(plane, look, shown, (30, 10), fast=way, cursor=(6, 5)) for way in (True, False))
    assert view or any(isinstance(strip, HeatStrip) for strip in fast)
    assert on_terminal(fast, 30, system) == on_terminal(plain, 30, system)
    assert [list(strip) for strip in fast] == [list(strip) for strip in plain]


def test_a_fast_line_survives_being_cut_and_looked_at() -> None:
    strip = lines(noise(30, 4), Look(limit=16), Viewport(0, 0, 1), (30, 2))[0]
    plain = lines(noise(30, 4), Look(limit=16), Viewport(0, 0, 1), (30, 2), fast=False)[0]
    assert isinstance(strip, HeatStrip)
    assert strip.text == plain.text
    assert strip.cell_length == 30
    assert list(strip.crop(3, 17)) == list(plain.crop(3, 17))
    left, right = strip.divide([10, 30])
    assert left.text + right.text == plain.text


@given(st.integers(1, 60), st.integers(1, 60), st.integers(2, 40), st.integers(1, 12), st.integers(0, 1000))
def test_cells_have_the_colours_of_their_values(width: int, height: int, columns: int, rows: int, seed: int) -> None:
    """The picture, read back cell by cell, against the table and an independent fold."""
    plane = noise(width, height, seed)
    view = fitted(width, height, columns, rows * 2)
    table = level_rgb("berlin", "diverging").tolist()
    strips = draw(plane, Look(limit=20), view, (columns, rows), BACKGROUND).strips
    for row, strip in enumerate(strips):
        column = 0
        for segment in strip:
            assert segment.style is not None
            colours = segment.style.color, segment.style.bgcolor
            for half in (0, 1):
                colour = colours[half] if segment.text[0] == "▀" else colours[1]
                assert colour is not None
                for at in range(column, column + len(segment.text)):
                    value = value_at(plane, view, at, 2 * row + half)
                    if value is None:
                        assert colour == BACKGROUND.bgcolor
                    else:
                        step = -(-abs(value) * 127 // 20)
                        assert list(colour.get_truecolor()) == table[127 + (step if value > 0 else -step)]
            column += len(segment.text)
        assert column == columns


def value_at(plane: NDArray[np.int32], view: Viewport, column: int, half_row: int) -> int | None:
    """The value of a cell by a loop."""
    scale, slack = view.pixels_per_cell, 1e-6

    def pixels(origin: float, cell: int, size: int) -> range:
        start, end = (int(np.floor(origin + n * scale + slack)) for n in (cell, cell + 1))
        return range(max(start, 0), min(max(end, start + 1) if scale <= 1 else end, size))

    values = [
        int(plane[y, x])
        for y in pixels(view.y0, half_row, plane.shape[0])
        for x in pixels(view.x0, column, plane.shape[1])
    ]
    return max(values, key=lambda value: (abs(value), value > 0), default=None)


def test_without_colour_the_sign_is_in_the_glyph_and_halves_fold() -> None:
    plane = np.array([[0, 5, -5, 20], [0, -20, 20, 1]], np.int32)
    look = Look("diverging", 20, system="none")
    assert [strip.text for strip in lines(plane, look, Viewport(0, 0, 1), (6, 2))] == ["·%@@  ", "      "]
    small = np.array([[1, -1], [0, 0]], np.int32)
    assert lines(small, look, Viewport(0, 0, 1), (2, 1))[0].text == "+-"
    assert lines(np.abs(plane), Look("magnitude", 20, system="none"), Viewport(0, 0, 1), (4, 1))[0].text == "·███"


@pytest.mark.parametrize("system", ["truecolor", "256", "16", "none"])
def test_at_four_columns_a_pixel_has_its_number(system: ColourSystem) -> None:
    plane = np.array([[0, -12, 255], [1, 65280, -65280]], np.int32)
    strips = lines(plane, Look(limit=255, system=system), Viewport(0, 0, 1 / 4), (12, 4))
    text = [strip.text.replace("▀", " ") for strip in strips]
    assert [line.split() for line in (text[0], text[2])] == [["0", "-12", "255"], ["1", "65k", "-…"]]
    wide = lines(plane, Look(limit=255, system=system), Viewport(0, 0, 1 / 8), (24, 8))
    assert wide[5].text.replace("▀", " ").split() == ["1", "65280", "-65280"]


def test_three_columns_have_no_number() -> None:
    strips = lines(np.full((2, 4), 7, np.int32), Look(limit=9), Viewport(0, 0, 1 / 3), (12, 3))
    assert not any(character.isdigit() for strip in strips for character in strip.text)


def test_the_chosen_number_is_inverted() -> None:
    plane = np.arange(6, dtype=np.int32).reshape(2, 3)
    strips = lines(plane, Look(limit=6), Viewport(0, 0, 1 / 8), (24, 8), cursor=(1, 1))
    inverted = [segment.text for strip in strips for segment in strip if segment.style and segment.style.reverse]
    assert [text.strip() for text in inverted] == ["4"]


def test_the_cross_hair_frames_its_pixel_and_leaves_it_alone() -> None:
    plane = noise(20, 10)
    view = Viewport(0, 0, 1)
    bare, crossed = (lines(plane, Look(limit=20), view, (20, 5), cursor=cursor) for cursor in (None, (8, 5)))
    arms = {
        (row, column): text
        for row, strip in enumerate(crossed)
        for column, text in enumerate(strip.text)
        if text in "─│"
    }
    assert arms == {(2, 6): "─", (2, 7): "─", (2, 9): "─", (2, 10): "─", (1, 8): "│", (3, 8): "│"}
    assert list(crossed[2].crop(8, 9)) == list(bare[2].crop(8, 9))
    assert [list(line) for line in lines(plane, Look(limit=20), view, (20, 5), cursor=(19, 99))] == [
        list(line) for line in bare
    ]


@given(st.integers(0, 11), st.integers(0, 11), st.sampled_from([3, 1, 0.5, 0.25, 0.125]))
def test_a_cross_hair_changes_only_the_rows_it_touches(x: int, y: int, scale: float) -> None:
    cells = draw(noise(12, 12), Look(limit=20), Viewport(-2 * scale, 0, scale), (20, 6), BACKGROUND)
    bare, crossed = marked(cells, None), marked(cells, (x, y))
    changed = {row for row in range(6) if list(bare[row]) != list(crossed[row])}
    assert changed <= set(touched(cells, (x, y)))


def test_runs_cover_a_row_wider_than_a_key_can_say() -> None:
    levels = np.full((2, 9000), OUTSIDE, np.uint8)
    assert [key & 0xFFF for key in runs(levels)[0]] == [4095, 4095, 810]


def test_outside_is_no_level_of_a_value() -> None:
    grid = reduce(np.full((2, 2), 1000, np.int32), Viewport(-1, -1, 1), 4, 4)
    levels = levels_of(grid, Look(limit=1))
    assert (levels == OUTSIDE).tolist() == [
        [True, True, True, True],
        [True, False, False, True],
        [True, False, False, True],
        [True, True, True, True],
    ]


@given(st.integers(-(1 << 63), 1 << 63), st.integers(1, 24))
def test_a_number_that_fits_is_exact_and_another_never_reads_as_zero(value: int, room: int) -> None:
    text = fitting(value, room)
    assert len(text) <= room
    if len(str(value)) <= room:
        assert text == str(value)
    else:
        assert text.lstrip("-")[:1] not in ("0", "") or room == 1
        assert text.startswith("-") == (value < 0)


def test_numbers_of_floats() -> None:
    assert [fitting(value, 6) for value in (0.0, 0.5, -0.25, 1e-9, float("nan"), -1.23456789e-5)] == [
        "0",
        "0.5",
        "-0.25",
        "1e-9",
        "nan",
        "-1e-5",
    ]
    assert fitting(-1e-10, 3) == "-…"
    assert [amount(value) for value in (0.0003, -1.234e-7, 1.5e9, 12.0)] == ["0.0003", "-1.23e-7", "1.5e9", "12"]
