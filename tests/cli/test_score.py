"""`score`: figures, forms and files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import motion_tui as mt
from tests.cli.program import LARGER, NOISE, Program

SAD = (0.0, 19.374131944444443, 39.547309027777779, 5.3975694444444446)


def test_json_is_a_vmaf_log_with_every_digit(program: Program) -> None:
    ran = program("score", NOISE, "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    log = json.loads(ran.out)
    metrics = [row["metrics"] for row in log["frames"]]
    assert [row["frameNum"] for row in log["frames"]] == [0, 1, 2, 3]
    assert metrics[0]["integer_motion3"] == 19.374131944444443
    assert tuple(row["VMAF_integer_feature_motion_sad_score"] for row in metrics) == SAD
    pooled = log["pooled_metrics"]["VMAF_integer_feature_motion_sad_score"]
    assert (pooled["min"], pooled["max"], pooled["mean"]) == (0, SAD[2], sum(SAD) / 4)
    assert pooled["harmonic_mean"] == pytest.approx(4 / sum(1 / (value + 1) for value in SAD) - 1)
    assert (log["engine"], log["edition"], log["feature"]) == ("oracle", "3.2", "motion")
    assert log["clip"] | {"sources": None} == {
        "name": NOISE,
        "width": 3,
        "height": 3,
        "pixel_format": "444",
        "bit_depth": 8,
        "frames": 4,
        "sources": None,
        "warnings": [],
    }
    assert log["options"]["motion_fps_weight"] == 1.0
    assert log["versions"]["motion-tui"]


def test_pooling_is_libvmafs_own(program: Program) -> None:
    """libvmaf logged 0.072310 in one frame of five as mean 0.014462 and harmonic mean 0.013671."""
    from motion_tui.export.json import pooled

    found = pooled((0.0, 0.0, 0.0, 0.07231, 0.0))
    assert {name: f"{value:.6f}" for name, value in found.items()} == {
        "min": "0.000000",
        "max": "0.072310",
        "mean": "0.014462",
        "harmonic_mean": "0.013671",
    }


@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_written_log_reads_back_to_the_same_bits(program: Program, tmp_path: Path, form: str) -> None:
    path = tmp_path / "log"
    assert program("score", LARGER, f"--{form}", path).code == 0
    report = program("check", LARGER, "--scores", path, "--exact", "--json", "-")
    assert report.code == 0
    assert json.loads(report.out)["smallest_passing_tolerance"] == 0


def test_csv_has_a_row_a_frame(program: Program) -> None:
    rows = list(csv.DictReader(program("score", NOISE, "--csv", "-").out.splitlines()))
    assert [row["Frame"] for row in rows] == ["0", "1", "2", "3"]
    assert tuple(float(row["VMAF_integer_feature_motion_sad_score"]) for row in rows) == SAD


def test_the_table_is_data_on_stdout_and_names_frames_without_a_predecessor(program: Program) -> None:
    ran = program("score", NOISE, "--feature", "motion", "-o", "motion_five_frame_window=true")
    lines = ran.out.splitlines()
    assert ran.err == ""
    assert lines[0].split()[0] == "frame"
    assert [line.split()[0] for line in lines[1:]] == ["0", "1", "2", "3"]
    said = ["no previous frame", "no pair", "", ""]  # frame 1 has a previous frame, but none two before
    assert [line.split(None, 4)[4:] for line in lines[1:]] == [[words] if words else [] for words in said]


def test_options_may_be_repeated_and_named_by_alias(program: Program) -> None:
    ran = program("score", NOISE, "--option", "mfw=0.5", "--option", "debug", "--json", "-")
    metrics = json.loads(ran.out)["frames"][1]["metrics"]
    assert metrics["integer_motion_mfw_0.5"] == SAD[1] / 2
    twice = program("score", NOISE, "-o", "mfw=0.5", "-o", "motion_fps_weight=1")
    assert (twice.code, "given twice" in twice.err) == (2, True)


@pytest.mark.parametrize("engine", ["oracle", "reference", "model:blur-first"])
def test_engines_are_named_and_equal_the_api(program: Program, engine: str) -> None:
    log = json.loads(program("score", LARGER, "--engine", engine, "--json", "-").out)
    scores = mt.score(LARGER, engine=engine)
    assert log["engine"] == engine
    assert log["frames"][2]["metrics"] == {name: values[2] for name, values in scores.metrics.items()}


def test_an_existing_file_is_kept_unless_forced(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text("mine")
    refused = program("score", NOISE, "--json", path)
    assert (refused.code, refused.out, path.read_text()) == (2, "", "mine")
    assert refused.err == f"motion-tui: {path}: exists already: name another file, or say --force to replace it\n"
    assert program("score", NOISE, "--json", path, "--force").code == 0
    assert json.loads(path.read_text())["frames"]
    assert list(tmp_path.iterdir()) == [path]


def test_an_output_that_cannot_be_written_is_refused_before_the_work(program: Program, tmp_path: Path) -> None:
    absent = program("score", "absent.y4m", "--json", tmp_path / "no" / "log.json")
    assert (absent.code, "does not exist" in absent.err) == (2, True)
    both = program("score", NOISE, "--json", "-", "--csv", "-")
    assert (both.code, "both write to stdout" in both.err, both.out) == (2, True, "")
