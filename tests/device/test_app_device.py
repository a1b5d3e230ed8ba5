"""The terminal UI on a SYCL device: bit-exact, a worker killed under it, and a user's kernel saved while it watches."""

from __future__ import annotations

import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path

from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.twins.twin import Twin
from motion_tui.tui.bridge import Switches
from motion_tui.tui.screens.main import MainScreen
from motion_tui.tui.state import TwinChoice
from tests.tui.driving import running, settled

KERNEL = Path(__file__).parent.parent / "data" / "user_motion.cl"


def worker_pid(main: MainScreen) -> int:
    """The process id of the twin's worker."""
    session = main.bridge._session
    assert session is not None
    assert isinstance(session.twin, Twin)
    pid = session.twin.worker_pid
    assert pid is not None
    return pid


async def test_the_default_twin_is_bit_exact_on_a_named_device_with_its_self_test() -> None:
    async with running(choice=TwinChoice()) as (pilot, main):
        assert main.summary.headline == "BIT-EXACT"
        assert main.facts is not None
        assert "self-test passed" in main.facts.health
        assert "opencl" in main.facts.twin_device or "level_zero" in main.facts.twin_device
        await pilot.press("T")
        await pilot.pause()
        assert main.picture is not None
        assert main.picture.timeline is not None
        assert any(event.lane == "kernel queue" for event in main.picture.timeline.events)


async def test_a_killed_worker_is_said_and_the_next_frame_starts_a_new_one() -> None:
    async with running(choice=TwinChoice(), switches=Switches(prefetch=False, scan=False)) as (pilot, main):
        pid = worker_pid(main)
        os.kill(pid, signal.SIGKILL)
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture is not None
        assert main.picture.oracle is not None
        assert "died" in main.picture.trouble
        await pilot.press("n")
        await settled(pilot, main)
        assert main.picture.twin is not None
        assert worker_pid(main) != pid


async def test_escape_ends_a_worker_that_hangs() -> None:
    async with running(choice=TwinChoice(), switches=Switches(prefetch=False, scan=False)) as (pilot, main):
        pid = worker_pid(main)
        os.kill(pid, signal.SIGSTOP)
        await pilot.press("n")
        await settled(pilot, main, lambda: not main.bridge._pictures.idle.is_set())
        await pilot.press("p")
        assert main.state.frame == 1  # keys go on while the worker hangs
        await pilot.press("n", "escape")
        await settled(pilot, main)
        assert any("cancelled" in note for note in main.notes)


async def test_a_kernel_that_is_saved_is_run_and_one_that_does_not_build_leaves_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "mine.cl"
    shutil.copy(KERNEL, path)
    right = path.read_text()
    choice = TwinChoice(config=replace(EngineConfig(), twin=TwinSettings(kernel=path)))
    switches = Switches(prefetch=False, scan=False, watch=True)
    async with running(choice=choice, switches=switches) as (pilot, main):
        await settled(pilot, main, lambda: main.picture is not None)
        assert main.picture is not None
        assert main.picture.residue is not None
        assert not main.picture.residue.any()
        await pilot.pause(0.6)  # the watch has to be in place before the file is saved
        path.write_text(right.replace("+ 32768) >> 16", ") >> 16"))  # the rounding is lost
        await settled(pilot, main, lambda: main.picture is not None and main.picture.residue_peak == 1)
        kept = main.picture
        path.write_text(right.replace("int ", "itn ", 1))
        await settled(pilot, main, lambda: any("itn" in note for note in main.notes))
        assert main.picture is kept
