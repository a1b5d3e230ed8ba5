"""Levels and colours: zero keeps its own, whatever the dtype, the limit and the colour system."""

from __future__ import annotations

from typing import Any, Literal

import cmap
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from motion_tui.core.colour import (
    DIVERGING,
    LEVELS,
    MIDDLE,
    SEQUENTIAL,
    Mode,
    Scale,
    level_numbers,
    level_rgb,
    quantise,
    zero_level,
)
from motion_tui.core.errors import UsageError
from motion_tui.core.palettes import PALETTES

TABLES: list[tuple[str, Mode]] = [
    *((name, "diverging") for name in DIVERGING),
    *((name, "magnitude") for name in (*DIVERGING, *SEQUENTIAL)),
]
SOURCES = {
    "berlin": "crameri:berlin",
    "vik": "crameri:vik",
    "batlow": "crameri:batlow",
    "viridis": "bids:viridis",
    "cividis": "cividis:cividis",
}
ARRAYS = st.sampled_from(["int8", "int16", "int32", "int64", "uint8", "uint16", "float32", "float64"]).flatmap(
    lambda dtype: hnp.arrays(dtype, st.integers(1, 12))
)
MODES: st.SearchStrategy[Mode] = st.sampled_from(["diverging", "magnitude"])
SCALES: st.SearchStrategy[Scale] = st.sampled_from(["linear", "log"])


def xterm_rgb(number: int) -> tuple[int, int, int]:
    """The colour xterm gives to a number from 16 up."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    return steps[(number - 16) // 36], steps[(number - 16) // 6 % 6], steps[(number - 16) % 6]


def lab(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """SRGB (n, 3) to CIE Lab, D65."""
    channel = colours / 255.0
    linear = np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = linear @ to_xyz.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


@given(ARRAYS, st.floats(0, 1e30), MODES, SCALES)
def test_only_zero_has_the_colour_of_zero(values: NDArray[Any], limit: float, mode: Mode, scale: Scale) -> None:
    levels = quantise(values, limit, mode, scale)
    assert levels.dtype == np.uint8
    for value, level in zip(values.tolist(), levels.tolist(), strict=True):
        assert (level == zero_level(mode)) == (value == 0)
        assert 0 <= level < LEVELS
        if mode == "diverging" and value != 0:
            assert (level > MIDDLE) == (not value < 0)


@given(hnp.arrays("int32", 8), st.integers(1, 1 << 31), SCALES)
def test_larger_magnitudes_have_stronger_levels(values: NDArray[np.int32], limit: int, scale: Scale) -> None:
    order = np.argsort(np.abs(values.astype(np.int64)), kind="stable")
    strength = np.abs(quantise(values, limit, "diverging", scale).astype(int) - MIDDLE)[order]
    assert (np.diff(strength) >= 0).all()
    assert (np.diff(quantise(values, limit, "magnitude", scale)[order].astype(int)) >= 0).all()


@pytest.mark.parametrize("limit", [1, 3, 16, 127, 255, 65280])
def test_plus_and_minus_mirror_and_the_limit_is_the_end(limit: int) -> None:
    values = np.arange(-limit, limit + 1)
    levels = quantise(values, limit).astype(int)
    assert (levels + levels[::-1] == LEVELS - 1).all()
    assert levels[0] == 0
    assert levels[-1] == LEVELS - 1
    if limit <= MIDDLE:
        assert len(set(levels.tolist())) == 2 * limit + 1


def test_range_of_a_byte_keeps_one_and_two_from_zero() -> None:
    """With 256 levels and a rounded middle, 0, 1 and 2 would share a level."""
    assert quantise(np.array([-1, 0, 1]), 255).tolist() == [MIDDLE - 1, MIDDLE, MIDDLE + 1]


def test_what_is_not_a_number_is_the_worst_there_is() -> None:
    values = np.array([np.nan, np.inf, -np.inf, -0.0])
    assert quantise(values, 1.0).tolist() == [LEVELS - 1, LEVELS - 1, 0, MIDDLE]
    assert quantise(values, 1.0, "magnitude").tolist() == [LEVELS - 1, LEVELS - 1, LEVELS - 1, 0]


@pytest.mark.parametrize("name", PALETTES)
def test_baked_tables_are_the_published_ones(name: str) -> None:
    places = np.linspace(0, 1, 256)
    published = np.array(cmap.Colormap(SOURCES[name])(places))[:, :3] * 255
    anchors = np.frombuffer(bytes.fromhex(PALETTES[name].anchors), np.uint8).reshape(-1, 3)
    even = np.linspace(0, 1, len(anchors))
    ours = np.stack([np.interp(places, even, channel) for channel in anchors.T], axis=1)
    assert np.abs(ours - published).max() < 6


@pytest.mark.parametrize(("name", "mode"), TABLES)
def test_the_first_steps_are_seen_beside_zero(name: str, mode: Mode) -> None:
    zero = zero_level(mode)
    colours = lab(level_rgb(name, mode))
    numbers = level_numbers(name, mode, "256")
    spoken = lab(np.array([xterm_rgb(number) for number in numbers.tolist()], np.uint8))
    for table in (colours, spoken):
        for beside in {max(zero - 1, 0), zero + 1} - {zero}:
            assert np.linalg.norm(table[beside] - table[zero]) > 10


@pytest.mark.parametrize("system", ["256", "16"])
@pytest.mark.parametrize(("name", "mode"), TABLES)
def test_palette_numbers_keep_zero_apart_and_the_sides_apart(
    name: str, mode: Mode, system: Literal["256", "16"]
) -> None:
    numbers = level_numbers(name, mode, system).tolist()
    zero = zero_level(mode)
    below, above = set(numbers[:zero]), set(numbers[zero + 1 :])
    assert len(numbers) == LEVELS
    assert numbers[zero] not in below | above
    assert not below & above
    assert len(above) >= (8 if system == "256" else 4)
    assert mode == "magnitude" or len(below) == len(above)


@pytest.mark.parametrize(("name", "mode"), TABLES)
def test_lightness_rises_or_falls_away_from_zero(name: str, mode: Mode) -> None:
    zero = zero_level(mode)
    numbers = np.array([xterm_rgb(n) for n in level_numbers(name, mode, "256").tolist()], np.uint8)
    for colours, slack in ((level_rgb(name, mode), 1.0), (numbers, 1.5)):
        light = lab(colours)[:, 0]
        for side in (light[zero:], light[zero::-1]):
            direction = np.sign(side[-1] - side[0])
            assert (np.diff(side) * direction > -slack).all()


def test_refusals_name_what_would_do() -> None:
    with pytest.raises(UsageError, match="unknown palette 'jet': one of berlin, vik"):
        level_rgb("jet", "magnitude")
    with pytest.raises(UsageError, match="signed values need berlin or vik"):
        level_rgb("viridis", "diverging")
