"""`export`: a snapshot bundle."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from imageio import v3

import motion_tui as mt
from motion_tui.core.colour import level_rgb, quantise
from motion_tui.export.png import GAP, fold
from tests.cli.program import LARGER, Program

NAMES = {"panes.png", "stages.npz", "pair.npz", "report.json"}


def export(program: Program, out: Path, *more: str) -> int:
    return program("export", LARGER, "--frame", "2", "--twin", "model:blur-first", "--out", out, *more).code


def test_the_bundle_holds_both_sides_and_the_samples(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    assert export(program, out) == 0
    assert {path.name for path in out.iterdir()} == NAMES
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]
    report = json.loads((out / "report.json").read_text())
    assert (report["frame"], report["previous_frame"], report["clip"]["name"]) == (2, 1, LARGER)
    assert (report["twin"]["name"], report["oracle"]["name"]) == ("model:blur-first", "oracle")
    for name, digest in report["files"].items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    clip = mt.open_clip(LARGER)
    with np.load(out / "pair.npz", allow_pickle=False) as pair:
        for side, frame in (("previous", 1), ("current", 2)):
            for plane, samples in enumerate(clip.frame(frame).planes):
                np.testing.assert_array_equal(pair[f"{side}_p{plane}"], samples)
                assert pair[f"{side}_p{plane}"].dtype == samples.dtype
    with np.load(out / "stages.npz", allow_pickle=False) as stages, mt.compare(clip, twin="model:blur-first") as same:
        for stage in ("D", "V", "H"):
            residue = stages[f"twin_p0_{stage}"] - stages[f"oracle_p0_{stage}"]
            np.testing.assert_array_equal(residue, same.residue(2, 0, stage))
            assert report["residue"]["p0"][stage]["nonzero"] == np.count_nonzero(residue)
        assert report["oracle"]["sums"] == [int(np.abs(stages["oracle_p0_H"]).sum())]


def test_the_picture_shows_the_residues_colours(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    export(program, out)
    picture = v3.imread(out / "panes.png")
    with np.load(out / "stages.npz") as stages:
        residue = stages["twin_p0_H"] - stages["oracle_p0_H"]
    grow = -(-256 // 19)
    assert picture.shape == (19 * grow, 3 * 17 * grow + 2 * GAP, 3)
    right = picture[:, -17 * grow :]
    expected = level_rgb("berlin", "diverging")[quantise(residue, float(np.abs(residue).max()))]
    worst = json.loads((out / "report.json").read_text())["residue"]["p0"]["H"]["worst"]
    seen = right[grow // 2 :: grow, grow // 2 :: grow]  # the middle of every sample, clear of the box around the worst
    np.testing.assert_array_equal(seen, expected)
    assert (right == (255, 255, 0)).all(axis=2).any()
    assert tuple(seen[worst["y"], worst["x"]]) == tuple(expected[worst["y"], worst["x"]])


@pytest.mark.parametrize("value", [-7, 7])
def test_folding_keeps_the_worst_pixel(value: int) -> None:
    plane = np.zeros((101, 203), np.int32)
    plane[100, 202] = value
    plane[0, 0] = 3
    plane[1, 1] = -5
    folded = fold(plane, 4)
    assert folded.shape == (26, 51)
    assert folded[0, 0] == -5
    assert folded[25, 50] == value
    assert np.count_nonzero(folded) == 2


def test_nothing_is_replaced_unasked_and_never_a_strangers_folder(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    assert export(program, out) == 2
    assert export(program, out, "--force") == 2
    assert (out / "mine.txt").read_text() == "mine"
    (out / "mine.txt").unlink()
    assert export(program, out, "--force") == 0
    assert export(program, out) == 2
    assert export(program, out, "--force") == 0
    assert {path.name for path in tmp_path.iterdir()} == {"bundle"}


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (["--frame", "0"], 2, "frame 0 has no pair: frames 1 to 4"),
        (["--frame", "5"], 2, "frame 5 has no pair"),
        (["--frame", "2", "--plane", "3"], 2, "planes Y, U, V"),
        (["--frame", "2", "--stage", "X"], 2, "--stage"),
        (["--frame", "2", "--planes", "absent"], 2, "absent"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_exported(program: Program, tmp_path: Path, more: list[str], code: int, words: str) -> None:
    twin = [] if "--planes" in more else ["--twin", "model:blur-first"]
    ran = program("export", LARGER, "--out", tmp_path / "bundle", *more, *twin)
    assert (ran.code, words in ran.err) == (code, True)
    assert list(tmp_path.iterdir()) == []


def test_chroma_of_a_clip_can_be_shown(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    assert export(program, out, "--plane", "2") == 0
    with np.load(out / "stages.npz") as stages:
        assert stages["oracle_p2_H"].shape == (19, 17)


def test_a_stage_that_was_not_recorded_is_refused(program: Program, tmp_path: Path) -> None:
    planes = tmp_path / "planes"
    planes.mkdir()
    np.save(planes / "f2_p0_V.npy", np.zeros((19, 17), np.int32))
    words = ["export", LARGER, "--frame", "2", "--planes", planes, "--out", tmp_path / "bundle"]
    ran = program(*words)
    assert (ran.code, "stage H is not observable" in ran.err) == (3, True)
    assert program(*words, "--stage", "V").code == 0
