"""The real program in a real terminal: the residue pane of tmux, read back cell by cell, against NumPy and the LUT."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import pyte
import pytest
from numpy.typing import NDArray

from motion_tui.clips.registry import open_clip
from motion_tui.core.colour import level_rgb, quantise
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(
        shutil.which("tmux") is None and "MOTION_TUI_REQUIRE_TMUX" not in os.environ,
        reason="needs the system program tmux (apt-get install tmux)",
    ),
]
COLUMNS, ROWS = 200, 50
CLIP = "synthetic:noise?size=64x36&format=420&bits=8&frames=4&seed=3"


class Terminal:
    """One program in a tmux server of its own."""

    def __init__(self, command: list[str]) -> None:
        self._socket = f"motion-tui-test-{os.getpid()}-{time.monotonic_ns()}"
        # The snapshot plugin sets COLUMNS and LINES, which Textual takes for the terminal's size.
        unset = [word for name in ("COLUMNS", "LINES", "NO_COLOR") for word in ("-u", name)]
        environment = ["env", *unset, "TERM=tmux-256color", "COLORTERM=truecolor"]
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        self._tmux("-f", "/dev/null", "new-session", "-d", *size, *environment, *command)
        self._tmux("set", "-g", "status", "off")

    def _tmux(self, *words: str) -> str:
        run = subprocess.run(["tmux", "-L", self._socket, *words], capture_output=True, text=True, check=True)
        return run.stdout

    def press(self, *keys: str) -> None:
        """Send keys by tmux's names."""
        self._tmux("send-keys", *keys)

    def text(self) -> str:
        """What is on the screen, without colours."""
        return self._tmux("capture-pane", "-p")

    def screen(self) -> pyte.Screen:
        """What is on the screen, cell by cell."""
        screen = pyte.Screen(COLUMNS, ROWS)
        captured = self._tmux("capture-pane", "-e", "-p").rstrip("\n").replace("\n", "\r\n")
        pyte.Stream(screen).feed(captured)
        return screen

    def wait(self, ready: Callable[[str], bool]) -> None:
        """Wait until the screen's text is as wanted, and then for it to stand still."""
        limit, before = time.monotonic() + 30, ""
        while time.monotonic() < limit:
            now = self.text()
            if ready(now) and now == before:
                return
            before = now
            time.sleep(0.25)
        raise AssertionError(f"not shown within 30 s; the screen is\n{before}")

    def close(self) -> None:
        """End this server; it is nobody else's."""
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """The program on the noise clip, blur-first against the oracle."""
    opened = Terminal([sys.executable, "-m", "motion_tui", CLIP, "--twin", "model:blur-first"])
    yield opened
    opened.close()


def residue(frame: int) -> NDArray[np.int64]:
    """The residue of H, computed beside the program."""
    pair = open_clip(CLIP).pair(frame)
    planes = []
    for name in ("model:blur-first", "reference"):
        with open_engine(name, EngineConfig()) as engine:
            planes.append(np.asarray(engine.stages(pair).h, np.int64))
    return planes[0] - planes[1]


def pane(screen: pyte.Screen) -> tuple[int, int, int, int]:
    """Left, top, columns and rows of the residue's heatmap in the 2x2 layout: below its title, in the left half."""
    title = next(y for y, line in enumerate(screen.display) if line.startswith(" residue H"))
    bottom = next(y for y in range(title + 1, ROWS) if "Y H │" in screen.display[y])
    return 0, title + 1, COLUMNS // 2 - 1, bottom - title - 1


def half_cells(screen: pyte.Screen, left: int, top: int, columns: int, rows: int) -> NDArray[np.object_]:
    """The colour of every half cell: the upper half is the foreground of a half block, else the background."""
    grid = np.empty((rows * 2, columns), object)
    for y in range(rows):
        for x in range(columns):
            cell = screen.buffer[top + y][left + x]
            grid[2 * y, x] = cell.fg if cell.data == "▀" else cell.bg if cell.data == " " else None
            grid[2 * y + 1, x] = cell.bg if cell.data in "▀ " else None
    return grid


def test_the_screen_shows_the_colours_that_the_residue_demands(terminal: Terminal) -> None:
    terminal.wait(lambda text: "NOT BIT-EXACT" in text and "differ" in text)
    terminal.press("n")
    terminal.wait(lambda text: "2/3 Y H" in text and "computing" not in text)
    expected = residue(2)
    screen = terminal.screen()
    left, top, columns, rows = pane(screen)
    cells = half_cells(screen, left, top, columns, rows)
    levels = quantise(expected, float(np.abs(expected).max()))
    colours = level_rgb("berlin", "diverging")[levels]
    # 64x36 in 99x46 half cells: one pixel a half cell, centred, on a whole terminal row.
    x0, y0 = (columns - 64) // 2, (rows * 2 - 36) // 2 // 2 * 2
    compared = crossed = 0
    for y in range(36):
        for x in range(64):
            shown = cells[y0 + y, x0 + x]
            if shown is None:
                crossed += 1  # a glyph of the cross-hair
                continue
            compared += 1
            assert shown == "{:02x}{:02x}{:02x}".format(*colours[y, x]), f"pixel {x},{y} of residue {expected[y, x]}"
    assert crossed <= 24
    assert compared >= 36 * 64 - 24
    outside = {cells[y, x] for y in range(rows * 2) for x in range(columns) if not (x0 <= x < x0 + 64)}
    assert len(outside - {None}) == 1  # letterbox: one colour, and none of the palette's zero
    assert outside.isdisjoint({"{:02x}{:02x}{:02x}".format(*level_rgb("berlin", "diverging")[127])})
