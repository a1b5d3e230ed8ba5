"""Makes the bundled sample clips, by rule, in integers: the same bytes on every machine.

    python samples/make_samples.py [FOLDER]

writes the clips and `manifest.json` into FOLDER (default: where this script is). The scene is a textured background
that pans by fractions of a sample, two discs with textures of their own that cross it, and a little sensor noise.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.clips.arrays import open_arrays
from motion_tui.clips.base import Clip
from motion_tui.clips.families import hashed
from motion_tui.clips.registry import open_clip
from motion_tui.clips.request import make_request
from motion_tui.clips.writer import write_y4m, write_yuv
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import Geometry
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.parity.session import score_clip

Grid = NDArray[np.int64]
SIXTEENTHS = 16
"""Places are in sixteenths of a luma sample, so that things move by fractions of one."""


def texture(x: Grid, y: Grid, shift: int, seed: int) -> Grid:
    """Return a lattice of random values of 16 bits, one every 2**shift sixteenths, joined smoothly."""
    cell = 1 << shift

    def weight(place: Grid) -> Grid:
        part = place & (cell - 1)
        smooth: Grid = (part * part * (3 * cell - 2 * part)) >> (2 * shift)
        return smooth

    def corner(dx: int, dy: int) -> Grid:
        column, row = (x >> shift) + dx, (y >> shift) + dy
        bits = hashed((row & 0xFFFF).astype(np.uint32), (column & 0xFFFF).astype(np.uint32), 0, 0, seed)
        value: Grid = (bits >> np.uint32(16)).astype(np.int64)
        return value

    wx, wy = weight(x), weight(y)
    top = corner(0, 0) * (cell - wx) + corner(1, 0) * wx
    bottom = corner(0, 1) * (cell - wx) + corner(1, 1) * wx
    return ((top >> shift) * (cell - wy) + (bottom >> shift) * wy) >> shift


def surface(x: Grid, y: Grid, seed: int) -> Grid:
    """Return a surface of coarse and fine detail, 16 bits."""
    parts = ((10, 7), (8, 5), (6, 3), (5, 1))
    total: Grid = np.sum([share * texture(x, y, shift, seed + at) for at, (shift, share) in enumerate(parts)], axis=0)
    return total >> 4


def scene(geometry: Geometry, plane: int, frame: int) -> Plane:
    """Return one plane of the scene in limited range."""
    extent, layout = geometry.extent(plane), geometry.layout
    ssx, ssy = (layout.ssx, layout.ssy) if plane else (1, 1)
    rows, columns = np.mgrid[: extent.height, : extent.width].astype(np.int64)
    x, y = columns * SIXTEENTHS * ssx, rows * SIXTEENTHS * ssy
    seed = 20 + 10 * plane
    picture = surface(x + 21 * frame, y + 9 * frame, seed)
    wide, high = geometry.width * SIXTEENTHS, geometry.height * SIXTEENTHS
    discs = (
        (wide // 5 + 53 * frame, high // 3 + 12 * frame, high // 5, 3, 9000),
        (wide * 4 // 5 - 34 * frame, high * 3 // 5 - 21 * frame, high // 7, 5, -7000),
    )
    for middle_x, middle_y, radius, number, lift in discs:
        dx, dy = x - middle_x, y - middle_y
        inside = dx * dx + dy * dy < radius * radius
        shade = lift - (dx + dy) * 8000 // radius
        own = surface(dx + 65536, dy + 65536, seed + 100 * number) // 2 + 16384 + shade
        picture = np.where(inside, own, picture)
    if plane:
        picture = 32768 + (picture - 32768) // 3
    grain = hashed(rows.astype(np.uint32), columns.astype(np.uint32), plane, frame, 7)
    picture = picture + ((grain & 511).astype(np.int64) - ((grain >> np.uint32(9)) & 511).astype(np.int64))
    limited = 4096 + (np.clip(picture, 0, 65535) * (57344 if plane else 56064) >> 16)
    samples: Plane = (limited >> (16 - geometry.bit_depth)).astype(geometry.dtype)
    return samples


def scene_clip(geometry: Geometry, frames: int) -> Clip:
    """Return the scene as a clip in memory."""
    planes = range(len(geometry.plane_names))
    arrays = [[scene(geometry, plane, frame) for plane in planes] for frame in range(frames)]
    return open_arrays(arrays, make_request(pixel_format=geometry.pixel_format, bit_depth=geometry.bit_depth))


SAMPLES: tuple[tuple[str, Callable[[], Clip], str], ...] = (
    (
        "scene_176x144_420_8bit.y4m",
        lambda: scene_clip(Geometry(176, 144, "420", 8), 16),
        "moving and natural in look, the everyday format: what a parity run looks like on real footage",
    ),
    (
        "scene_67x48_422_10bit.y4m",
        lambda: scene_clip(Geometry(67, 48, "422", 10), 8),
        "10 bits in 16-bit words at an odd width: chroma is 34 wide in the file and 33 in libvmaf's picture, and a row "
        "counted in samples for bytes reads every other one",
    ),
    (
        "noise_17x17_444_8bit.yuv",
        lambda: open_clip("synthetic:noise?size=17x17&format=444&bits=8&frames=6&seed=1"),
        "full-range noise at the smallest size where rounding differences were published, 4:4:4, raw, so that its "
        "geometry comes from its name",
    ),
)


def describe(name: str, clip: Clip, data: bytes, why: str) -> dict[str, Any]:
    """Return a manifest row."""
    with open_engine("oracle", EngineConfig()) as oracle:
        scores = score_clip(clip, oracle)
    return {
        "file": name,
        "why": why,
        "width": clip.width,
        "height": clip.height,
        "pixel_format": clip.pixel_format,
        "bit_depth": clip.bit_depth,
        "frames": len(clip),
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "scores": {metric: list(values) for metric, values in scores.metrics.items()},
    }


def make(folder: Path) -> None:
    """Write all samples and the manifest into `folder`."""
    rows = []
    for name, build, why in SAMPLES:
        clip, stream = build(), BytesIO()
        (write_y4m if name.endswith(".y4m") else write_yuv)(clip, stream)
        (folder / name).write_bytes(stream.getvalue())
        rows.append(describe(name, clip, stream.getvalue(), why))
    text = json.dumps({"schema": 1, "made_by": "samples/make_samples.py", "samples": rows}, indent=2)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
