"""The oracle and the reference: equal to each other, to a scalar loop, and to the published figures."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion_tui.clips.synthetic import open_synthetic
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import Frame, FramePair, freeze
from motion_tui.core.geometry import Extent, Geometry
from motion_tui.core.options import Options
from motion_tui.core.spec import EDITIONS, STAGES, Edition
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.parity.session import score_clip
from tests.parity.loops import integer_stages
from tests.parity.pairs import DEPTHS, SIZES, grey_pair, noise_pair, pairs

CPU_ENGINES = ("oracle", "reference", "model:blur-first")


def engine(name: str, edition: Edition = "3.2", **options: object) -> Engine:
    return open_engine(name, EngineConfig(Options.parse("motion", options), edition))


def assert_equal(pair: FramePair, edition: Edition) -> None:
    """Both engines agree on the stages and on the sums, and the fused sum is that of |H|."""
    oracle, reference = engine("oracle", edition), engine("reference", edition)
    ours, theirs = oracle.stages(pair), reference.stages(pair)
    for stage in STAGES:
        assert ours.get(stage).dtype == theirs.get(stage).dtype == np.int32
        assert np.array_equal(ours.get(stage), theirs.get(stage)), stage
    total = int(np.abs(theirs.get("H").astype(np.int64)).sum())
    assert oracle.pair_sums(pair) == reference.pair_sums(pair)
    assert oracle.pair_sums(pair).sums == (total,)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("bits", DEPTHS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_oracle_equals_reference_on_full_range_noise(size: tuple[int, int], bits: int, edition: Edition) -> None:
    assert_equal(noise_pair(Geometry(*size, "400", bits), seed=bits), edition)


@settings(max_examples=60, deadline=None)
@given(pair=pairs(), edition=st.sampled_from(EDITIONS))
def test_oracle_equals_reference_at_any_size_depth_and_stride(pair: FramePair, edition: Edition) -> None:
    assert_equal(pair, edition)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("bits", [8, 9, 10, 12, 15, 16])
@pytest.mark.parametrize("size", [(3, 3), (4, 5), (11, 7)])
def test_stages_equal_a_scalar_loop(size: tuple[int, int], bits: int, edition: Edition) -> None:
    pair = noise_pair(Geometry(*size, "400", bits), seed=11)
    expected = integer_stages(*pair.planes(0), bits, edition)
    for name in ("oracle", "reference"):
        stages = engine(name, edition).stages(pair)
        for stage, grid in zip(STAGES, expected, strict=True):
            assert stages.get(stage).tolist() == grid, (name, stage)


def test_read_only_memory_map_with_padded_rows(tmp_path: Path) -> None:
    path = tmp_path / "planes.raw"
    store = np.random.default_rng(5).integers(0, 1024, (2, 40, 64)).astype(np.uint16)
    store.tofile(path)
    mapped = np.memmap(path, np.uint16, "r", shape=(2, 40, 64))
    geometry = Geometry(50, 40, "400", 10)
    frames = [Frame(i, geometry, (mapped[i, :, 7:57],)) for i in range(2)]
    assert_equal(FramePair(*frames), "3.2")


def test_both_paths_from_many_threads_at_once() -> None:
    oracle = engine("oracle")
    pair = noise_pair(Geometry(640, 360, "400", 8), seed=1)
    expected = engine("reference").pair_sums(pair)
    with ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(lambda _: oracle.pair_sums(pair), range(16)))
        planes = list(pool.map(lambda _: int(np.abs(oracle.stages(pair).get("H")).sum()), range(16)))
    assert sums == [expected] * 16
    assert planes == [expected.sums[0]] * 16


@pytest.mark.parametrize("name", CPU_ENGINES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("bits", "motion"), [(8, 255.0), (10, 255.75), (12, 255.9375), (16, 255.99609375)])
@pytest.mark.parametrize("rising", [True, False])
def test_full_swing(name: str, edition: Edition, bits: int, motion: float, rising: bool) -> None:
    black, white = np.zeros((9, 17)), np.full((9, 17), 2**bits - 1)
    pair = grey_pair(black, white, bits) if rising else grey_pair(white, black, bits)
    sums = engine(name, edition).pair_sums(pair)
    assert sums.sums[0] / 256 / sums.areas[0] == motion


@pytest.mark.parametrize("name", ["oracle", "reference"])
@pytest.mark.parametrize(("bits", "step"), [(8, 1), (10, 4)])
def test_impulse(name: str, bits: int, step: int) -> None:
    dark = np.zeros((9, 9))
    middle, corner = dark.copy(), dark.copy()
    middle[4, 4] = corner[8, 8] = step
    h = engine(name).stages(grey_pair(middle, dark, bits)).get("H")
    assert h[2:5, 2:7].tolist() == [[1, 3, 6, 3, 1], [3, 15, 25, 15, 3], [6, 25, 41, 25, 6]]
    assert np.array_equal(h, h[::-1])
    assert engine(name).pair_sums(grey_pair(middle, dark, bits)).sums == (253,)
    h = engine(name).stages(grey_pair(corner, dark, bits)).get("H")
    assert h[6:, 6:].tolist() == [[1, 3, 6], [3, 15, 25], [6, 25, 41]]
    assert engine(name).pair_sums(grey_pair(corner, dark, bits)).sums == (125,)


@pytest.mark.parametrize("name", ["oracle", "reference"])
def test_edition_3_1_repeats_the_far_border_alone(name: str) -> None:
    dark = np.zeros((9, 9))
    near, far = dark.copy(), dark.copy()
    near[0, 0] = far[8, 8] = 1
    older = engine(name, "3.1")
    assert older.pair_sums(grey_pair(near, dark, 8)).sums == (125,)
    assert older.pair_sums(grey_pair(far, dark, 8)).sums == (256,)
    assert older.stages(grey_pair(far, dark, 8)).get("H")[8, 8] == 107


@settings(max_examples=30, deadline=None)
@given(width=st.integers(3, 30), height=st.integers(3, 30), bits=st.integers(8, 16), data=st.data())
def test_a_constant_step_scores_itself(width: int, height: int, bits: int, data: st.DataObject) -> None:
    step = data.draw(st.integers(0, 2**bits - 1))
    pair = grey_pair(np.full((height, width), step), np.zeros((height, width)), bits)
    sums = engine("oracle").pair_sums(pair)
    assert sums.sums[0] / 256 / sums.areas[0] == pytest.approx(step / 2 ** (bits - 8), abs=1 / 256)
    if bits == 8:
        assert sums.sums[0] == 256 * step * width * height


@settings(max_examples=30, deadline=None)
@given(pair=pairs(), bits=st.integers(9, 16), edition=st.sampled_from(EDITIONS))
def test_depth_enters_as_a_scale_alone(pair: FramePair, bits: int, edition: Edition) -> None:
    """The same picture at more bits (every sample shifted up) scores the same."""
    geometry = pair.geometry
    deeper = replace(geometry, bit_depth=max(bits, geometry.bit_depth))
    scale = 1 << (deeper.bit_depth - geometry.bit_depth)
    frames = [
        Frame(i, deeper, (freeze(np.multiply(plane, scale, dtype=deeper.dtype)),))
        for i, plane in enumerate(pair.planes(0))
    ]
    assert engine("oracle", edition).pair_sums(FramePair(*frames)) == engine("oracle", edition).pair_sums(pair)


def test_swapping_the_frames_is_not_bit_identical() -> None:
    # Ties round upwards: 753 of the 186 624 pixels of a 576x324 noise pair changed in the field's measurement.
    pair = noise_pair(Geometry(576, 324, "400", 8), seed=2)
    there = engine("oracle").stages(pair).get("H")
    back = engine("oracle").stages(FramePair(pair.current, pair.previous)).get("H")
    changed = np.count_nonzero(there + back)
    assert 300 < changed < 1500


NOISE = "synthetic:noise?size=3x3&format=444&bits=8&frames=4&seed=0"


@pytest.mark.parametrize("name", ["oracle", "reference"])
def test_published_noise_figures(name: str) -> None:
    metrics = score_clip(open_synthetic(NOISE), engine(name)).metrics
    assert metrics["integer_motion3"][0] == 19.374131944444443
    assert metrics["VMAF_integer_feature_motion_sad_score"] == (
        0,
        19.374131944444443,
        39.547309027777779,
        5.3975694444444446,
    )


def test_published_noise_figure_blur_first() -> None:
    assert score_clip(open_synthetic(NOISE), engine("model:blur-first")).metrics["integer_motion3"][0] == (
        19.373697916666668
    )


@pytest.mark.parametrize("name", ["oracle", "reference", "model:blur-first"])
@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
def test_planes_below_3x3_are_refused(name: str, size: tuple[int, int]) -> None:
    pair = noise_pair(Geometry(*size, "400", 8))
    for ask in (engine(name).pair_sums, engine(name).stages):
        with pytest.raises(ClipError, match=rf"plane Y is {size[0]}x{size[1]}: motion needs 3x3 samples or more"):
            ask(pair)


@pytest.mark.parametrize("name", ["oracle", "reference"])
@pytest.mark.parametrize("layout", ["420", "422", "444"])
@pytest.mark.parametrize("rule", ["plane", "picture", "as-420"])
def test_motion_add_uv_reads_chroma_by_the_rule(name: str, layout: str, rule: str) -> None:
    geometry = Geometry(19, 17, layout, 10)
    pair = noise_pair(geometry, seed=3)
    config = EngineConfig(Options.parse("motion", {"motion_add_uv": True}), chroma=rule)  # type: ignore[arg-type]
    extents = {
        ("420", "plane"): (10, 9), ("420", "picture"): (9, 8), ("420", "as-420"): (10, 9),
        ("422", "plane"): (10, 17), ("422", "picture"): (9, 17), ("422", "as-420"): (10, 9),
        ("444", "plane"): (19, 17), ("444", "picture"): (19, 17), ("444", "as-420"): (10, 9),
    }  # fmt: skip
    width, height = Extent(*extents[layout, rule])
    sums = open_engine(name, config).pair_sums(pair)
    assert sums.areas == (19 * 17, width * height, width * height)
    for plane in (1, 2):
        cut = [samples[:height, :width] for samples in pair.planes(plane)]
        _, _, h = integer_stages(cut[0], cut[1], 10)
        assert sums.sums[plane] == sum(abs(value) for row in h for value in row)


def test_chroma_is_not_read_without_motion_add_uv() -> None:
    pair = noise_pair(Geometry(16, 16, "420", 8))
    flat = tuple(freeze(np.zeros_like(plane)) for plane in pair.current.planes[1:])
    other = FramePair(pair.previous, Frame(1, pair.geometry, (pair.current.planes[0], *flat)))
    assert engine("oracle").pair_sums(pair) == engine("oracle").pair_sums(other)


def test_motion_add_uv_without_chroma_is_refused() -> None:
    with pytest.raises(ClipError, match="there is no chroma to score; drop motion_add_uv"):
        engine("oracle", motion_add_uv=True).pair_sums(noise_pair(Geometry(16, 16, "400", 8)))
