"""One image file: what its header says, and its pixels with nothing converted.

Size and type are taken from the header before anything is decoded, so that a small file that unpacks to gigabytes is
refused, and so is what a library would convert on the way (palettes, 16-bit RGB PNG, odd PGM ranges).
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.clips.pgm import read_pgm_header
from motion_tui.clips.request import LARGEST_AREA, LARGEST_SIDE
from motion_tui.clips.stored import ClipFile
from motion_tui.core.errors import ClipError
from motion_tui.core.geometry import Extent

SUFFIXES = (".png", ".tif", ".tiff", ".pgm")
_SILENT = logging.NullHandler()
"""Keeps tifffile's log off stderr: what it means for the image is said by a ClipError."""
PNG_KINDS = {0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGB with alpha"}


@dataclass(frozen=True, slots=True)
class Header:
    """What an image's header says: enough to know whether and how it is read."""

    size: Extent
    bits: int
    channels: int
    """1 for grey, 3 for RGB."""
    plugin: str = field(default="", compare=False)
    """What imageio decodes it with."""

    def __str__(self) -> str:
        return f"{self.size} {'grey' if self.channels == 1 else 'RGB'} {self.bits}-bit"


def read_header(path: Path) -> Header:
    """Return an image's header without decoding it; a ClipError names what can't be read unconverted."""
    with ClipFile(path) as file:
        header = {".png": _png_header, ".pgm": _pgm_header}.get(path.suffix.lower(), _tiff_header)(file)
    if min(header.size) < 1:
        raise ClipError(f"{path}: {header.size} pixels in its header: there is no picture; write it again")
    if max(header.size) > LARGEST_SIDE or header.size.area > LARGEST_AREA:
        raise ClipError(f"{path}: {header.size} pixels: more than {LARGEST_AREA}, not decoded; use a smaller image")
    return header


def _png_header(file: ClipFile) -> Header:
    path, head = file.path, file.read(0, 33).tobytes()
    if len(head) < 33 or head[:8] != b"\x89PNG\r\n\x1a\n" or head[12:16] != b"IHDR":
        raise ClipError(f"{path}: byte 0: not a PNG signature and IHDR: not a PNG file, or cut off; write it again")
    width, height = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    bits, kind = head[24], head[25]
    if bits not in (8, 16) or kind not in (0, 2) or (kind == 2 and bits == 16):
        raise ClipError(
            f"{path}: is {bits}-bit {PNG_KINDS.get(kind, f'colour type {kind}')} PNG, and 8 or 16-bit grey or 8-bit "
            "RGB is read unconverted; save it as one of these (16-bit RGB as TIFF)"
        )
    return Header(Extent(width, height), bits, 1 if kind == 0 else 3, "pillow")


def _pgm_header(file: ClipFile) -> Header:
    header = read_pgm_header(file)
    return Header(header.size, header.bits, 1)


def _tiff_header(file: ClipFile) -> Header:
    import tifffile

    path = file.path
    logging.getLogger("tifffile").addHandler(_SILENT)
    try:
        with tifffile.TiffFile(path) as tiff:
            count, page = len(tiff.pages), tiff.pages[0]
            plugin = "pillow" if page.compression == tifffile.COMPRESSION.LZW else "tifffile"
            facts = (int(page.photometric), page.samplesperpixel, page.bitspersample, int(page.sampleformat))
            size, planar, extra = (
                Extent(page.imagewidth, page.imagelength),
                int(page.planarconfig),
                len(page.extrasamples),
            )
    except Exception as error:
        # tifffile raises whatever its parsing meets on a damaged file.
        raise ClipError(f"{path}: not a TIFF that can be read: {_line(error)}; write it again") from None
    if count != 1:
        raise ClipError(f"{path}: holds {count} pages: save one image a file")
    if facts not in ((1, 1, 8, 1), (1, 1, 16, 1), (2, 3, 8, 1), (2, 3, 16, 1)) or planar != 1 or extra:
        photometric, samples, bits, form = facts
        raise ClipError(
            f"{path}: photometric {photometric}, {samples} samples of {bits} bits, format {form}: "
            "black-is-zero grey or RGB of 8 or 16 unsigned bits is read unconverted; save it as one of these"
        )
    return Header(size, facts[2], facts[1], plugin)


def decode(path: Path, header: Header) -> NDArray[Any]:
    """Return an image's pixels (rows, columns) or (rows, columns, 3), uint8 or uint16, as the file holds them."""
    if not header.plugin:
        return _decode_pgm(path)
    import imageio.v3 as iio

    read: Callable[..., NDArray[Any]] = iio.imread
    try:
        with warnings.catch_warnings():
            # Pillow warns of large images; ours were bounded above.
            warnings.simplefilter("ignore")
            pixels = read(path, plugin=header.plugin)
    except Exception as error:
        # Pillow and tifffile raise whatever their codecs meet on a damaged file.
        raise ClipError(f"{path}: its pixels cannot be decoded: {_line(error)}; write it again") from None
    shape = (header.size.height, header.size.width, 3)[: 2 if header.channels == 1 else 3]
    expected = np.dtype(np.uint8 if header.bits == 8 else np.uint16)
    if pixels.shape != shape or pixels.dtype.newbyteorder("=") != expected:
        raise ClipError(
            f"{path}: decodes to {pixels.dtype} {pixels.shape}, not the {expected} {shape} of its header: save it anew"
        )
    return np.ascontiguousarray(pixels, expected)


def _decode_pgm(path: Path) -> NDArray[Any]:
    with ClipFile(path) as file:
        header = read_pgm_header(file)
        return header.layout.decode(file.read_exactly(header.length, header.layout.frame_bytes))[0]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160] or type(error).__name__
