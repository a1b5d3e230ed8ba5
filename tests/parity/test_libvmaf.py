"""The CPU engines against libvmaf itself (FFmpeg's filter): every option, 1 to 7 frames, its metric names.

The log has six decimals: the integer features must print as it does, digit for digit; float_motion, whose
convolution libvmaf may run with other instructions than its scalar code, within the log's own resolution.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion_tui.clips.base import Clip
from motion_tui.clips.registry import open_clip
from motion_tui.clips.synthetic import open_synthetic
from motion_tui.core.errors import ClipError, NothingCompared, TwinError, UsageError
from motion_tui.core.frames import Frame, freeze
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import Options
from motion_tui.core.scores import Scores, clip_metrics
from motion_tui.engines import libvmaf
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.libvmaf import ffmpeg_binary, libvmaf_scores
from motion_tui.engines.registry import open_engine
from motion_tui.parity.session import score_clip

SAMPLES = Path(__file__).parents[2] / "samples"
LOG_RESOLUTION = 5e-7
"""Half a unit of the log's last decimal."""
INTEGER: tuple[dict[str, Any], ...] = (
    {},
    {"mfw": 0.5},
    {"mfw": 0},
    {"mfw": 1.7, "mmxv": 30},
    {"mbf": 0.3, "mbo": 5},
    {"mbf": 0, "mbo": 0},
    {"mbf": 0.123456789, "mbo": 1e-07, "mmxv": 20.25},
    {"mma": True},
    {"mffw": True},
    {"mffw": True, "mma": True, "mfw": 1.7, "mbf": 0.2, "mbo": 10.5, "mmxv": 50},
    {"force_0": True},
    {"mmxv": 0},
)
FLOAT: tuple[dict[str, Any], ...] = (
    {},
    {"debug": False, "mfw": 0.25},
    {"mfw": 1.7, "mmxv": 30},
    {"mbf": 0.3, "mbo": 5, "mmxv": 12},
    {"mfs": 1},
    {"mfs": 3},
    {"mfs": 7},
    {"mdc": True},
    {"mau": True},
    {"mdc": True, "mau": True, "mfs": 3, "mfw": 1.7, "mbf": 0.2, "mbo": 10.5, "mmxv": 50},
    {"force_0": True},
)


def assert_same(ours: Scores, theirs: Scores) -> None:
    """Same metrics, same rows, same printed digits (float_motion: within the resolution)."""
    assert list(ours.metrics) == list(theirs.metrics)
    for name, column in ours.metrics.items():
        if ours.feature == "motion":
            assert [f"{value:.6f}" for value in column] == [f"{value:.6f}" for value in theirs.metrics[name]], name
        else:
            assert column == pytest.approx(theirs.metrics[name], rel=1e-12, abs=LOG_RESOLUTION), name


def assert_clip_agrees(clip: Clip, runs: Sequence[Options]) -> None:
    """The oracle's scores of a clip are libvmaf's for all runs."""
    for options, theirs in zip(runs, libvmaf_scores(clip, clip.geometry, runs), strict=True):
        assert_same(score_clip(clip, open_engine("oracle", EngineConfig(options))), theirs)


def noise(size: str, layout: str, bits: int, frames: int) -> Clip:
    return open_synthetic(f"synthetic:noise?size={size}&format={layout}&bits={bits}&frames={frames}&seed={frames}")


@pytest.mark.parametrize("frames", range(1, 8))
def test_every_option_and_its_metric_names(frames: int) -> None:
    clip = noise("19x17", "444", 8, frames)
    runs = [Options.parse("motion", {"debug": True} | values) for values in INTEGER]
    assert_clip_agrees(clip, runs + [Options.parse("float_motion", values) for values in FLOAT])


@pytest.mark.parametrize("bits", [8, 10, 12, 16])
@pytest.mark.parametrize("layout", ["400", "420", "422", "444"])
@pytest.mark.parametrize("size", ["3x3", "4x5", "17x17", "257x145"])
def test_every_depth_and_format(size: str, layout: str, bits: int) -> None:
    runs = [Options.parse("motion"), Options.parse("float_motion"), Options.parse("float_motion", {"mdc": True})]
    if layout != "400" and min(map(int, size.split("x"))) > 6:
        runs.append(Options.parse("float_motion", {"mau": True}))
    assert_clip_agrees(noise(size, layout, bits, 3), runs)


def unique_runs() -> st.SearchStrategy[list[Options]]:
    """Runs of random options, no two of the same metric names."""
    number = st.floats(0, 1).map(lambda value: round(value, 4))
    common = {
        "motion_fps_weight": number.map(lambda value: 5 * value),
        "motion_blend_factor": number,
        "motion_blend_offset": number.map(lambda value: 100 * value),
        "motion_max_val": number.map(lambda value: 100 * value),
        "motion_force_zero": st.booleans(),
    }
    integer = common | {"motion_five_frame_window": st.booleans(), "motion_moving_average": st.booleans()}
    floating = common | {"motion_filter_size": st.integers(0, 9), "motion_add_scale1": st.booleans()}
    run = st.one_of(
        st.fixed_dictionaries({}, optional=integer).map(lambda values: Options.parse("motion", values)),
        st.fixed_dictionaries({}, optional=floating).map(lambda values: Options.parse("float_motion", values)),
    )
    return st.lists(run, min_size=1, max_size=8, unique_by=lambda options: (options.feature, options.suffix))


@settings(max_examples=25, deadline=None)
@given(runs=unique_runs(), frames=st.integers(1, 7), bits=st.sampled_from([8, 10]))
def test_random_options(runs: list[Options], frames: int, bits: int) -> None:
    assert_clip_agrees(noise("13x11", "420", bits, frames), runs)


@pytest.mark.parametrize(("pix_fmt", "bits"), [("yuv420p", 8), ("yuv420p10le", 10)])
def test_a_decoded_h264_clip(tmp_path: Path, pix_fmt: str, bits: int) -> None:
    film = tmp_path / "film.mkv"
    picture = "testsrc2=size=352x288:rate=25,noise=alls=12:allf=t:all_seed=7"
    encode = ["-f", "lavfi", "-i", picture, "-frames:v", "12", "-pix_fmt", pix_fmt, "-c:v", "libx264", "-crf", "30"]
    subprocess.run([ffmpeg_binary(), "-v", "error", *encode, str(film)], check=True, stdin=subprocess.DEVNULL)
    raw = tmp_path / "film.yuv"
    decode = ["-v", "error", "-i", str(film), "-f", "rawvideo", str(raw)]
    subprocess.run([ffmpeg_binary(), *decode], check=True, stdin=subprocess.DEVNULL)
    with open_clip(str(raw), size=(352, 288), pixel_format="420", bit_depth=bits) as clip:
        assert len(clip) == 12
        assert_clip_agrees(clip, [Options.parse("motion"), Options.parse("float_motion")])


MANIFEST = json.loads((SAMPLES / "manifest.json").read_text(encoding="utf-8"))["samples"]


@pytest.mark.parametrize("sample", MANIFEST, ids=lambda sample: str(sample["file"]))
def test_the_samples(sample: dict[str, Any]) -> None:
    size = sample["width"], sample["height"]
    flags = {"size": size, "pixel_format": sample["pixel_format"], "bit_depth": sample["bit_depth"]}
    runs = [Options.parse("motion"), Options.parse("float_motion"), Options.parse("float_motion", {"mau": True})]
    with open_clip(str(SAMPLES / sample["file"]), **flags if sample["file"].endswith(".yuv") else {}) as clip:
        assert_clip_agrees(clip, runs)
        metrics = score_clip(clip, open_engine("oracle", EngineConfig())).metrics
    for name, values in sample["scores"].items():
        assert list(metrics[name]) == values, name


def test_full_swing() -> None:
    for bits, motion in ((8, 255.0), (10, 255.75), (12, 255.9375), (16, 255.99609375)):
        geometry = Geometry(16, 16, "400", bits)
        planes = [np.zeros((16, 16), geometry.dtype), np.full((16, 16), geometry.peak, geometry.dtype)]
        frames = [Frame(i, geometry, (freeze(plane),)) for i, plane in enumerate(planes)]
        (scores,) = libvmaf_scores(frames, geometry, [Options.parse("motion")])
        first, second = scores.metrics["integer_motion2"]
        assert first == 0
        assert second == pytest.approx(motion, rel=0, abs=LOG_RESOLUTION)


def test_scores_say_what_computed_them() -> None:
    clip = noise("16x16", "420", 8, 2)
    (scores,) = libvmaf_scores(clip, clip.geometry, [Options.parse("motion")])
    assert scores.engine == "libvmaf"
    assert "FFmpeg" in scores.device
    assert len(scores) == 2


@pytest.mark.parametrize(
    ("layout", "bits", "feature", "values", "error", "message"),
    [
        ("420", 9, "motion", {}, ClipError, "libvmaf takes 8, 10, 12 or 16 bits"),
        ("411", 8, "float_motion", {"mau": True}, ClipError, "libvmaf takes chroma as 420, 422 or 444"),
        ("420", 8, "motion", {"mau": True}, UsageError, "libvmaf's motion has no motion_add_uv"),
        ("420", 8, "motion_v2", {}, UsageError, "choose --feature motion"),
        ("420", 8, "float_motion", {"mau": True, "mdc": True}, UsageError, "reads unwritten memory"),
    ],
)
def test_what_libvmaf_cannot_take_is_refused(
    layout: str, bits: int, feature: str, values: dict[str, Any], error: type[Exception], message: str
) -> None:
    clip = noise("16x16", layout, bits, 2)
    with pytest.raises(error, match=message):
        libvmaf_scores(clip, clip.geometry, [Options.parse(feature, values)])


def test_no_frame_is_nothing_compared() -> None:
    geometry = Geometry(16, 16, "420", 8)
    with pytest.raises((NothingCompared, TwinError)):
        libvmaf_scores([], geometry, [Options.parse("motion")])


@pytest.mark.parametrize("size", ["16x16", "1283x723"])
def test_a_failing_ffmpeg_is_a_twin_error(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it ends while megabytes are still on their way to it."""
    clip = noise(size, "420", 8, 4)
    monkeypatch.setattr(libvmaf, "MODEL", {})
    with pytest.raises(TwinError, match="FFmpeg's libvmaf failed"):
        libvmaf_scores(clip, clip.geometry, [Options.parse("motion")])


def test_a_clip_that_fails_while_it_is_read_leaves_no_process() -> None:
    clip = noise("16x16", "420", 8, 2)

    def frames() -> Any:
        yield clip.frame(0)
        raise ClipError("the disk is gone")

    with pytest.raises(ClipError, match="the disk is gone"):
        libvmaf_scores(frames(), clip.geometry, [Options.parse("motion")])


def test_an_older_edition_differs_where_the_border_does() -> None:
    """Guards against a check that would pass whatever the arithmetic."""
    clip = noise("17x17", "420", 8, 3)
    options = Options.parse("motion")
    (theirs,) = libvmaf_scores(clip, clip.geometry, [options])
    older = open_engine("oracle", EngineConfig(options, edition="3.1"))
    sums = [older.pair_sums(clip.pair(index)) for index in (1, 2)]
    ours = clip_metrics(sums, 3, options, "3.1")["integer_motion2"][1]
    assert ours is not None
    assert abs(ours - float(theirs.metrics["integer_motion2"][1] or 0)) > 1e-3
