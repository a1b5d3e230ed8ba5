"""The bundled samples: made by their rule, described rightly, found from a checkout and from an installed package."""

from __future__ import annotations

import hashlib
import json
import runpy
from pathlib import Path

import pytest

from motion_tui.clips import samples
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.reference import Reference
from motion_tui.parity.session import score_clip

FOLDER = samples.samples_folder()


def test_the_rule_makes_the_same_bytes(tmp_path: Path) -> None:
    script = FOLDER / "make_samples.py"
    runpy.run_path(str(script))["make"](tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert len(names) == 4
    for name in names:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_manifest_tells_what_is_there() -> None:
    rows = json.loads((FOLDER / "manifest.json").read_text())["samples"]
    kinds = [(row["width"], row["height"], row["pixel_format"], row["bit_depth"]) for row in rows]
    assert kinds[0][2:] == ("420", 8)
    assert kinds[1][2:] == ("422", 10)
    assert kinds[1][0] % 2 == 1
    assert kinds[2] == (17, 17, "444", 8)
    for row in rows:
        data = (FOLDER / row["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row["sha256"]
        assert len(row["why"]) > 20
        with open_clip(FOLDER / row["file"]) as clip, Reference(EngineConfig()) as reference:
            assert (clip.width, clip.height, clip.pixel_format, clip.bit_depth) == kinds.pop(0)
            assert len(clip) == row["frames"] >= 6
            assert clip.left_over == 0
            assert score_clip(clip, reference).metrics == {name: tuple(row["scores"][name]) for name in row["scores"]}
            assert all(score > 0.5 for score in row["scores"]["integer_motion2"][1:])


def test_samples_are_found_in_a_checkout_and_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert samples.sample_path() == FOLDER / "scene_176x144_420_8bit.y4m"
    installed = tmp_path / "motion_tui" / "clips" / "samples.py"
    monkeypatch.setattr(samples, "__file__", str(installed))
    with pytest.raises(ClipError, match="no bundled samples are installed"):
        samples.samples_folder()
    bundled = tmp_path / "motion_tui" / "bundled_samples"
    bundled.mkdir(parents=True)
    (bundled / "manifest.json").write_text('{"samples": [{"file": "a.y4m", "why": "a test"}]}')
    assert samples.sample_path() == bundled / "a.y4m"
