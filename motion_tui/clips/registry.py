"""Which reader opens a clip argument; readers are imported when they are first needed."""

from __future__ import annotations

from motion_tui.clips.base import Clip
from motion_tui.clips.synthetic import open_synthetic


def open_clip(source: str) -> Clip:
    """Open a clip argument."""
    return open_synthetic(source)
