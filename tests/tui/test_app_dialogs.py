"""The dialogs: what is typed or chosen in them changes the session, and what is wrong is said in them."""

from __future__ import annotations

import json
from functools import partial
from inspect import isawaitable
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select, Static

from motion_tui.clips.registry import open_clip
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import OPTIONS
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.export.json import dumps, scores_document
from motion_tui.parity.report import ClipFacts
from motion_tui.parity.session import score_clip
from motion_tui.tui.actions import ACTIONS
from motion_tui.tui.bridge import Switches
from motion_tui.tui.palette import MotionCommands, Palette
from motion_tui.tui.screens.choose import MODES, ChooseDialog
from motion_tui.tui.screens.main import MainScreen
from motion_tui.tui.screens.open_dialog import OpenDialog
from motion_tui.tui.screens.small_dialogs import GoToDialog
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.work import twin_names
from tests.tui.driving import NOISE, running, settled

QUIET = Switches(prefetch=False, scan=False, watch=False)


async def test_a_wrong_place_is_said_in_the_dialog_and_escape_closes_it() -> None:
    async with running(switches=QUIET) as (pilot, main):
        await pilot.press("slash", *"x", "enter")
        assert "type a frame" in str(main.app.screen.query_one(".dialog-error", Static).visual)
        await pilot.press("escape")
        assert main.app.screen is main


async def test_options_chosen_change_the_scores_and_their_names() -> None:
    async with running() as (pilot, main):
        assert main.scan is not None
        assert main.scan.oracle is not None
        before = main.scan.oracle.metrics["integer_motion2"]
        await pilot.press("t")
        dialog = main.app.screen
        assert isinstance(dialog, ChooseDialog)
        dialog.query_one("#option-motion_fps_weight", Input).value = "0.5"
        dialog.action_accept()
        await settled(pilot, main, lambda: main.facts is not None and main.facts.session == 2)
        await settled(pilot, main)
        after = main.scan.oracle.metrics["integer_motion2_mfw_0.5"]
        assert after == tuple(None if value is None else value / 2 for value in before)


async def test_an_option_out_of_range_is_refused_in_the_dialog() -> None:
    async with running(switches=QUIET) as (pilot, main):
        await pilot.press("t")
        main.app.screen.query_one("#option-motion_fps_weight", Input).value = "7"
        await pilot.press("ctrl+s")
        assert "motion_fps_weight" in str(main.app.screen.query_one(".dialog-error", Static).visual)
        assert main.facts is not None
        assert main.facts.session == 1


async def test_the_chooser_has_every_twin_option_and_mode() -> None:
    async with running(switches=QUIET) as (pilot, main):
        await pilot.press("t")
        dialog = main.app.screen
        names = {name for name, _ in twin_names()}
        assert {"diff-first", "blur-first", "float", "model:edge-repeated", "reference"} <= names
        for name in OPTIONS:
            assert dialog.query(f"#option-{name}")
        assert {name for name, _ in MODES} == {"chroma_extent", "staging", "state", "submit"}
        dialog.query_one("#feature", Select).value = "float_motion"
        await pilot.pause()
        assert dialog.query_one("#row-motion_filter_size").display
        dialog.query_one("#feature", Select).value = "motion"
        await pilot.pause()
        assert not dialog.query_one("#row-motion_filter_size").display


async def test_another_twin_is_taken_on_the_same_frame() -> None:
    async with running() as (pilot, main):
        await pilot.press("n", "t")
        dialog = main.app.screen
        dialog.query_one("#twin", Select).value = "reference"
        await pilot.press("ctrl+s")
        await settled(pilot, main, lambda: main.facts is not None and main.facts.twin == "reference")
        await settled(pilot, main)
        assert main.state.frame == 2
        assert main.picture is not None
        assert main.picture.residue is not None
        assert not main.picture.residue.any()


async def test_a_raw_file_that_does_not_say_its_geometry_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "mystery.yuv"
    clip = open_clip("synthetic:noise?size=176x144&format=420&frames=2")
    path.write_bytes(b"".join(plane.tobytes() for frame in clip for plane in frame.planes))
    async with running((str(path),), switches=QUIET) as (pilot, main):
        dialog = main.app.screen
        assert isinstance(dialog, OpenDialog)
        fits = dialog.query_one("#fits", Select)
        offered = [value for _, value in fits._options if isinstance(value, Geometry)]
        chosen = next(g for g in offered if (g.width, g.height, g.pixel_format, g.bit_depth) == (176, 144, "420", 8))
        fits.value = chosen
        await pilot.pause()
        await pilot.press("ctrl+s")
        await settled(pilot, main, lambda: main.facts is not None)
        await settled(pilot, main)
        assert main.facts is not None
        assert (main.facts.frames, main.facts.geometry.width) == (2, 176)
        assert main.picture is not None
        assert np.array_equal(main.picture.current, clip.frame(1).planes[0])


def write_scores(path: Path, engine: Engine) -> None:
    """Write the noise clip's scores as a log."""
    clip = open_clip(NOISE)
    path.write_text(dumps(scores_document(score_clip(clip, engine), ClipFacts.of(clip))))


async def test_a_score_log_stands_for_the_twin(tmp_path: Path) -> None:
    path = tmp_path / "gpu.json"
    with open_engine("model:blur-first", EngineConfig()) as engine:
        write_scores(path, engine)
    async with running(choice=TwinChoice(scores=path)) as (_, main):
        assert main.summary.headline == "NOT BIT-EXACT"
        assert main.scan is not None
        assert not main.scan.differences  # a log has no planes
        assert main.picture is not None
        assert main.picture.oracle is not None
        assert main.picture.residue is None


async def open_as_twin(pilot: Pilot[int], main: MainScreen, path: Path) -> None:
    """Open a log or dumps by the dialog, and wait for what it is compared to."""
    await pilot.press("O")
    main.app.screen.query_one("#path", Input).value = str(path)
    await pilot.press("enter")
    await settled(pilot, main, lambda: main.facts is not None and main.facts.session == 2)
    await settled(pilot, main)


def log_text(kind: str, metrics: dict[str, tuple[float | None, ...]]) -> str:
    """Scores in the layout of libvmaf's logs of this kind, with all their digits."""
    rows = [
        {name: repr(values[i]) for name, values in metrics.items()} for i in range(len(next(iter(metrics.values()))))
    ]
    if kind == "xml":
        frames = (
            f'<frame frameNum="{i}" ' + " ".join(f'{k}="{v}"' for k, v in row.items()) + "/>"
            for i, row in enumerate(rows)
        )
        return '<VMAF version="3.2.0"><frames>' + "".join(frames) + "</frames></VMAF>"
    if kind == "csv":
        return "".join(
            [
                ",".join(["Frame", *metrics]) + ",\n",
                *(f"{i}," + ",".join(r.values()) + ",\n" for i, r in enumerate(rows)),
            ]
        )
    return "".join(
        f"{{{i}}}{{{i + 1}}}frame: {i}|" + "".join(f"{k}: {v}|" for k, v in r.items()) + "\n"
        for i, r in enumerate(rows)
    )


@pytest.mark.parametrize("kind", ["json", "xml", "csv", "sub"])
@pytest.mark.parametrize("is_right", [True, False])
async def test_a_log_is_opened_by_its_dialog(kind: str, is_right: bool, tmp_path: Path) -> None:
    path = tmp_path / f"scores.{kind}"
    with open_engine("oracle" if is_right else "model:blur-first", EngineConfig()) as engine:
        if kind == "json":
            write_scores(path, engine)
        else:
            path.write_text(log_text(kind, dict(score_clip(open_clip(NOISE), engine).metrics)))
    async with running() as (pilot, main):
        await open_as_twin(pilot, main, path)
        assert main.summary.headline == ("SCORES EQUAL" if is_right else "NOT BIT-EXACT")


@pytest.mark.parametrize("raw", [True, False])
async def test_plane_dumps_are_opened_by_the_dialog(raw: bool, tmp_path: Path) -> None:
    """A kernel that is wrong by one in one pixel of one frame's H is found there, and its pixel is shown."""
    clip = open_clip(NOISE)
    with open_engine("reference", EngineConfig()) as engine:
        for frame in range(1, len(clip)):
            h = np.array(engine.stages(clip.pair(frame)).h, np.int32)
            h[11, 5] += frame == 3
            if raw:
                h.tofile(tmp_path / f"f{frame:04}_p0_H_int32.raw")
            else:
                np.save(tmp_path / f"f{frame:04}_p0_H.npy", h)
    async with running() as (pilot, main):
        await open_as_twin(pilot, main, tmp_path)
        assert main.summary.headline == "NOT BIT-EXACT"
        await pilot.press("g", "right_square_bracket", "z")
        await settled(pilot, main)
        await pilot.press("z")
        assert (main.state.frame, main.state.x, main.state.y) == (3, 5, 11)
        assert main.picture is not None
        assert main.picture.residue is not None
        assert main.picture.residue.sum() == main.picture.residue[11, 5] == 1


def has_said(main: MainScreen, sentences: int) -> bool:
    """Whether so many sentences were said."""
    return len(main.notes) == sentences


@pytest.mark.parametrize("overwrite", [False, True])
async def test_a_snapshot_is_written_and_never_over_another_unasked(tmp_path: Path, overwrite: bool) -> None:
    folder = tmp_path / "snapshot"
    async with running(switches=QUIET) as (pilot, main):
        for turn in range(2):
            await pilot.press("x")
            main.app.screen.query_one("#path", Input).value = str(folder)
            if turn and overwrite:
                main.app.screen.query_one("#overwrite").toggle()  # type: ignore[attr-defined]
            await pilot.press("ctrl+s")
            await settled(pilot, main, partial(has_said, main, turn + 1))
            report = json.loads((folder / "report.json").read_text())
            assert report["frame"] == 1
        assert ("Wrote" in main.notes[-1]) == overwrite


async def test_a_second_dismissal_of_a_dialog_leaves_the_main_screen() -> None:
    async with running() as (pilot, main):
        await pilot.press("question_mark")
        dialog = main.app.screen
        assert dialog is not main
        dialog.dismiss()
        dialog.dismiss()
        await pilot.pause()
        assert main.app.screen is main
        assert main.is_attached


async def test_a_form_answered_while_the_palette_is_over_it_stays_and_can_be_answered_again() -> None:
    async with running(switches=QUIET) as (pilot, main):
        await pilot.press("slash", *"3")
        form = main.app.screen
        assert isinstance(form, GoToDialog)
        main.app.action_command_palette()  # as where its key was pressed before the form took the keys
        await pilot.pause()
        form.action_accept()
        over = list(main.app.screen_stack)
        assert over[-2] is form  # the palette stays over it
        await pilot.press("escape")
        assert main.app.screen_stack == over[:-1]
        await pilot.press("enter")
        await pilot.pause()
        assert main.app.screen_stack == over[:-2]
        assert main.state.frame == 3


async def test_a_page_key_before_a_list_is_laid_out_is_dropped() -> None:
    async with running(switches=QUIET) as (pilot, main):
        await pilot.press("t")
        twins = main.app.screen.query_one("#twin", Select)
        rows = twins.query_one(OptionList)
        with main.app.batch_update():  # nothing is laid out meanwhile
            twins.expanded = True
            await pilot.pause()
            await pilot.press("pagedown")
            assert rows.has_focus
        assert main.app.is_running
        await pilot.pause()
        await pilot.press("pageup")
        assert rows.highlighted == 0
        await pilot.press("pagedown")
        assert rows.highlighted  # laid out, the list takes it


async def test_every_action_runs_from_the_palette() -> None:
    async with running(switches=QUIET) as (pilot, main):
        commands = [hit.command async for hit in MotionCommands(main).discover()]
        assert len(commands) == len(ACTIONS)
        for row, command in zip(ACTIONS, commands, strict=True):
            if row.name == "app.quit":
                continue
            assert callable(getattr(main, f"action_{row.name.partition('(')[0]}"))  # else it would be passed over
            ran = command()
            assert isawaitable(ran)
            await ran
            if main.app.screen is not main:
                await pilot.press("escape")
            assert main.app.screen is main, row.name
        await settled(pilot, main)
        assert not [note for note in main.notes if "bug" in note]


async def test_digits_that_are_no_number_do_not_end_the_palette() -> None:
    async with running() as (pilot, main):
        for text in ("²", "9" * 5000):
            await pilot.press("ctrl+p")
            palette = main.app.screen
            assert isinstance(palette, Palette)
            palette.query_one(Input).value = text
            await pilot.pause(0.3)
            await pilot.press("escape")
        assert main.app.is_running
        assert main.app.screen is main
