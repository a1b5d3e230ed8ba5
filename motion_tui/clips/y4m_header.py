"""The stream header of Y4M: its tags, and what the colour tag says about the frames."""

from __future__ import annotations

import re
from dataclasses import dataclass

from motion_tui.clips.pixel_names import StoredFormat
from motion_tui.clips.request import LARGEST_SIDE
from motion_tui.core.errors import ClipError
from motion_tui.core.geometry import Extent

MAGIC = b"YUV4MPEG2"
LARGEST_HEADER = 65536
_SITED = {"420jpeg": "centre", "420mpeg2": "left", "420paldv": "top left"}
_DEEP = re.compile(r"(420|422|444|411|410|440)p(8|9|10|11|12|13|14|15|16)")
_MONO = re.compile(r"mono(8|9|10|11|12|13|14|15|16)?")
_OLD_COLOUR = re.compile(r"(420|422|444)P(9|10|12|14|16)", re.IGNORECASE)
_INTERLACED = {"t": "top field first", "b": "bottom field first", "m": "mixed, told frame by frame"}


@dataclass(frozen=True, slots=True)
class Y4mHeader:
    """What the stream header says."""

    size: Extent
    format: StoredFormat
    """Pixel format, depth and whether an alpha plane follows; Y4M is little-endian."""
    colour_source: str
    """"C tag", "XYSCSS tag", or "default (no C tag)"."""
    siting: str
    length: int
    """Bytes, line end included: the first frame begins here."""
    warnings: tuple[str, ...]


def parse_colour(text: str) -> tuple[StoredFormat, str] | None:
    """Return what a colour tag's whole word says (format, chroma siting), or None where it isn't known."""
    if text in _SITED:
        return StoredFormat("420", 8), f"{_SITED[text]} (C{text})"
    if text in ("420", "422", "444", "411", "410", "440"):
        return StoredFormat(text, 8), "not said"
    if text == "444alpha":
        return StoredFormat("444", 8, alpha=True), "not said"
    if found := _MONO.fullmatch(text):
        return StoredFormat("400", int(found[1] or 8)), "no chroma"
    if found := _DEEP.fullmatch(text):
        return StoredFormat(found[1], int(found[2])), "not said"
    return None


def shown(data: bytes) -> str:
    """Return bytes of a file as one printable line, cut to a readable length."""
    text = data[:40].decode("latin-1").encode("unicode_escape").decode("ascii")
    return f"'{text}{'...' if len(data) > 40 else ''}'"


def tag_bytes(letter: str, value: str = "") -> bytes:
    """Return a tag as the file has it."""
    return (letter + value).encode("latin-1")


def parse_header(data: bytes, name: str) -> Y4mHeader:
    """Parse the stream header at the start of `data` (up to 64 KiB of file `name`)."""
    if not data.startswith(MAGIC):
        raise ClipError(f"{name}: byte 0 is {shown(data[:12])}, not YUV4MPEG2: {_magic_advice(data)}")
    end = data.find(b"\n", 0, LARGEST_HEADER)
    if end < 0:
        reason = f"within {LARGEST_HEADER} bytes" if len(data) >= LARGEST_HEADER else "before the file ends"
        raise ClipError(f"{name}: the Y4M header has no line end {reason}: not a Y4M file, or cut off; write it again")
    line = data[len(MAGIC) : end]
    warnings = []
    if line.endswith(b"\r"):
        line = line[:-1]
        warnings.append("the header ends in CR LF: the file went through a text conversion, its samples may be damaged")
    if line and line[:1] not in (b" ", b"\t"):
        raise ClipError(f"{name}: byte {len(MAGIC)} is {shown(line[:4])}, not a space after YUV4MPEG2: write it again")
    tags = _split_tags(line, name, warnings)
    size = Extent(_side(tags, "W", name), _side(tags, "H", name))
    stored, siting, source = _colour(tags, name, warnings)
    interlace = tags.get("I", "p")
    if interlace in _INTERLACED:
        warnings.append(
            f"interlaced (I{interlace}: {_INTERLACED[interlace]}): motion compares whole frames all the same"
        )
    elif interlace not in ("p", "?", ""):
        warnings.append(f"tag {shown(tag_bytes('I', interlace))} is not known: frames are read as progressive")
    if stored.alpha:
        warnings.append("the alpha plane (C444alpha) is skipped")
    return Y4mHeader(size, stored, source, siting, end + 1, tuple(warnings))


def _magic_advice(data: bytes) -> str:
    if data.startswith(b"YUV4MPEG "):
        return "this is version 1 of the format; convert it to YUV4MPEG2 with ffmpeg"
    if data.startswith(b"\xef\xbb\xbf"):
        return "it begins with a UTF-8 byte order mark (EF BB BF); remove these three bytes"
    if data[:1] in (b" ", b"\t", b"\r", b"\n"):
        return "there is white space before the magic; remove it"
    return "rename it if it is raw (.yuv) or a video, or write it again"


def _split_tags(line: bytes, name: str, warnings: list[str]) -> dict[str, str]:
    """Return the tags by letter (X tags by their keyword, "XYSCSS"); of a repeated one the last."""
    tags: dict[str, str] = {}
    for word in line.split():
        text = word.decode("latin-1")
        letter, value = text[0], text[1:]
        if letter == "X":
            letter, _, value = text.partition("=")
        if letter in tags and tags[letter] != value:
            if letter in "WHC":
                raise ClipError(
                    f"{name}: tag {letter} is there twice ({shown(tag_bytes(letter, tags[letter]))}, "
                    f"{shown(tag_bytes(letter, value))}): correct the header"
                )
            warnings.append(f"header tag {shown(tag_bytes(letter))} is there twice: the last one counts")
        tags[letter] = value
    return tags


def _side(tags: dict[str, str], tag: str, name: str) -> int:
    value = tags.get(tag)
    if value is None:
        raise ClipError(f"{name}: the header has no {tag} tag ({'width' if tag == 'W' else 'height'}): write it again")
    if not re.fullmatch(r"[0-9]{1,6}", value) or not 1 <= int(value) <= LARGEST_SIDE:
        raise ClipError(
            f"{name}: tag {shown(tag_bytes(tag, value))}: expected a number from 1 to {LARGEST_SIDE}; "
            "correct the header"
        )
    return int(value)


def _colour(tags: dict[str, str], name: str, warnings: list[str]) -> tuple[StoredFormat, str, str]:
    """Return format, siting, and where they come from."""
    old = tags.get("XYSCSS", "")
    found = _OLD_COLOUR.fullmatch(old)
    if "C" not in tags:
        if found:
            warnings.append(f"no C tag: format and depth are taken from XYSCSS={old}")
            return StoredFormat(found[1], int(found[2])), "not said", "XYSCSS tag"
        warnings.append("no C tag: 4:2:0 with 8 bits, the format's default, is assumed")
        return StoredFormat("420", 8), "not said", "default (no C tag)"
    colour = tags["C"]
    parsed = parse_colour(colour)
    if parsed is None:
        raise ClipError(
            f"{name}: colour tag {shown(tag_bytes('C', colour))} is not known: expected 420, 420jpeg, "
            "420mpeg2, 420paldv, 422, 444, 411, 410, 440, 444alpha, mono, these with p8 to p16, or mono8 to mono16; "
            "convert it, or correct the tag"
        )
    stored, siting = parsed
    if found and (found[1], int(found[2])) != (stored.pixel_format, stored.bits):
        warnings.append(f"tags C{colour} and XYSCSS={old} disagree: C counts")
    return stored, siting, "C tag"
