"""What the main screen's keys do: each action turns one `ViewState` into the next, or opens a dialog."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from motion_tui.core.spec import STAGES
from motion_tui.tui import navigate
from motion_tui.tui.arrange import LAYOUTS
from motion_tui.tui.paint.viewport import Viewport
from motion_tui.tui.screens.looking import Looking
from motion_tui.tui.state import ViewName
from motion_tui.tui.views.readout import number, pixel_rows

NUMBER_COLUMNS = 6
"""Columns a pixel takes when its number is to be read in it."""


class Actions(Looking):
    """The `action_` methods of the main screen; names and keys are in `tui.actions`."""

    # Frames

    def action_step(self, count: int) -> None:
        self.go_to_frame(self.state.frame + count)

    def action_seek(self, where: Literal["first", "last"]) -> None:
        self.go_to_frame(0 if where == "first" else self.last_frame)

    def action_seek_difference(self, step: int) -> None:
        frame = navigate.next_frame(navigate.differing_frames(self.scan), self.state.frame, step)
        if frame is not None:
            self.go_to_frame(frame)
            return
        way = "after" if step > 0 else "before"
        known = "" if self.scan is not None and self.scan.finished else " is known yet (the scan goes on)"
        self.notify(f"No frame that differs {way} this one{known}.")

    def action_play(self) -> None:
        self.state = replace(self.state, playing=not self.state.playing)

    def play_on(self) -> None:
        """One step of play, once the frame before is on the screen."""
        if self.state.playing and self.picture is not None and self.picture.request.frame == self.state.frame:
            last = self.state.frame >= self.last_frame
            self.state = replace(self.state, frame=0 if last else self.state.frame + 1)

    # Pixels

    def action_worst_pixel(self) -> None:
        residue = self.picture.residue if self.picture else None
        found = None if residue is None else navigate.worst_pixel(residue)
        self._aim(found, "This plane has no residue.")

    def action_worst_of_clip(self) -> None:
        worst = self.summary.worst
        if worst is None or worst[1].worst is None:
            self.notify("No residue is known in this clip.")
            return
        stage, at = worst[0], worst[1].worst
        self.state = replace(self.state, frame=at.frame, plane=at.plane, stage=stage, x=at.x, y=at.y)
        self.reveal()

    def action_next_pixel(self, step: int) -> None:
        residue = self.picture.residue if self.picture else None
        found = None if residue is None else navigate.next_pixel(residue, self.state.x, self.state.y, step)
        self._aim(found, "This plane has no residue.")

    def action_move(self, columns: int, rows: int) -> None:
        """Move the cross-hair by a pixel, or by a dot of the picture where several pixels share it."""
        dot = max(1, round(self.focus_pane.heatmap.shown_viewport.pixels_per_cell))
        width, height = self.shape
        x = min(max(self.state.x + columns * dot, 0), width - 1)
        y = min(max(self.state.y + rows * dot, 0), height - 1)
        self.state = replace(self.state, x=x, y=y)
        self.reveal()

    def action_copy_value(self) -> None:
        if self.picture is None:
            return
        x, y = self.state.x, self.state.y
        rows = [
            f"{stage}: oracle {'-' if a is None else number(a)}, twin {'-' if b is None else number(b)}, "
            f"residue {'-' if r is None else number(r)}"
            for stage, a, b, r in pixel_rows(self.picture, x, y)
        ]
        self.app.copy_to_clipboard(
            f"frame {self.state.frame} plane {self.plane_name} pixel {x},{y}: " + "; ".join(rows)
        )
        self.notify(f"Copied the values at {x},{y}.")

    def _aim(self, place: tuple[int, int] | None, otherwise: str) -> None:
        """Put the cross-hair on a pixel and bring it into view."""
        if place is None:
            self.notify(otherwise)
        else:
            self.state = replace(self.state, x=place[0], y=place[1])
            self.reveal()

    # Picture

    def action_zoom(self, factor: float) -> None:
        self.focus_pane.heatmap.zoom(factor)

    def action_fit(self) -> None:
        self.state = replace(self.state, viewport=None)

    def action_actual(self) -> None:
        self._set_scale(1.0)

    def action_numbers(self) -> None:
        self._set_scale(1 / NUMBER_COLUMNS)

    def _set_scale(self, pixels_per_cell: float) -> None:
        self.state = replace(self.state, viewport=Viewport(0, 0, pixels_per_cell))
        self.centre()

    def action_pan(self, columns: int, rows: int) -> None:
        heatmap = self.focus_pane.heatmap
        heatmap.pan(columns * max(1, heatmap.size.width // 8), rows * max(1, heatmap.size.height // 8))

    def action_cycle_stage(self) -> None:
        following = STAGES[(STAGES.index(self.state.stage) + 1) % len(STAGES)]
        self.state = replace(self.state, stage=following)

    def action_cycle_plane(self) -> None:
        if self.facts is None:
            return
        planes = len(self.facts.geometry.plane_names)
        if planes == 1:
            self.notify("This clip has one plane, Y.")
        plane = (self.state.plane + 1) % planes
        extent = self.facts.geometry.extent(plane)
        x, y = min(self.state.x, extent.width - 1), min(self.state.y, extent.height - 1)
        self.state = replace(self.state, plane=plane, x=x, y=y, viewport=None)

    def action_cycle_layout(self) -> None:
        following = LAYOUTS[(LAYOUTS.index(self.state.layout) + 1) % len(LAYOUTS)]
        self.state = replace(self.state, layout=following, view="panes")

    def action_cycle_palette(self) -> None:
        self.look = self.look.next_palette()

    def action_cycle_range(self) -> None:
        self.look = self.look.next_range()

    def action_toggle_sign(self) -> None:
        self.look = replace(self.look, signed=not self.look.signed)

    def action_cycle_theme(self) -> None:
        self.app.theme = "motion-light" if self.app.current_theme.dark else "motion-dark"

    def action_cycle_metric(self) -> None:
        if self.scan is not None and self.scan.oracle is not None:
            self.metric = (self.metric + 1) % len(self.scan.oracle.metrics)

    # Views and the session

    def action_view(self, name: str) -> None:
        """Show a view; its own key again goes back to the panes."""
        view = cast(ViewName, name)
        self.state = replace(self.state, view="panes" if self.state.view == view else view)

    def action_cancel(self) -> None:
        if not self.bridge.cancel_open() and not self.bridge.cancel_twin():
            self.state = replace(self.state, view="panes", playing=False)
            self.focus_pane.focus()

    def action_restart_twin(self) -> None:
        if self.facts is not None:
            self.bridge.choose(self.facts.choice)
