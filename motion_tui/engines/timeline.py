"""What one pair cost, as events on lanes: the record behind the Gantt view and its JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


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

    @property
    def duration(self) -> float:
        """Microseconds from the start of the request to its last event."""
        return max((event.end for event in self.events), default=0.0)

    def as_dict(self) -> dict[str, Any]:
        """The timeline as JSON values, times in microseconds."""
        return {"host_waits": self.host_waits, "events": [asdict(event) for event in self.events]}
