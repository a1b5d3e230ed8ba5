"""Legends: every colour of a small range of whole numbers, both ends with their values, in every colour system."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from rich.style import Style

from motion_tui.core.colour import ColourSystem, Mode, quantise
from motion_tui.tui.paint.ink import ink
from motion_tui.tui.paint.legend import legend
from motion_tui.tui.paint.picture import Look

BASE = Style.parse("white on #1c222a")


def words(look: Look, room: int) -> str:
    return "".join(segment.text for segment in legend(look, room, BASE))


@pytest.mark.parametrize("system", ["truecolor", "256", "16"])
def test_a_small_range_shows_the_colour_of_each_value(system: ColourSystem) -> None:
    look = Look("diverging", 2, "berlin", system)
    assert BASE.bgcolor is not None
    colours = ink("berlin", "diverging", system, BASE.bgcolor).colours
    levels = quantise(np.array([-2, -1, 0, 1, 2]), 2).tolist()
    swatches = [segment.style.bgcolor for segment in legend(look, 40, BASE)[1:-1] if segment.style]
    assert list(dict.fromkeys(swatches)) == [colours[level] for level in levels]


def test_both_ends_have_their_values_and_zero_the_middle() -> None:
    assert words(Look("diverging", 19984, "berlin", "none"), 40).startswith("-19984 %")
    text = words(Look("diverging", 1000, "berlin", "none"), 40)
    ramp = text.removeprefix("-1000 ").removesuffix(" +1000")
    assert ramp[len(ramp) // 2] == "·"
    assert ramp.count("·") == 1
    assert words(Look("magnitude", 3, "viridis", "none"), 40).endswith("█ 3")
    assert words(Look("magnitude", 0.125, "viridis", "none"), 40).endswith(" 0.125")


@pytest.mark.parametrize("system", get_args(ColourSystem))
@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("room", [0, 5, 11, 16, 90])
@pytest.mark.parametrize("limit", [1, 2, 9, 19984, 1e-7])
def test_a_legend_is_whole_or_not_there(system: ColourSystem, mode: Mode, room: int, limit: float) -> None:
    text = words(Look(mode, limit, "berlin", system), room)
    assert len(text) <= room
    assert text == "" or f"{limit:g}" in text.split()[-1]


def test_a_log_scale_shows_all_of_its_colours_and_says_so() -> None:
    """Evenly spaced values would nearly all have the strongest colours."""
    look = Look("magnitude", 20000, "viridis", "truecolor", "log")
    segments = legend(look, 60, BASE)
    assert segments[-1].text == " 20000 log"
    colours = [segment.style.bgcolor for segment in segments[1:-1] if segment.style]
    steps = np.diff([colour.get_truecolor().green for colour in colours if colour])
    assert (steps > 0).all()
    assert steps[1:].max() < 3 * np.median(steps)  # the first one is from zero, and large on purpose
