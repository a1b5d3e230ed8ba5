"""The Gantt drawing: every event has a cell, in its lane, to scale."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motion_tui.engines.timeline import Event, Timeline
from motion_tui.tui.paint.gantt import duration, gantt, lanes, role_of, round_step
from tests.tui.drawings import text_of

TIMELINE = Timeline(
    (
        Event("upload previous", "copy queue", 0, 100, 9000),
        Event("upload current", "copy queue", 100, 200, 9000),
        Event("wait", "host", 0, 250),
        Event("vertical", "kernel queue", 250, 600),
        Event("border", "kernel queue", 600, 601),
        Event("horizontal", "kernel queue", 601, 900),
        Event("download H", "kernel queue", 900, 1000, 99),
    ),
    1,
)
EVENTS = st.builds(
    lambda name, lane, start, length: Event(name, lane, start, start + length),
    st.sampled_from(["vertical", "wait", "x" * 30]),
    st.sampled_from(["host", "copy queue", "kernel queue"]),
    st.floats(0, 1e6),
    st.floats(0, 1e6),
)


def test_bars_lie_in_their_lanes_to_scale() -> None:
    """100 columns for 1000 µs: ten a column, behind the lanes' names."""
    text = text_of(gantt(TIMELINE, 113, 6, plain=True)).split("\n")
    assert [line[:13].strip() for line in text[:3]] == ["host", "copy queue", "kernel queue"]
    host, copy, kernel = (line[13:] for line in text[:3])
    assert host == "░wait 250 µs".ljust(25, "░") + " " * 75
    assert copy == "▓upload p…▓upload c…" + " " * 80
    assert kernel[:60] == " " * 25 + "█vertical 350 µs".ljust(35, "█")
    assert kernel[60] == "█"
    assert kernel[90:] == "▓download…"
    assert text[3][13:].startswith("0 µs")
    assert text[4].startswith("1 ms in all · kernels 650 µs · 1 host wait · longest: vertical 350 µs")


def test_kinds_of_work() -> None:
    assert [role_of(event) for event in TIMELINE.events] == [
        "copy",
        "copy",
        "wait",
        "kernel",
        "kernel",
        "kernel",
        "copy",
    ]


@given(st.lists(EVENTS, min_size=1, max_size=12))
def test_rows_of_a_lane_have_no_overlap_and_lose_no_event(events: list[Event]) -> None:
    rows = [row for stack in lanes(Timeline(tuple(events), 0)).values() for row in stack]
    assert sorted(map(id, events)) == sorted(id(event) for row in rows for event in row)
    for row in rows:
        assert len({event.lane for event in row}) == 1
        assert all(a.end <= b.start for a, b in pairwise(row))


@given(st.lists(EVENTS, min_size=1, max_size=12), st.integers(10, 120), st.integers(1, 12))
def test_any_timeline_fits_any_size(events: list[Event], width: int, height: int) -> None:
    lines = text_of(gantt(Timeline(tuple(events), 0), width, height)).split("\n")
    assert len(lines) <= height
    assert all(len(line) <= width for line in lines)


def test_an_instant_has_a_cell() -> None:
    timeline = Timeline((Event("a", "host", 0, 0), Event("b", "host", 1e6, 1e6), Event("c", "host", 5e5, 5e5)), 0)
    line = text_of(gantt(timeline, 105, 4, plain=True)).split("\n")[0][5:]
    assert [i for i, character in enumerate(line) if character != " "] == [0, 50, 99]


def test_short_kernels_are_drawn_again_enlarged() -> None:
    """Kernels take 50 of 1000 µs: 5 of 100 columns, and all of them below."""
    events = (
        Event("copy", "host", 0, 900),
        Event("wait", "host", 900, 1000),
        Event("vertical", "kernel queue", 900, 930),
        Event("horizontal", "kernel queue", 930, 950),
    )
    text = text_of(gantt(Timeline(events, 1), 113, 8, plain=True)).split("\n")
    assert text[1][13:] == " " * 90 + "█v…██" + " " * 5
    assert text[4].startswith("kernels, 20 times enlarged, from 900 µs")
    assert text[5][:40].strip() == "host         ░wait 100 µs" + "░" * 15
    assert text[6][13:] == "█vertical 30 µs".ljust(60, "█") + "█horizontal 20 µs".ljust(40, "█")
    assert text[7][13:19] == "+0 µs "
    assert "enlarged" not in text_of(gantt(Timeline(events, 1), 113, 7))
    assert "enlarged" not in text_of(gantt(TIMELINE, 113, 12))


def test_what_has_no_room_is_counted() -> None:
    events = tuple(Event(f"e{i}", "host", 0, 10) for i in range(9))
    assert "… and 6 more rows" in text_of(gantt(Timeline(events, 0), 80, 6))
    assert text_of(gantt(Timeline((), 0), 80, 6)) == "no events were recorded"


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [(0, "0 µs"), (0.5, "0.5 µs"), (999.4, "999 µs"), (999.6, "1 ms"), (12_345, "12.3 ms"), (2_500_000, "2.5 s")],
)
def test_durations_have_three_digits_and_a_unit(microseconds: float, text: str) -> None:
    assert duration(microseconds) == text


@given(st.floats(1e-6, 1e9))
def test_steps_are_round_and_large_enough(least: float) -> None:
    step = round_step(least)
    assert least <= step <= least * 2.5000001
    assert f"{step:.0e}"[0] in "125"
