"""Runs the program inside this process, for tests of commands."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from motion_tui.cli.main import main

NOISE = "synthetic:noise?size=3x3&format=444&bits=8&frames=4&seed=0"
LARGER = "synthetic:noise?size=17x19&format=444&bits=10&frames=5&seed=2"


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


class Program:
    """Call it with a command's words."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> Ran:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, out, err)
