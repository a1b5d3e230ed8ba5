"""Images as frames: a pair or a sequence of PNG, TIFF or PGM files, 8 or 16 bits, each decoded when it is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motion_tui.clips.base import Clip
from motion_tui.clips.image_files import SUFFIXES, Header, decode, read_header
from motion_tui.clips.request import Images, Request
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import Geometry

RGB_NOTE = "planes 0, 1 and 2 are R, G and B, as asked"
DEPTH_NOTE = "samples are read as {bits}-bit values in 16-bit words, as asked"


class ImageClip(Clip):
    """A sequence of image files of one size and type."""

    container = "images"

    def __init__(self, name: str, paths: Sequence[Path], geometry: Geometry, header: Header, grey: bool) -> None:
        self._paths = list(paths)
        self._header = header
        super().__init__(name, geometry, sources=dict.fromkeys(("size", "format", "bits"), "image header"))
        if not grey:
            self.sources["format"] = "--images rgb"
            self.warnings.append(RGB_NOTE)

    def __len__(self) -> int:
        return len(self._paths)

    def _read(self, index: int) -> tuple[Plane, ...]:
        path = self._paths[index]
        header = read_header(path)
        if header != self._header:
            raise ClipError(
                f"{path}: is {header} and {self._paths[0].name} is {self._header}: all images of a clip must be alike"
            )
        pixels = decode(path, header)
        if header.channels == 1:
            planes: tuple[Plane, ...] = (pixels,)
        else:
            planes = tuple(np.ascontiguousarray(pixels[:, :, channel]) for channel in range(3))
        for plane in planes:
            if int(plane.max()) > self.geometry.peak:
                raise ClipError(
                    f"{path}: has the value {plane.max()}, above the {self.geometry.peak} of {self.bit_depth} bits: "
                    "mend its header, or leave --bits out"
                )
        return planes


def open_image(path: Path, request: Request) -> Clip:
    """Open one image as a clip of one frame."""
    return open_sequence([path], request)


def open_sequence(paths: Sequence[Path], request: Request) -> Clip:
    """Open image files as the frames of a clip, in the order given."""
    request.refuse_others("images", "images", "bits")
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise ClipError(
                f"{path}: not an image that is read here ({', '.join(SUFFIXES)}), and several files are images"
            )
    first = paths[0]
    header = read_header(first)
    for path in dict.fromkeys((paths[min(1, len(paths) - 1)], paths[-1])):
        if (other := read_header(path)) != header:
            raise ClipError(f"{path}: is {other} and {first.name} is {header}: all images of a clip must be alike")
    grey = _channels(first, header, request.images)
    bits = header.bits
    if request.bits is not None and request.bits != bits:
        if bits == 8 or request.bits == 8:
            raise ClipError(f"{first}: --bits {request.bits}: the image has {bits} bits a sample; leave --bits out")
        bits = request.bits
    geometry = Geometry(header.size.width, header.size.height, "400" if grey else "444", bits)
    name = str(first) if len(paths) == 1 else f"{first} ... {paths[-1].name}"
    clip = ImageClip(name, paths, geometry, header, grey)
    if bits != header.bits:
        clip.sources["bits"] = "--bits"
        clip.warnings.append(DEPTH_NOTE.format(bits=bits))
    return clip


def open_folder(path: Path, request: Request) -> Clip:
    """Open the images of a folder in the order of their names, numbers in them by value."""
    found = [item for item in _entries(path) if item.suffix.lower() in SUFFIXES]
    if not found:
        raise ClipError(f"{path}: is a folder without images ({', '.join(SUFFIXES)}): name a clip")
    suffixes = sorted({item.suffix.lower() for item in found})
    if len(suffixes) > 1:
        raise ClipError(
            f"{path}: holds images of several kinds ({', '.join(suffixes)}): name them by pattern, img%04d.png"
        )
    return open_sequence(found, request)


def open_pattern(pattern: Path, request: Request) -> Clip:
    """Open the images of a pattern such as `img%04d.png`, from the lowest number to the highest without a gap."""
    field = re.search(r"%(0?)(\d{0,2})d", pattern.name)
    if field is None or pattern.name.count("%") != 1:
        raise ClipError(f"{pattern}: not a pattern: write one %d or %04d for the number")
    width = int(field[2] or 1)
    before, after = pattern.name[: field.start()], pattern.name[field.end() :]
    numbers = {}
    for item in _entries(pattern.parent):
        found = re.fullmatch(rf"{re.escape(before)}(\d{{{width},18}}){re.escape(after)}", item.name, re.ASCII)
        if found and (len(found[1]) == width or not found[1].startswith("0")):
            numbers[int(found[1])] = item
    if not numbers:
        raise ClipError(f"{pattern}: no file matches the pattern; check the folder and the number of digits")
    for number in range(min(numbers), min(numbers) + len(numbers)):
        if number not in numbers:
            raise ClipError(f"{pattern}: number {number} is missing between {min(numbers)} and {max(numbers)}: add it")
    return open_sequence([numbers[number] for number in sorted(numbers)], request)


def _entries(folder: Path) -> list[Path]:
    """Return what a folder holds, in the order of names."""
    try:
        return sorted(folder.iterdir(), key=lambda path: (natural_key(path), path.name))
    except OSError as error:
        raise ClipError(f"{folder}: cannot be listed: {error.strerror}; check the folder") from None


def natural_key(path: Path) -> list[tuple[int, str]]:
    """Return a sort key by which img2 comes before img10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in parts]


def _channels(path: Path, header: Header, images: Images | None) -> bool:
    """Return whether the clip is grey; a ClipError where the image isn't what was asked for."""
    if header.channels == 3 and images != "rgb":
        raise ClipError(f"{path}: is RGB, and making luma of it is a conversion: --images rgb reads its planes R, G, B")
    if header.channels == 1 and images == "rgb":
        raise ClipError(f"{path}: is grey: leave --images rgb out")
    return header.channels == 1
