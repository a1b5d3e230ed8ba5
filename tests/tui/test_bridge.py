"""The bridge: the newest wish wins, late answers are dropped, the scan makes way, failures leave the screen up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from motion_tui.clips.base import Clip
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError, TwinError
from motion_tui.core.frames import FramePair
from motion_tui.core.scores import PairSums
from motion_tui.engines.base import EngineConfig, Stages
from motion_tui.engines.models import Model
from motion_tui.tui import bridge, messages
from motion_tui.tui.bridge import Switches
from motion_tui.tui.look import Look
from motion_tui.tui.state import PairPicture, PairRequest, TwinChoice
from tests.tui.driving import NOISE, running, settled

QUIET = Switches(prefetch=False, scan=False, watch=False)


class ScriptedTwin(Model):
    """The blur-first model, held up or made to fail as a test says."""

    def __init__(self) -> None:
        super().__init__(EngineConfig(), "blur-first")
        self.asked: list[int] = []
        self.failing = False
        self.gate = threading.Event()
        self.gate.set()
        self.reloads: list[str] = []

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        self.asked.append(pair.current.index)
        assert self.gate.wait(10)
        if self.failing:
            raise TwinError("the twin's worker died (signal 9); the next request starts a new one")
        return super().stages(pair, plane)

    def pair_sums(self, pair: FramePair) -> PairSums:
        if self.failing:
            raise TwinError("the twin's worker died (signal 9); the next request starts a new one")
        return super().pair_sums(pair)


@pytest.fixture
def twin(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedTwin]:
    """The twin that every session of the test gets."""
    scripted = ScriptedTwin()
    monkeypatch.setattr(bridge, "make_twin", lambda choice: scripted)
    yield scripted
    scripted.gate.set()


async def test_of_several_wishes_the_newest_wins(twin: ScriptedTwin) -> None:
    async with running(switches=QUIET) as (pilot, main):
        twin.gate.clear()
        await pilot.press("n")  # its computation is held up
        await settled(pilot, main, lambda: 2 in twin.asked)
        await pilot.press("n", "n", "n")
        assert main.state.frame == 5
        assert main.picture is not None
        assert main.picture.request.frame == 1  # keys go on, the old picture stays
        twin.gate.set()
        await settled(pilot, main)
        assert main.picture.request.frame == 5
        assert twin.asked == [1, 2, 5]  # 3 and 4 were never computed


async def test_an_answer_of_an_older_session_is_dropped(twin: ScriptedTwin) -> None:
    async with running(switches=QUIET) as (pilot, main):
        assert main.picture is not None
        stale = replace(main.picture, request=PairRequest(main.picture.request.session - 1, 4, 0, "H"))
        main.post_message(messages.PairLoaded(stale))
        await pilot.pause()
        assert main.picture is not stale


async def test_a_twin_that_dies_leaves_the_oracle_and_comes_back_with_the_next_frame(twin: ScriptedTwin) -> None:
    async with running() as (pilot, main):
        twin.failing = True
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture is not None
        assert main.picture.oracle is not None
        assert main.picture.twin is None
        assert "worker died" in str(main.panes.readout.visual)
        assert any("worker died" in note for note in main.notes)
        twin.failing = False
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture.request.frame == 3
        assert main.picture.twin is not None


async def test_a_scan_that_failed_goes_on_when_the_twin_is_back(twin: ScriptedTwin) -> None:
    twin.failing = True
    async with running() as (pilot, main):
        assert main.summary.headline == "NO TWIN"
        assert main.scan is not None
        assert main.scan.oracle_scored == 6  # the oracle's scores are there all the same
        twin.failing = False
        await pilot.press("n")
        await settled(pilot, main)
        await settled(pilot, main)
        assert main.summary.headline == "NOT BIT-EXACT"


async def test_the_scan_waits_while_a_picture_is_wanted(twin: ScriptedTwin) -> None:
    async with running(switches=QUIET) as (pilot, main):
        twin.gate.clear()
        await pilot.press("n")
        await settled(pilot, main, lambda: 2 in twin.asked)
        main.bridge._switches = Switches(prefetch=False, scan=True)
        assert main.facts is not None
        main.bridge.scan(main.facts)
        await pilot.pause(0.3)
        assert not main.summary.metrics  # held up by the picture that is still being computed
        twin.gate.set()
        await settled(pilot, main)
        assert main.scan is not None
        assert main.scan.finished


async def test_the_neighbour_in_the_direction_of_travel_is_fetched(twin: ScriptedTwin) -> None:
    async with running(switches=Switches(prefetch=True, scan=False)) as (pilot, main):
        await pilot.press("n", "n")
        await settled(pilot, main)
        assert twin.asked[-1] == 4
        await pilot.press("G")
        await settled(pilot, main)
        await pilot.press("p")
        await settled(pilot, main)
        assert sorted(twin.asked) == [1, 2, 3, 4, 5]  # 4 and 3 were kept, nothing was computed twice


class SlowOpener:
    """Opens a clip in steps that report, until it is cancelled."""

    def __init__(self) -> None:
        self.started = threading.Event()

    def open(
        self,
        sources: Sequence[str],
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Clip:
        assert progress is not None
        assert cancelled is not None
        for done in range(1000):
            progress(done, 1000)
            self.started.set()
            if cancelled():
                raise ClipError("cancelled")
            threading.Event().wait(0.01)
        return open_clip(NOISE)


async def test_loading_shows_progress_and_escape_cancels_it() -> None:
    async with running(switches=QUIET) as (pilot, main):
        before = main.facts
        main.opener = SlowOpener()
        main.open(("slow.mp4",), TwinChoice(twin="model:blur-first"))
        await settled(pilot, main, lambda: "%" in main.opening)
        await pilot.press("n")
        assert main.state.frame == 2  # keys go on while a clip is loaded
        await pilot.press("escape")
        await settled(pilot, main)
        assert main.opening == ""
        assert "cancelled" in main.notes[-1]
        assert main.facts is not None
        assert before is not None
        assert main.facts.session == before.session


async def test_a_clip_that_does_not_open_is_said_and_the_old_one_stays() -> None:
    async with running(switches=QUIET) as (pilot, main):
        main.open(("/nowhere/none.y4m",), main.choice)
        await settled(pilot, main)
        assert "/nowhere/none.y4m" in main.notes[-1]
        assert main.facts is not None
        assert main.facts.clip == NOISE


async def test_planes_that_are_too_small_are_said_and_never_a_pass() -> None:
    async with running(("synthetic:noise?size=2x3&format=444&frames=3",)) as (_, main):
        assert main.summary.headline == "NOTHING COMPARED"
        assert "2x3" in main.summary.detail


async def test_a_rebuilt_kernel_changes_the_picture_and_a_broken_one_does_not(twin: ScriptedTwin) -> None:
    async with running(switches=QUIET) as (pilot, main):
        session = main.bridge._session
        assert session is not None
        assert main.facts is not None
        number = main.facts.session
        twin.reload = lambda: twin.reloads.append("taken")  # type: ignore[method-assign]
        main.bridge._renew(session, main.choice, Path("mine.py"))
        await settled(pilot, main)
        assert main.facts.session == number + 1
        assert twin.asked == [1, 1]  # what was computed with the old kernel is not reused
        assert main.picture is not None
        kept = main.picture

        def broken() -> None:
            raise TwinError("mine.py:3: error: unknown type name 'itn'")

        twin.reload = broken  # type: ignore[method-assign]
        main.bridge._renew(session, main.choice, Path("mine.py"))
        await settled(pilot, main)
        assert main.picture is kept
        assert "itn" in main.notes[-1]


async def test_a_held_key_shows_the_frames_that_it_passes(twin: ScriptedTwin) -> None:
    async with running(switches=QUIET) as (pilot, main):
        twin.gate.clear()
        await pilot.press("n")
        await settled(pilot, main, lambda: 2 in twin.asked)
        await pilot.press("n", "n")
        shown: list[int] = []
        draw = main.panes.draw

        def noted(picture: PairPicture, look: Look) -> None:
            shown.append(picture.request.frame)
            draw(picture, look)

        main.panes.draw = noted  # type: ignore[method-assign]
        twin.gate.set()
        await settled(pilot, main)
        assert shown[-1] == 4
        assert main.picture is not None
        late = replace(main.picture, request=replace(main.picture.request, frame=2))
        main.post_message(messages.PairLoaded(late))
        await pilot.pause()
        assert main.picture.request.frame == 4  # what is late never takes the place of what is asked for
        twin.gate.clear()
        await pilot.press("n")
        main.post_message(messages.PairLoaded(late))
        await settled(pilot, main, lambda: shown[-1] == 2)
        twin.gate.set()
        await settled(pilot, main)
        assert main.picture.request.frame == 5


async def test_a_choice_that_a_newer_one_overtakes_is_closed_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ScriptedTwin] = []
    closed: list[ScriptedTwin] = []
    gate = threading.Event()
    gate.set()

    def make(choice: TwinChoice) -> ScriptedTwin:
        made.append(ScriptedTwin())
        scripted = made[-1]
        scripted.close = lambda: closed.append(scripted)  # type: ignore[method-assign]
        if len(made) == 2:
            assert gate.wait(10)
        return scripted

    monkeypatch.setattr(bridge, "make_twin", make)
    async with running(switches=QUIET) as (pilot, main):
        gate.clear()
        main.bridge.choose(main.choice)  # held up while it is made
        await settled(pilot, main, lambda: len(made) == 2)
        other = "synthetic:noise?size=19x17&format=400&bits=8&frames=3&seed=2"
        await pilot.press("u")  # on a plane that the other clip has not got
        main.open((other,), main.choice)
        await settled(pilot, main, lambda: main.facts is not None and main.facts.clip == other)
        gate.set()
        await settled(pilot, main)
        assert main.facts is not None
        assert main.facts.clip == other
        assert main.state.plane == 0
        assert main.picture is not None
        assert main.picture.twin is not None  # the clip and the twin that are looked at are open
        assert closed == made[:2]


async def test_a_frame_that_cannot_be_read_is_said_in_the_panes(
    twin: ScriptedTwin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(switches=QUIET) as (pilot, main):
        session = main.bridge._session
        assert session is not None

        def gone(index: int) -> None:
            raise ClipError("clip.y4m: ends at byte 7; open it again")

        with monkeypatch.context() as patched:
            patched.setattr(session.clip, "frame", gone)
            await pilot.press("n")
            await settled(pilot, main)
            assert main.picture is None
            assert not main.is_behind  # nothing more will come: not "computing"
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture is not None


async def test_what_no_handler_expected_is_said_and_the_next_picture_comes(twin: ScriptedTwin) -> None:
    async with running(switches=QUIET) as (pilot, main):
        stages = twin.stages

        def broken(pair: FramePair, plane: int = 0) -> Stages:
            raise ZeroDivisionError

        twin.stages = broken  # type: ignore[method-assign]
        await pilot.press("n")
        await settled(pilot, main)
        assert "ZeroDivisionError" in main.notes[-1]
        twin.stages = stages  # type: ignore[method-assign]
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture is not None
        assert main.picture.request.frame == 3
