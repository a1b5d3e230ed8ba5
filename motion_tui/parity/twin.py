"""What is compared with the oracle: from what the user named to an engine, and whether that can be a pass at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from motion_tui.clips.base import Clip
from motion_tui.core.errors import UsageError
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.logs import LIBVMAF_DECIMALS
from motion_tui.engines.recorded import RecordedScores
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
    name = engine_name(DEFAULT_TWINS[config.options.feature] if twin is None else twin)
    if config.twin.kernel is not None and not (scores is planes is None and name.startswith("twin:")):
        raise UsageError(f"--kernel names a twin of its own: drop it, or drop {named[0]}")
    if scores is not None:
        return open_engine(f"log:{scores}", config)
    if planes is not None:
        return open_engine(f"planes:{planes}", config)
    return open_engine(name, config)


def open_libvmaf(clip: Clip, config: EngineConfig) -> Engine:
    """Let libvmaf score the clip, and return that as a twin; its log has `LIBVMAF_DECIMALS` decimals."""
    from motion_tui.engines.libvmaf import libvmaf_scores

    scores = libvmaf_scores(clip, clip.geometry, [config.options])[0]
    printed = replace(scores, decimals=dict.fromkeys(scores.metrics, LIBVMAF_DECIMALS))
    return RecordedScores(config, printed, f"libvmaf's own, edition {scores.edition}")


def is_cpu_itself(twin: Engine) -> bool:
    """Whether `twin` is this project's own CPU arithmetic, so that agreement proves nothing about any twin."""
    return twin.name in CPU_ENGINES or twin.name.partition(":")[0] in CPU_FAMILIES
