"""FFmpeg's names of planar pixel formats, and what each says about how samples are stored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from motion_tui.clips.layout import Align, Endian, Order
from motion_tui.core.geometry import PIXEL_FORMATS


@dataclass(frozen=True, slots=True)
class StoredFormat:
    """What a pixel format's name says; None is "does not say"."""

    pixel_format: str
    bits: int | None = None
    endian: Endian | None = None
    order: Order | None = None
    align: Align | None = None
    alpha: bool = False


_PLANAR = re.compile(r"yuv(?P<alpha>a?)j?(?P<chroma>4[0-4][0-4])p(?P<bits>8|9|10|12|14|16)?(?P<end>le|be)?")
_GREY = re.compile(r"gr[ae]y(?P<bits>8|9|10|12|14|16)?(?P<end>le|be)?")
_WORDS = re.compile(r"p(?P<chroma>0|2|4)(?P<bits>10|12|16)(?P<end>le|be)?")
_CHROMA = {"0": "420", "2": "422", "4": "444"}
ENDS: dict[str, Endian] = {"le": "little", "be": "big"}
_ORDERS: dict[str, tuple[str, Order]] = {
    "nv12": ("420", "nv12"),
    "nv21": ("420", "nv21"),
    "nv16": ("422", "nv12"),
    "nv61": ("422", "nv21"),
    "nv24": ("444", "nv12"),
    "nv42": ("444", "nv21"),
    "i420": ("420", "i420"),
    "iyuv": ("420", "i420"),
    "yv12": ("420", "yv12"),
    "yv16": ("422", "yv12"),
    "yv24": ("444", "yv12"),
    "i422": ("422", "i420"),
    "i444": ("444", "i420"),
}
PACKED = (
    "v210",
    "v410",
    "y210",
    "y212",
    "yuyv",
    "yuyv422",
    "uyvy",
    "uyvy422",
    "yvyu422",
    "ayuv",
    "xv30",
    "xv36",
    "rgb24",
    "bgr24",
    "rgba",
    "bgra",
    "rgb48",
    "rgb48le",
)
"""Formats in use that are not planar: they are refused by name."""


def parse_pixel_name(name: str) -> StoredFormat | None:
    """Return what FFmpeg's `name` says, or None where it isn't a planar YUV or grey format of 8 to 16 bits."""
    name = name.lower()
    if name in _ORDERS:
        chroma, order = _ORDERS[name]
        return StoredFormat(chroma, 8, order=order, align="lsb")
    if found := _PLANAR.fullmatch(name):
        if found["chroma"] not in PIXEL_FORMATS:
            return None
        return StoredFormat(
            found["chroma"],
            int(found["bits"] or 8),
            ENDS.get(found["end"] or ""),
            "i420",
            "lsb",
            alpha=bool(found["alpha"]),
        )
    if found := _GREY.fullmatch(name):
        return StoredFormat("400", int(found["bits"] or 8), ENDS.get(found["end"] or ""), align="lsb")
    if found := _WORDS.fullmatch(name):
        bits = int(found["bits"])
        return StoredFormat(
            _CHROMA[found["chroma"]],
            bits,
            ENDS.get(found["end"] or ""),
            "nv12",
            "msb" if bits < 16 else "lsb",
        )
    return None
