"""The written forms of a report, compared byte for byte with what they are meant to be."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from motion_tui.core.geometry import Geometry
from motion_tui.core.options import Options
from motion_tui.core.scores import Scores
from motion_tui.engines.recorded import LOG_DEVICE, PLANES_DEVICE
from motion_tui.export import csv, junit, markdown, text
from motion_tui.export.json import dumps, reports_text, scores_document
from motion_tui.export.registry import REPORTS, reports_in
from motion_tui.parity.report import ClipFacts, EngineFacts, ParityReport
from motion_tui.parity.residue import Box, Pixel, Statistics
from motion_tui.parity.verdict import MetricDelta, print_tolerance

REPORT = ParityReport(
    verdict="gap",
    reason="",
    clip=ClipFacts("a|b.y4m", Geometry(4, 3, "420", 10), 2, {"size": "header"}, ("odd",)),
    options=Options.parse("motion", {"mfw": 0.5}),
    edition="3.2",
    oracle=EngineFacts("oracle", "diff-first", "CPU"),
    twin=EngineFacts("twin:mine", "whatever", "a GPU", "self-test passed"),
    frames_compared=2,
    metrics=(MetricDelta("m", (0.0, -0.125), 0.125, 1, 1), MetricDelta("n", (0.0, 0.0), 0.0, None, 0)),
    residue={
        "D": Statistics(pixels=12, edge_pixels=12),
        "H": Statistics(12, 2, 7, 1, -7, Pixel(1, 0, 3, 2), Box(2, 1, 3, 2), 2, 12),
    },
    notes=("something <odd>",),
)
SUMMARY = "oracle and twin:mine, 2 frames; scores differ by up to 0.125; stages part at H"
MARKDOWN = f"""\
## gap: a\\|b.y4m

{SUMMARY}

- clip: a\\|b.y4m: 4x3 420 10-bit, 2 frames
- feature: motion edition 3.2 motion_fps_weight=0.5
- oracle: oracle: diff-first; on CPU
- twin: twin:mine: whatever; on a GPU
- self-test: self-test passed
- tolerance: 0 (exact)

| metric | max \\|delta\\| | frame | outside | tolerance |
| --- | --- | --- | --- | --- |
| m | 0.125 | 1 | 1 | 0 |
| n | 0.0 |  | 0 | 0 |

| stage | unit | pixels | nonzero | max \\|r\\| | sum + | sum - | worst (frame plane x y) | edge share |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| D | code values | 12 | 0 | 0 | 0 | 0 |  |  |
| H | 1/256 code values | 12 | 2 | 7 | 1 | -7 | 1 0 3 2 | 1.000 (1.000 if uniform) |

- something \\<odd>
"""
TEXT = f"""\
GAP  a|b.y4m  {SUMMARY}
  clip       a|b.y4m: 4x3 420 10-bit, 2 frames
  feature    motion edition 3.2 motion_fps_weight=0.5
  oracle     oracle: diff-first; on CPU
  twin       twin:mine: whatever; on a GPU
  self-test  self-test passed
  tolerance  0 (exact)

metric  max |delta|  frame  outside  tolerance
m             0.125      1        1          0
n               0.0               0          0

stage               unit  pixels  nonzero  max |r|  sum +  sum -  worst (frame plane x y)                edge share
D            code values      12        0        0      0      0
H      1/256 code values      12        2        7      1     -7                  1 0 3 2  1.000 (1.000 if uniform)
note: something <odd>
"""


def test_markdown() -> None:
    assert markdown.reports_text([REPORT], "gap") == MARKDOWN
    assert markdown.reports_text([REPORT, REPORT], "gap") == f"# gap: 2 reports, 2 gap\n\n{MARKDOWN}\n{MARKDOWN}"


def test_text() -> None:
    assert text.report_text(REPORT) == TEXT


def test_a_tolerance_says_its_source_once() -> None:
    printed = [MetricDelta(name, (0.0,), 0.0, None, 0, print_tolerance(6)) for name in ("a", "b")]
    source = "5e-07 (half a unit of the last of 6 decimals in the log)"
    shown = text.report_text(replace(REPORT, metrics=(*printed, *REPORT.metrics)))
    assert shown.count(f"  tolerance  {source}; 0 (exact)\n") == shown.count("(half a unit") == 1
    assert text.metric_rows(printed)[1] == ["b", "0.0", "", "0", "5e-07"]


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("a GPU", "on a GPU"),
        ("", "on nothing"),
        (LOG_DEVICE, "where it ran is not known: a log"),
        (PLANES_DEVICE, "where it ran is not known: plane files"),
    ],
)
def test_where_a_twin_ran(device: str, words: str) -> None:
    facts = dict(text.facts(replace(REPORT, twin=EngineFacts("x", "y", device))))
    assert facts["twin"] == f"x: y; {words}"


def test_junit() -> None:
    root = ElementTree.fromstring(junit.reports_text([REPORT], "gap"))
    assert root.get("name") == "motion-tui check: gap"
    (suite,) = root
    assert dict(suite.items()) == {"name": "a|b.y4m", "tests": "5", "failures": "3", "errors": "0"}
    assert [(case.get("name"), [(child.tag, child.get("message")) for child in case]) for case in suite] == [
        ("verdict", [("failure", SUMMARY)]),
        ("m", [("failure", "1 frames outside 0, worst 0.125 in frame 1")]),
        ("n", []),
        ("stage D", []),
        ("stage H", [("failure", "2 of 12 pixels")]),
    ]
    assert suite[0][0].text == TEXT


def test_junit_holds_any_file_name() -> None:
    odd = ParityReport(
        "error", "no \x00 \ud800", ClipFacts("\x07<&\"'>.yuv"), REPORT.options, "3.2", REPORT.oracle, REPORT.twin
    )
    (suite,) = ElementTree.fromstring(junit.reports_text([odd], "error"))
    assert suite.get("name") == "?<&\"'>.yuv"
    assert [(child.tag, child.get("message")) for child in suite[0]] == [("error", "no ? ?")]


def test_junit_and_markdown_hold_any_twin_name() -> None:
    name = "log:\x01 [x](y) <b> `c` *d*.json"
    odd = replace(REPORT, twin=EngineFacts(name))
    (suite,) = ElementTree.fromstring(junit.reports_text([odd], "gap"))
    assert suite[0].get("classname") == "motion_tui.log:? [x](y) <b> `c` *d*.json"
    assert "log:\\\\x01 [x]\\(y) \\<b> \\`c\\` \\*d\\*.json" in markdown.reports_text([odd], "gap")


def test_json() -> None:
    document = json.loads(reports_text([REPORT], "gap"))
    assert document["metrics"]["m"]["max_abs"] == 0.125
    assert document["residue"]["H"] == {
        "pixels": 12,
        "nonzero": 2,
        "max_abs": 7,
        "sum_positive": 1,
        "sum_negative": -7,
        "worst": {"frame": 1, "plane": 0, "x": 3, "y": 2},
        "bounding_box": {"left": 2, "top": 1, "right": 3, "bottom": 2},
        "edge_share": 1.0,
        "edge_share_if_uniform": 1.0,
    }
    assert document["clip"] == {
        "name": "a|b.y4m",
        "width": 4,
        "height": 3,
        "pixel_format": "420",
        "bit_depth": 10,
        "frames": 2,
        "sources": {"size": "header"},
        "warnings": ["odd"],
    }
    assert [document[key] for key in ("oracle", "twin", "device_used", "health", "smallest_passing_tolerance")] == [
        "oracle",
        "twin:mine",
        "a GPU",
        "self-test passed",
        0.125,
    ]
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"value": float("nan")})


def test_scores_that_are_no_numbers_become_null_and_are_not_pooled() -> None:
    scores = Scores("motion", "3.2", "x", "GPU", Options(), {"m": (0.5, float("nan"), float("inf"), None)})
    document = json.loads(dumps(scores_document(scores, REPORT.clip)))
    assert [frame["metrics"]["m"] for frame in document["frames"]] == [0.5, None, None, None]
    assert document["pooled_metrics"]["m"] == {"min": 0.5, "max": 0.5, "mean": 0.5, "harmonic_mean": 0.5}


def test_csv_reads_back_to_the_bit_and_leaves_a_hole_where_there_is_none() -> None:
    scores = Scores("motion", "3.2", "x", "CPU", Options(), {"m": (0.1 + 0.2, None), "n": (1e-300, 255.99609375)})
    assert csv.scores_csv(scores) == "Frame,m,n\n0,0.30000000000000004,1e-300\n1,,255.99609375\n"


@pytest.mark.parametrize("form", REPORTS)
def test_every_form_of_the_registry_writes_a_report(form: str) -> None:
    assert "twin:mine" in reports_in(form, [REPORT], "gap")
