"""Reading drawings in tests."""

from __future__ import annotations

from collections.abc import Iterable

from motion_tui.tui.paint.lines import Line


def text_of(lines: Iterable[Line]) -> str:
    """Return a drawing's text, one line a row."""
    return "\n".join("".join(text for text, _ in line) for line in lines)
