"""Synthetic clips by URI: `synthetic:FAMILY?size=17x17&format=444&bits=8&frames=6&seed=1`.

The rules are in `families`; here names and values are read, and unknown ones refused with the known ones named.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from motion_tui.clips.base import Clip
from motion_tui.clips.families import FAMILIES, Family
from motion_tui.clips.request import LARGEST_AREA, Request, parse_size
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import PIXEL_FORMATS, Geometry

SCHEME = "synthetic:"
COMMON = {"size": "64x64", "format": "420", "bits": "8", "frames": "6"}
MOST_FRAMES = 1_000_000


class SyntheticClip(Clip):
    """A clip computed from a family's rule."""

    container = "synthetic"

    def __init__(
        self, name: str, geometry: Geometry, family: Family, frames: int, parameters: Mapping[str, int]
    ) -> None:
        super().__init__(name, geometry, sources=dict.fromkeys(("size", "format", "bits"), "clip name"))
        self._family = family
        self._frames = frames
        self._parameters = dict(parameters)

    def __len__(self) -> int:
        return self._frames

    def _read(self, index: int) -> tuple[Plane, ...]:
        planes = range(len(self.geometry.plane_names))
        return tuple(self._family.rule(self._parameters, self.geometry, plane, index) for plane in planes)


def open_synthetic(name: str, request: Request | None = None) -> SyntheticClip:
    """Open `synthetic:FAMILY?key=value&...`."""
    if request is not None:
        request.refuse_others("a synthetic clip, whose name says everything")
    family_name, _, query = name.removeprefix(SCHEME).partition("?")
    family = FAMILIES.get(family_name)
    if family is None:
        raise ClipError(f"{name}: unknown family '{family_name}'{_known(family_name, [*FAMILIES])}")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=32)
    except ValueError as error:
        raise ClipError(f"{name}: {error}: write key=value pairs joined by & after the question mark") from None
    values: dict[str, str] = {}
    for key, value in pairs:
        if key not in COMMON and key not in family.parameters:
            raise ClipError(f"{name}: unknown key '{key}'{_known(key, [*COMMON, *family.parameters])}")
        if key in values:
            raise ClipError(f"{name}: {key} is given twice: give it once")
        values[key] = value
    values = COMMON | values
    parameters = {
        key: _whole(name, key, values[key], row.low, row.high) if key in values else row.default
        for key, row in family.parameters.items()
    }
    frames = _whole(name, "frames", values["frames"], 1, MOST_FRAMES)
    return SyntheticClip(name, _geometry(name, values), family, frames, parameters)


def _geometry(name: str, values: Mapping[str, str]) -> Geometry:
    if values["format"] not in PIXEL_FORMATS:
        raise ClipError(f"{name}: format={values['format']}{_known(values['format'], [*PIXEL_FORMATS])}")
    try:
        size = parse_size(values["size"])
    except UsageError as error:
        raise ClipError(f"{name}: {error}") from None
    if size.area > LARGEST_AREA:
        raise ClipError(
            f"{name}: size={size}: {size.area} samples a frame; {LARGEST_AREA} is the most: use a smaller one"
        )
    return Geometry(size.width, size.height, values["format"], _whole(name, "bits", values["bits"], 8, 16))


def _whole(name: str, key: str, text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise ClipError(f"{name}: {key}={text}: expected a whole number from {low} to {high}")
    return int(text)


def _known(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f": {f'did you mean {near[0]}? ' if near else ''}known are {', '.join(known)}"
