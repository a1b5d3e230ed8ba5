"""Images as frames: samples exactly as the files hold them, sequences in order, conversions refused."""

from __future__ import annotations

import os
import struct
import warnings
import zlib
from pathlib import Path
from typing import Any

import imageio.v3 as iio
import numpy as np
import pytest
from numpy.typing import NDArray

from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError


def picture(seed: int, bits: int, channels: int = 1, size: tuple[int, int] = (7, 11)) -> NDArray[Any]:
    shape = size if channels == 1 else (*size, channels)
    return np.random.default_rng(seed).integers(0, 1 << bits, shape, dtype=np.uint8 if bits == 8 else np.uint16)


def write_pgm(path: Path, pixels: NDArray[Any], largest: int) -> None:
    header = f"P5\n# made by a test\n{pixels.shape[1]} {pixels.shape[0]}\n{largest}\n".encode()
    path.write_bytes(header + pixels.astype(">u2" if largest > 255 else "u1").tobytes())


@pytest.mark.parametrize("suffix", [".png", ".tif", ".pgm"])
@pytest.mark.parametrize("bits", [8, 16])
def test_grey_pairs(tmp_path: Path, suffix: str, bits: int) -> None:
    pictures = [picture(seed, bits) for seed in (1, 2)]
    paths = [tmp_path / f"{name}{suffix}" for name in ("previous", "current")]
    for path, pixels in zip(paths, pictures, strict=True):
        if suffix == ".pgm":
            write_pgm(path, pixels, (1 << bits) - 1)
        else:
            iio.imwrite(path, pixels, plugin="pillow" if suffix == ".png" else "tifffile")
    with open_clip(paths) as clip:
        assert (clip.pixel_format, clip.bit_depth, len(clip), clip.container) == ("400", bits, 2, "images")
        for frame, pixels in zip(clip, pictures, strict=True):
            assert np.array_equal(frame.planes[0], pixels)
            assert frame.planes[0].dtype == pixels.dtype


def test_pgm_of_10_bits_is_not_stretched(tmp_path: Path) -> None:
    pixels = picture(3, 10)
    write_pgm(tmp_path / "a.pgm", pixels, 1023)
    with open_clip(tmp_path / "a.pgm") as clip:
        assert clip.bit_depth == 10
        assert np.array_equal(clip.frame(0).planes[0], pixels)


@pytest.mark.parametrize(("suffix", "bits"), [(".png", 8), (".tif", 8), (".tif", 16)])
def test_rgb_only_on_request(tmp_path: Path, suffix: str, bits: int) -> None:
    pixels = picture(4, bits, 3)
    path = tmp_path / f"a{suffix}"
    iio.imwrite(path, pixels, plugin="pillow" if suffix == ".png" else "tifffile")
    with pytest.raises(ClipError, match="is RGB, and making luma of it is a conversion: --images rgb"):
        open_clip([path, path])
    with open_clip([path, path], images="rgb") as clip:
        assert (clip.pixel_format, clip.sources["format"]) == ("444", "--images rgb")
        for channel, plane in enumerate(clip.frame(1).planes):
            assert np.array_equal(plane, pixels[:, :, channel])
        assert any("R, G and B" in warning for warning in clip.warnings)


def test_10_bits_in_16_bit_words_on_request(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    iio.imwrite(path, picture(5, 10), plugin="pillow")
    with open_clip([path, path], bit_depth=10) as clip:
        assert (clip.bit_depth, clip.sources["bits"]) == (10, "--bits")
        clip.frame(0)
    iio.imwrite(path, picture(5, 12), plugin="pillow")
    with open_clip([path, path], bit_depth=10) as clip, pytest.raises(ClipError, match="above the 1023 of 10 bits"):
        clip.frame(0)
    with pytest.raises(ClipError, match="--bits 8: the image has 16 bits"):
        open_clip([path, path], bit_depth=8)


def test_folders_and_patterns_in_order(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        iio.imwrite(tmp_path / f"img{number}.png", np.full((3, 4), number, np.uint8), plugin="pillow")
    (tmp_path / "notes.txt").write_text("not an image")
    with open_clip(tmp_path) as clip:
        assert [int(frame.planes[0][0, 0]) for frame in clip] == [1, 2, 10]
    with pytest.raises(ClipError, match="number 3 is missing between 1 and 10"):
        open_clip(tmp_path / "img%d.png")
    for number in (7, 8, 9):
        iio.imwrite(tmp_path / f"x{number:04d}.png", np.full((3, 4), number, np.uint8), plugin="pillow")
    with open_clip(str(tmp_path / "x%04d.png")) as clip:
        assert [int(frame.planes[0][0, 0]) for frame in clip] == [7, 8, 9]
    with pytest.raises(ClipError, match="no file matches the pattern"):
        open_clip(tmp_path / "y%04d.png")
    with pytest.raises(ClipError, match="not a pattern"):
        open_clip(tmp_path / "y%s.png")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ClipError, match="is a folder without images"):
        open_clip(tmp_path / "empty")


def test_images_must_be_alike(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.png" for number in range(4)]
    for path in names:
        iio.imwrite(path, picture(1, 8), plugin="pillow")
    iio.imwrite(names[1], picture(1, 16), plugin="pillow")
    with pytest.raises(ClipError, match=r"1\.png: is 11x7 grey 16-bit and 0\.png is 11x7 grey 8-bit"):
        open_clip(names[:2])
    iio.imwrite(names[1], picture(1, 8), plugin="pillow")
    iio.imwrite(names[2], picture(1, 8, size=(7, 12)), plugin="pillow")
    with open_clip(names) as clip, pytest.raises(ClipError, match=r"2\.png: is 12x7 grey 8-bit"):
        clip.frame(2)


def png(width: int, height: int, bits: int, kind: int, data: bytes = b"") -> bytes:
    """A PNG with a header of choice."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)),
        (b"IDAT", zlib.compress(data)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.png", png(4, 4, 8, 3), "8-bit palette PNG"),
        ("a.png", png(4, 4, 8, 6), "8-bit RGB with alpha PNG"),
        ("a.png", png(4, 4, 8, 4), "8-bit grey with alpha PNG"),
        ("a.png", png(4, 4, 16, 2), "16-bit RGB PNG"),
        ("a.png", png(4, 4, 1, 0), "1-bit grey PNG"),
        ("a.png", png(60000, 60000, 8, 0), "more than 134217728, not decoded"),
        ("a.png", png(0, 4, 8, 0), "0x4 pixels in its header"),
        ("a.pgm", b"P5\n2 2\n255\n1234P5\n2 2\n255\n5678", "byte 15: 15 bytes follow the samples: one image"),
        ("a.pgm", b"P5\n2 2 255X1234", "byte 6: no largest value"),
        ("a.png", b"\x89PNG\r\n\x1a\nshort", "byte 0: not a PNG signature"),
        ("a.png", b"", "byte 0: not a PNG signature"),
        ("a.pgm", b"P2\n2 2 255\n1 2 3 4", "a plain-text PGM"),
        ("a.pgm", b"P5\n2 2\n", "byte 6: no largest value"),
        ("a.pgm", b"P5\n2 2 100\n1234", "largest value 100: only 255, 511"),
        ("a.pgm", b"P5\n2 2 255\n123", "cut off 1 bytes before its 2x2 samples end"),
        ("a.tif", b"II*\0", "not a TIFF that can be read"),
        ("a.tiff", b"", "not a TIFF that can be read"),
    ],
)
def test_refusals(tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ClipError, match=expected) as refused:
        open_clip([path, path])
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_damaged_pixels_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(4, 4, 8, 0, bytes(7)))
    with open_clip([path, path]) as clip, pytest.raises(ClipError, match="its pixels cannot be decoded") as refused:
        clip.frame(0)
    assert "\n" not in str(refused.value)


def test_lzw_tiffs_are_read(tmp_path: Path) -> None:
    from PIL import Image

    for bits, channels in ((8, 1), (16, 1), (8, 3)):
        pixels = picture(5, bits, channels)
        Image.fromarray(pixels).save(tmp_path / "a.tif", compression="tiff_lzw")
        with open_clip(tmp_path / "a.tif", images="rgb" if channels == 3 else None) as clip:
            planes = clip.frame(0).planes
            assert np.array_equal(np.dstack(planes).reshape(pixels.shape), pixels)
            assert planes[0].dtype == pixels.dtype


def test_a_folder_with_a_pipe_in_it_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.tif")
    with pytest.raises(ClipError, match="not a regular file"):
        open_clip(tmp_path)


def test_a_folder_that_cannot_be_listed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", denied)
    for source in (tmp_path, tmp_path / "img%04d.png"):
        with pytest.raises(ClipError, match="cannot be listed: Permission denied"):
            open_clip(source)


def test_tiffs_that_would_be_converted(tmp_path: Path) -> None:
    import tifffile

    path = tmp_path / "a.tif"
    for pixels, options, expected in (
        (picture(1, 8), {"photometric": "miniswhite"}, "photometric 0"),
        (picture(1, 8).astype(np.float32), {}, "32 bits, format 3"),
        (np.stack([picture(1, 8)] * 2), {"photometric": "minisblack"}, "holds 2 pages"),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tifffile.imwrite(path, pixels, **options)
        with pytest.raises(ClipError, match=expected):
            open_clip([path, path])
