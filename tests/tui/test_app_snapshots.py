"""Few pictures of the whole screen at 80x24: chrome and words, over small planes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import textual
from textual.pilot import Pilot

from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.tui.app import MotionApp
from motion_tui.tui.bridge import Switches
from motion_tui.tui.state import TwinChoice
from tests.tui.driving import settled

SNAPSHOT_VERSION = "8.2.8"
"""The Textual that the stored pictures were made with; another one draws widgets differently."""
pytestmark = pytest.mark.skipif(
    textual.__version__ != SNAPSHOT_VERSION, reason=f"snapshots are of Textual {SNAPSHOT_VERSION}"
)
CLIP = "synthetic:noise?size=9x9&format=422&frames=4"


PICTURES = {
    "panes": ("motion-dark", ()),
    "panes-light": ("motion-light", ()),
    "verdict": ("motion-dark", ("V",)),
    "chroma": ("motion-dark", ("C",)),
    "chooser": ("motion-dark", ("t",)),
}


@pytest.mark.parametrize(("theme", "keys"), PICTURES.values(), ids=PICTURES)
def test_the_screen_at_80x24(snap_compare: Callable[..., bool], theme: str, keys: tuple[str, ...]) -> None:
    app = MotionApp(
        [CLIP],
        opener=ClipFlags(),
        choice=TwinChoice(twin="model:blur-first"),
        switches=Switches(prefetch=False, watch=False),
        theme=theme,
    )

    async def look(pilot: Pilot[int]) -> None:
        await settled(pilot, app.main, lambda: app.main.scan is not None and app.main.scan.finished)
        await settled(pilot, app.main)
        await pilot.press(*keys)
        await pilot.pause()

    assert snap_compare(app, terminal_size=(80, 24), run_before=look)
