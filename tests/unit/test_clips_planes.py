"""Planes of stored frames against a reader written byte by byte: sizes, formats, depths, containers and layouts."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from motion_tui.clips.base import Clip
from motion_tui.clips.layout import FrameLayout
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import UsageError
from motion_tui.core.geometry import Geometry

STEPS = {"400": (1, 1), "420": (2, 2), "422": (2, 1), "444": (1, 1), "411": (4, 1), "410": (4, 4), "440": (1, 2)}
SIZES = [(19, 19), (19, 18), (18, 19), (357, 353), (577, 323)]


def ceil_sizes(width: int, height: int, chroma: str) -> list[tuple[int, int]]:
    """Plane sizes with chroma rounded up, by counting the samples that start within the picture."""
    ssx, ssy = STEPS[chroma]
    small = (len(range(0, width, ssx)), len(range(0, height, ssy)))
    return [(width, height)] + ([] if chroma == "400" else [small, small])


def random_frames(width: int, height: int, chroma: str, bits: int, count: int, seed: int) -> list[bytes]:
    """Frames of in-range samples, little-endian, tightly packed."""
    samples = sum(w * h for w, h in ceil_sizes(width, height, chroma))
    source = random.Random(seed)
    if bits == 8:
        return [source.randbytes(samples) for _ in range(count)]
    return [
        struct.pack(f"<{samples}H", *(value & ((1 << bits) - 1) for value in struct.unpack(f"<{samples}H", data)))
        for data in (source.randbytes(2 * samples) for _ in range(count))
    ]


def plane_rows(frame: bytes, width: int, height: int, chroma: str, bits: int) -> list[list[tuple[int, ...]]]:
    """A frame's planes as rows of numbers, read in order from its first byte."""
    letter, size, at, planes = ("B", 1, 0, []) if bits == 8 else ("H", 2, 0, [])
    for w, h in ceil_sizes(width, height, chroma):
        rows = []
        for _ in range(h):
            rows.append(struct.unpack_from(f"<{w}{letter}", frame, at))
            at += w * size
        planes.append(rows)
    assert at == len(frame)
    return planes


def assert_planes(clip: Clip, index: int, expected: list[list[tuple[int, ...]]]) -> None:
    planes = clip.frame(index).planes
    assert len(planes) == len(expected)
    for plane, rows in zip(planes, expected, strict=True):
        assert [tuple(row) for row in plane.tolist()] == rows
        assert plane.flags.c_contiguous
        assert plane.flags.aligned
        assert not plane.flags.writeable
        assert plane.dtype == (np.uint8 if clip.bit_depth == 8 else np.uint16)
        assert plane.dtype.isnative


@pytest.mark.parametrize("container", ["yuv", "y4m"])
@pytest.mark.parametrize("bits", [8, 10])
@pytest.mark.parametrize("chroma", ["420", "422", "444"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_third_frame_is_right(tmp_path: Path, size: tuple[int, int], chroma: str, bits: int, container: str) -> None:
    width, height = size
    frames = random_frames(width, height, chroma, bits, 3, seed=width * height + bits)
    path = tmp_path / f"clip.{container}"
    if container == "yuv":
        path.write_bytes(b"".join(frames))
        clip = open_clip(path, size=size, pixel_format=chroma, bit_depth=bits)
    else:
        colour = f"C{chroma}p{bits}" if bits > 8 else f"C{chroma}"
        header = f"YUV4MPEG2 W{width} H{height} F25:1 Ip {colour}\n".encode()
        path.write_bytes(header + b"".join(b"FRAME\n" + frame for frame in frames))
        clip = open_clip(path)
    with clip:
        assert len(clip) == 3
        assert_planes(clip, 2, plane_rows(frames[2], width, height, chroma, bits))


@pytest.mark.parametrize("bits", [8, 9, 12, 14, 16])
@pytest.mark.parametrize("chroma", ["400", "411", "410", "440", "420"])
def test_other_formats_and_depths(tmp_path: Path, chroma: str, bits: int) -> None:
    frames = random_frames(21, 13, chroma, bits, 2, seed=bits)
    path = tmp_path / "clip.yuv"
    path.write_bytes(b"".join(frames))
    with open_clip(path, size="21x13", pixel_format=chroma, bit_depth=bits) as clip:
        assert_planes(clip, 1, plane_rows(frames[1], 21, 13, chroma, bits))


@pytest.mark.parametrize(
    ("size", "chroma", "samples"),
    [
        ((1, 1), "420", 3), ((1, 1), "422", 3), ((1, 1), "411", 3), ((3, 3), "420", 17), ((3, 3), "422", 21),
        ((3, 3), "411", 15), ((3, 3), "444", 27), ((19, 19), "420", 561), ((19, 19), "422", 741),
        ((19, 19), "411", 551), ((357, 353), "420", 189387), ((357, 353), "422", 252395), ((357, 353), "411", 189561),
        ((577, 323), "420", 280007), ((577, 323), "422", 373065), ((577, 323), "411", 280041),
        ((577, 323), "444", 559113), ((1920, 1080), "420", 3110400), ((1920, 1080), "422", 4147200),
    ],
)  # fmt: skip
def test_frame_sizes_of_the_field_table(size: tuple[int, int], chroma: str, samples: int) -> None:
    assert FrameLayout(Geometry(*size, chroma, 8)).frame_bytes == samples
    assert FrameLayout(Geometry(*size, chroma, 16)).frame_bytes == 2 * samples


def stored_with(
    frame: bytes, sizes: list[tuple[int, int]], bytes_each: int, strides: list[int], padding: int, filler: int
) -> bytes:
    """A tightly packed frame stored anew with row and plane padding."""
    out, at = bytearray(), 0
    for (w, h), stride in zip(sizes, strides, strict=True):
        for _ in range(h):
            row = frame[at : at + w * bytes_each]
            at += len(row)
            out += row + bytes([filler]) * (stride - len(row))
        out += bytes([filler]) * padding
    return bytes(out)


@pytest.mark.parametrize("bits", [8, 10])
def test_stride_and_plane_padding(tmp_path: Path, bits: int) -> None:
    frames = random_frames(19, 7, "420", bits, 3, seed=5)
    each = 1 if bits == 8 else 2
    strides = [24 * each, 12 * each, 12 * each]
    stored = [
        stored_with(frame, ceil_sizes(19, 7, "420"), each, strides, 5, 0xA5 + number)
        for number, frame in enumerate(frames)
    ]
    path = tmp_path / "clip.yuv"
    path.write_bytes(b"".join(stored))
    with open_clip(path, size=(19, 7), bit_depth=bits, stride=24 * each, plane_padding=5) as clip:
        assert len(clip) == 3
        assert clip.sources["stride"] == "--stride"
        assert_planes(clip, 2, plane_rows(frames[2], 19, 7, "420", bits))


@pytest.mark.parametrize("order", ["yv12", "nv12", "nv21"])
@pytest.mark.parametrize("bits", [8, 12])
@pytest.mark.parametrize("chroma", ["420", "422", "444"])
def test_plane_orders(tmp_path: Path, order: str, bits: int, chroma: str) -> None:
    frame = random_frames(11, 5, chroma, bits, 1, seed=9)[0]
    each = 1 if bits == 8 else 2
    luma = 11 * 5 * each
    half = (len(frame) - luma) // 2
    y, u, v = frame[:luma], frame[luma : luma + half], frame[luma + half :]
    first, second = (v, u) if order in ("yv12", "nv21") else (u, v)
    if order != "yv12":
        pairs = zip(range(0, half, each), range(0, half, each), strict=True)
        chroma_bytes = b"".join(first[i : i + each] + second[j : j + each] for i, j in pairs)
    else:
        chroma_bytes = first + second
    path = tmp_path / "clip.yuv"
    path.write_bytes(y + chroma_bytes)
    with open_clip(path, size=(11, 5), pixel_format=chroma, bit_depth=bits, order=order) as clip:
        assert clip.sources["order"] == "--order"
        assert_planes(clip, 0, plane_rows(frame, 11, 5, chroma, bits))


def test_big_endian(tmp_path: Path) -> None:
    frame = random_frames(9, 9, "444", 10, 1, seed=2)[0]
    swapped = b"".join(frame[i + 1 : i + 2] + frame[i : i + 1] for i in range(0, len(frame), 2))
    path = tmp_path / "clip.yuv"
    path.write_bytes(swapped)
    with open_clip(path, size=(9, 9), pixel_format="444", bit_depth=10, endian="big") as clip:
        assert_planes(clip, 0, plane_rows(frame, 9, 9, "444", 10))


def test_p010_is_shifted_when_asked_and_never_silently(tmp_path: Path) -> None:
    frame = random_frames(8, 6, "420", 10, 1, seed=3)[0]
    words = struct.unpack(f"<{len(frame) // 2}H", frame)
    y, u, v = words[:48], words[48:60], words[60:]
    stored = [value << 6 for value in (*y, *(x for pair in zip(u, v, strict=True) for x in pair))]
    path = tmp_path / "clip_8x6_p010le.yuv"
    path.write_bytes(struct.pack(f"<{len(stored)}H", *stored))
    with open_clip(path) as clip:
        assert clip.sources["align"] == "file name"
        assert any("shifted right by 6" in warning for warning in clip.warnings)
        assert_planes(clip, 0, plane_rows(frame, 8, 6, "420", 10))
    with open_clip(path, align="lsb") as clip:
        assert clip.frame(0).planes[0][0, 0] == y[0] << 6
        assert any("MSB-aligned" in warning for warning in clip.warnings)


def test_frames_survive_closing_and_share_nothing(tmp_path: Path) -> None:
    path = tmp_path / "clip.yuv"
    path.write_bytes(bytes(range(36)))
    clip = open_clip(path, size=(3, 3), pixel_format="400")
    frames = list(clip)
    clip.close()
    assert [frame.planes[0].tolist()[0][0] for frame in frames] == [0, 9, 18, 27]


def test_strides_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="stride 18: a luma row of 19x7 420 8-bit takes 19 bytes"):
        FrameLayout(Geometry(19, 7, "420", 8), stride=18)
    with pytest.raises(UsageError, match="whole samples"):
        FrameLayout(Geometry(19, 7, "420", 10), stride=39)
