"""Driving the app in tests: small clips, a twin on the CPU, nothing that runs unasked but the scan."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.tui.app import MotionApp
from motion_tui.tui.bridge import Switches
from motion_tui.tui.screens.main import MainScreen
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.work import ClipOpener

NOISE = "synthetic:noise?size=17x17&format=422&bits=8&frames=6&seed=1"
BLUR_FIRST = TwinChoice(twin="model:blur-first")


async def settled(pilot: Pilot[int], main: MainScreen, until: Callable[[], bool] | None = None) -> None:
    """Wait until the threads are done and what they posted is handled (or `until` holds)."""
    await pilot.pause()
    for _ in range(750):
        idle = all(worker.is_finished for worker in main.workers if worker.group != "watch")
        if until() if until else idle and not main.opening:
            await pilot.pause()
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the app did not settle in 15 seconds")


@asynccontextmanager
async def running(
    sources: Sequence[str] = (NOISE,),
    choice: TwinChoice = BLUR_FIRST,
    *,
    size: tuple[int, int] = (120, 40),
    opener: ClipOpener | None = None,
    switches: Switches | None = None,
    theme: str = "motion-dark",
) -> AsyncIterator[tuple[Pilot[int], MainScreen]]:
    """Run the app on a clip until it has settled."""
    app = MotionApp(
        sources,
        opener=opener or ClipFlags(),
        choice=choice,
        switches=switches or Switches(prefetch=False, watch=False),
        theme=theme,
    )
    async with app.run_test(size=size) as pilot:
        await settled(pilot, app.main, lambda: bool(app.main.facts or app.main.notes))
        await settled(pilot, app.main)
        yield pilot, app.main
