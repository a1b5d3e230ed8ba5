"""The pure parts of the screen: where things go, what is said, and where the next difference is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import UsageError
from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.parity.session import Session
from motion_tui.tui.app import colour_system
from motion_tui.tui.arrange import LAYOUTS, PANES, TABLE_HEIGHT, Box, arrange
from motion_tui.tui.look import Look
from motion_tui.tui.navigate import next_frame, next_pixel, parse_place, worst_pixel
from motion_tui.tui.scan import Scan
from motion_tui.tui.state import TwinChoice, ViewState
from motion_tui.tui.summary import Summary, summarise
from motion_tui.tui.views.chroma import geometry_text
from motion_tui.tui.views.lines import status_line, title_line, verdict_line
from motion_tui.tui.views.verdict import verdict_text
from motion_tui.tui.work import facts


def overlap(a: Box, b: Box) -> bool:
    """Whether two rectangles share a cell."""
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


@given(
    width=st.integers(60, 320),
    height=st.integers(16, 100),
    shape=st.tuples(st.integers(3, 8000), st.integers(3, 8000)),
    layout=st.sampled_from(LAYOUTS),
    pane=st.sampled_from(PANES),
)
@settings(max_examples=300, deadline=None)
def test_parts_lie_inside_and_never_overlap(
    width: int, height: int, shape: tuple[int, int], layout: str, pane: str
) -> None:
    boxes = arrange(width, height, shape, layout, pane).boxes  # type: ignore[arg-type]
    assert "readout" in boxes
    for box in boxes.values():
        assert box.x >= 0 <= box.y
        assert box.width > 0 < box.height
        assert box.x + box.width <= width
        assert box.y + box.height <= height
    placed = list(boxes.values())
    assert not any(overlap(a, b) for i, a in enumerate(placed) for b in placed[i + 1 :])


@pytest.mark.parametrize("size", [(80, 20), (120, 36), (200, 46)])
@pytest.mark.parametrize("shape", [(1920, 1080), (17, 17), (1080, 1920), (3, 3)])
def test_the_usual_terminals_show_everything_without_a_key(size: tuple[int, int], shape: tuple[int, int]) -> None:
    boxes = arrange(*size, shape, "auto", "residue").boxes
    assert set(boxes) == {*PANES, "readout", "curve", "table"}
    assert boxes["table"].height >= TABLE_HEIGHT
    assert boxes["table"].width >= 38
    assert boxes["readout"].height >= 8


def test_a_tall_terminal_is_not_left_empty_by_three_wide_pictures() -> None:
    assert arrange(200, 46, (3840, 2160), "auto", "residue").layout == "grid"
    assert arrange(80, 20, (3840, 2160), "auto", "residue").layout == "row"


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=60), st.integers(1, 7), st.data())
@settings(max_examples=200, deadline=None)
def test_pixels_are_found_as_a_plain_search_finds_them(values: list[int], width: int, data: st.DataObject) -> None:
    rows = -(-len(values) // width)
    plane = np.array((values + [0] * (rows * width))[: rows * width], np.int32).reshape(rows, width)
    here = data.draw(st.integers(0, plane.size - 1))
    x, y = here % width, here // width
    places = np.flatnonzero(plane).tolist()
    order = [p for p in places if p > here] + [p for p in places if p <= here]
    back = [p for p in reversed(places) if p < here] + [p for p in reversed(places) if p >= here]
    for step, expected in ((1, order), (-1, back)):
        found = next_pixel(plane, x, y, step)
        assert found == ((expected[0] % width, expected[0] // width) if expected else None)
    worst = worst_pixel(plane)
    if places:
        assert worst is not None
        assert abs(plane[worst[1], worst[0]]) == np.abs(plane).max()
    else:
        assert worst is None


def test_the_nearest_frame_that_differs() -> None:
    assert next_frame([2, 5, 9], 5, 1) == 9
    assert next_frame([2, 5, 9], 5, -1) == 2
    assert next_frame([2, 5, 9], 9, 1) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [("12", (12, None)), ("30,40", (None, (30, 40))), (" 12 30, 40 ", (12, (30, 40))), ("0", (0, None))],
)
def test_places_are_read(text: str, place: tuple[int | None, tuple[int, int] | None]) -> None:
    assert parse_place(text) == place


@pytest.mark.parametrize("text", ["", "a", "1,", "1 2", "-3", "1,2,3"])
def test_places_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="type a frame"):
        parse_place(text)


@pytest.mark.parametrize(
    ("environment", "system"),
    [
        ({"COLORTERM": "truecolor", "TERM": "xterm"}, "truecolor"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "screen"}, "16"),
        ({"TERM": "dumb"}, "none"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none"),
    ],
)
def test_the_colour_system_follows_the_environment(environment: dict[str, str], system: str) -> None:
    assert colour_system("auto", environment) == system
    assert colour_system("16", environment) == "16"


def session_of(source: str, twin: str, options: Options | None = None) -> tuple[Session, TwinChoice]:
    """A session on the CPU, with the choice that made it."""
    config = EngineConfig(options=options or Options())
    session = Session(open_clip(source), open_engine("oracle", config), open_engine(twin, config))
    return session, TwinChoice(twin=twin, config=config)


def test_the_lines_say_clip_verdict_device_and_colours() -> None:
    session, choice = session_of("synthetic:noise?size=9x9&format=422&bits=10&frames=4", "model:blur-first")
    known, scan = facts(1, session, choice), Scan(session)
    assert summarise(known, scan.snapshot()).kind == "scanning"
    for _ in scan.steps():
        pass
    summary = summarise(known, scan.snapshot())
    assert "9x9 422 10-bit" in str(title_line(known, ""))
    assert str(verdict_line(summary)).startswith(" NOT BIT-EXACT  first at frame 1, stage V")
    line = str(status_line(known, ViewState(frame=2), str(Look("256")), ""))
    for words in ("2/3 Y H", "256 berlin", "model:blur-first on CPU", "motion, libvmaf 3.2"):
        assert words in line
    text = str(verdict_text(summary, known, scan.snapshot()))
    assert "integer_motion2" in text
    assert "smaller of this frame's score and the next one's" in text
    assert "1 (V), 2 (V), 3 (V)" in text


def test_one_frame_alone_is_nothing_compared() -> None:
    session, choice = session_of("synthetic:noise?size=9x9&frames=1", "model:blur-first")
    scan = Scan(session)
    for _ in scan.steps():
        pass
    assert summarise(facts(1, session, choice), scan.snapshot()).headline == "NOTHING COMPARED"


def test_scores_are_final_one_frame_behind_until_the_clip_ends() -> None:
    session, _ = session_of("synthetic:noise?size=9x9&frames=5", "model:blur-first")
    scan = Scan(session)
    seen = []
    for _ in scan.steps():
        snapshot = scan.snapshot()
        seen.append((snapshot.scored, snapshot.oracle.metrics["integer_motion2"] if snapshot.oracle else ()))
    final = scan.snapshot()
    assert final.oracle is not None
    assert final.scored == 5
    for scored, values in seen:
        assert values[:scored] == final.oracle.metrics["integer_motion2"][:scored]


def test_the_chroma_text_has_offsets_conventions_and_what_is_lost() -> None:
    session, choice = session_of("synthetic:noise?size=19x23&format=422&frames=3", "model:blur-first")
    text = " ".join(str(geometry_text(facts(1, session, choice), None, 1)).split())
    assert "U 10x23 10 10 437 230" in text  # 19x23 luma is 437 bytes; chroma 10x23
    assert "V 10x23 10 10 667 230" in text
    # (w+1)/2 x (h+1)/2 = 10x12 of 10x23: 110 of 230 samples are left out
    assert "leaves out 110 of 230 samples (47.8 %)" in text
    assert "picture 9x23 leaves out 23 of 230" in text


def scanned(log: dict[str, list[float | None]], tmp_path: Path) -> Summary:
    """The summary of a three-frame clip against a log of these metrics."""
    count = max(len(values) for values in log.values())
    frames = [{"frameNum": i, "metrics": {name: log[name][i] for name in log}} for i in range(count)]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": "3.2.0", "frames": frames}))
    session, choice = session_of(THREE, f"log:{path}")
    scan = Scan(session)
    for _ in scan.steps():
        pass
    return summarise(facts(1, session, choice), scan.snapshot())


THREE = "synthetic:static?size=8x8&format=400&frames=3"
ZEROS: dict[str, list[float | None]] = {
    name: [0.0, 0.0, 0.0] for name in ("VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3")
}


def test_a_log_is_a_pass_only_with_every_metric_of_every_frame(tmp_path: Path) -> None:
    assert scanned(ZEROS, tmp_path).headline == "SCORES EQUAL"
    without = {name: values for name, values in ZEROS.items() if name != "integer_motion3"}
    assert scanned(without, tmp_path).headline == "NOT COMPARED"
    shorter = {name: values[:2] for name, values in ZEROS.items()}
    found = scanned(shorter, tmp_path)
    assert found.headline == "NOT COMPARED"
    assert "2 frames and the clip 3" in found.detail
    gap = scanned(ZEROS | {"integer_motion2": [0.0, 1e-3, 0.0]}, tmp_path)
    assert gap.headline == "NOT BIT-EXACT"
    assert "0.001 fails places=4" in gap.detail
