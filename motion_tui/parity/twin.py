"""What is compared with the oracle: from what the user named to an engine, and whether that can be a pass at all."""

from __future__ import annotations

from pathlib import Path

from motion_tui.core.errors import UsageError
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.registry import open_engine

DEFAULT_TWINS = {"motion": "diff-first", "motion_v2": "diff-first", "float_motion": "float"}
CPU_ENGINES = ("oracle", "reference")
CPU_FAMILIES = ("model",)


def engine_name(twin: str) -> str:
    """Return the engine that `--twin NAME` means: NAME itself for CPU engines, else "twin:NAME"."""
    return twin if twin in CPU_ENGINES or ":" in twin else f"twin:{twin}"


def open_twin(
    config: EngineConfig, *, twin: str | None = None, scores: Path | None = None, planes: Path | None = None
) -> Engine:
    """Open a twin, a score log or a plane dump; none named: the feature's own SYCL twin."""
    named = [
        f"--{word}" for word, value in (("twin", twin), ("scores", scores), ("planes", planes)) if value is not None
    ]
    if len(named) > 1:
        raise UsageError(f"{' and '.join(named)}: name one of them, the oracle is compared with one twin at a time")
    if scores is not None:
        return open_engine(f"log:{scores}", config)
    if planes is not None:
        return open_engine(f"planes:{planes}", config)
    return open_engine(engine_name(twin or DEFAULT_TWINS[config.options.feature]), config)


def is_cpu_itself(twin: Engine) -> bool:
    """Whether `twin` is this project's own CPU arithmetic, so that agreement proves nothing about any twin."""
    return twin.name in CPU_ENGINES or twin.name.partition(":")[0] in CPU_FAMILIES
