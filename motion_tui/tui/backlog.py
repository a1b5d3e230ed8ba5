"""How much output the terminal has not taken yet: on a slow link, only the newest picture should be painted."""

from __future__ import annotations

from typing import Any

from textual.app import App


def writer_backlog(app: App[Any]) -> int:
    """Writes that wait in the driver's queue; 0 where this version of Textual has no such queue."""
    writer = getattr(getattr(app, "_driver", None), "_writer_thread", None)
    queue = getattr(writer, "_queue", None)
    return int(queue.qsize()) if queue is not None else 0
