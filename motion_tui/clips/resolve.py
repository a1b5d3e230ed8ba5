"""Where each fact of a raw file's geometry comes from: flags, side-car, name, in this order of rank."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motion_tui.clips.file_names import parse_path
from motion_tui.clips.layout import ALIGNS, CHROMA_ROWS, ENDIANS, ORDERS, FrameLayout
from motion_tui.clips.pixel_names import StoredFormat
from motion_tui.clips.request import Request, choice, parse_format, parse_size
from motion_tui.clips.sidecar import read_sidecar, sidecar_path
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.geometry import Extent, Geometry


@dataclass(frozen=True, slots=True)
class Facts:
    """What one source says, by flag name."""

    source: str
    values: dict[str, Any]


def given_facts(request: Request) -> list[Facts]:
    """Return what the user said: explicit flags first, then what the name of the pixel format brings with it."""
    flags = {
        "size": request.size,
        "format": request.format.pixel_format if request.format else None,
        "bits": request.bits,
        "endian": request.endian,
        "stride": request.stride,
        "order": request.order,
        "align": request.align,
        "plane_padding": request.plane_padding,
        "chroma_rows": request.chroma_rows,
    }
    values = {key: value for key, value in flags.items() if value is not None}
    return [Facts("", values), *_implied(request.format, values, "--format")]


def _implied(stored: StoredFormat | None, said: dict[str, Any], source: str) -> list[Facts]:
    """Return what the name of a pixel format brings with it; a UsageError where that isn't what is `said` beside it."""
    if stored is None:
        return []
    implied = {key: getattr(stored, key) for key in ("bits", "endian", "order", "align")}
    implied = {key: value for key, value in implied.items() if value is not None}
    for key, value in implied.items():
        if key != "order" and said.get(key, value) != value:
            raise UsageError(f"{key} {said[key]} contradicts the format, whose name says {value}: leave one out")
    return [Facts(source, implied)]


def sidecar_facts(path: Path) -> list[Facts]:
    """Return what the side-car of `path` says."""
    values = read_sidecar(path)
    if not values:
        return []
    source = f"side-car {sidecar_path(path).name}"
    try:
        if "size" in values:
            values["size"] = parse_size(values["size"])
        for key, allowed in (("endian", ENDIANS), ("order", ORDERS), ("align", ALIGNS), ("chroma_rows", CHROMA_ROWS)):
            choice(key, values.get(key), allowed)
        stored = parse_format(values["format"]) if "format" in values else None
        implied = _implied(stored, values, source)
    except UsageError as error:
        raise ClipError(f"{sidecar_path(path)}: {error}") from None
    if stored:
        values["format"] = stored.pixel_format
    return [Facts(source, values), *implied]


def name_facts(path: Path, refuse_packed: bool) -> tuple[Facts, tuple[Extent, ...]]:
    """Return what the name of `path` says, and every size in it; a packed format in it is refused if asked."""
    facts, source = parse_path(path)
    if facts.packed and refuse_packed:
        raise ClipError(
            f"{path}: its name says {facts.packed}, a packed format, and planar ones are read: convert it with "
            f"ffmpeg -pix_fmt to a planar format, or give --format if the name is wrong"
        )
    values = {
        "format": facts.pixel_format,
        "bits": facts.bits,
        "endian": facts.endian,
        "order": facts.order,
        "align": facts.align,
    }
    return Facts(source, {key: value for key, value in values.items() if value is not None}), facts.sizes


ASSUMED = Facts(
    "assumed",
    {"format": "420", "bits": 8, "endian": "little", "order": "i420", "align": "lsb", "plane_padding": 0,
     "chroma_rows": "exact"},
)  # fmt: skip


def resolve(layers: list[Facts], key: str) -> tuple[Any, str]:
    """Return the value of `key` from the first source that has it, and where it came from."""
    for facts in layers:
        if key in facts.values:
            return facts.values[key], facts.source or f"--{key.replace('_', '-')}"
    return None, ""


def build_layout(layers: list[Facts], size: Extent) -> tuple[FrameLayout, dict[str, str]]:
    """Return the layout that `layers` describe at `size`, and the source of each fact worth showing."""
    found = {key: resolve(layers, key) for key in ("format", "bits", "endian", "order", "align", "stride",
                                                   "plane_padding", "chroma_rows")}  # fmt: skip
    value = {key: pair[0] for key, pair in found.items()}
    if value["bits"] == 8:
        value["align"] = "lsb" if found["align"][1] in ("assumed", "file name", "folder name") else value["align"]
    layout = FrameLayout(
        Geometry(size.width, size.height, value["format"], value["bits"]),
        value["endian"],
        value["stride"],
        value["order"],
        value["align"],
        value["plane_padding"],
        value["chroma_rows"],
    )
    shown = {key: found[key][1] for key in ("format", "bits")}
    if layout.geometry.bit_depth > 8:
        shown["endian"] = found["endian"][1]
    for key in ("order", "align", "stride", "plane_padding", "chroma_rows"):
        if value[key] != ASSUMED.values.get(key):
            shown[key] = found[key][1]
    return layout, shown


def layout_warnings(layout: FrameLayout, sources: dict[str, str]) -> list[str]:
    """Return what a layout does to stored words before they are samples: never silently."""
    warnings = []
    if layout.align == "msb":
        warnings.append(
            f"samples are MSB-aligned by {sources['align']}: each word is shifted right by "
            f"{16 - layout.geometry.bit_depth} on reading; --align lsb reads the words as they are"
        )
    if layout.chroma_rows == "byte-rounded":
        warnings.append(
            "chroma rows are byte-rounded: the last sample of each chroma row of odd width lacks its high byte and is "
            "read as its low byte alone; luma is whole"
        )
    return warnings
