"""The drawing widgets in a running app: what the mouse and the keys do, and what is on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from motion_tui.core.geometry import Geometry
from motion_tui.engines.timeline import Event, Timeline
from motion_tui.tui.paint.viewport import Viewport
from motion_tui.tui.themes import DARK
from motion_tui.tui.views.curve import Curve
from motion_tui.tui.views.extents import Extents
from motion_tui.tui.views.gantt import Gantt
from motion_tui.tui.views.heatmap import Heatmap
from motion_tui.tui.views.table import Column, FrameTable


class Stage(App[None]):
    """Holds one view and remembers its messages."""

    CSS = "Screen > * { width: 100%; height: 100%; }"

    def __init__(self, make: Callable[[], Widget]) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.make = make
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        """The view."""
        yield self.make()

    def hear(self, message: Message) -> None:
        """Remember."""
        self.heard.append(message)

    on_heatmap_viewport_changed = hear
    on_heatmap_pixel_picked = hear
    on_heatmap_pixel_hovered = hear
    on_curve_frame_picked = hear
    on_frame_table_row_highlighted = hear
    on_frame_table_row_selected = hear


def text(widget: Widget) -> list[str]:
    """The lines of a view as the compositor gets them."""
    return [strip.text for strip in widget.render_lines(Region(0, 0, *widget.outer_size))]


def shown(heatmap: Heatmap, **more: Any) -> None:
    """A plane of 40 x 20 with one pixel that is not zero, at (30, 12)."""
    plane = np.zeros((20, 40), np.int32)
    plane[12, 30] = -7
    heatmap.show(plane, limit=16, **more)


async def wheel(pilot: Pilot[None], kind: type[MouseScrollUp] | type[MouseScrollDown], at: tuple[int, int]) -> None:
    """One step of the wheel; Textual has no public way."""
    await pilot._post_mouse_events([kind], Heatmap, offset=at, button=0)
    await pilot.pause()


async def test_a_click_picks_the_worst_pixel_under_it() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(20, 5)) as pilot:
        heatmap = app.query_one(Heatmap)
        shown(heatmap)
        await pilot.click(Heatmap, offset=(15, 3))
        picked = app.heard[-1]
        assert isinstance(picked, Heatmap.PixelPicked)
        assert (picked.x, picked.y, picked.control) == (30, 12, heatmap)
        assert heatmap.pixel_at(15, 3, 0) == (30, 12)
        assert heatmap.pixel_at(15, 3, 1) == (30, 14)
        assert heatmap.pixel_at(20, 3) is None
        assert heatmap.pixel_at(15, 5) is None


async def test_hovering_reports_pixels_and_dragging_pans() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(20, 6)) as pilot:
        heatmap = app.query_one(Heatmap)
        shown(heatmap)
        heatmap.viewport = Viewport(10, 5, 1)
        await pilot.pause()
        assert app.heard == []
        await pilot.hover(Heatmap, offset=(4, 1))
        assert isinstance(app.heard[-1], Heatmap.PixelHovered)
        assert (app.heard[-1].x, app.heard[-1].y) == (14, 7)
        app.heard.clear()
        await pilot.mouse_down(Heatmap, offset=(4, 1))
        await pilot.hover(Heatmap, offset=(2, 0))
        await pilot.mouse_up(Heatmap, offset=(2, 0))
        moves = [message for message in app.heard if isinstance(message, Heatmap.ViewportChanged)]
        assert moves[-1].viewport == heatmap.viewport == Viewport(12, 7, 1)
        assert not [message for message in app.heard if isinstance(message, Heatmap.PixelPicked)]


async def test_the_wheel_zooms_about_the_pointer_and_out_to_the_fit() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(20, 5)) as pilot:
        heatmap = app.query_one(Heatmap)
        shown(heatmap)
        assert heatmap.pixel_at(15, 3) == (30, 12)
        scales = []
        for _ in range(5):
            await wheel(pilot, MouseScrollUp, (15, 3))
            assert heatmap.pixel_at(15, 3) == (30, 12)
            scales.append(round(heatmap.shown_viewport.columns_per_pixel, 6))
        assert scales == [0.75, 1, 2, 3, 5]
        for _ in range(6):
            await wheel(pilot, MouseScrollDown, (15, 3))
        assert heatmap.shown_viewport == Viewport(0, 0, 2)
        assert isinstance(app.heard[-1], Heatmap.ViewportChanged)
        assert app.heard[-1].viewport is None


async def test_a_pane_cannot_lose_its_plane_and_centre_and_fit_find_it_again() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(20, 6)) as pilot:
        heatmap = app.query_one(Heatmap)
        shown(heatmap)
        heatmap.zoom(2)
        heatmap.pan(1000, -1000)
        assert heatmap.shown_viewport == Viewport(30, -6, 1)
        heatmap.centre(30, 12)
        assert heatmap.pixel_at(10, 3, 0) == (30, 12)
        heatmap.cursor = (30, 12)
        heatmap.zoom(4)
        assert "-7" in "".join(text(heatmap))
        heatmap.fit()
        await pilot.pause()
        assert heatmap.viewport is None
        await pilot.resize_terminal(40, 10)
        assert heatmap.shown_viewport == Viewport(0, 0, 1)


async def test_zooming_goes_by_the_cross_hair_only_where_it_is_seen() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(20, 6)) as pilot:
        heatmap = app.query_one(Heatmap)
        shown(heatmap)
        heatmap.cursor = (12, 9)
        heatmap.viewport = Viewport(10, 5, 1)
        await pilot.pause()
        heatmap.zoom(2)
        assert heatmap.pixel_at(2, 2, 0) == (12, 9)
        heatmap.viewport = Viewport(20, 5, 1)
        heatmap.zoom(2)
        assert heatmap.pixel_at(10, 3, 0) == (30, 11)


async def test_without_a_plane_the_reason_stands_there() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(30, 5)) as pilot:
        heatmap = app.query_one(Heatmap)
        heatmap.show(None, note="frame 0 has no predecessor")
        await pilot.pause()
        assert [line.strip() for line in text(heatmap)] == ["", "", "frame 0 has no predecessor", "", ""]
        heatmap.show(np.zeros((0, 4), np.int32))
        assert heatmap.pixel_at(0, 0) is None
        assert len(text(heatmap)) == 5


@pytest.mark.parametrize("fast", [True, False])
async def test_a_border_and_a_crop_show_the_same_picture(fast: bool) -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(22, 7)) as pilot:
        heatmap = app.query_one(Heatmap)
        heatmap.fast = fast
        heatmap.styles.border = ("round", "white")
        random = np.random.default_rng(5)
        heatmap.show(random.integers(-9, 10, (10, 20)).astype(np.int16), limit=9)
        await pilot.pause()
        framed = heatmap.render_lines(Region(0, 0, 22, 7))
        heatmap.styles.border = None
        heatmap.styles.width, heatmap.styles.height = 20, 5
        await pilot.pause()
        bare = heatmap.render_lines(Region(0, 0, 20, 5))
        for inside, whole in zip(framed[1:-1], bare, strict=True):
            assert list(inside.crop(1, 21).simplify()) == list(whole.simplify())
        part = heatmap.render_lines(Region(3, 1, 8, 2))
        assert [list(strip) for strip in part] == [list(strip.crop(3, 11)) for strip in bare[1:3]]


async def test_a_new_theme_repaints_what_lies_outside() -> None:
    app = Stage(Heatmap)
    async with app.run_test(size=(20, 5)) as pilot:
        heatmap = app.query_one(Heatmap)
        shown(heatmap)
        heatmap.viewport = Viewport(-100, -100, 1)
        corners = []
        for theme in ("textual-dark", "textual-light"):
            app.theme = theme
            await pilot.pause()
            style = next(iter(heatmap.render_lines(Region(0, 0, 20, 5))[0])).style
            assert style is not None
            assert style.bgcolor == heatmap.rich_style.bgcolor
            corners.append(style.bgcolor)
        assert corners[0] != corners[1]


async def test_a_curve_follows_the_mouse() -> None:
    app = Stage(Curve)
    async with app.run_test(size=(49, 8)) as pilot:
        curve = app.query_one(Curve)
        values: list[float | None] = [None] + [0.0] * 399
        values[123] = 2.5
        curve.show(values, title="motion2")
        await pilot.pause()
        assert text(curve)[0].startswith("motion2 · worst 2.5 at frame 123")
        await pilot.mouse_down(Curve, offset=(9 + 12, 3))
        await pilot.hover(Curve, offset=(9 + 39, 3))
        await pilot.mouse_up(Curve, offset=(9 + 39, 3))
        frames = [message.frame for message in app.heard if isinstance(message, Curve.FramePicked)]
        assert (frames[0], frames[-1]) == (123, 390)
        await pilot.hover(Curve, offset=(9 + 12, 3))
        assert len([message for message in app.heard if isinstance(message, Curve.FramePicked)]) == len(frames)


COLUMNS = [Column("oracle", "oracle", width=12), Column("delta", "delta", kind="delta", width=12)]


async def test_a_table_of_a_hundred_thousand_frames_moves_by_keys() -> None:
    app = Stage(FrameTable)
    async with app.run_test(size=(50, 12)) as pilot:
        table = app.query_one(FrameTable)
        table.load(COLUMNS, 100_000)
        table.focus()
        await pilot.press("down", "down", "pagedown")
        assert table.cursor == 2 + 9
        await pilot.press("end")
        assert table.cursor == 99_999
        assert text(table)[-1].split()[0] == "99999"
        await pilot.press("up", "enter")
        assert isinstance(app.heard[-1], FrameTable.RowSelected)
        assert app.heard[-1].frame == 99_998
        await pilot.press("home")
        assert text(table)[2].split()[:2] == ["first", "0"]
        highlighted = [message.frame for message in app.heard if isinstance(message, FrameTable.RowHighlighted)]
        assert highlighted[-1] == 0


async def test_values_appear_as_they_arrive() -> None:
    app = Stage(FrameTable)
    async with app.run_test(size=(50, 12)) as pilot:
        table = app.query_one(FrameTable)
        table.load(COLUMNS, 50)
        await pilot.pause()
        assert text(table)[4].split() == ["2", "·", "·"]
        table.update_values("oracle", 2, [1.25])
        await pilot.pause()
        assert text(table)[4].split() == ["2", "1.250000", "·"]
        table.cursor = 2
        assert app.heard == []


async def test_sorted_rows_keep_the_cursor_on_its_frame() -> None:
    app = Stage(FrameTable)
    async with app.run_test(size=(50, 12)) as pilot:
        table = app.query_one(FrameTable)
        table.load(COLUMNS, 50)
        deltas: list[float | None] = [0.0] * 50
        deltas[0], deltas[40], deltas[7] = None, -3e-4, 1e-4
        table.update_values("delta", 0, deltas)
        table.cursor = 7
        await pilot.pause()
        header = text(table)[0]
        await pilot.click(FrameTable, offset=(header.index("delta"), 0))
        await pilot.pause()
        assert [line.split()[0] for line in text(table)[2:5]] == ["40", "7", "1"]
        assert table.cursor == 7
        table.focus()
        await pilot.press("up")
        assert table.cursor == 40
        await pilot.click(FrameTable, offset=(5, 4))
        assert isinstance(app.heard[-1], FrameTable.RowSelected)
        assert app.heard[-1].frame == 1
        table.update_values("delta", 30, [9.0])
        await pilot.pause()
        table.cursor = 30
        assert text(table)[2].split()[0] == "30"
        table.sort(None)
        await pilot.pause()
        assert table.sorted_by is None
        assert any(line.split()[:1] == ["30"] for line in text(table)[2:])


async def test_extents_and_gantt_are_on_the_screen() -> None:
    app = Stage(Extents)
    async with app.run_test(size=(80, 24)) as pilot:
        app.query_one(Extents).show(Geometry(1921, 1080, "422", 10), chosen="as-420", colour_system="none")
        await pilot.pause()
        drawn = "\n".join(text(app.query_one(Extents)))
        assert "as-420 ◂ this twin" in drawn
        assert "50.0 % left out" in drawn
        assert "╱╱╱" in drawn
    app = Stage(Gantt)
    async with app.run_test(size=(80, 24)) as pilot:
        app.query_one(Gantt).show(Timeline((Event("vertical", "kernel queue", 0, 50),), 1))
        await pilot.pause()
        assert "vertical 50 µs" in text(app.query_one(Gantt))[0]
