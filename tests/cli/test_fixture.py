"""`motion-tui fixture`: the files it writes open as what was asked for, and its scores are the known ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from motion_tui.clips.registry import open_clip
from tests.cli.program import Program


@pytest.mark.parametrize("suffix", ["y4m", "yuv"])
@pytest.mark.parametrize(
    ("bits", "chroma"), [(8, "420"), (10, "422"), (12, "400"), (16, "444"), (9, "440"), (8, "411")]
)
def test_what_is_written_reads_back(program: Program, tmp_path: Path, suffix: str, bits: int, chroma: str) -> None:
    out = tmp_path / f"a.{suffix}"
    words = ["noise", "--size", "19x23", "--format", chroma, "--bits", str(bits), "--frames", "3", "--seed", "7"]
    assert program("fixture", *words, "--out", out).code == 0
    uri = f"synthetic:noise?size=19x23&format={chroma}&bits={bits}&frames=3&seed=7"
    with open_clip(out) as written, open_clip(uri) as rule:
        assert (written.geometry, len(written)) == (rule.geometry, 3)
        for one, other in zip(written, rule, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one.planes, other.planes, strict=True))


def test_known_scores_beside_the_clip(tmp_path: Path, program: Program) -> None:
    out = tmp_path / "n.y4m"
    ran = program("fixture", "noise", "--size", "3x3", "--format", "444", "--frames", "4", "--out", out)
    assert ran.code == 0
    assert "19.374131944444443" in ran.out
    frames = json.loads((tmp_path / "n.y4m.scores.json").read_text())["frames"]
    assert [frame["metrics"]["VMAF_integer_feature_motion_sad_score"] for frame in frames] == [
        0, 19.374131944444443, 39.547309027777779, 5.3975694444444446,
    ]  # fmt: skip
    words = ["--size", "9x9", "--frames", "2", "--set", "x=0", "--set", "y=0", "--json", "-"]
    document = json.loads(program("fixture", "impulse", *words, "--out", tmp_path / "i.y4m").out)
    assert document["frames"][1]["metrics"]["VMAF_integer_feature_motion_sad_score"] == 125 / 256 / 81
    assert not (tmp_path / "i.y4m.scores.json").exists()


def test_nothing_is_overwritten_unasked(tmp_path: Path, program: Program) -> None:
    out = tmp_path / "a.yuv"
    for existing in ("a.yuv", "a.yuv.json", "a.yuv.scores.json"):
        (tmp_path / existing).write_text("mine")
        code, _, err = program("fixture", "flash", "--size", "5x5", "--out", out)
        assert code == 2
        assert f"{existing}: exists already" in err
        assert [path.name for path in tmp_path.iterdir()] == [existing]
        (tmp_path / existing).unlink()
    out.write_text("mine")
    assert program("fixture", "flash", "--size", "5x5", "--out", out, "--force").code == 0
    assert out.stat().st_size == 6 * (25 + 9 + 9)


def test_too_small_for_motion_is_written_without_scores(tmp_path: Path, program: Program) -> None:
    code, _, err = program("fixture", "noise", "--size", "2x2", "--out", tmp_path / "a.y4m")
    assert code == 0
    assert "no scores are written: plane Y is 2x2" in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.y4m"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nois", "--size", "3x3", "--out", "a.y4m"], "unknown family 'nois': did you mean noise"),
        (["noise", "--size", "3", "--out", "a.y4m"], "size '3'"),
        (["noise", "--size", "3x3", "--out", "a.mp4"], "a.mp4: the name must end in .y4m or .yuv"),
        (["flash", "--size", "3x3", "--seed", "1", "--out", "a.y4m"], "unknown key 'seed'"),
        (["ramp", "--size", "3x3", "--set", "step", "--out", "a.y4m"], "--set step: give KEY=VALUE"),
    ],
)
def test_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program, words: list[str], expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = program("fixture", *words)
    assert code == 2
    assert expected in err
    assert list(tmp_path.iterdir()) == []
