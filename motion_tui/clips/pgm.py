"""PGM (P5): read here, since image libraries stretch samples whose largest value isn't 255 or 65535."""

from __future__ import annotations

import re
from dataclasses import dataclass

from motion_tui.clips.layout import FrameLayout
from motion_tui.clips.request import LARGEST_SIDE
from motion_tui.clips.stored import ClipFile
from motion_tui.core.errors import ClipError
from motion_tui.core.geometry import Extent, Geometry

LONGEST = 4096
_TOKEN = re.compile(rb"(?:\s|#[^\n\r]*[\n\r])+([0-9]{1,7})(?=[\s#])")


@dataclass(frozen=True, slots=True)
class PgmHeader:
    """Size and depth, and where the samples begin."""

    size: Extent
    bits: int
    length: int

    @property
    def layout(self) -> FrameLayout:
        """Samples are big-endian above 8 bits."""
        return FrameLayout(Geometry(self.size.width, self.size.height, "400", self.bits), endian="big")


def read_pgm_header(file: ClipFile) -> PgmHeader:
    """Parse the header of a P5 file; the depth is that of its largest value, which must be all ones."""
    head = file.read(0, LONGEST).tobytes()
    if not head.startswith(b"P5"):
        kind = "a plain-text PGM (P2)" if head.startswith(b"P2") else "not a PGM (P5)"
        raise ClipError(f"{file.path}: byte 0: {kind}: write it as binary PGM")
    numbers, at = [], 2
    for what in ("width", "height", "largest value"):
        found = _TOKEN.match(head, at)
        if not found:
            raise ClipError(f"{file.path}: byte {at}: no {what} in the PGM header; write it again")
        numbers.append(int(found[1]))
        at = found.end()
    width, height, largest = numbers
    if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
        raise ClipError(f"{file.path}: {width}x{height} in the PGM header: sides of 1 to {LARGEST_SIDE} are read")
    bits = largest.bit_length()
    if largest + 1 != 1 << bits or not 8 <= bits <= 16:
        raise ClipError(
            f"{file.path}: largest value {largest}: only 255, 511, 1023 ... 65535 (8 to 16 bits) are read unconverted"
        )
    header = PgmHeader(Extent(width, height), bits, at + 1)
    end = header.length + header.layout.frame_bytes
    if end > file.size:
        raise ClipError(
            f"{file.path}: cut off {end - file.size} bytes before its {header.size} samples end: write it again"
        )
    if file.read(end, LONGEST).tobytes().strip():
        raise ClipError(
            f"{file.path}: byte {end}: {file.size - end} bytes follow the samples: one image a file is read; split it"
        )
    return header
