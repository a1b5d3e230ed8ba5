"""The twins on a device equal the CPU engines of the same order, `==`, stage by stage and in the sums."""

from __future__ import annotations

import numpy as np
import pytest

from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.frames import Frame, FramePair, freeze
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.engines.twins.twin import Twin
from tests.device.conftest import OpenTwin
from tests.device.pairs import assert_same, noise_pair
from tests.parity.pairs import DEPTHS, LAYOUTS, SIZES, with_layout

CPU = {"diff-first": "reference", "single-pass": "reference", "blur-first": "model:blur-first"}


@pytest.mark.parametrize("bits", DEPTHS)
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", CPU)
def test_twin_equals_cpu(open_twin: OpenTwin, name: str, width: int, height: int, bits: int) -> None:
    pair = noise_pair(width, height, bits)
    wanted = open_engine(CPU[name], EngineConfig()).stages(pair)
    twin = open_twin(name)
    assert_same(twin.stages(pair), wanted)
    sums = twin.pair_sums(pair)
    assert sums.sums == (int(np.abs(wanted.get("H").astype(np.int64)).sum()),)
    assert sums.areas == (width * height,)


@pytest.mark.parametrize(
    ("bits", "score"), [(8, 255.0), (10, 255.75), (12, 255.9375), (16, 255.99609375)], ids=lambda v: str(v)
)
@pytest.mark.parametrize("name", CPU)
def test_full_swing(open_twin: OpenTwin, name: str, bits: int, score: float) -> None:
    geometry = Geometry(33, 21, "400", bits)
    dark = np.zeros((21, 33), geometry.dtype)
    frames = [Frame(i, geometry, (freeze(dark + i * geometry.peak),)) for i in range(2)]
    for pair in (FramePair(*frames), FramePair(*reversed(frames))):
        found = open_twin(name).pair_sums(pair)
        assert found.sums[0] / 256 / found.areas[0] == score


@pytest.mark.parametrize("layout", LAYOUTS)
def test_planes_in_any_memory_layout(open_twin: OpenTwin, layout: str) -> None:
    pair = noise_pair(33, 19, 10)
    spread = with_layout(pair, layout)
    assert_same(open_twin().stages(spread), open_twin().stages(pair))
    assert open_twin().pair_sums(spread) == open_twin().pair_sums(pair)


@pytest.mark.parametrize("filter_size", [1, 3, 5])
@pytest.mark.parametrize("bits", [8, 10])
def test_float_twin_is_within_rounding_of_the_reference(open_twin: OpenTwin, bits: int, filter_size: int) -> None:
    options = {"motion_filter_size": filter_size}
    twin = open_twin("float", "float_motion", **options)
    reference = open_engine("reference", EngineConfig(Options.parse("float_motion", options)))
    pair = noise_pair(64, 48, bits)
    (ours,), (theirs,) = twin.pair_sums(pair).sums, reference.pair_sums(pair).sums
    assert abs(ours - theirs) < 5e-6 * theirs
    found, wanted = twin.stages(pair), reference.stages(pair)
    for stage in ("D", "V", "H"):
        np.testing.assert_allclose(found.get(stage), wanted.get(stage), rtol=0, atol=2e-4)


@pytest.mark.parametrize("pixel_format", ["420", "422", "444", "411", "440"])
@pytest.mark.parametrize("bits", [8, 10, 16])
def test_chroma(open_twin: OpenTwin, pixel_format: str, bits: int) -> None:
    twin = open_twin(motion_add_uv=True)
    reference = open_engine("reference", EngineConfig(Options.parse("motion", {"motion_add_uv": True})))
    for width, height in ((19, 23), (31, 9)):
        pair = noise_pair(width, height, bits, pixel_format)
        assert twin.pair_sums(pair) == reference.pair_sums(pair)
        for plane in range(3):
            assert_same(twin.stages(pair, plane), reference.stages(pair, plane))


def test_grey_has_no_chroma(open_twin: OpenTwin) -> None:
    with pytest.raises(ClipError, match="no chroma"):
        open_twin(motion_add_uv=True).pair_sums(noise_pair(9, 9))


@pytest.mark.parametrize(("width", "height"), [(2, 2), (2, 3), (3, 2)])
def test_too_small_is_refused(open_twin: OpenTwin, width: int, height: int) -> None:
    with pytest.raises(ClipError, match=f"{width}x{height}: motion needs 3x3"):
        open_twin().pair_sums(noise_pair(width, height))


@pytest.mark.parametrize(
    ("name", "feature", "options", "says"),
    [
        ("none-such", "motion", {}, "unknown twin 'none-such'"),
        ("float", "motion", {}, "computes float_motion, not motion"),
        ("diff-first", "float_motion", {}, "not float_motion"),
        ("float", "float_motion", {"motion_add_scale1": True}, "no motion_add_scale1"),
    ],
)
def test_what_a_twin_cannot_do_is_refused(name: str, feature: str, options: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Twin(EngineConfig(Options.parse(feature, options)), name)


def test_one_worker_serves_every_size(open_twin: OpenTwin) -> None:
    twin = open_twin()
    reference = open_engine("reference", EngineConfig())
    process = None
    for width, height in ((3, 3), (4, 5), (1283, 723), (4, 5), (3, 3), (64, 64)):
        pair = noise_pair(width, height)
        assert_same(twin.stages(pair), reference.stages(pair))
        assert twin.pair_sums(pair) == reference.pair_sums(pair)
        assert twin.worker_pid == (process := process or twin.worker_pid)


def test_device_and_health_are_said(open_twin: OpenTwin) -> None:
    twin = open_twin()
    twin.prepare()
    assert twin.health == "self-test passed"
    assert "opencl:cpu:" in twin.device or "gpu" in twin.device
