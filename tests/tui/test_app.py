"""The app by its keys: what is looked at, what is shown, and where each key leads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from motion_tui.clips.registry import open_clip
from motion_tui.core.options import Options
from motion_tui.core.spec import TAPS
from motion_tui.engines.base import EngineConfig
from motion_tui.tui.actions import ACTIONS, bindings
from motion_tui.tui.palette import MotionCommands
from motion_tui.tui.screens.help import help_text
from motion_tui.tui.screens.main import MainScreen
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.views.panes import Panes
from tests.tui.driving import NOISE, running, settled


def blurred(plane: NDArray[np.int64], axis: int, shift: int) -> NDArray[np.int64]:
    """Five taps along an axis, reflect-101, rounded and floored: ARITHMETIC.md section 1."""
    length = plane.shape[axis]
    at: NDArray[np.intp] = np.arange(-2, length + 2)
    at = np.where(at < 0, -at, np.where(at >= length, 2 * length - at - 2, at))
    padded = plane.take(at, axis=axis)
    total = sum(tap * padded.take(np.arange(k, k + length), axis=axis) for k, tap in enumerate(TAPS))
    return np.asarray((total + (1 << (shift - 1))) >> shift)


def expected_residue(frame: int) -> NDArray[np.int64]:
    """H of blur-first minus H of diff-first, luma of the noise clip."""
    clip = open_clip(NOISE)
    previous, current = (clip.frame(index).planes[0].astype(np.int64) for index in (frame - 1, frame))
    oracle = blurred(blurred(previous - current, 0, 8), 1, 16)
    twin = blurred(blurred(previous, 0, 8), 1, 16) - blurred(blurred(current, 0, 8), 1, 16)
    return np.asarray(twin - oracle)


def residue(main: MainScreen) -> NDArray[np.int64]:
    """The residue on the screen."""
    assert main.picture is not None
    assert main.picture.residue is not None
    return np.asarray(main.picture.residue)


async def test_the_first_picture_is_the_first_pair_with_the_cross_hair_on_its_worst_pixel() -> None:
    async with running() as (_, main):
        expected = expected_residue(1)
        assert main.state.frame == 1
        assert (residue(main) == expected).all()
        assert abs(expected[main.state.y, main.state.x]) == np.abs(expected).max() > 0
        assert main.panes.panes["residue"].heatmap._plane is residue(main)


async def test_frames_step_seek_and_stop_at_the_ends() -> None:
    async with running() as (pilot, main):
        for key, frame in (
            ("n", 2), ("full_stop", 3), ("p", 2), ("comma", 1), ("comma", 0), ("p", 0), ("right_curly_bracket", 5),
            ("left_curly_bracket", 0), ("G", 5), ("n", 5), ("g", 0), ("n", 1), ("n", 2),
        ):  # fmt: skip
            await pilot.press(key)
            assert main.state.frame == frame, key
        await settled(pilot, main)
        assert main.panes.table.cursor == main.panes.curve.cursor == 2
        assert (residue(main) == expected_residue(2)).all()


async def test_frame_0_says_that_it_has_no_predecessor() -> None:
    async with running() as (pilot, main):
        await pilot.press("g")
        await settled(pilot, main)
        assert main.picture is not None
        assert main.picture.residue is None
        assert "no predecessor" in str(main.panes.readout.visual)


async def test_stages_and_planes_cycle_with_their_own_sizes() -> None:
    async with running() as (pilot, main):
        stages = []
        for _ in range(3):
            await pilot.press("s")
            stages.append(main.state.stage)
        assert stages == ["D", "V", "H"]
        await pilot.press("u")
        await settled(pilot, main)
        assert main.plane_name == "U"
        assert residue(main).shape == (17, 9)  # 4:2:2 of 17x17: chroma columns rounded up
        await pilot.press("s")
        await settled(pilot, main)
        assert not residue(main).any()  # D is the same in every order


async def test_differing_pixels_are_walked_in_reading_order_round_the_end() -> None:
    async with running() as (pilot, main):
        places = np.flatnonzero(expected_residue(1))
        here = main.state.y * 17 + main.state.x
        following = [*places[places > here], *places[places <= here]]
        seen = []
        for _ in range(3):
            await pilot.press("N")
            seen.append(main.state.y * 17 + main.state.x)
        assert seen == following[:3]
        for _ in range(3):
            await pilot.press("P")
        assert main.state.y * 17 + main.state.x == here


async def test_the_readout_shows_every_stage_of_the_pixel_under_the_cross_hair() -> None:
    async with running() as (pilot, main):
        await pilot.press("slash")
        await pilot.press(*"3 5,7", "enter")
        await settled(pilot, main)
        assert (main.state.frame, main.state.x, main.state.y) == (3, 5, 7)
        clip = open_clip(NOISE)
        previous, current = (clip.frame(index).planes[0].astype(np.int64) for index in (2, 3))
        text = str(main.panes.readout.visual)
        assert f"prev {previous[7, 5]}" in text
        assert f"cur {current[7, 5]}" in text
        v = blurred(previous - current, 0, 8)[7, 5]
        h = blurred(blurred(previous - current, 0, 8), 1, 16)[7, 5]
        assert f"{v:>10}" in text
        assert f"{h:>10}" in text


async def test_zoom_pan_and_fit_move_all_panes_together() -> None:
    async with running() as (pilot, main):
        await pilot.press("plus", "plus")
        viewports = {pane.heatmap.viewport for pane in main.panes.panes.values()}
        assert len(viewports) == 1
        (zoomed,) = viewports
        assert zoomed is not None
        await pilot.press("L")
        assert main.state.viewport is not None
        assert main.state.viewport.x0 >= zoomed.x0
        await pilot.press("9")
        assert main.state.viewport.columns_per_pixel >= 4
        await pilot.press("0")
        assert main.state.viewport is None


async def test_the_cross_hair_stays_on_the_plane() -> None:
    async with running() as (pilot, main):
        main.state = replace(main.state, x=1, y=1)
        await pilot.press("h", "h", "k", "up")
        assert (main.state.x, main.state.y) == (0, 0)
        main.state = replace(main.state, x=15, y=15)
        await pilot.press("right", "l", "j", "j")
        assert (main.state.x, main.state.y) == (16, 16)


async def test_the_verdict_names_the_first_frame_and_stage_that_differ() -> None:
    async with running() as (_, main):
        assert main.summary.headline == "NOT BIT-EXACT"
        assert "first at frame 1, stage V" in main.summary.detail
        assert main.summary.stages is not None
        assert main.summary.stages["D"].nonzero == 0
        found = sum(np.count_nonzero(expected_residue(frame)) for frame in range(1, 6))
        assert main.summary.stages["H"].nonzero == found


async def test_the_cpu_compared_with_itself_is_no_pass() -> None:
    async with running(choice=TwinChoice(twin="reference")) as (_, main):
        assert main.summary.kind == "equal"
        assert "CPU" in main.summary.headline


async def test_without_a_device_the_oracle_is_shown_and_the_reason_said() -> None:
    choice = TwinChoice(twin="no-such-twin")
    async with running(choice=choice) as (pilot, main):
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture is not None
        assert main.picture.oracle is not None
        assert main.picture.twin is None
        assert "no-such-twin" in main.picture.trouble
        assert main.summary.headline == "NO TWIN"
        assert main.scan is not None
        assert main.scan.oracle is not None  # the oracle's scores go on


@pytest.mark.parametrize(("key", "view"), [("C", "chroma"), ("T", "timeline"), ("V", "verdict"), ("M", "messages")])
async def test_every_view_opens_and_closes_with_its_key(key: str, view: str) -> None:
    async with running(size=(80, 24)) as (pilot, main):
        await pilot.press(key)
        assert main.query_one(f"#{view}").display
        assert [panes.display for panes in main.query(Panes)] == [False]
        await pilot.press(key)
        assert [panes.display for panes in main.query(Panes)] == [True]
        await pilot.press(key, "escape")
        assert [panes.display for panes in main.query(Panes)] == [True]


async def test_every_layout_shows_its_panes_and_the_next_key_changes_it() -> None:
    async with running() as (pilot, main):
        for layout in ("row", "grid", "stack", "single"):
            await pilot.press("m")
            await pilot.pause()
            assert main.state.layout == layout
            shown = [name for name, pane in main.panes.panes.items() if pane.display]
            assert shown == (["residue"] if layout == "single" else ["oracle", "twin", "residue"])
            assert all(main.panes.panes[name].heatmap.size.area for name in shown)
        await pilot.press("tab")
        await pilot.press("m")
        assert main.state.layout == "auto"


async def test_the_frame_table_moves_the_frame() -> None:
    async with running() as (pilot, main):
        main.panes.table.focus()
        await pilot.press("down", "down")
        await settled(pilot, main)
        assert main.state.frame == 3
        assert (residue(main) == expected_residue(3)).all()


async def test_look_keys_change_colours_range_metric_and_theme() -> None:
    async with running() as (pilot, main):
        before = main.look
        await pilot.press("c", "r", "e")
        assert (main.look.sequential, main.look.range) != (before.sequential, before.range)
        assert main.metric_name == "integer_motion3"
        await pilot.press("a")
        assert main.panes.panes["residue"].heatmap._look.mode == "magnitude"
        await pilot.press("d")
        assert main.app.theme == "motion-light"
        assert main.look.diverging == "vik"


async def test_play_goes_round() -> None:
    async with running() as (pilot, main):
        await pilot.press("G", "space")
        await settled(pilot, main, lambda: main.state.frame < 5)
        await pilot.press("space")
        assert not main.state.playing


async def test_copying_takes_the_values_of_every_stage() -> None:
    async with running() as (pilot, main):
        await pilot.press("y")
        text = main.app.clipboard
        assert f"pixel {main.state.x},{main.state.y}" in text
        assert f"residue {expected_residue(1)[main.state.y, main.state.x]}" in text


async def test_q_quits_with_code_0() -> None:
    async with running() as (pilot, main):
        await pilot.press("q")
        await pilot.pause()
        assert main.app.return_code == 0
        assert not main.app.is_running


async def test_the_palette_offers_every_action_and_frame_numbers() -> None:
    async with running() as (pilot, main):
        provider = MotionCommands(main)
        found = {str(hit.text) async for hit in provider.discover()}
        assert found == {row.label for row in ACTIONS}
        await pilot.press("ctrl+p", *"4")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await settled(pilot, main, lambda: main.state.frame == 4)


def test_every_action_has_a_method_a_key_of_its_own_and_a_line_in_the_help() -> None:
    text = str(help_text())
    keys: list[str] = []
    for row in ACTIONS:
        method = f"action_{row.name.partition('(')[0]}"
        assert hasattr(MainScreen, method) or row.name == "app.quit"
        assert row.label in text
        keys += row.keys.split(",")
    assert len(keys) == len(set(keys))
    assert len(bindings()) == len(ACTIONS)


async def test_float_stages_are_shown_in_their_own_units_and_range() -> None:
    config = EngineConfig(options=Options.parse("float_motion"))
    async with running(choice=TwinChoice(twin="reference", config=config)) as (_, main):
        assert main.metric_name == "motion2"
        assert "float32" in str(main.panes.readout.visual)
        assert main.picture is not None
        assert main.picture.oracle is not None
        assert main.picture.oracle.get("H").dtype == np.float32


async def test_why_there_is_no_twin_is_said_once() -> None:
    async with running(choice=TwinChoice(twin="model:nobody")) as (pilot, main):
        assert [note for note in main.notes if "unknown model" in note] == main.notes
        assert len(main.notes) == 1
        await pilot.press("n")
        await settled(pilot, main)
        assert len(main.notes) == 1
        assert main.picture is not None
        assert main.picture.oracle is not None
        assert "unknown model" in main.picture.trouble
