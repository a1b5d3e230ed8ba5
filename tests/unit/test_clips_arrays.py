"""Clips from arrays: shapes, types and values are checked, nothing is converted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError, UsageError


def frames(dtype: str = "u1", chroma: tuple[int, int] = (3, 4), count: int = 2) -> list[list[Any]]:
    return [[np.full((5, 7), t, dtype), np.full(chroma, t, dtype), np.full(chroma, t, dtype)] for t in range(count)]


def test_planes_come_back_read_only() -> None:
    given = frames()
    with open_clip(given, pixel_format="420", bit_depth=8) as clip:
        assert (clip.width, clip.height, clip.pixel_format, clip.bit_depth, len(clip)) == (7, 5, "420", 8, 2)
        for plane, array in zip(clip.frame(1).planes, given[1], strict=True):
            assert np.array_equal(plane, array)
            assert not plane.flags.writeable
        assert given[1][0].flags.writeable


@pytest.mark.parametrize(
    ("chroma", "name"),
    [((3, 4), "420"), ((5, 4), "422"), ((5, 7), "444"), ((3, 7), "440"), ((5, 2), "411"), ((2, 2), "410")],
)
def test_format_follows_from_shapes(chroma: tuple[int, int], name: str) -> None:
    with open_clip(frames(chroma=chroma)) as clip:
        assert (clip.pixel_format, clip.sources["format"]) == (name, "shapes of the arrays")


def test_byte_order_is_made_native() -> None:
    with open_clip([[np.array([[1, 2, 1023]] * 3, ">u2")]], bit_depth=10) as clip:
        plane = clip.frame(0).planes[0]
        assert plane.tolist()[0] == [1, 2, 1023]
        assert plane.dtype.isnative


def test_noncontiguous_planes_are_made_contiguous() -> None:
    wide = np.arange(30, dtype=np.uint8).reshape(3, 10)
    with open_clip([[wide[:, ::2]]]) as clip:
        assert clip.frame(0).planes[0].flags.c_contiguous
        assert clip.frame(0).planes[0].tolist() == wide[:, ::2].tolist()


@pytest.mark.parametrize(
    ("source", "keywords", "expected"),
    [
        ([], {}, "the list of files or frames is empty"),
        ([[]], {}, "frame 0 has no plane"),
        (frames("u2"), {}, "nothing says their depth: give bit_depth=9 to 16"),
        (frames("i2"), {}, "frame 0, plane 0: is int16"),
        (frames("f4"), {}, "frame 0, plane 0: is float32"),
        ([[np.zeros((3, 3, 3), np.uint8)]], {}, "of shape \\(3, 3, 3\\)"),
        (frames(chroma=(2, 3)), {}, "no pixel format has these \\(chroma is rounded up\\)"),
        (frames(chroma=(2, 3)), {"pixel_format": "420"}, "frame 0, plane U: is 3x2: 7x5 420 8-bit has 4x3 there"),
        (frames(), {"pixel_format": "400"}, "frame 0 has 3 planes: 400 has 1"),
        (frames(), {"bit_depth": 10}, "is uint8: 10 bits are uint16"),
        (frames("u2"), {"bit_depth": 8}, "is uint16: 8 bits are uint8"),
        (frames()[:1] + frames(chroma=(5, 7))[1:], {"pixel_format": "420"}, "frame 1, plane U"),
        ([[np.full((3, 3), 1024, np.uint16)]], {"bit_depth": 10}, "has the value 1024: 10 bits end at 1023"),
        ([np.zeros((3, 3), np.uint8)], {}, "frame 0: is one 2-D array: give a list of planes"),
        (np.zeros((2, 3, 3), np.uint8), {}, "frame 0: is one 2-D array"),
        ([None], {}, "frame 0: is not a list of 2-D arrays"),
        ([[[[1, 2], [3]]]], {}, "frame 0: is not a list of 2-D arrays"),
        (frames(), {"size": (3, 3)}, "size=3x3 was given and plane Y of frame 0 is 7x5"),
    ],
)
def test_refusals(source: Any, keywords: dict[str, Any], expected: str) -> None:
    with pytest.raises(ClipError, match=expected):
        open_clip(source, **keywords)


@pytest.mark.parametrize("name", ["nv12", "yv12", "p010le", "yuva420p"])
def test_names_of_stored_layouts_do_not_apply(name: str) -> None:
    with pytest.raises(UsageError, match="arrays hold planes: give 420"):
        open_clip(frames(), pixel_format=name)
