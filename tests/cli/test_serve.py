"""`serve`: on this machine alone, with the command's own words, and a clear line without the extra."""

from __future__ import annotations

import shlex
import sys
from types import ModuleType
from typing import Any

import pytest

from tests.cli.program import NOISE, Program


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Stand in for textual-serve; collects what a server was made with."""
    made: list[Any] = []

    class Server:
        def __init__(self, command: str, host: str, port: int, title: str) -> None:
            made.append((command, host, port))

        def serve(self) -> None:
            made.append("served")

    module = ModuleType("textual_serve.server")
    vars(module)["Server"] = Server
    monkeypatch.setitem(sys.modules, "textual_serve", ModuleType("textual_serve"))
    monkeypatch.setitem(sys.modules, "textual_serve.server", module)
    return made


def test_it_serves_this_machine_alone(program: Program, served: list[Any]) -> None:
    ran = program("serve", "--port", "8765", NOISE, "--twin", "model:blur-first")
    assert (ran.code, ran.out) == (0, "")
    command, host, port = served[0]
    assert (host, port, served[1]) == ("127.0.0.1", 8765, "served")
    assert shlex.split(command)[1:] == ["-m", "motion_tui", NOISE, "--twin", "model:blur-first"]


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_has_a_range(program: Program, served: list[Any], port: str) -> None:
    assert program("serve", "--port", port).code == 2
    assert served == []


def test_without_the_extra_it_says_what_to_install(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    ran = program("serve")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'motion-tui[web]'" in ran.err
