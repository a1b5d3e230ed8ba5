"""The CPU engines by feature: the integer features and float_motion are engines of their own."""

from __future__ import annotations

from motion_tui.engines.base import Engine, EngineConfig


def open_oracle(config: EngineConfig) -> Engine:
    """Return the fast engine of the configuration's feature."""
    if config.options.feature == "float_motion":
        from motion_tui.engines.float_oracle import FloatOracle

        return FloatOracle(config)
    from motion_tui.engines.oracle import Oracle

    return Oracle(config)


def open_reference(config: EngineConfig) -> Engine:
    """Return the readable engine of the configuration's feature."""
    if config.options.feature == "float_motion":
        from motion_tui.engines.float_reference import FloatReference

        return FloatReference(config)
    from motion_tui.engines.reference import Reference

    return Reference(config)
