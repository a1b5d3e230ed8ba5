"""The twin that is made before the screen: taken once, by the choice it was made for, and never left open."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App

from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.tui.bridge import Bridge, Switches
from motion_tui.tui.state import TwinChoice
from motion_tui.tui.work import EarlyTwin

CHOICE = TwinChoice("model:blur-first")
QUIET = Switches(prefetch=False, scan=False, watch=False)


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the models that were closed."""
    names: list[str] = []
    monkeypatch.setattr("motion_tui.engines.models.Model.close", lambda engine: names.append(engine.name))
    return names


def early_twin() -> EarlyTwin:
    early = EarlyTwin.make(CHOICE)
    assert early is not None
    return early


def test_it_serves_its_own_choice_once(closed: list[str]) -> None:
    early = early_twin()
    bridge = Bridge(App[None](), QUIET, early)
    assert bridge._twin(CHOICE) is early.engine
    assert bridge._twin(CHOICE) is not early.engine
    assert closed == []


def test_it_is_closed_where_another_twin_is_wanted(closed: list[str]) -> None:
    bridge = Bridge(App[None](), QUIET, early_twin())
    assert bridge._twin(TwinChoice("model:edge-clamped")).name == "model:edge-clamped"
    assert closed == ["model:blur-first"]


def test_it_is_closed_with_a_screen_that_never_took_it(closed: list[str]) -> None:
    Bridge(App[None](), QUIET, early_twin()).close()
    assert closed == ["model:blur-first"]


@pytest.mark.parametrize(
    "slow",
    [
        TwinChoice(scores=Path("log.json")),
        TwinChoice(planes=Path("dump")),
        TwinChoice(config=EngineConfig(twin=TwinSettings(kernel=Path("mine.py")))),
    ],
)
def test_what_is_slow_to_make_waits_for_the_screen(slow: TwinChoice) -> None:
    assert EarlyTwin.make(slow) is None
