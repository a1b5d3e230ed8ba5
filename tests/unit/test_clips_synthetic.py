"""Synthetic clips: the noise of the field number by number, each family's known answer, names that are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motion_tui.clips.families import FAMILIES
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.reference import Reference
from motion_tui.parity.session import score_clip

SAD = "VMAF_integer_feature_motion_sad_score"


def scores(uri: str, metric: str = SAD) -> list[float | None]:
    with open_clip(f"synthetic:{uri}") as clip, Reference(EngineConfig(Options())) as reference:
        return list(score_clip(clip, reference).metrics[metric])


def hash_sample(row: int, column: int, plane: int, frame: int, seed: int, bits: int) -> int:
    """One sample of the field's noise, in Python integers."""
    mask = 0xFFFFFFFF
    t = frame + 1000 * plane + 100000 * seed
    x = (row << 16) ^ column ^ (t * 0x9E3779B9 & mask)
    x ^= x >> 16
    x = x * 0x7FEB352D & mask
    x ^= x >> 15
    x = x * 0x846CA68B & mask
    x ^= x >> 16
    return x >> (32 - bits)


@pytest.mark.parametrize("bits", [8, 10, 12, 16])
@pytest.mark.parametrize("seed", [0, 1, 42948])
def test_noise_is_the_fields(bits: int, seed: int) -> None:
    with open_clip(f"synthetic:noise?size=19x23&format=420&bits={bits}&frames=3&seed={seed}") as clip:
        for plane, samples in enumerate(clip.frame(2).planes):
            expected = [
                [hash_sample(row, column, plane, 2, seed, bits) for column in range(samples.shape[1])]
                for row in range(samples.shape[0])
            ]
            assert samples.tolist() == expected


def test_published_scores_of_the_noise() -> None:
    uri = "noise?size=3x3&format=444&bits=8&frames=4&seed=0"
    assert scores(uri) == [0, 19.374131944444443, 39.547309027777779, 5.3975694444444446]
    assert scores(uri, "integer_motion3")[0] == 19.374131944444443


@pytest.mark.parametrize(("bits", "score"), [(8, 255.0), (10, 255.75), (12, 255.9375), (16, 255.99609375)])
@pytest.mark.parametrize("size", ["3x3", "17x19"])
def test_flash_is_full_swing(bits: int, score: float, size: str) -> None:
    assert scores(f"flash?size={size}&bits={bits}&frames=4") == [0, score, score, score]


@pytest.mark.parametrize("bits", [8, 10, 16])
@pytest.mark.parametrize("step", [1, 3, 50, 128])
def test_a_ramp_scores_its_step(bits: int, step: int) -> None:
    assert scores(f"ramp?size=9x5&bits={bits}&frames=140&step={step}")[1:] == [step] * 139


def test_ramp_uses_half_the_range_and_never_wraps() -> None:
    with open_clip("synthetic:ramp?size=40x30&bits=10&frames=300&step=5") as clip:
        assert max(int(frame.planes[0].max()) for frame in clip) <= 1023
        luma = clip.frame(0).planes[0]
        assert (luma[0, 0], luma[-1, -1]) == (0, 127 * 4)
        assert (np.diff(luma.astype(int), axis=0) >= 0).all()


def test_static_is_still() -> None:
    assert scores("static?size=9x9&frames=5&seed=3") == [0] * 5


def test_hold_is_noise_with_pauses() -> None:
    moving = scores("noise?size=9x9&frames=3&seed=5")
    assert scores("hold?size=9x9&frames=9&seed=5&hold=3") == [0, 0, 0, moving[1], 0, 0, moving[2], 0, 0]


def test_checker_and_stripes_answer_by_hand() -> None:
    """At the finest cell the taps answer with 3571 - 16004 + 26386 - 16004 + 3571 = 1520 of 65536; a border reflected
    about its sample goes on alternating."""
    assert 3571 - 16004 + 26386 - 16004 + 3571 == 1520
    v = (255 * 1520 + 128) >> 8
    h = (v * 1520 + 32768) >> 16
    assert scores("checker?size=9x7&frames=3") == [0, h / 256, h / 256]
    h = (255 * 256 * 1520 + 32768) >> 16
    for level in (0, 1):
        assert scores(f"stripes?size=9x7&frames=3&level={level}") == [0, h / 256, h / 256]


def test_cells_are_as_wide_as_asked() -> None:
    with open_clip("synthetic:checker?size=6x6&cell=2&frames=2&format=400") as clip:
        assert (clip.frame(0).planes[0] // 255).tolist()[:3] == [
            [0, 0, 1, 1, 0, 0],
            [0, 0, 1, 1, 0, 0],
            [1, 1, 0, 0, 1, 1],
        ]
        assert clip.frame(1).planes[0].tolist() == (255 - clip.frame(0).planes[0].astype(int)).tolist()
    with open_clip("synthetic:stripes?size=6x2&cell=3&format=400&frames=1") as clip:
        assert (clip.frame(0).planes[0] // 255).tolist() == [[0, 0, 0, 1, 1, 1]] * 2


@pytest.mark.parametrize(("dx", "dy"), [(2, 1), (-3, 0), (0, -5), (64, 64)])
def test_pan_moves_the_picture(dx: int, dy: int) -> None:
    with open_clip(f"synthetic:pan?size=160x140&format=400&dx={dx}&dy={dy}&frames=2&bits=12") as clip:
        before, after = (frame.planes[0] for frame in clip)
        kept_before = before[max(dy, 0) : 140 + min(dy, 0), max(dx, 0) : 160 + min(dx, 0)]
        kept_after = after[max(-dy, 0) : 140 - max(dy, 0), max(-dx, 0) : 160 - max(dx, 0)]
        assert np.array_equal(kept_before, kept_after)
        assert float(before.std()) > 100


def test_pan_at_rest_is_still() -> None:
    assert scores("pan?size=20x20&dx=0&dy=0&frames=3") == [0, 0, 0]


@pytest.mark.parametrize("bits", [8, 10, 12, 16])
def test_impulse(bits: int) -> None:
    middle = scores(f"impulse?size=9x9&bits={bits}&frames=2")[1]
    corner = scores(f"impulse?size=9x9&bits={bits}&frames=2&x=0&y=0")[1]
    assert middle == 253 / 256 / 81
    assert corner == 125 / 256 / 81
    assert scores(f"impulse?size=9x9&bits={bits}&frames=2&x=8&y=8")[1] == corner


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("bits", [8, 9, 16])
def test_every_family_fits_its_format(family: str, bits: int) -> None:
    with open_clip(f"synthetic:{family}?size=11x7&format=420&bits={bits}&frames=4") as clip:
        for frame in clip:
            assert [plane.shape for plane in frame.planes] == [(7, 11), (4, 6), (4, 6)]
            for plane in frame.planes:
                assert plane.dtype == clip.geometry.dtype
                assert int(plane.max()) < 1 << bits
                assert not plane.flags.writeable


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("nois?size=3x3", "unknown family 'nois': did you mean noise"),
        ("", "unknown family '': known are noise, ramp"),
        ("noise?sise=3x3", "unknown key 'sise': did you mean size"),
        ("flash?seed=1", "unknown key 'seed'.*known are size, format, bits, frames"),
        ("noise?size=3x3&size=4x4", "size is given twice"),
        ("noise?size=3", "size '3': give it as WxH"),
        ("noise?size=0x3", "size 0x3: width and height must be 1 to"),
        ("noise?size=65536x65536", "134217728 is the most"),
        ("noise?format=421", "format=421: did you mean 42"),
        ("noise?bits=7", "bits=7: expected a whole number from 8 to 16"),
        ("noise?bits=8.0", r"bits=8\.0"),
        ("noise?frames=0", "frames=0: expected a whole number from 1 to 1000000"),
        ("noise?seed=-1", "seed=-1"),
        ("noise?size", "write key=value pairs"),
        ("ramp?step=129", "step=129: expected a whole number from 1 to 128"),
    ],
)
def test_wrong_names_are_refused_with_the_known_ones(uri: str, expected: str) -> None:
    with pytest.raises(ClipError, match=expected) as refused:
        open_clip(f"synthetic:{uri}")
    assert str(refused.value).startswith(f"synthetic:{uri}: ")


def test_flags_do_not_apply() -> None:
    with pytest.raises(UsageError, match="--size does not apply to a synthetic clip"):
        open_clip("synthetic:noise", size="3x3")


def test_windows_count_from_zero() -> None:
    with open_clip("synthetic:noise?frames=9") as whole, open_clip("synthetic:noise?frames=9", frames="4:7") as part:
        assert len(part) == 3
        assert np.array_equal(part.frame(0).planes[1], whole.frame(4).planes[1])
        assert part.sources["frames"] == "--frames 4:7"
        with pytest.raises(ClipError, match="there is no frame 3: the clip has 3"):
            part.frame(3)
    with open_clip("synthetic:noise?frames=9", frames=slice(7, None)) as part:
        assert len(part) == 2
    with pytest.raises(ClipError, match="frames 4:70 are not in the clip, which has 9"):
        open_clip("synthetic:noise?frames=9", frames="4:70")
    for wrong in ("4", "x:y", "5:5", "-1:3"):
        with pytest.raises(UsageError, match="frames"):
            open_clip("synthetic:noise?frames=9", frames=wrong)


def test_the_readme_tells_each_rule() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for row in FAMILIES.values():
        keys = ", ".join(f"`{key}` {item.low} to {item.high} ({item.default})" for key, item in row.parameters.items())
        assert f"| `{row.name}` | {row.does} | {row.known} | {keys or 'none'} |" in readme
