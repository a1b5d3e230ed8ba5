"""Synthetic clips by rule: stateless, so that any frame of any size is computed on demand.

`synthetic:FAMILY?size=17x17&format=444&bits=8&frames=6&seed=1`
"""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np

from motion_tui.clips.base import Clip
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import Geometry

SCHEME = "synthetic:"


def noise(geometry: Geometry, plane: int, frame: int, seed: int) -> Plane:
    """Full-range noise, the rule of ARITHMETIC.md section 4: a hash of row, column, frame, plane and seed."""
    extent = geometry.extent(plane)
    t = (frame + 1000 * plane + 100000 * seed) & 0xFFFFFFFF
    rows = np.arange(extent.height, dtype=np.uint32)[:, None]
    columns = np.arange(extent.width, dtype=np.uint32)[None, :]
    x = (rows << np.uint32(16)) ^ columns ^ np.uint32((t * 0x9E3779B9) & 0xFFFFFFFF)
    x ^= x >> np.uint32(16)
    x *= np.uint32(0x7FEB352D)
    x ^= x >> np.uint32(15)
    x *= np.uint32(0x846CA68B)
    x ^= x >> np.uint32(16)
    samples: Plane = (x >> np.uint32(32 - geometry.bit_depth)).astype(geometry.dtype)
    return samples


FAMILIES = {"noise": noise}


class SyntheticClip(Clip):
    """A clip computed from a family's rule."""

    def __init__(self, name: str, geometry: Geometry, family: str, frames: int, seed: int) -> None:
        super().__init__(name, geometry, sources=dict.fromkeys(("size", "format", "bits"), "clip name"))
        self._rule = FAMILIES[family]
        self._frames = frames
        self._seed = seed

    def __len__(self) -> int:
        return self._frames

    def _read(self, index: int) -> tuple[Plane, ...]:
        planes = range(len(self.geometry.plane_names))
        return tuple(self._rule(self.geometry, plane, index, self._seed) for plane in planes)


def open_synthetic(name: str) -> SyntheticClip:
    """Open `synthetic:FAMILY?key=value&...`."""
    family, _, query = name.removeprefix(SCHEME).partition("?")
    if family not in FAMILIES:
        raise ClipError(f"{name}: unknown family '{family}': one of {', '.join(FAMILIES)}")
    values = {"size": "64x64", "format": "420", "bits": "8", "frames": "6", "seed": "0"} | dict(parse_qsl(query))
    width, _, height = values["size"].partition("x")
    geometry = Geometry(int(width), int(height), values["format"], int(values["bits"]))
    return SyntheticClip(name, geometry, family, int(values["frames"]), int(values["seed"]))
