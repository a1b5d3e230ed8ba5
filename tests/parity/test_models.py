"""Known orders and faults: the answers that the field gives for them, and each against the right arithmetic."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from motion_tui.clips.synthetic import open_synthetic
from motion_tui.core.errors import UsageError
from motion_tui.core.frames import FramePair
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import Options
from motion_tui.core.spec import EDITIONS, STAGES, Edition
from motion_tui.engines.arithmetic import Arithmetic
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.models import MODELS
from motion_tui.engines.reference import Reference
from motion_tui.engines.registry import open_engine
from motion_tui.parity.session import score_clip
from tests.parity.pairs import grey_pair, noise, noise_pair, pairs

SAD, M2, M3 = "VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3"


def model(name: str, edition: Edition = "3.2", /, **options: object) -> Engine:
    return open_engine(f"model:{name}", EngineConfig(Options.parse("motion", options), edition))


def oracle(**options: object) -> Engine:
    return open_engine("oracle", EngineConfig(Options.parse("motion", options)))


@settings(max_examples=40, deadline=None)
@given(pair=pairs())
def test_the_composition_without_a_fault_is_the_reference(pair: FramePair) -> None:
    planes = Arithmetic().stage_planes(*pair.planes(0), pair.geometry.bit_depth)
    expected = Reference(EngineConfig()).stages(pair)
    for stage, plane in zip(STAGES, planes, strict=True):
        assert np.array_equal(plane, expected.get(stage))


@settings(max_examples=30, deadline=None)
@given(pair=pairs())
def test_the_older_edition_is_a_composition_too(pair: FramePair) -> None:
    edition = open_engine("oracle", EngineConfig(edition="3.1")).stages(pair)
    assert np.array_equal(edition.get("H"), model("blur-first+edge-repeated").stages(pair).get("H"))


def moving_picture() -> FramePair:
    """96x64, a moving sinusoid and 1 % noise, as in the field's table of fault signatures."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:64, :96]
    frames = [
        128 + 80 * np.sin((x + 3 * t) / 7) * np.cos((y - 2 * t) / 9) + rng.normal(0, 2.55, x.shape) for t in (0, 1)
    ]
    previous, current = (frame.clip(0, 255).round() for frame in frames)
    return grey_pair(previous, current, 8)


@pytest.mark.parametrize(
    ("name", "share", "largest", "everywhere"),
    [
        ("blur-first", 0.323, (1, 2), True),
        ("edge-repeated", 0.051, (100, 1000), False),
        ("edge-clamped", 0.101, (100, 1000), False),
        ("vertical-rounding-missing", 0.51, (1, 1), True),
        ("horizontal-rounding-missing", 0.50, (1, 1), True),
        ("rounding-doubled", 0.49, (1, 1), True),
    ],
)
def test_residue_signature(name: str, share: float, largest: tuple[int, int], everywhere: bool) -> None:
    pair = moving_picture()
    residue = model(name).stages(pair).get("H") - oracle().stages(pair).get("H")
    assert np.count_nonzero(residue) / residue.size == pytest.approx(share, abs=0.02)
    assert largest[0] <= np.abs(residue).max() <= largest[1]
    assert residue[2:-2, 2:-2].any() == everywhere
    if name == "edge-repeated":
        assert not residue[:-2, :-2].any()


def corner_impulse(corner: tuple[int, int]) -> FramePair:
    """A 9x9 pair whose difference is 1 in one corner."""
    lit, dark = np.zeros((9, 9)), np.zeros((9, 9))
    lit[corner] = 1
    return grey_pair(lit, dark, 8)


def test_edge_repeated_doubles_a_far_corner_impulse_alone() -> None:
    near, far = corner_impulse((0, 0)), corner_impulse((8, 8))
    assert model("edge-repeated").stages(far).get("H")[8, 8] == 107
    assert model("edge-repeated").pair_sums(far).sums == (256,)
    assert model("edge-repeated").pair_sums(near).sums == (125,)


@pytest.mark.parametrize("corner", [(0, 0), (0, 8), (8, 0), (8, 8)])
def test_edge_clamped_repeats_every_border(corner: tuple[int, int]) -> None:
    # The sample stands for itself and two beyond: ((26386 + 16004 + 3571) / 65536)**2 * 256 = 125.9.
    assert model("edge-clamped").stages(corner_impulse(corner)).get("H")[corner] == 126


@pytest.mark.parametrize(("bits", "motion"), [(8, 1.0), (10, 0.25), (12, 0.0625), (16, 0.00390625)])
def test_full_swing_with_a_32_bit_horizontal_sum(bits: int, motion: float) -> None:
    pair = grey_pair(np.full((8, 8), 2**bits - 1), np.zeros((8, 8)), bits)
    assert model("horizontal-sum-int32").pair_sums(pair).sums[0] / 256 / 64 == motion


def test_a_32_bit_vertical_sum_wraps_at_16_bits_alone() -> None:
    # 65535 * 65536 + 2**15 is -32768 in 32 bits; shifted it is -1, and so is what the horizontal pass makes of it.
    full = grey_pair(np.full((8, 8), 65535), np.zeros((8, 8)), 16)
    assert np.unique(model("vertical-sum-int32").stages(full).get("V")).tolist() == [-1]
    assert model("vertical-sum-int32").pair_sums(full).sums == (64,)
    for bits in (8, 10, 12, 15):
        pair = noise_pair(Geometry(31, 9, "400", bits), seed=bits)
        assert model("vertical-sum-int32").pair_sums(pair) == oracle().pair_sums(pair)


def test_a_reversed_difference_differs_by_ties_alone() -> None:
    pair = noise_pair(Geometry(257, 145, "400", 8), seed=1)
    swapped = FramePair(pair.current, pair.previous)
    reverse = model("difference-reversed").stages(pair)
    assert np.array_equal(reverse.get("H"), -oracle().stages(swapped).get("H"))
    residue = reverse.get("H") - oracle().stages(pair).get("H")
    assert 0 < np.count_nonzero(residue) < 0.02 * residue.size
    assert np.abs(residue).max() == 1


def test_doubled_rows_act_above_8_bits_and_leave_the_lower_half_dark() -> None:
    pair = noise_pair(Geometry(40, 40, "400", 10), seed=2)
    d = model("row-stride-doubled").stages(pair).get("D")
    assert np.array_equal(d[:20], oracle().stages(pair).get("D")[::2])
    assert not d[20:].any()
    eight = noise_pair(Geometry(40, 41, "400", 8), seed=2)
    assert model("row-stride-doubled").pair_sums(eight) == oracle().pair_sums(eight)


@pytest.mark.parametrize(("bits", "ratio"), [(8, 1), (10, 64), (12, 16)])
def test_msb_aligned_samples_inflate_the_score(bits: int, ratio: int) -> None:
    pair = noise_pair(Geometry(64, 64, "400", bits), seed=2)
    inflated = model("msb-aligned").pair_sums(pair).sums[0] / oracle().pair_sums(pair).sums[0]
    assert inflated == pytest.approx(ratio, rel=0.01)


def test_samples_misread() -> None:
    pair = grey_pair(np.full((3, 3), 0x0102), np.full((3, 3), 0x0003), 10)
    assert np.unique(model("bytes-swapped").stages(pair).get("D")).tolist() == [0x0201 - 0x0300]
    assert np.unique(model("depth-truncated").stages(pair).get("D")).tolist() == [0x0100]


def test_chroma_normalised_by_luma() -> None:
    pair = noise_pair(Geometry(20, 12, "420", 8))
    right, wrong = oracle(motion_add_uv=1).pair_sums(pair), model("chroma-normalised-by-luma", mau=1).pair_sums(pair)
    assert wrong == replace(right, areas=(240, 240, 240))


def test_chroma_staged_as_420() -> None:
    pair = noise_pair(Geometry(19, 13, "444", 8))
    staged = model("chroma-staged-as-420", motion_add_uv=True)
    cut = open_engine("oracle", EngineConfig(Options.parse("motion", {"mau": 1}), chroma="as-420"))
    assert staged.pair_sums(pair) == cut.pair_sums(pair)
    assert staged.pair_sums(pair).areas == (247, 70, 70)
    h = staged.stages(pair, 1).get("H")
    assert h.shape == (13, 19)
    assert not h[7:].any()
    assert not h[:, 10:].any()


CLIP = "synthetic:noise?size=17x17&format=400&bits=8&frames=5&seed=1"


def metrics(name: str, **options: float) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    clip = open_synthetic(CLIP)
    right = score_clip(clip, oracle(**options)).metrics
    wrong = score_clip(clip, model(name, **options)).metrics
    return dict(right), dict(wrong)  # type: ignore[arg-type]


def test_faults_of_the_sum_over_time() -> None:
    right, late = metrics("sad-one-frame-late")
    assert late[SAD] == (0, 0, *right[SAD][1:-1])
    _, early = metrics("frame-shift")
    assert early[SAD] == (0, *right[SAD][2:], 0)
    _, running = metrics("sad-not-reset")
    total = 0.0
    for frame, own in enumerate(right[SAD]):
        total += own
        assert running[SAD][frame] == total


def test_faults_of_the_score_rules() -> None:
    right, plain = metrics("motion2-without-min")
    assert plain[M2] == right[SAD]
    assert plain[M2] != right[M2]
    _, short = metrics("last-frame-missing")
    assert short[SAD] == right[SAD]
    for name in (M2, M3):
        assert short[name] == (*right[name][:-1], None)
    _, single = metrics("float32-normalisation")
    sums = [oracle().pair_sums(open_synthetic(CLIP).pair(i)).sums[0] for i in range(1, 5)]
    assert single[SAD] == (0, *(float(np.float32(np.float32(s / 256.0) / np.float32(289))) for s in sums))
    assert 0 < max(abs(a - b) for a, b in zip(single[SAD], right[SAD], strict=True)) < 1e-5


def test_fps_weight_twice_shows_with_a_weight_alone() -> None:
    right, twice = metrics("fps-weight-twice")
    assert twice == right
    right, twice = metrics("fps-weight-twice", motion_fps_weight=0.5)
    assert twice[SAD + "_mfw_0.5"] == right[SAD + "_mfw_0.5"]
    assert twice[M2 + "_mfw_0.5"] == tuple(value * 0.5 for value in right[M2 + "_mfw_0.5"])
    assert twice[M3 + "_mfw_0.5"][0] == right[M3 + "_mfw_0.5"][0] * 0.5


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_row_scores_a_clip(name: str, edition: Edition) -> None:
    engine = model(name, edition, motion_add_uv=True)
    clip = open_synthetic("synthetic:noise?size=20x18&format=422&bits=10&frames=3")
    assert len(score_clip(clip, engine)) == 3
    assert engine.arithmetic
    assert engine.stages(clip.pair(1), 1).get("H").shape == (18, 10)


@pytest.mark.parametrize("name", MODELS)
def test_a_still_clip_is_still(name: str) -> None:
    frame = noise(Geometry(16, 16, "400", 10), 0, 1)
    # A whole unit of rounding makes a 1 of every 0, one a pixel.
    expected = 16 * 16 if name == "rounding-doubled" else 0
    assert model(name).pair_sums(FramePair(frame, frame)).sums == (expected,)


def test_unknown_model_and_feature_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown model 'blur-frist': did you mean blur-first"):
        open_engine("model:blur-frist", EngineConfig())
    with pytest.raises(UsageError, match="choose --feature motion or motion_v2"):
        open_engine("model:blur-first", EngineConfig(Options.parse("float_motion")))
