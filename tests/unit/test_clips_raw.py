"""Raw files: where the geometry comes from, whether it fits, and what the detectors say."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from motion_tui.clips.file_names import NameFacts, parse_name, parse_path
from motion_tui.clips.pixel_names import parse_pixel_name
from motion_tui.clips.registry import open_clip
from motion_tui.clips.yuv import GeometryNeeded
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.geometry import Geometry


def facts(name: str) -> tuple[str, str | None, int | None, str | None, str | None, str | None]:
    """What a name says: size (the first), format, bits, endian, order, align."""
    found = parse_name(name)
    size = str(found.sizes[0]) if found.sizes else ""
    return size, found.pixel_format, found.bits, found.endian, found.order, found.align


@pytest.mark.parametrize(
    ("name", "size", "chroma", "bits", "endian", "order"),
    [
        ("Name_1920x1080_50.yuv", "1920x1080", None, None, None, None),
        ("Name_2160x1440_60Hz_8_more.yuv", "2160x1440", None, 8, None, None),
        ("Name_1920x1080_25_10b_x.yuv", "1920x1080", None, 10, None, None),
        ("Name_1920X1080_x.yuv", "1920x1080", None, None, None, None),
        ("Name_1920*1080_x.yuv", "1920x1080", None, None, None, None),
        ("BasketballDrill_832x480_50.yuv", "832x480", None, None, None, None),
        ("src01_hrc00_576x324.yuv", "576x324", None, None, None, None),
        ("foo_1920x1080_30fps_420_10le.yuv", "1920x1080", "420", 10, "little", None),
        ("foo_1920x1080_30fps_420_8bit_YUV.yuv", "1920x1080", "420", 8, None, None),
        ("foo_cif.yuv", "352x288", None, None, None, None),
        ("foo_qcif.yuv", "176x144", None, None, None, None),
        ("foo_4cif.yuv", "704x576", None, None, None, None),
        ("foo_1080p50.yuv", "1920x1080", None, None, None, None),
        ("foo_720p24.yuv", "1280x720", None, None, None, None),
        ("foo_UHD.yuv", "3840x2160", None, None, None, None),
        ("foo_HD.yuv", "1920x1080", None, None, None, None),
        ("a_64x48_yuv422p10le.yuv", "64x48", "422", 10, "little", None),
        ("a_64x48_gray16le.yuv", "64x48", "400", 16, "little", None),
        ("a_64x48_YUV400p16LE.yuv", "64x48", "400", 16, "little", None),
        ("a_64x48_p010le.yuv", "64x48", "420", 10, "little", "nv12"),
        ("a_64x48_nv12.yuv", "64x48", "420", 8, None, "nv12"),
        ("a_64x48_NV12.yuv", "64x48", "420", 8, None, "nv12"),
        ("a_64x48.nv21", "64x48", "420", 8, None, "nv21"),
        ("a_64x48_10bit.yuv", "64x48", None, 10, None, None),
        ("a_64x48_10-bit.yuv", "64x48", None, 10, None, None),
        ("a_64x48_10b_x.yuv", "64x48", None, 10, None, None),
        ("a_64x48.10b.yuv", "64x48", None, 10, None, None),
        ("4000X1824.yuv", "4000x1824", None, None, None, None),
        ("a_444_64x48_packed.yuv", "64x48", "444", None, None, None),
        ("a_64x48_yuv420pUVI.yuv", "64x48", "420", None, None, "nv12"),
        ("a_64x48_420p10le.yuv", "64x48", "420", 10, "little", None),
        ("a_64x48_422p8.yuv", "64x48", "422", 8, None, None),
        ("a_64x48_yuv444p8.yuv", "64x48", "444", 8, None, None),
        ("a_64x48_1440p10.yuv", "64x48", None, None, None, None),
        ("a_64x48_422_12bit_be.yuv", "64x48", "422", 12, "big", None),
        ("1080p60.yuv", "1920x1080", None, None, None, None),
        ("20200109_114812.yuv", "", None, None, None, None),
        ("crop(0,0,4000,1834).yuv", "", None, None, None, None),
        ("V1321005.yuv", "", None, None, None, None),
        ("a_60_8_.yuv", "", None, None, None, None),
        ("Beauty_3840x2160_1080p_50M.yuv", "3840x2160", None, None, None, None),
        ("shadow_head.yuv", "", None, None, None, None),
        ("clip.yuv", "", None, None, None, None),
    ],
)
def test_name_conventions(
    name: str, size: str, chroma: str | None, bits: int | None, endian: str | None, order: str | None
) -> None:
    assert facts(name)[:5] == (size, chroma, bits, endian, order)


def test_alignment_and_packed_names() -> None:
    assert parse_name("a_64x48_p010le.yuv").align == "msb"
    assert parse_name("a_64x48_p016le.yuv").align == "lsb"
    assert parse_name("a_64x48_v210.yuv").packed == "v210"
    assert parse_name("a_64x48_rgb24.yuv").packed == "rgb24"


def test_folder_names_count_where_the_file_has_no_size(tmp_path: Path) -> None:
    found, source = parse_path(tmp_path / "1920x1080_420_10bit" / "clip.yuv")
    assert (found.sizes, found.pixel_format, found.bits, source) == (((1920, 1080),), "420", 10, "folder name")
    found, source = parse_path(tmp_path / "1920x1080_420_10bit" / "clip_64x48.yuv")
    assert (found.sizes, found.bits, source) == (((64, 48),), None, "file name")
    assert parse_path(tmp_path / "10bit" / "clip.yuv")[0] == NameFacts()


@pytest.mark.parametrize("name", ["rgb24", "gbrp", "yuv430p", "yuyv422", "yuv420p18le", "gray32le", ""])
def test_pixel_names_that_are_not_planar_yuv(name: str) -> None:
    assert parse_pixel_name(name) is None


def noise_words(count: int, bits: int, seed: int = 1) -> NDArray[np.uint16]:
    return np.random.default_rng(seed).integers(0, 1 << bits, count, dtype=np.uint16)


def smooth_words(width: int, height: int, bits: int, frame: int = 0) -> NDArray[np.uint16]:
    """A picture with soft gradients and a little grain, over most of the range."""
    rows, columns = np.mgrid[:height, :width]
    wave = 0.5 + 0.4 * np.sin(columns / 17 + frame / 3) * np.cos(rows / 23)
    grain = np.random.default_rng(frame).integers(0, 3, (height, width))
    return np.asarray(wave * (1 << bits) * 0.95 + grain, np.uint16)


def test_rank_of_sources(tmp_path: Path) -> None:
    """Flags outrank the side-car, the side-car the name; each fact says where it came from."""
    path = tmp_path / "clip_8x6_422_12bit.yuv"
    path.write_bytes(bytes(8 * 6 * 2 * 2 * 3))
    with open_clip(path) as clip:
        assert str(clip.geometry) == "8x6 422 12-bit"
        assert clip.sources == {"size": "file name", "format": "file name", "bits": "file name", "endian": "assumed"}
    side_car = tmp_path / "clip_8x6_422_12bit.yuv.json"
    side_car.write_text(json.dumps({"bits": 10, "size": "6x8", "endian": "big"}))
    with open_clip(path) as clip:
        assert str(clip.geometry) == "6x8 422 10-bit"
        assert clip.sources["bits"] == clip.sources["size"] == clip.sources["endian"] == f"side-car {side_car.name}"
        assert clip.sources["format"] == "file name"
    with open_clip(path, size=(4, 12), bit_depth=9) as clip:
        assert str(clip.geometry) == "4x12 422 9-bit"
        assert (clip.sources["size"], clip.sources["bits"]) == ("--size", "--bits")
    with open_clip(path, pixel_format="yuv422p10be", size="8x6") as clip:
        assert (clip.bit_depth, clip.sources["bits"], clip.sources["endian"]) == (10, "--format", "--format")


def test_what_is_assumed_is_said(tmp_path: Path) -> None:
    path = tmp_path / "clip_8x6.yuv"
    path.write_bytes(bytes(72))
    with open_clip(path) as clip:
        assert clip.sources["format"] == clip.sources["bits"] == "assumed"
        assert any("8x6 420 8-bit is assumed" in warning for warning in clip.warnings)


def test_a_size_that_does_not_divide_lists_geometries_that_would(tmp_path: Path) -> None:
    path = tmp_path / "clip_352x288.yuv"
    path.write_bytes(bytes(352 * 288 * 2))
    with pytest.raises(GeometryNeeded, match="1 whole frames of 352x288 420 8-bit") as refused:
        open_clip(path)
    assert "50688 bytes; give the right --size" in str(refused.value)
    assert Geometry(352, 288, "422", 8) in refused.value.candidates
    assert all(path.stat().st_size % geometry.frame_bytes == 0 for geometry in refused.value.candidates)
    assert "352x288 422 8-bit (1 frames)" in str(refused.value)
    with open_clip(path, frames="0:1") as clip:
        assert len(clip) == 1
        assert clip.left_over == 50688


def test_unknown_size_asks(tmp_path: Path) -> None:
    path = tmp_path / "clip.yuv"
    path.write_bytes(bytes(176 * 144 * 3 // 2 * 4))
    with pytest.raises(GeometryNeeded, match="give --size WxH") as refused:
        open_clip(path)
    assert Geometry(176, 144, "420", 8) in refused.value.candidates
    chosen = refused.value.candidates[0]
    with open_clip(path, size=chosen.luma, pixel_format=chosen.pixel_format, bit_depth=chosen.bit_depth) as clip:
        assert clip.geometry == chosen


def test_two_sizes_in_a_name(tmp_path: Path) -> None:
    path = tmp_path / "a_64x48_from_40x30.yuv"
    path.write_bytes(bytes(40 * 30 * 3 // 2 * 3))
    with open_clip(path) as clip:
        assert str(clip.geometry.luma) == "40x30"
        assert any("several sizes: 40x30 was taken, not 64x48" in warning for warning in clip.warnings)


def test_a_small_size_in_a_name_does_not_win_because_it_divides_everything(tmp_path: Path) -> None:
    path = tmp_path / "mosaic_4x4_of_64x48.yuv"
    path.write_bytes(bytes(64 * 48 * 3 // 2 * 2))
    with open_clip(path) as clip:
        assert str(clip.geometry.luma) == "64x48"


def test_a_name_as_long_as_names_may_be_has_no_side_car(tmp_path: Path) -> None:
    path = tmp_path / f"{'a' * 240}_8x6_420.yuv"
    path.write_bytes(bytes(72))
    with open_clip(path) as clip:
        assert len(clip) == 1


@pytest.mark.parametrize(
    "name", ["", "a" * 5000, f"{'a' * 300}.yuv", "a\0b.yuv", "line\nend.yuv", "\x1b[31m.yuv", "\udcff.yuv"]
)
def test_names_that_no_file_has_are_refused_in_one_printable_line(name: str) -> None:
    with pytest.raises(ClipError) as refused:
        open_clip(name)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ({"size": (8, 6, 1)}, r"size \(8, 6, 1\): give it as WxH"),
        ({"size": (8.0, 6.0)}, "give it as WxH"),
        ({"size": 8}, "size 8: give it as WxH"),
        ({"size": "8x6", "stride": "8"}, "stride '8': give a whole number"),
        ({"size": "8x6", "plane_padding": 1.5}, "plane_padding 1.5: give a whole number"),
        ({"size": "8x6", "bit_depth": 8.5}, "bits 8.5: give a whole number"),
        ({"size": "8x6", "pixel_format": 420}, "unknown pixel format 420"),
        ({"size": "8x6", "frames": (0, 1)}, "give A:B"),
        ({"size": "8x6", "frames": slice(0, "1")}, "frames '1': give a whole number"),
    ],
)
def test_keywords_of_the_wrong_type_are_refused(tmp_path: Path, keywords: dict[str, Any], expected: str) -> None:
    path = tmp_path / "clip.yuv"
    path.write_bytes(bytes(72))
    with pytest.raises(UsageError, match=expected):
        open_clip(path, **keywords)


def test_whole_numbers_of_numpy_are_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "clip.yuv"
    path.write_bytes(bytes(72))
    height, width = np.zeros((6, 8)).shape
    size: Any = (np.int64(width), np.int64(height))
    with open_clip(path, size=size, bit_depth=int(np.uint8(8))) as clip:
        assert (clip.width, clip.height) == (8, 6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"format": "yuv420p10le", "bits": 8}', "bits 8 contradicts the format, whose name says 10"),
        ("{", "not a side-car"),
        ("[]", "not a JSON object"),
        ('{"width": 8}', "unknown key 'width': known are size"),
        ('{"bits": "8"}', "bits is '8': expected a whole number"),
        ('{"bits": true}', "bits is True"),
        ('{"size": "8"}', "size '8': give it as WxH"),
        ('{"endian": "le"}', "endian 'le': one of little, big"),
        ('{"bits": 7}', "bit depth 7"),
        ("[" * 100000, "not a side-car"),
    ],
)
def test_wrong_side_cars(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "clip_8x6.yuv"
    path.write_bytes(bytes(72))
    (tmp_path / "clip_8x6.yuv.json").write_text(text)
    with pytest.raises(ClipError, match=expected) as refused:
        open_clip(path)
    assert "\n" not in str(refused.value)


def test_refusals(tmp_path: Path) -> None:
    empty = tmp_path / "clip_8x6.yuv"
    empty.write_bytes(b"")
    with pytest.raises(ClipError, match=r"is empty \(0 bytes\)"):
        open_clip(empty)
    packed = tmp_path / "clip_8x6_v210.yuv"
    packed.write_bytes(bytes(72))
    with pytest.raises(ClipError, match="its name says v210, a packed format"):
        open_clip(packed)
    with open_clip(packed, pixel_format="420", bit_depth=8) as clip:
        assert len(clip) == 1
    with pytest.raises(ClipError, match="No such file"):
        open_clip(tmp_path / "none.yuv")
    with pytest.raises(UsageError, match="bits 8 contradicts the format"):
        open_clip(packed, pixel_format="yuv420p10le", bit_depth=8)
    with pytest.raises(UsageError, match="--images does not apply to a raw file"):
        open_clip(packed, pixel_format="420", images="rgb")


def write_frames(path: Path, frames: Sequence[NDArray[Any]]) -> Path:
    path.write_bytes(b"".join(frame.tobytes() for frame in frames))
    return path


@pytest.mark.parametrize("noisy", [False, True])
def test_wrong_endian_is_detected(tmp_path: Path, noisy: bool) -> None:
    frames = [noise_words(96 * 64, 10, t) if noisy else smooth_words(96, 64, 10, t) for t in range(3)]
    path = write_frames(tmp_path / "a_96x64_400_10bit.yuv", [frame.astype(">u2") for frame in frames])
    with open_clip(path) as clip:
        assert any("big-endian" in warning and "--endian big" in warning for warning in clip.warnings)
        assert clip.frame(0).planes[0].astype(">u2").tobytes() == frames[0].astype("<u2").tobytes()
    with open_clip(path, endian="big") as clip:
        assert clip.warnings == []


def test_wrong_endian_at_16_bits_shows_in_smoothness(tmp_path: Path) -> None:
    frames = [smooth_words(96, 64, 16, t).astype(">u2") for t in range(3)]
    path = write_frames(tmp_path / "a_96x64_400_16bit.yuv", frames)
    with open_clip(path) as clip:
        assert any("--endian big" in warning for warning in clip.warnings)
    with open_clip(path, endian="big") as clip:
        assert clip.warnings == []


def test_msb_alignment_is_detected(tmp_path: Path) -> None:
    frames = [smooth_words(96, 64, 10, t) << np.uint16(6) for t in range(3)]
    path = write_frames(tmp_path / "a_96x64_400_10bit.yuv", frames)
    with open_clip(path) as clip:
        assert any("MSB-aligned (P010); --align msb" in warning for warning in clip.warnings)
    with open_clip(path, align="msb") as clip:
        assert (clip.frame(1).planes[0] == smooth_words(96, 64, 10, 1)).all()
        assert all("it looks" not in warning for warning in clip.warnings)


def test_wrong_depth_is_detected(tmp_path: Path) -> None:
    deep = write_frames(tmp_path / "a_96x64_400_10bit.yuv", [noise_words(96 * 64, 12, t) for t in range(3)])
    with open_clip(deep) as clip:
        assert any("12 bits are needed" in warning for warning in clip.warnings)
    narrow = [smooth_words(192, 64, 8, t).astype(np.uint8) for t in range(4)]
    read_wide = write_frames(tmp_path / "b_192x64_400_10bit.yuv", narrow)
    with open_clip(read_wide) as clip:
        assert any("it looks like 8-bit samples" in warning for warning in clip.warnings)
    wide = [noise_words(96 * 64, 10, t) for t in range(4)]
    read_narrow = write_frames(tmp_path / "c_96x64_400_8bit.yuv", wide)
    with open_clip(read_narrow) as clip:
        assert any("--bits 10 --endian little" in warning for warning in clip.warnings)
    full = write_frames(tmp_path / "d_96x64_400_16bit.yuv", [noise_words(96 * 64, 10, t) for t in range(3)])
    with open_clip(full) as clip:
        assert any("it looks like 10-bit" in warning for warning in clip.warnings)


def test_8_bit_samples_shifted_up_to_16_bits_are_not_taken_for_anything_else(tmp_path: Path) -> None:
    frames = [(smooth_words(96, 64, 8, t) << np.uint16(8)).astype("<u2") for t in range(3)]
    with open_clip(write_frames(tmp_path / "a_96x64_400_16bit.yuv", frames)) as clip:
        assert clip.warnings == []


def test_p010_read_as_16_bits_is_detected(tmp_path: Path) -> None:
    frames = [(noise_words(96 * 64, 10, t) << np.uint16(6)).astype("<u2") for t in range(3)]
    with open_clip(write_frames(tmp_path / "a_96x64_400_16bit.yuv", frames)) as clip:
        assert any("MSB-aligned 10-bit (P010)" in warning for warning in clip.warnings)


@pytest.mark.parametrize("bits", [8, 10, 12, 16])
@pytest.mark.parametrize("kind", ["noise", "smooth", "dark", "black"])
def test_right_files_raise_no_warning(tmp_path: Path, bits: int, kind: str) -> None:
    kinds: dict[str, Callable[[int], NDArray[np.uint16]]] = {
        "noise": lambda t: noise_words(96 * 64, bits, t),
        "smooth": lambda t: smooth_words(96, 64, bits, t),
        "dark": lambda t: noise_words(96 * 64, bits - 3, t),
        "black": lambda t: np.full(96 * 64, t % 2, np.uint16),
    }
    kept = [kinds[kind](t).astype("u1" if bits == 8 else "<u2") for t in range(5)]
    with open_clip(write_frames(tmp_path / f"a_96x64_400_{bits}bit.yuv", kept)) as clip:
        assert clip.warnings == []


def test_duplicate_frames_are_detected(tmp_path: Path) -> None:
    source = random.Random(4)
    held = [frame for _ in range(5) for frame in [np.frombuffer(source.randbytes(96 * 64), np.uint8)] * 4]
    with open_clip(write_frames(tmp_path / "a_96x64_400_8bit.yuv", held)) as clip:
        assert any("mostly duplicate frames" in warning for warning in clip.warnings)
    changing = [np.frombuffer(source.randbytes(96 * 64), np.uint8) for _ in range(20)]
    with open_clip(write_frames(tmp_path / "b_96x64_400_8bit.yuv", changing)) as clip:
        assert clip.warnings == []


def test_a_sparse_file_of_100_gb_opens_at_once(tmp_path: Path) -> None:
    path = tmp_path / "big_1920x1080_420_8bit.yuv"
    frames = 34560
    try:
        with path.open("wb") as file:
            file.truncate(3110400 * frames)
    except OSError as error:
        pytest.skip(f"this file system has no sparse files of 100 GB: {error}")
    with open_clip(path) as clip:
        assert len(clip) == frames
        assert clip.frame_offset(10000) == 3110400 * 10000
        assert not clip.frame(frames - 1).planes[0].any()


def test_a_raw_file_that_shrinks_is_an_error(tmp_path: Path) -> None:
    path = write_frames(
        tmp_path / "a_96x64_400_8bit.yuv", [noise_words(96 * 64, 8, t).astype(np.uint8) for t in range(9)]
    )
    with open_clip(path) as clip:
        with path.open("r+b") as file:
            file.truncate(96 * 64 + 5)
        with pytest.raises(ClipError, match="became shorter than the 55296 bytes"):
            clip.frame(5)
        clip.frame(0)
