"""A timeline as bars on lanes, to scale: lanes top to bottom, and what overlaps within one below each other."""

from __future__ import annotations

import math
from typing import NamedTuple

from motion_tui.engines.timeline import Event, Timeline
from motion_tui.tui.paint.lines import Canvas, Line, joined, ruled

_FOOT = 2
"""Lines below the lanes: the scale and the summary."""
_LEAST_COLUMNS = 12
_ENLARGE_FROM = 4
"""The kernels are drawn a second time, enlarged, where the whole is at least this many times as long."""
_PLAIN = {"kernel": "█", "copy": "▓", "host": "▒", "wait": "░"}


def role_of(event: Event) -> str:
    """Return what kind of work an event is: `wait`, `host`, `copy` or `kernel`."""
    if event.name.startswith("wait"):
        return "wait"
    if event.lane == "host":
        return "host"
    return "copy" if event.size else "kernel"


def duration(microseconds: float) -> str:
    """Return a time with its unit, three digits."""
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.3g} s"
    return f"{microseconds / 1e3:.3g} ms" if microseconds >= 999.5 else f"{microseconds:.3g} µs"


def stacked(events: list[Event]) -> list[list[Event]]:
    """Return the events of a lane in as few rows as have no two that overlap."""
    rows: list[list[Event]] = []
    for event in sorted(events, key=lambda event: (event.start, event.end)):
        row = next((row for row in rows if row[-1].end <= event.start), None)
        if row is None:
            rows.append([event])
        else:
            row.append(event)
    return rows


def lanes(timeline: Timeline) -> dict[str, list[list[Event]]]:
    """Return the rows of every lane, the host first, then in order of first use."""
    names = dict.fromkeys(event.lane for event in sorted(timeline.events, key=lambda event: event.start))
    ordered = sorted(names, key=lambda name: name != "host")
    return {name: stacked([event for event in timeline.events if event.lane == name]) for name in ordered}


def gantt(timeline: Timeline, width: int, height: int, *, plain: bool = False) -> list[Line]:
    """Return the drawing of a timeline. Every event has a cell at least; kernels are enlarged below where they are few.

    `plain` fills bars with glyphs rather than with a background. Roles: `lane`, `kernel`, `copy`, `host`, `wait`,
    `axis`, `title`.
    """
    if not timeline.events:
        return [[("no events were recorded", "axis")]]
    rows = lanes(timeline)
    label = max(len(name) for name in rows) + 1
    columns = width - label
    if columns < _LEAST_COLUMNS or height < 1 + _FOOT:
        return [[(joined(summary(timeline), width), "title")]]
    canvas = Canvas(width, height)
    whole = Window(min(event.start for event in timeline.events), max(event.end for event in timeline.events), columns)
    lines = [(name, row) for name, stack in rows.items() for row in stack]
    foot = _rows(canvas, 0, height - _FOOT, lines, whole, plain=plain)
    canvas.write(label, foot, scale_line(whole.span, columns), "axis")
    canvas.write(0, foot + 1, joined(summary(timeline), width), "title")
    kernels = kernel_window(timeline, columns)
    if kernels and kernels.span * _ENLARGE_FROM <= whole.span:
        inside = [(name, [event for event in row if kernels.shows(event)]) for name, row in lines]
        inside = [line for line in inside if line[1]]
        top = foot + _FOOT
        if top + len(inside) + 2 <= height:
            times, start = f"{kernels.scale / whole.scale:.0f}", duration(kernels.start - whole.start)
            canvas.write(0, top, f"kernels, {times} times enlarged, from {start}", "title")
            foot = _rows(canvas, top + 1, height - 1, inside, kernels, plain=plain)
            canvas.write(label, foot, scale_line(kernels.span, columns, "+"), "axis")
    return canvas.lines()


class Window(NamedTuple):
    """A span of time, and the columns it is drawn in."""

    start: float
    end: float
    columns: int

    @property
    def span(self) -> float:
        """Microseconds shown."""
        return self.end - self.start

    @property
    def scale(self) -> float:
        """Columns a microsecond."""
        return self.columns / (self.span or 1.0)

    def shows(self, event: Event) -> bool:
        """Whether any of the event lies within."""
        return event.start < self.end and event.end > self.start


def kernel_window(timeline: Timeline, columns: int) -> Window | None:
    """Return the time from the first kernel's start to the last one's end, if there is any."""
    kernels = [event for event in timeline.events if role_of(event) == "kernel"]
    if not kernels:
        return None
    start, end = min(event.start for event in kernels), max(event.end for event in kernels)
    return Window(start, end, columns) if end > start else None


def _rows(
    canvas: Canvas, top: int, bottom: int, lines: list[tuple[str, list[Event]]], window: Window, *, plain: bool
) -> int:
    """Draw lanes from row `top` on, above `bottom`; return the row after the last."""
    room = bottom - top
    shown = lines if len(lines) <= room else lines[: room - 1]
    previous = ""
    for y, (name, row) in enumerate(shown, top):
        if name != previous:
            canvas.write(0, y, name, "lane")
        previous = name
        for event in row:
            _bar(canvas, y, event, window, plain=plain)
    if len(shown) < len(lines):
        words = f"… and {len(lines) - len(shown)} more rows: enlarge the pane"
        canvas.write(0, top + len(shown), words, "axis")
    return top + min(len(lines), room)


def _bar(canvas: Canvas, y: int, event: Event, window: Window, *, plain: bool) -> None:
    left = canvas.width - window.columns
    start, end = (
        (min(max(time, window.start), window.end) - window.start) * window.scale for time in (event.start, event.end)
    )
    first = min(int(start + 1e-9), window.columns - 1)
    cells = max(math.ceil(end - 1e-9) - first, 1)
    role = role_of(event)
    canvas.fill(left + first, y, cells, 1, _PLAIN[role] if plain else " ", role)
    full = f"{event.name} {duration(event.end - event.start)}"
    text = full if len(full) < cells else event.name
    if len(text) < cells:
        canvas.write(left + first + 1, y, text, role)
    elif cells > 2:
        canvas.write(left + first + 1, y, f"{text[: cells - 2]}…", role)
    if not plain:
        canvas.write(left + first, y, "▏", role)


def scale_line(span: float, columns: int, sign: str = "") -> str:
    """Return the scale below the bars: times at round steps, at most one every 12 columns."""
    step = round_step(span / max(columns // 12, 1))
    ticks = [step * i for i in range(int(span / step) + 1)] if step else [0.0]
    return ruled(columns, [(int(tick / (span or 1.0) * columns), f"{sign}{duration(tick)}") for tick in ticks])


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below `least`; 0 for 0."""
    if least <= 0:
        return 0.0
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def summary(timeline: Timeline) -> list[str]:
    """Return what a timeline comes to, in parts: its length, the longest event, the kernels' time, the host's waits."""
    events = timeline.events
    span = max(event.end for event in events) - min(event.start for event in events)
    longest = max(events, key=lambda event: event.end - event.start)
    kernels = sum(event.end - event.start for event in events if role_of(event) == "kernel")
    waits = f"{timeline.host_waits} host wait{'' if timeline.host_waits == 1 else 's'}"
    return [
        f"{duration(span)} in all",
        f"kernels {duration(kernels)}",
        waits,
        f"longest: {longest.name} {duration(longest.end - longest.start)}",
    ]
