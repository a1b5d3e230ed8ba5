"""What the name of a raw file says: the conventions of the field, read with care, since dates look like sizes.

Every fact found here is checked against the file's size by the reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from motion_tui.clips.layout import Align, Endian, Order
from motion_tui.clips.pixel_names import ENDS, PACKED, parse_pixel_name
from motion_tui.core.geometry import Extent

_EDGE, _END = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_SIZE = re.compile(rf"(?<![0-9])([0-9]{{1,5}})[x*]([0-9]{{1,5}})(?:{_END}|(?=[pi](?:[0-9]|{_END})))")
_BITS = "(8|9|10|12|14|16)"
_SIZE_RATE_DEPTH = re.compile(rf"[0-9]{{1,5}}[x*][0-9]{{1,5}}_[0-9]{{1,3}}(?:\.[0-9]+)?(?:hz|fps)?_{_BITS}b?{_END}")
_NAMED_SIZES = {
    "sqcif": Extent(128, 96),
    "qcif": Extent(176, 144),
    "cif": Extent(352, 288),
    "4cif": Extent(704, 576),
    "16cif": Extent(1408, 1152),
    "qvga": Extent(320, 240),
    "vga": Extent(640, 480),
    "720p": Extent(1280, 720),
    "hd": Extent(1920, 1080),
    "1080p": Extent(1920, 1080),
    "1080i": Extent(1920, 1080),
    "uhd": Extent(3840, 2160),
    "2160p": Extent(3840, 2160),
    "4320p": Extent(7680, 4320),
}
_NAMED = re.compile(
    rf"{_EDGE}(sqcif|qcif|cif|4cif|16cif|qvga|vga|hd|uhd|(?:720|1080|2160|4320)p|1080i)[0-9]{{0,3}}{_END}"
)
_PIXEL_NAME = re.compile(
    rf"(?<![a-z])((?:yuv[aj]?|(?<![0-9]))4[0-4][0-4]p(?:8|9|10|12|14|16)(?:le|be)?"
    rf"|(?:yuv[aj]?4[0-4][0-4]p|gr[ae]y(?:8|9|10|12|14|16)?|p[024]1[026])(?:le|be)?"
    rf"|nv(?:12|21|16|61|24|42)|i4(?:20|22|44)|iyuv|yv(?:12|16|24))(uvi|vui)?{_END}"
)
_PACKED = re.compile(rf"{_EDGE}({'|'.join(PACKED)}){_END}")
_CHROMA = re.compile(rf"{_EDGE}(?:yuv)?(400|420|422|444|440|411|410)p?{_END}")
_DEPTH = re.compile(rf"{_EDGE}(?:{_BITS}[ _-]?bits?(le|be)?|{_BITS}b|{_BITS}(le|be)){_END}")
_ENDIAN = re.compile(rf"{_EDGE}(le|be){_END}")


@dataclass(frozen=True, slots=True)
class NameFacts:
    """What a name says; None or empty is "does not say"."""

    sizes: tuple[Extent, ...] = ()
    """Every size in it, written-out ones (WxH) before named ones (cif, 1080p)."""
    pixel_format: str | None = None
    bits: int | None = None
    endian: Endian | None = None
    order: Order | None = None
    align: Align | None = None
    packed: str | None = None
    """A packed pixel format in the name, which this program doesn't read."""


def parse_name(name: str) -> NameFacts:
    """Return what one name (of a file or a folder, suffix included) says."""
    text = name.lower().replace("×", "x")
    written = [Extent(int(m[1]), int(m[2])) for m in _SIZE.finditer(text)]
    named = [_NAMED_SIZES[m[1]] for m in _NAMED.finditer(text)]
    sizes = tuple(dict.fromkeys(size for size in (*written, *named) if min(size) > 0))
    packed = _PACKED.search(text)
    chroma, bits, endian, order, align = None, None, None, None, None
    if found := _PIXEL_NAME.search(text):
        stored = parse_pixel_name(f"yuv{found[1]}" if found[1].startswith("4") else found[1])
        if stored:
            chroma, bits, endian, align = stored.pixel_format, stored.bits, stored.endian, stored.align
            # "yuv420p" in a name is used for any planar order, so only names that differ from it say one.
            order = stored.order if found[1].startswith(("nv", "yv", "p0", "p2", "p4")) else None
            interleaved: dict[str, Order] = {"uvi": "nv12", "vui": "nv21"}
            order = interleaved.get(found[2] or "", order)
            if "yuv" in found[1] and stored.bits == 8 and not found[1].endswith("8"):
                bits = None
    elif found := _CHROMA.search(text):
        chroma = found[1]
    if found := _DEPTH.search(text):
        bits = int(found[1] or found[3] or found[4])
        endian = ENDS.get(found[2] or found[5] or "", endian)
    elif bits is None and (found := _SIZE_RATE_DEPTH.search(text)):
        bits = int(found[1])
    if endian is None and (found := _ENDIAN.search(text)):
        endian = ENDS[found[1]]
    return NameFacts(sizes, chroma, bits, endian, order, align, packed[1] if packed else None)


def parse_path(path: Path) -> tuple[NameFacts, str]:
    """Return what a path says and where: its file name, or its folder where the name has no size but the folder has.

    A folder without a size is not read at all, since folders are named for many things.
    """
    facts = parse_name(path.name)
    folder = parse_name(path.absolute().parent.name)
    if facts.sizes or not folder.sizes:
        return facts, "file name"
    merged = NameFacts(
        folder.sizes,
        facts.pixel_format or folder.pixel_format,
        facts.bits or folder.bits,
        facts.endian or folder.endian,
        facts.order or folder.order,
        facts.align or folder.align,
        facts.packed or folder.packed,
    )
    return merged, "folder name"
