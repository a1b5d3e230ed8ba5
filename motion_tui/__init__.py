"""motion-tui: where a GPU twin of VMAF's motion feature departs from its CPU reference, and why.

The names below are loaded when they are first used, so that `import motion_tui` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motion_tui.api import Comparison, compare, score
    from motion_tui.clips.base import Clip
    from motion_tui.clips.registry import open_clip
    from motion_tui.core.errors import (
        ClipError,
        DeviceError,
        ExportError,
        LogError,
        MotionError,
        NothingCompared,
        TwinError,
        UsageError,
    )
    from motion_tui.core.scores import Scores

__all__ = [
    "Clip",
    "ClipError",
    "Comparison",
    "DeviceError",
    "ExportError",
    "LogError",
    "MotionError",
    "NothingCompared",
    "Scores",
    "TwinError",
    "UsageError",
    "compare",
    "open_clip",
    "score",
]
_HOMES = {
    "Clip": "motion_tui.clips.base",
    "open_clip": "motion_tui.clips.registry",
    "Scores": "motion_tui.core.scores",
    **dict.fromkeys(("Comparison", "compare", "score"), "motion_tui.api"),
}
"""Modules of names that are no errors."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'motion_tui' has no attribute '{name}'")
    value = getattr(import_module(_HOMES.get(name, "motion_tui.core.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
