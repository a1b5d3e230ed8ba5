"""What one pair cost, as events on lanes: the record behind the Gantt view and its JSON."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One span of work."""

    name: str
    """"upload previous", "vertical", "download H", "wait", ..."""
    lane: str
    """"host", "copy queue" or "kernel queue"."""
    start: float
    """Microseconds from the start of the request."""
    end: float
    size: int = 0
    """Bytes moved; 0 for kernels."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The events of one request, and how often the host had to wait for the device within it."""

    events: tuple[Event, ...]
    host_waits: int
