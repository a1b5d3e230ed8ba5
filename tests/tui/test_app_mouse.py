"""The mouse: a click puts the cross-hair, the wheel zooms, a drag pans, the pointer is read."""

from __future__ import annotations

from textual.events import MouseScrollUp

from motion_tui.tui.bridge import Switches
from tests.tui.driving import running, settled

QUIET = Switches(prefetch=False, scan=False, watch=False)


async def test_a_click_puts_the_cross_hair_in_all_panes_and_hover_reads_a_pixel() -> None:
    async with running(switches=QUIET) as (pilot, main):
        oracle = main.panes.panes["oracle"].heatmap
        view = oracle.shown_viewport
        column, row = int((5 - view.x0) / view.pixels_per_cell), int((8 - view.y0) / view.pixels_per_cell / 2)
        await pilot.hover(oracle, offset=(column, row))
        await pilot.pause()
        assert "pointer" in str(main.panes.readout.visual)
        await pilot.click(oracle, offset=(column, row))
        await pilot.pause()
        expected = oracle.pixel_at(column, row)
        assert expected is not None
        assert expected[0] == 5
        assert (main.state.x, main.state.y) == expected
        assert {pane.heatmap.cursor for pane in main.panes.panes.values()} == {expected}
        assert f"pixel {expected[0]},{expected[1]}" in str(main.panes.readout.visual)


async def test_the_wheel_zooms_and_a_drag_pans_every_pane() -> None:
    async with running(switches=QUIET) as (pilot, main):
        residue = main.panes.panes["residue"].heatmap
        for _ in range(3):
            await pilot._post_mouse_events([MouseScrollUp], residue, offset=(20, 5))
        await pilot.pause()
        zoomed = main.state.viewport
        assert zoomed is not None
        await pilot.mouse_down(residue, offset=(20, 5))
        await pilot.hover(residue, offset=(10, 5))
        await pilot.mouse_up(residue, offset=(10, 5))
        await pilot.pause()
        dragged = main.state.viewport
        assert dragged is not None
        assert dragged.x0 > zoomed.x0
        assert {pane.heatmap.viewport for pane in main.panes.panes.values()} == {dragged}


async def test_a_click_on_the_table_goes_to_its_frame() -> None:
    async with running(switches=QUIET) as (pilot, main):
        await pilot.click(main.panes.table, offset=(10, 5))  # two header rows, then frames 0, 1, 2, 3
        await settled(pilot, main)
        assert main.state.frame == 3
        assert main.picture is not None
        assert main.picture.request.frame == 3
