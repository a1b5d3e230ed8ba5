"""Which engine a name means: one row an engine, imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from motion_tui.core.errors import UsageError
from motion_tui.core.text import nearest
from motion_tui.engines.base import Engine, EngineConfig

ENGINES = {
    "oracle": "motion_tui.engines.cpu:open_oracle",
    "reference": "motion_tui.engines.cpu:open_reference",
}
"""Engines by full name: `module:factory`, called with the configuration."""
FAMILIES = {
    "model": "motion_tui.engines.models:Model",
    "twin": "motion_tui.engines.twins.twin:Twin",
    "log": "motion_tui.engines.recorded:open_log",
    "planes": "motion_tui.engines.recorded:PlaneDump",
}
"""Engines by prefix ("model:NAME"): `module:factory`, called with the configuration and what follows the colon."""


def _load(target: str) -> Callable[..., Engine]:
    module, _, attribute = target.partition(":")
    factory: Callable[..., Engine] = getattr(import_module(module), attribute)
    return factory


def open_engine(name: str, config: EngineConfig) -> Engine:
    """Return the engine called `name`: one of `ENGINES`, or of `FAMILIES` with what it is made from ("twin:NAME")."""
    kind, colon, detail = name.partition(":")
    if colon and kind in FAMILIES:
        return _load(FAMILIES[kind])(config, detail)
    if name in ENGINES:
        return _load(ENGINES[name])(config)
    families = (f"{family}:{detail if colon else 'NAME'}" for family in FAMILIES)
    raise UsageError(f"unknown engine '{name}': {nearest(name, [*ENGINES, *families])}")
