"""The gate on a device: exit codes of the published clip, several clips by one worker, and the default twins."""

from __future__ import annotations

import json

import pytest

import motion_tui as mt
from tests.cli.program import NOISE, Program


def test_the_published_clip(program: Program) -> None:
    ran = program("check", NOISE, "--twin", "diff-first", "--exact", "--json", "-")
    right = json.loads(ran.out)
    assert ran.code == 0
    assert (right["verdict"], right["smallest_passing_tolerance"]) == ("parity", 0)
    assert all(stage["nonzero"] == 0 for stage in right["residue"].values())
    assert right["device_used"]
    assert right["health"]
    wrong = program("check", NOISE, "--twin", "blur-first", "--exact", "--json", "-")
    assert (wrong.code, json.loads(wrong.out)["first_difference"]) == (1, "V")
    scores = json.loads(program("score", NOISE, "--engine", "twin:blur-first", "--json", "-").out)
    assert scores["frames"][0]["metrics"]["integer_motion3"] == 19.373697916666668


def test_a_device_that_is_not_there_is_4(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = program("check", NOISE, "--device", "level_zero:gpu:7", "--json", "-")
    assert (asked.code, json.loads(asked.out)["verdict"]) == (4, "error")
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "cuda:gpu")
    ran = program("check", NOISE, "--exact")
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)


def test_clips_of_growing_and_shrinking_size_by_one_worker(program: Program) -> None:
    clips = [f"synthetic:noise?size={size}&frames=3&format=444&bits=10" for size in ("3x3", "4x5", "257x145", "4x5")]
    reports = json.loads(program("check", *clips, "--exact", "--json", "-").out)
    assert [report["verdict"] for report in reports["reports"]] == ["parity"] * 4


def test_float_motion_has_its_own_twin_and_tolerance(program: Program) -> None:
    clip = "synthetic:noise?size=64x64&frames=4"
    report = json.loads(program("check", clip, "--feature", "float_motion", "--json", "-").out)
    assert (report["twin"], report["verdict"], report["tolerance"]["value"]) == ("twin:float", "parity", 5e-5)


def test_three_runs_agree_and_the_api_says_the_same(program: Program) -> None:
    clip = "synthetic:noise?size=33x31&frames=5&bits=16"
    repeat = json.loads(program("check", clip, "--repeat", "3", "--json", "-").out)["repeat"]
    assert (repeat["runs"], len(set(repeat["hashes"])), repeat["first"]) == (3, 1, None)
    with mt.compare(clip) as result:
        assert result.verdict == "parity"
        assert not result.residue(frame=1).any()


def test_two_devices_are_each_compared_with_the_oracle(program: Program) -> None:
    """There may be one device alone here: the second is asked for and not there, and its report says so."""
    ran = program("check", NOISE, "--device", "opencl:cpu", "--and-device", "level_zero:gpu:7", "--json", "-")
    first, second = json.loads(ran.out)["reports"]
    assert (first["verdict"], first["settings"]) == ("parity", {"device": "opencl:cpu"})
    assert (second["verdict"], second["settings"]) == ("error", {"device": "level_zero:gpu:7"})
    assert ran.code == 4
