"""The program in a real terminal: what tmux shows, cell by cell, against what NumPy says of the residue."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyte
import pytest
from numpy.typing import NDArray

import motion_tui as mt
from motion_tui.core.colour import level_rgb

WIDTH, HEIGHT = 200, 50
CLIP = "synthetic:noise?size=37x31&format=420&bits=8&frames=3&seed=4"
SECONDS = 30
PLAIN = ("env", "-u", "NO_COLOR", "-u", "COLUMNS", "-u", "LINES")
"""What a test runner may have set and a terminal would not."""

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs the system program tmux: apt-get install tmux"),
]


class Tmux:
    """One terminal of a private tmux server."""

    def __init__(self, socket: str) -> None:
        self._call = ["tmux", "-L", socket, "-f", "/dev/null"]

    def run(self, *words: str) -> str:
        """Run a tmux command and return what it prints."""
        return subprocess.run([*self._call, *words], check=True, capture_output=True, text=True).stdout

    def screen(self) -> pyte.Screen:
        """What the terminal shows now."""
        screen = pyte.Screen(WIDTH, HEIGHT)
        # Each captured line starts from plain colours again, as tmux has it.
        text = "\r\n".join(self.run("capture-pane", "-e", "-p").rstrip("\n").split("\n"))
        pyte.Stream(screen).feed(text)
        return screen

    def shows(self, pattern: str) -> pyte.Screen:
        """Wait until the screen has a pattern."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            screen = self.screen()
            if re.search(pattern, "\n".join(screen.display)):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"no '{pattern}' within {SECONDS} s:\n" + "\n".join(self.screen().display))


@contextmanager
def terminal(*command: str) -> Iterator[Tmux]:
    """Run the program in a terminal with 24-bit colours."""
    tmux = Tmux(f"motion-tui-{uuid.uuid4().hex[:12]}")
    words = [sys.executable, "-m", "motion_tui", *command]
    settings = [f"{name}={value}" for name, value in {"COLORTERM": "truecolor", "TERM": "xterm-256color"}.items()]
    environment = [word for setting in settings for word in ("-e", setting)]
    tmux.run("new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), *environment, *PLAIN, *words)
    try:
        yield tmux
    finally:
        tmux.run("kill-server")


def expected(residue: NDArray[np.int32], limit: int, columns: int, rows: int) -> dict[tuple[int, int], str]:
    """The colour that the residue demands of every half cell (column, half row) of a pane in which it is fitted."""
    height, width = residue.shape
    per_pixel = math.floor(min(columns / width, rows * 2 / height))
    left, top = (columns - width * per_pixel) // 2, (rows * 2 - height * per_pixel) // 4 * 2
    table = level_rgb("berlin", "diverging")
    colours = {}
    for half in range(height * per_pixel):
        for column in range(width * per_pixel):
            value = int(residue[half // per_pixel, column // per_pixel])
            step = min(-(-abs(value) * 127 // limit), 127)
            red, green, blue = table[127 + (step if value > 0 else -step)].tolist()
            colours[left + column, top + half] = f"{red:02x}{green:02x}{blue:02x}"
    return colours


def differing(screen: pyte.Screen, residue: NDArray[np.int32]) -> list[str]:
    """What the residue pane shows otherwise than demanded; the arms of the cross-hair are passed over."""
    title, row = next((line, row) for row, line in enumerate(screen.display) if "residue H" in line)
    match = re.search(r"residue H +±(\d+) +(\d+) differ", title)
    assert match
    assert [int(figure) for figure in match.groups()] == [np.abs(residue).max(), np.count_nonzero(residue)]
    x = title.index("residue H") - 1
    edge = [screen.buffer[row][at].bg == screen.buffer[row][x].bg for at in range(x, WIDTH)]
    columns = [*edge, False].index(False)
    rows = next(at for at in range(row + 1, HEIGHT) if "frame" in screen.display[at]) - row - 1
    demanded = expected(residue, int(match[1]), columns, rows)
    found, arms = [], 0
    for (column, half), colour in demanded.items():
        cell = screen.buffer[row + 1 + half // 2][x + column]
        if cell.data in "─│":
            arms += 1
        elif (cell.fg if cell.data == "▀" and half % 2 == 0 else cell.bg) != colour:
            found.append(f"column {column}, half row {half}: {cell} is not {colour}")
    assert len(demanded) >= residue.size
    assert arms <= 12
    return found


def test_the_residue_pane_has_the_colours_that_the_residue_demands() -> None:
    result = mt.compare(mt.open_clip(CLIP), twin="model:blur-first")
    residue = result.residue(frame=1, plane=0, stage="H")
    assert np.count_nonzero(residue) > 100
    with terminal(CLIP, "--twin", "model:blur-first", "--color", "truecolor") as tmux:
        screen = tmux.shows(r"residue H +±\d+ +\d+ differ")
        for _ in range(20):
            # The picture is sent right behind its title, but tmux may be asked in between.
            if not differing(screen, residue):
                break
            time.sleep(0.25)
            screen = tmux.screen()
        assert differing(screen, residue) == []
