"""`check`: the gate, its reports and its exit codes, without a device (SYCL twins: tests/device)."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from imageio import v3

import motion_tui as mt
from tests.cli.program import LARGER, NOISE, Program

KEYS = {
    "schema", "verdict", "clip", "feature", "options", "oracle", "twin", "device_used", "versions", "tolerance",
    "frames_compared", "metrics", "residue", "smallest_passing_tolerance",
}  # fmt: skip
RESIDUE_KEYS = {
    "pixels", "nonzero", "max_abs", "sum_positive", "sum_negative", "worst", "bounding_box", "edge_share",
    "edge_share_if_uniform",
}  # fmt: skip
Log = dict[str, Any]


@pytest.fixture
def log(program: Program, tmp_path: Path) -> Callable[..., Path]:
    """Write the oracle's own log of a clip, changed by a function."""

    def write(change: Callable[[Log], None] = lambda _: None, clip: str = NOISE) -> Path:
        document: Log = json.loads(program("score", clip, "--json", "-").out)
        change(document)
        path = tmp_path / "twin.json"
        path.write_text(json.dumps(document))
        return path

    return write


def metrics_of(document: Log, frame: int) -> dict[str, Any]:
    found: dict[str, Any] = document["frames"][frame]["metrics"]
    return found


class TestExitCodes:
    def test_0_parity(self, program: Program, log: Callable[..., Path]) -> None:
        for flags in (["--exact"], [], ["--places", "4"], ["--tolerance", "0"]):
            assert program("check", NOISE, "--scores", log(), *flags).code == 0

    def test_1_a_gap_of_one_ulp(self, program: Program, log: Callable[..., Path]) -> None:
        def change(document: Log) -> None:
            metrics = metrics_of(document, 2)
            metrics["integer_motion2"] = math.nextafter(metrics["integer_motion2"], 100)

        path = log(change)
        assert program("check", NOISE, "--scores", path, "--exact").code == 1
        assert program("check", NOISE, "--scores", path, "--places", "4").code == 0

    def test_1_a_wrong_order_on_the_cpu(self, program: Program) -> None:
        ran = program("check", NOISE, "--twin", "model:blur-first", "--exact")
        assert (ran.code, ran.out.startswith("GAP")) == (1, True)
        assert "stages part at V" in ran.out
        assert "x differs, . equal" in ran.out

    @pytest.mark.parametrize(
        "words",
        [
            [],
            [NOISE, "--nonsense"],
            [NOISE, "--places", "x"],
            [NOISE, "--exact", "--places", "4"],
            [NOISE, "--tolerance", "nan"],
            [NOISE, "--twin", "nonsense"],
            [NOISE, "--twin", "model:nonsense"],
            [NOISE, "--twin", "reference", "--scores", "x.json"],
            [NOISE, "--against-libvmaf", "--twin", "reference"],
            [NOISE, "--against-libvmaf", "--and-device", "opencl:cpu"],
            [NOISE, "--against-libvmaf", "--repeat", "2"],
            [NOISE, "--scores", "absent.json", "--repeat", "2"],
            [NOISE, "--scores", "absent.json"],
            [NOISE, "--planes", "absent"],
            [NOISE, "--feature", "motino"],
            [NOISE, "--option", "motion_fps_wait=1"],
            [NOISE, "--option", "motion_fps_weight=9"],
            [NOISE, "--metric", "vmaf", "--twin", "reference"],
            ["absent.y4m"],
            ["synthetic:noise?size=2x2&frames=2", "--twin", "reference"],
        ],
        ids=" ".join,
    )
    def test_2_bad_input_and_usage(self, program: Program, words: list[str]) -> None:
        ran = program("check", *words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("motion-tui: ")
        assert ran.err.count("\n") == 1

    @pytest.mark.parametrize(
        "change",
        [
            lambda document: document["frames"].clear(),
            lambda document: document["frames"].pop(),
            lambda document: metrics_of(document, 1).pop("integer_motion3"),
            lambda document: [row["metrics"].pop("integer_motion2") for row in document["frames"]],
            lambda document: metrics_of(document, 3).update(integer_motion2=None),
            lambda document: metrics_of(document, 3).update(integer_motion2=math.nan),
            lambda document: metrics_of(document, 3).update(integer_motion2=math.inf),
        ],
        ids=["no frame", "a frame less", "a hole", "no metric", "null", "NaN", "infinity"],
    )
    @pytest.mark.parametrize("flags", [["--exact"], ["--tolerance", "1e9"]], ids=["exact", "huge"])
    def test_3_nothing_compared(
        self, program: Program, log: Callable[..., Path], change: Callable[[Log], None], flags: list[str]
    ) -> None:
        ran = program("check", NOISE, "--scores", log(change), *flags, "--json", "-")
        assert (ran.code, json.loads(ran.out)["verdict"]) == (3, "not-run")

    def test_3_one_frame_has_no_pair(self, program: Program) -> None:
        ran = program("check", "synthetic:noise?size=9x9&frames=1", "--twin", "model:blur-first")
        assert (ran.code, "nothing to compare" in ran.err) == (3, True)

    @pytest.mark.parametrize("twin", ["oracle", "reference"])
    def test_3_the_cpu_with_itself(self, program: Program, twin: str) -> None:
        ran = program("check", NOISE, "--twin", twin)
        assert (ran.code, ran.out.startswith("NOT-RUN")) == (3, True)
        accepted = program("check", NOISE, "--twin", twin, "--accept-cpu-twin")
        assert accepted.code == 0
        assert "the CPU compared with itself" in accepted.out


def test_the_json_report_has_the_documented_form(program: Program) -> None:
    report = json.loads(program("check", LARGER, "--twin", "model:blur-first", "--json", "-").out)
    assert report.keys() >= KEYS
    assert (report["schema"], report["verdict"], report["frames_compared"]) == (1, "gap", 5)
    assert (report["oracle"], report["twin"]) == ("oracle", "model:blur-first")
    assert report["device_used"].startswith("CPU")
    assert report["tolerance"] == {"value": 0.0, "source": "exact"}
    assert report["metrics"].keys() == mt.score(LARGER).metrics.keys()
    assert {"max_abs", "frame", "mismatches"} <= report["metrics"]["integer_motion2"].keys()
    assert report["residue"].keys() == {"D", "V", "H"}
    assert all(stage.keys() == RESIDUE_KEYS for stage in report["residue"].values())
    worst = report["residue"]["H"]["worst"]
    with mt.compare(LARGER, twin="model:blur-first") as same:
        plane = same.residue(worst["frame"], worst["plane"], "H")
        assert abs(int(plane[worst["y"], worst["x"]])) == report["residue"]["H"]["max_abs"]
        assert report["residue"]["H"]["nonzero"] == sum(
            int(np.count_nonzero(same.residue(frame))) for frame in range(1, 5)
        )
    assert report["residue"]["D"] | {"edge_share_if_uniform": 0} == {
        "pixels": 4 * 17 * 19,
        "nonzero": 0,
        "max_abs": 0,
        "sum_positive": 0,
        "sum_negative": 0,
        "worst": None,
        "bounding_box": None,
        "edge_share": None,
        "edge_share_if_uniform": 0,
    }
    smallest = report["smallest_passing_tolerance"]
    for tolerance, code in ((smallest, 3), (math.nextafter(smallest, 0), 1)):  # 3: a CPU model is no twin
        assert program("check", LARGER, "--twin", "model:blur-first", "--tolerance", repr(tolerance)).code == code


def test_several_clips_give_a_report_each_and_the_highest_code(program: Program) -> None:
    static = "synthetic:static?size=8x8&frames=3"
    ran = program("check", static, NOISE, "--twin", "model:blur-first", "--accept-cpu-twin", "--json", "-")
    reports = json.loads(ran.out)
    assert [report["verdict"] for report in reports["reports"]] == ["parity", "gap"]
    assert (ran.code, reports["verdict"]) == (1, "gap")
    ran = program("check", NOISE, "absent.y4m", "--twin", "model:blur-first", "--json", "-")
    assert [report["verdict"] for report in json.loads(ran.out)["reports"]] == ["gap", "error"]
    assert (ran.code, json.loads(ran.out)["verdict"]) == (2, "error")


def test_markdown_and_junit_say_what_json_says(program: Program, tmp_path: Path) -> None:
    gap, nothing = tmp_path / "gap", tmp_path / "nothing"
    for name, clip in ((gap, NOISE), (nothing, "synthetic:noise?size=9x9&frames=1")):
        program("check", clip, "--twin", "model:blur-first", "--md", f"{name}.md", "--junit", f"{name}.xml")
    assert Path(f"{gap}.md").read_text().startswith(f"## gap: {NOISE}\n")
    suite = ElementTree.parse(f"{gap}.xml").getroot()[0]
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases["verdict"] == cases["integer_motion2"] == cases["stage H"] == cases["stage V"] == ["failure"]
    assert cases["stage D"] == []
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (str(len(cases)), "6", "0")
    empty = ElementTree.parse(f"{nothing}.xml").getroot()[0]
    assert [[child.tag for child in case] for case in empty] == [["error"]]
    assert (empty.get("tests"), empty.get("errors")) == ("1", "1")
    assert "not-run" in Path(f"{nothing}.md").read_text()


def test_libvmaf_agrees_to_its_six_decimals(program: Program) -> None:
    ran = program("check", LARGER, "--against-libvmaf", "--json", "-")
    report = json.loads(ran.out)
    assert (ran.code, report["verdict"], report["tolerance"]["value"]) == (0, "parity", 5e-7)
    assert report["frames_compared"] == 5
    assert all(metric["decimals"] == 6 for metric in report["metrics"].values())
    assert 0 < report["smallest_passing_tolerance"] <= 5e-7
    exact = program("check", LARGER, "--against-libvmaf", "--exact")
    assert exact.code == 1
    assert "could be mere printing" in exact.out


def test_libvmaf_of_this_day_is_not_the_older_edition(program: Program) -> None:
    assert program("check", LARGER, "--against-libvmaf", "--edition", "3.1").code in (1, 3)


def test_planes_of_a_users_kernel(program: Program, tmp_path: Path) -> None:
    with mt.compare(LARGER, twin="model:blur-first") as result:
        for frame in range(1, 5):
            np.save(tmp_path / f"f000{frame}_p0_H.npy", result._session.stage_pair(frame).oracle.get("H"))
    assert program("check", LARGER, "--planes", tmp_path).code == 0
    for frame in (1, 3, 4):
        (tmp_path / f"f000{frame}_p0_H.npy").unlink()
    assert program("check", LARGER, "--planes", tmp_path).code == 3
    np.save(tmp_path / "f0003_p0_H.npy", np.zeros((19, 17), np.int32))
    report = json.loads(program("check", LARGER, "--planes", tmp_path, "--json", "-").out)
    assert (report["verdict"], report["frames_compared"], report["metrics"]) == ("gap", 2, {})
    assert report["residue"]["H"]["worst"]["frame"] == 3
    assert "D" not in report["residue"]


def test_what_failed_reports_the_tolerance_that_was_asked_for(program: Program) -> None:
    ran = program("check", NOISE, "--twin", "dif-first", "--places", "4", "--json", "-")
    report = json.loads(ran.out)
    assert (ran.code, report["verdict"]) == (2, "error")
    assert report["tolerance"] == {"value": 5e-5, "source": "places=4"}
    assert "unknown twin 'dif-first': did you mean diff-first?" in report["reason"]


def test_of_several_clips_the_verdicts_are_counted_last(program: Program) -> None:
    ran = program("check", NOISE, LARGER, "absent.y4m", "--twin", "model:blur-first")
    assert (ran.code, ran.out.count("GAP  synthetic")) == (2, 2)
    assert ran.out.splitlines()[-1] == "error: 3 reports, 2 gap, 1 error"


def test_a_metric_named_twice_is_compared_once(program: Program) -> None:
    named = ("--metric", "integer_motion2") * 2
    ran = program("check", NOISE, "--twin", "model:blur-first", *named)
    assert ran.out.count("integer_motion2 ") == 1


def test_repeat_is_reported(program: Program) -> None:
    report = json.loads(program("check", NOISE, "--twin", "model:blur-first", "--repeat", "3", "--json", "-").out)
    assert report["repeat"]["runs"] == len(report["repeat"]["hashes"]) == 3
    assert len(set(report["repeat"]["hashes"])) == 1
    assert report["repeat"]["first"] is None


def test_the_command_to_look_again_works_as_it_is_printed(program: Program, tmp_path: Path) -> None:
    raw = tmp_path / "a clip.yuv"
    raw.write_bytes(np.random.default_rng(7).integers(0, 256, 3 * 12 * 10, np.uint8).tobytes())
    words = ["check", raw, "--size", "12x10", "--format", "400", "--bits", "8", "--frames", "1:3", "-o", "debug"]
    ran = program(*words, "--twin", "model:edge-repeated")
    assert ran.code == 1
    (line,) = [line for line in ran.out.splitlines() if line.startswith("note: look again: motion-tui export ")]
    again = shlex.split(line.removeprefix("note: look again: motion-tui "))
    out = tmp_path / "bundle"
    assert program(*[out if word == "DIR" else word for word in again]).code == 0
    document = json.loads((out / "report.json").read_text())
    shown = document["shown"]["stage"]
    assert document["residue"]["p0"][shown]["nonzero"] > 0
    assert document["options"]["debug"] is True


def test_a_kernel_beside_another_twin_is_refused(program: Program) -> None:
    for *words, named in (
        ("--twin", "reference", "reference"),
        ("--scores", "x.json", "the recorded x.json"),
        ("--planes", "x", "the recorded x"),
        ("--against-libvmaf", "libvmaf"),
    ):
        ran = program("check", NOISE, "--kernel", "mine.cl", *words)
        assert (ran.code, f"--kernel says how a twin runs, and {named} is none" in ran.err) == (2, True)


def test_several_images_are_one_clip(program: Program, tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (3, 20, 24), np.uint8)
    names = [tmp_path / f"{i}.png" for i in range(3)]
    for name, plane in zip(names, noise, strict=True):
        v3.imwrite(name, plane)
    report = json.loads(program("check", *names, "--twin", "model:blur-first", "--json", "-").out)
    assert (report["clip"]["frames"], report["frames_compared"], report["verdict"]) == (3, 3, "gap")
    same = mt.score(mt.open_clip([[plane] for plane in noise], pixel_format="400", bit_depth=8))
    scored = json.loads(program("score", *names, "--json", "-").out)
    assert [row["metrics"]["integer_motion2"] for row in scored["frames"]] == list(same.metrics["integer_motion2"])
