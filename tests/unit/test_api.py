"""The Python API: what is public, what it costs to import, and published figures through it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import motion_tui as mt
from motion_tui import api
from motion_tui.engines.base import Engine

NOISE = "synthetic:noise?size=3x3&format=444&bits=8&frames=4&seed=0"


def test_all_is_what_is_public_and_every_name_is_there() -> None:
    shown = {name for name, value in vars(mt).items() if not name.startswith("_") and not isinstance(value, ModuleType)}
    assert shown - {"annotations", "TYPE_CHECKING", "Any", "import_module"} <= set(mt.__all__) <= set(dir(mt))
    assert all(getattr(mt, name) is not None for name in mt.__all__)
    with pytest.raises(AttributeError, match="no attribute 'diagnoze'"):
        getattr(mt, "diagnoze")  # noqa: B009


def test_import_loads_nothing_heavy_and_scoring_no_screen() -> None:
    code = (
        "import sys, motion_tui as mt;"
        "assert 'numpy' not in sys.modules and 'cyclopts' not in sys.modules;"
        f"mt.score({NOISE!r}, engine='reference');"
        "assert not {'textual', 'rich', 'numba', 'dpctl', 'imageio', 'cyclopts'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_published_scores() -> None:
    clip = mt.open_clip(NOISE)
    assert mt.score(clip).metrics["integer_motion3"][0] == 19.374131944444443
    assert mt.score(clip).metrics["VMAF_integer_feature_motion_sad_score"] == (
        0,
        19.374131944444443,
        39.547309027777779,
        5.3975694444444446,
    )
    assert mt.score(clip, engine="model:blur-first").metrics["integer_motion3"][0] == 19.373697916666668
    halved = mt.score(clip, feature="motion", engine="oracle", options={"motion_fps_weight": 0.5, "debug": True})
    assert halved.metrics["integer_motion_mfw_0.5"][1] == 19.374131944444443 / 2


def test_compare_gives_verdict_deltas_and_residues() -> None:
    with mt.compare(NOISE, twin="model:blur-first") as result:
        assert result.verdict == "gap"
        assert result.deltas["integer_motion3"][0] == 19.373697916666668 - 19.374131944444443
        residue = result.residue(frame=1, plane=0, stage="H")
        assert residue.shape == (3, 3)
        assert 0 < int(np.abs(residue).max()) <= 2
        assert not result.residue(1, 0, "D").any()
        for frame, plane in ((0, 0), (4, 0), (1, 3)):
            with pytest.raises(mt.UsageError):
                result.residue(frame, plane)


def test_compare_with_a_log_and_with_planes(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    scores = mt.score(NOISE)
    lines = ["Frame," + ",".join(scores.metrics)]
    lines += [f"{i}," + ",".join(repr(values[i]) for values in scores.metrics.values()) for i in range(4)]
    log.write_text("\n".join(lines))
    assert mt.compare(NOISE, scores=log).verdict == "parity"
    np.save(tmp_path / "f1_p0_H.npy", np.zeros((3, 3), np.int32))
    assert mt.compare(NOISE, planes=tmp_path).verdict == "gap"
    with pytest.raises(mt.UsageError, match="--scores and --planes"):
        mt.compare(NOISE, scores=log, planes=tmp_path)
    with pytest.raises(mt.UsageError, match="scores=''"):
        mt.compare(NOISE, scores="")
    with pytest.raises(mt.UsageError, match="planes=''"):
        mt.compare(NOISE, planes="")


def test_a_comparison_that_fails_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    clip = mt.open_clip("synthetic:noise?size=3x3&format=444&bits=8&frames=1")
    monkeypatch.setattr(api, "open_clip", lambda _: clip)
    monkeypatch.setattr(type(clip), "close", lambda _: closed.append("clip"))
    monkeypatch.setattr(Engine, "close", lambda engine: closed.append(engine.name))
    with pytest.raises(mt.NothingCompared, match="nothing to compare"):
        mt.compare(NOISE, twin="model:blur-first")
    assert sorted(closed) == ["clip", "model:blur-first", "oracle"]


def test_results_say_what_they_are() -> None:
    clip = mt.open_clip(NOISE)
    with mt.compare(clip, twin="model:blur-first") as result:
        shown = [repr(one) for one in (clip, mt.score(clip), result, result.report)]
    assert all(len(text) < 200 and "object at" not in text for text in shown)
    assert "3x3 444 8-bit, 4 frames" in shown[0]
    assert "4 frames of VMAF_integer_feature_motion_sad_score" in shown[1]
    assert "gap: model:blur-first" in shown[2]


def test_errors_are_value_errors_of_one_line() -> None:
    with pytest.raises(ValueError, match=r"absent\.y4m") as refused:
        mt.open_clip("absent.y4m")
    assert isinstance(refused.value, mt.ClipError)
    assert "\n" not in str(refused.value)
    assert issubclass(mt.DeviceError, mt.TwinError)
    with pytest.raises(mt.UsageError, match="did you mean motion_fps_weight"):
        mt.score(NOISE, options={"motion_fps_weigth": 1})
