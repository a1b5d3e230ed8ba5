"""What is seen: whole keys and columns, no picture with a needless empty edge, letterbox and zero apart."""

from __future__ import annotations

import numpy as np
import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.theme import Theme
from textual.widgets import Checkbox, Static
from textual.widgets._footer import FooterKey

from motion_tui.core.colour import level_numbers, level_rgb, zero_level
from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig
from motion_tui.tui.actions import FOOTER
from motion_tui.tui.paint.viewport import Viewport, covering
from motion_tui.tui.screens.main import MainScreen
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.themes import THEMES
from tests.tui.drawings import text_of
from tests.tui.driving import running, settled


@pytest.mark.parametrize("width", [50, 80, 100, 200])
async def test_the_footer_has_whole_keys_alone(width: int) -> None:
    async with running(size=(width, 24)) as (pilot, main):
        keys = list(main.query(FooterKey))
        assert keys[0].description == "help"
        assert all(key.region.right <= width for key in keys)
        assert all(key.region.width >= len(key.key_display) + 1 + len(key.description) for key in keys)
        await pilot.resize_terminal(width + 40, 24)
        await pilot.pause()
        assert len(main.query(FooterKey)) > len(keys) or len(keys) == len(FOOTER)


@pytest.mark.parametrize("theme", ["motion-dark", "motion-light"])
async def test_outside_of_the_plane_is_not_the_colour_of_zero(theme: str) -> None:
    async with running(size=(100, 30), theme=theme) as (_, main):
        heatmap = main.panes.panes["residue"].heatmap
        outside = np.array(heatmap.styles.background.rgb, int)
        zero = level_rgb(main.look.diverging, "diverging")[zero_level("diverging")].astype(int)
        assert np.abs(outside - zero).max() >= 25
        pane = main.panes.panes["residue"].background_colors[1]
        assert heatmap.styles.background not in (pane, Color.parse("transparent"))


def test_a_view_covers_its_pane_where_the_plane_can() -> None:
    # 17 pixels of 6 cells each are 102 cells: more than the pane's 44, less than its 120 half rows.
    assert covering(Viewport(-3, -9, 1 / 6), 17, 17, 44, 120) == Viewport(0, -9, 1 / 6)
    right = covering(Viewport(40, 0, 1 / 6), 17, 17, 44, 54)
    assert right.x0 == pytest.approx(17 - 44 / 6)
    inside = Viewport(2, 3, 1 / 6)
    assert covering(inside, 17, 17, 44, 54) is inside


async def test_zooming_to_numbers_at_a_corner_leaves_no_empty_edge() -> None:
    async with running(size=(90, 60)) as (pilot, main):
        await pilot.press(*["left"] * 17, *["up"] * 17, "9")
        await pilot.pause()
        view = main.focus_pane.heatmap.shown_viewport
        assert (view.x0, view.y0) == (0, 0)
        assert main.focus_pane.heatmap.pixel_at(0, 0) == (0, 0)


async def test_a_box_that_is_not_ticked_has_no_mark() -> None:
    async with running() as (pilot, _):
        await pilot.press("x")
        await pilot.pause()
        box = pilot.app.screen.query_one(Checkbox)
        assert "X" not in str(box.render())
        box.toggle()
        await pilot.pause()
        assert "X" in str(box.render())


async def test_deltas_within_the_tolerance_are_not_marked_as_misses() -> None:
    """float_motion is compared within half a unit of the fourth place, the integer features exactly."""
    choice = TwinChoice(twin="reference", config=EngineConfig(options=Options.parse("float_motion")))
    async with running(choice=choice) as (_, main):
        column = next(column for column in main.panes.table.columns if column.key == "delta")
        assert column.tolerance == 5e-5
        assert "outside ±5e-5" in "".join(text for text, _ in main.panes.curve.draw(100, 8)[0])
    async with running() as (_, main):
        assert all(column.tolerance == 0 for column in main.panes.table.columns)


async def test_a_clip_that_does_not_open_is_no_clip() -> None:
    async with running(["no-such-clip.y4m"]) as (pilot, main):
        assert main.summary.headline == "NO CLIP"
        assert "no-such-clip.y4m" in line(main)
        await settled(pilot, main)


def line(main: MainScreen) -> str:
    return str(main.query_one("#verdict-line", Static).visual)


@pytest.mark.parametrize(("width", "whole"), [(46, 3), (90, 4)])
async def test_a_column_is_shown_whole_or_not_at_all(width: int, whole: int) -> None:
    async with running(size=(2 * width, 60)) as (_, main):
        table = main.panes.table
        header = "".join(segment.text for segment in table.render_line(1)).split()
        assert len(header) == whole
        assert header[-1] == ("difference" if whole == 3 else "differing")


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_backgrounds_keep_apart_in_256_colours(theme: Theme) -> None:
    """Rich takes what is nearly grey from the fine steps of grey, everything else from a coarse cube."""
    names = (theme.background, theme.surface, theme.panel, theme.variables["letterbox"])
    numbers = [RichColor.parse(name or "").downgrade(ColorSystem.EIGHT_BIT).number for name in names]
    assert len(set(numbers)) >= 3
    assert len({numbers[0], numbers[2], numbers[3]}) == 3
    signed = "berlin" if theme.dark else "vik"
    assert numbers[3] != level_numbers(signed, "diverging", "256")[zero_level("diverging")]


async def test_the_logarithmic_range_is_the_curves_too() -> None:
    async with running() as (pilot, main):
        assert "log scale" not in text_of(main.panes.curve.draw(120, 6))
        await pilot.press("r", "r")
        assert main.look.range == "log"
        assert "log scale" in text_of(main.panes.curve.draw(120, 6))
