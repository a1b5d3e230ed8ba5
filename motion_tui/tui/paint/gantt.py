"""A timeline as bars on lanes, to scale: lanes top to bottom, and what overlaps within one below each other."""

from __future__ import annotations

import math

from motion_tui.engines.timeline import Event, Timeline
from motion_tui.tui.paint.lines import Canvas, Line, joined, ruled

_FOOT = 2
"""Lines below the lanes: the scale and the summary."""
_LEAST_COLUMNS = 12
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
    """Return the drawing of a timeline. Every event has a cell at least.

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
    start = min(event.start for event in timeline.events)
    span = max(event.end for event in timeline.events) - start
    scale = columns / (span or 1.0)
    room = height - _FOOT
    lines = [(name, row) for name, stack in rows.items() for row in stack]
    shown = lines if len(lines) <= room else lines[: room - 1]
    previous = ""
    for y, (name, row) in enumerate(shown):
        if name != previous:
            canvas.write(0, y, name, "lane")
        previous = name
        for event in row:
            _bar(canvas, label, y, event, (event.start - start) * scale, (event.end - start) * scale, plain=plain)
    if len(shown) < len(lines):
        canvas.write(0, len(shown), f"… and {len(lines) - len(shown)} more rows: enlarge the pane", "axis")
    foot = min(len(lines), room)
    canvas.write(label, foot, scale_line(span, columns), "axis")
    canvas.write(0, foot + 1, joined(summary(timeline), width), "title")
    return canvas.lines()


def _bar(canvas: Canvas, left: int, y: int, event: Event, start: float, end: float, *, plain: bool) -> None:
    columns = canvas.width - left
    first = min(int(start + 1e-9), columns - 1)
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


def scale_line(span: float, columns: int) -> str:
    """Return the scale below the bars: times at round steps, at most one every 12 columns."""
    step = round_step(span / max(columns // 12, 1))
    ticks = [step * i for i in range(int(span / step) + 1)] if step else [0.0]
    return ruled(columns, [(int(tick / (span or 1.0) * columns), duration(tick)) for tick in ticks])


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
