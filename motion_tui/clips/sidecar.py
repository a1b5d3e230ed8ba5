"""The side-car of a raw file: `NAME.yuv.json`, a JSON object that says what the raw file doesn't.

Keys, all optional, with the values of the flags of the same names: `size` ("352x288"), `format` ("420"), `bits`,
`endian`, `stride`, `order`, `align`, `plane_padding`, `chroma_rows`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from motion_tui.core.errors import ClipError
from motion_tui.core.geometry import Geometry

KEYS = {
    "size": str,
    "format": str,
    "bits": int,
    "endian": str,
    "stride": int,
    "order": str,
    "align": str,
    "plane_padding": int,
    "chroma_rows": str,
}
LARGEST = 65536


def sidecar_path(path: Path) -> Path:
    """Where the side-car of `path` lies."""
    return path.with_name(path.name + ".json")


def read_sidecar(path: Path) -> dict[str, Any]:
    """Return the facts of the side-car of raw file `path`, empty where there is none; unknown keys are refused."""
    beside = sidecar_path(path)
    there = False
    with suppress(OSError):  # a name as long as names may be leaves no room for the side-car's
        there = beside.is_file()
    if not there:
        return {}
    try:
        with beside.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise ValueError(f"it is longer than {LARGEST} bytes")
        facts = json.loads(data)
        if not isinstance(facts, dict):
            raise ValueError("it is not a JSON object")
        for key, value in facts.items():
            if key not in KEYS:
                raise ValueError(f"unknown key {key!r}: known are {', '.join(KEYS)}")
            if type(value) is not KEYS[key]:
                raise ValueError(f"{key} is {value!r}: expected {'text' if KEYS[key] is str else 'a whole number'}")
    except (OSError, ValueError, RecursionError) as error:
        raise ClipError(f"{beside}: not a side-car: {error}; mend it, or move it away and give flags") from None
    return facts


def sidecar_text(geometry: Geometry) -> str:
    """Return the side-car of a tightly packed raw file, little-endian, of `geometry`."""
    facts = {"size": str(geometry.luma), "format": geometry.pixel_format, "bits": geometry.bit_depth}
    if geometry.bit_depth > 8:
        facts["endian"] = "little"
    return json.dumps(facts) + "\n"
