"""The rules of the synthetic families. Each is stateless: any frame of any plane is computed on demand, in integers.

A rule is `rule(parameters, geometry, plane, frame) -> samples`. "Unit" below is one code value of the 8-bit scale
(`2**(bits-8)` code values), the unit of a score. The known answers hold for each plane by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.frames import Plane
from motion_tui.core.geometry import Geometry

Parameters = Mapping[str, int]
Rule = Callable[[Parameters, Geometry, int, int], Plane]
Words = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A whole number that a family takes in its URI."""

    default: int
    low: int
    high: int
    help: str


@dataclass(frozen=True, slots=True)
class Family:
    """One registry row."""

    name: str
    rule: Rule
    does: str
    """The rule in a sentence."""
    known: str
    """The answer that a right engine gives."""
    parameters: Mapping[str, Parameter]


def hashed(rows: Words, columns: Words, plane: int, frame: int, seed: int) -> Words:
    """Return 32 well-mixed bits for each place: the hash of ARITHMETIC.md section 4."""
    t = (frame + 1000 * plane + 100000 * seed) & 0xFFFFFFFF
    x = (rows << np.uint32(16)) ^ columns ^ np.uint32((t * 0x9E3779B9) & 0xFFFFFFFF)
    x ^= x >> np.uint32(16)
    x *= np.uint32(0x7FEB352D)
    x ^= x >> np.uint32(15)
    x *= np.uint32(0x846CA68B)
    x ^= x >> np.uint32(16)
    bits: Words = x
    return bits


def grid(geometry: Geometry, plane: int) -> tuple[Words, Words]:
    """Return a plane's row numbers (a column) and column numbers (a row)."""
    extent = geometry.extent(plane)
    return np.arange(extent.height, dtype=np.uint32)[:, None], np.arange(extent.width, dtype=np.uint32)[None, :]


def flat(geometry: Geometry, plane: int, value: int) -> Plane:
    """Return a plane of one value."""
    extent = geometry.extent(plane)
    return np.full((extent.height, extent.width), value, geometry.dtype)


def stored(samples: Words, geometry: Geometry) -> Plane:
    """Return samples in the clip's own type; they fit it by the rule."""
    plane: Plane = samples.astype(geometry.dtype)
    return plane


def noise(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """Full-range noise, new in every frame."""
    return stored(
        hashed(*grid(geometry, plane), plane, frame, p["seed"]) >> np.uint32(32 - geometry.bit_depth), geometry
    )


def static(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """Frame 0 of `noise` in every frame."""
    return noise(p, geometry, plane, 0)


def hold(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """`noise`, each frame held for `hold` frames, as a pull-up does."""
    return noise(p, geometry, plane, frame // p["hold"])


def ramp(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """A diagonal ramp over half the range, the whole of it raised (or lowered again) by `step` units every frame."""
    rows, columns = grid(geometry, plane)
    unit = 1 << (geometry.bit_depth - 8)
    extent = geometry.extent(plane)
    base = (rows + columns) * np.uint32(127) // np.uint32(max(1, extent.width + extent.height - 2)) * np.uint32(unit)
    turns = 128 // p["step"]
    at = frame % (2 * turns)
    lift = min(at, 2 * turns - at) * p["step"] * unit
    return stored(base + np.uint32(lift), geometry)


def flash(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """0 in even frames, the largest value in odd ones."""
    return flat(geometry, plane, geometry.peak if frame % 2 else 0)


def checker(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """A chessboard of 0 and the largest value with squares of `cell` samples, inverted every frame."""
    rows, columns = grid(geometry, plane)
    cell = np.uint32(p["cell"])
    odd = (rows // cell + columns // cell + np.uint32(frame & 1)) & np.uint32(1)
    return stored(odd * np.uint32(geometry.peak), geometry)


def stripes(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """Upright (or, with `level=1`, level) stripes of `cell` samples, 0 and the largest value, inverted every frame."""
    rows, columns = grid(geometry, plane)
    along = rows + columns * np.uint32(0) if p["level"] else columns + rows * np.uint32(0)
    odd = (along // np.uint32(p["cell"]) + np.uint32(frame & 1)) & np.uint32(1)
    return stored(odd * np.uint32(geometry.peak), geometry)


def pan(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """A soft texture (a lattice of 16 samples, interpolated, with fine grain) that moves by (dx, dy) luma samples."""
    rows, columns = grid(geometry, plane)
    layout = geometry.layout
    shift_x, shift_y = (1, 1) if plane == 0 else (layout.ssx, layout.ssy)
    # An offset keeps coordinates positive for leftward and upward moves; the hash wants at most 16 bits a side.
    x = (columns.astype(np.int64) + 32768 + frame * p["dx"] // shift_x).astype(np.uint32) & np.uint32(0xFFFF)
    y = (rows.astype(np.int64) + 32768 + frame * p["dy"] // shift_y).astype(np.uint32) & np.uint32(0xFFFF)
    cx, cy, fx, fy = x >> np.uint32(4), y >> np.uint32(4), x & np.uint32(15), y & np.uint32(15)
    one, full = np.uint32(1), np.uint32(16)

    def corner(row: Words, column: Words) -> Words:
        high: Words = hashed(row, column, plane, 0, p["seed"]) >> np.uint32(16)
        return high

    top: Words = corner(cy, cx) * (full - fx) + corner(cy, cx + one) * fx
    bottom = corner(cy + one, cx) * (full - fx) + corner(cy + one, cx + one) * fx
    soft = (top // full * (full - fy) + bottom // full * fy) // full
    grain = hashed(y, x, plane, 1, p["seed"]) >> np.uint32(16)
    mixed = (soft * np.uint32(15) + grain) // np.uint32(16)
    return stored(mixed >> np.uint32(16 - geometry.bit_depth), geometry)


def impulse(p: Parameters, geometry: Geometry, plane: int, frame: int) -> Plane:
    """A flat mid-grey in which one sample is `height` units higher in odd frames: the middle one, or (x, y)."""
    unit = 1 << (geometry.bit_depth - 8)
    samples = flat(geometry, plane, 64 * unit)
    extent = geometry.extent(plane)
    x = extent.width // 2 if p["x"] < 0 else min(p["x"], extent.width - 1)
    y = extent.height // 2 if p["y"] < 0 else min(p["y"], extent.height - 1)
    if frame % 2:
        samples[y, x] += p["height"] * unit
    return samples


_SEED = {"seed": Parameter(0, 0, 42948, "another clip by the same rule")}
_CELL = Parameter(1, 1, 4096, "samples a cell")
FAMILIES = {
    row.name: row
    for row in (
        Family(
            "noise",
            noise,
            "full-range noise, new in every frame",
            "3x3, 8 bits, seed 0: sad_score 0, 19.374131944444443, 39.547309027777779, 5.3975694444444446",
            _SEED,
        ),
        Family(
            "ramp",
            ramp,
            "a diagonal ramp over half the range, raised or lowered by step units every frame",
            "every pair scores exactly step",
            {"step": Parameter(1, 1, 128, "units a frame")},
        ),
        Family("static", static, "one frame of noise in every frame", "every score is 0", _SEED),
        Family(
            "hold",
            hold,
            "noise, each frame held for some frames",
            "0 within a hold, the score of noise where the frame changes",
            {**_SEED, "hold": Parameter(2, 1, 1000, "frames that a frame is held")},
        ),
        Family(
            "flash",
            flash,
            "0 and the largest value by turns",
            "255, 255.75, 255.9375 and 255.99609375 at 8, 10, 12 and 16 bits",
            {},
        ),
        Family(
            "checker",
            checker,
            "an inverting chessboard of 0 and the largest value",
            "cell 1, 8 bits: every pair scores 35/256",
            {"cell": _CELL},
        ),
        Family(
            "stripes",
            stripes,
            "inverting stripes of 0 and the largest value",
            "cell 1, 8 bits: every pair scores 1514/256",
            {"cell": _CELL, "level": Parameter(0, 0, 1, "1: level stripes, 0: upright ones")},
        ),
        Family(
            "pan",
            pan,
            "a soft texture that moves by (dx, dy) luma samples a frame",
            "frame t is frame 0 shifted; 0 where dx and dy are 0",
            {
                **_SEED,
                "dx": Parameter(2, -64, 64, "luma samples to the left a frame"),
                "dy": Parameter(1, -64, 64, "luma samples upwards a frame"),
            },
        ),
        Family(
            "impulse",
            impulse,
            "flat, one sample higher by turns",
            "9x9, height 1: SAD 253 in the middle, 125 in a corner (x=0, y=0)",
            {
                "height": Parameter(1, 1, 191, "units"),
                "x": Parameter(-1, -1, 65535, "column; -1 is the middle"),
                "y": Parameter(-1, -1, 65535, "row; -1 is the middle"),
            },
        ),
    )
}
