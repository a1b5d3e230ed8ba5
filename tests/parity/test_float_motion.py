"""float_motion: oracle and reference equal each other and a scalar loop, to the last bit of a float32."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motion_tui.clips.synthetic import open_synthetic
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import FramePair
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import Options
from motion_tui.core.spec import STAGES
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.parity.session import score_clip
from tests.parity.loops import float_score
from tests.parity.pairs import grey_pair, noise_pair, pairs

OPTION_SETS: tuple[dict[str, Any], ...] = (
    {},
    {"motion_filter_size": 3},
    {"motion_filter_size": 1},
    {"motion_filter_size": 9},
    {"motion_add_scale1": True},
    {"motion_add_scale1": True, "motion_filter_size": 3},
)


def engine(name: str, options: dict[str, Any] | None = None) -> Engine:
    return open_engine(name, EngineConfig(Options.parse("float_motion", options)))


@pytest.mark.parametrize("name", ["oracle", "reference"])
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize(("size", "bits"), [((3, 3), 8), ((4, 5), 10), ((13, 8), 12), ((8, 11), 16), ((6, 7), 9)])
def test_scores_equal_a_scalar_loop(name: str, options: dict[str, Any], size: tuple[int, int], bits: int) -> None:
    pair = noise_pair(Geometry(*size, "400", bits), seed=21)
    taps, scale1 = options.get("motion_filter_size", 5), options.get("motion_add_scale1", False)
    expected = float_score(*pair.planes(0), bits, taps, scale1)
    assert engine(name, options).pair_sums(pair).sums == (expected,)


KNOWN: tuple[tuple[str, int, dict[str, Any], tuple[str, ...]], ...] = (
    ("3x3", 8, {}, ("0x1.35fafep+4", "0x1.3c614cp+5", "0x1.59805ap+2")),
    ("19x23", 10, {}, ("0x1.8b3154p+4", "0x1.8aef88p+4", "0x1.502a12p+4")),
    ("19x23", 10, {"mdc": True}, ("0x1.80e134p+5", "0x1.7d28a2p+5", "0x1.4344a4p+5")),
    ("17x17", 16, {"mfs": 3}, ("0x1.49fa0cp+5", "0x1.43336cp+5", "0x1.41ef5ap+5")),
)
"""Bit patterns of plain motion on the noise of ARITHMETIC.md, seed 0, frames 1 to 3, by the scalar loop."""


@pytest.mark.parametrize("name", ["oracle", "reference"])
@pytest.mark.parametrize(("size", "bits", "options", "patterns"), KNOWN)
def test_known_bit_patterns(
    name: str, size: str, bits: int, options: dict[str, Any], patterns: tuple[str, ...]
) -> None:
    clip = open_synthetic(f"synthetic:noise?size={size}&format=444&bits={bits}&frames=4&seed=0")
    metrics = score_clip(clip, engine(name, options)).metrics
    (motion,) = (column for metric, column in metrics.items() if metric.split("_")[0] == "motion")
    assert motion == (0.0, *(float.fromhex(pattern) for pattern in patterns))


@settings(max_examples=60, deadline=None)
@given(pair=pairs(("400", "420", "422", "444"), smallest=6), options=st.sampled_from(OPTION_SETS), uv=st.booleans())
def test_oracle_equals_reference(pair: FramePair, options: dict[str, Any], uv: bool) -> None:
    options = options | {"motion_add_uv": uv and pair.geometry.pixel_format != "400"}
    oracle, reference = engine("oracle", options), engine("reference", options)
    assert oracle.pair_sums(pair) == reference.pair_sums(pair)
    for plane in oracle.planes_read:
        ours, theirs = oracle.stages(pair, plane), reference.stages(pair, plane)
        for stage in STAGES:
            assert ours.get(stage).dtype == theirs.get(stage).dtype == np.float32
            assert np.array_equal(ours.get(stage), theirs.get(stage)), stage


def test_rows_are_summed_in_order_on_a_large_frame() -> None:
    # Wide enough that any other order of additions, or a wider accumulator, gives another float32.
    pair = noise_pair(Geometry(1283, 723, "400", 10), seed=4)
    for options in ({}, {"motion_add_scale1": True}):
        ours = engine("oracle", options).pair_sums(pair).sums
        assert ours == engine("reference", options).pair_sums(pair).sums
        h = engine("oracle").stages(pair).get("H")
        assert ours != (float(np.abs(h).mean(dtype=np.float64)),)


def test_chroma_is_cut_as_libvmafs_picture_has_it() -> None:
    pair = noise_pair(Geometry(17, 15, "420", 8), seed=5)
    expected = []
    for plane, (width, height) in enumerate([(17, 15), (8, 7), (8, 7)]):
        previous, current = (samples[:height, :width] for samples in pair.planes(plane))
        expected.append(float_score(previous, current, 8))
    assert engine("oracle", {"motion_add_uv": True}).pair_sums(pair).sums == tuple(expected)


def test_the_files_whole_chroma_can_be_asked_for() -> None:
    pair = noise_pair(Geometry(17, 15, "420", 8), seed=5)
    config = EngineConfig(Options.parse("float_motion", {"motion_add_uv": True}), chroma="plane")
    assert open_engine("oracle", config).pair_sums(pair).sums[1] == float_score(*pair.planes(1), 8)


def test_chroma_below_3x3_is_refused() -> None:
    pair = noise_pair(Geometry(5, 9, "420", 8))
    with pytest.raises(ClipError, match="plane U is 2x4: motion needs 3x3"):
        engine("oracle", {"motion_add_uv": True}).pair_sums(pair)


@pytest.mark.parametrize("name", ["oracle", "reference"])
def test_a_lone_tap_leaves_the_plain_difference(name: str) -> None:
    previous, current = np.full((5, 6), 200), np.full((5, 6), 58)
    assert engine(name, {"motion_filter_size": 1}).pair_sums(grey_pair(previous, current, 8)).sums == (142.0,)


@pytest.mark.parametrize("name", ["oracle", "reference"])
def test_planes_are_added_in_float64(name: str) -> None:
    clip = open_synthetic("synthetic:noise?size=13x11&format=444&bits=8&frames=2&seed=3")
    by_plane = engine(name, {"motion_add_uv": True}).pair_sums(clip.pair(1)).sums
    y, u, v = by_plane
    metrics = score_clip(clip, engine(name, {"motion_add_uv": True})).metrics
    assert metrics["motion_mau"] == (0.0, y + u + v)
