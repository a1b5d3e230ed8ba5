"""Which engine a name means; engines are imported when they are first asked for."""

from __future__ import annotations

from motion_tui.core.errors import UsageError
from motion_tui.engines.base import Engine, EngineConfig


def open_engine(name: str, config: EngineConfig) -> Engine:
    """Return the engine called `name`: "oracle", "reference", "twin:NAME" or "model:NAME"."""
    kind, _, detail = name.partition(":")
    if kind in ("oracle", "reference"):
        from motion_tui.engines.reference import Reference

        return Reference(config)
    if kind == "model":
        from motion_tui.engines.models import Model

        return Model(config, detail)
    raise UsageError(f"unknown engine '{name}': oracle, reference, twin:NAME or model:NAME")
