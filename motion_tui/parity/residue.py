"""Residue: `twin - oracle` of one stage plane, signed, in the stage's own units, and its statistics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.errors import NothingCompared
from motion_tui.core.frames import freeze
from motion_tui.core.spec import RADIUS, Stage
from motion_tui.engines.base import StagePlane, Stages

ResiduePlane = NDArray[Any]
"""A read-only 2-D array, int32 (int64 where int32 would overflow) or float64 for float stages."""


class Pixel(NamedTuple):
    """A sample's place: frame, plane (0 Y, 1 U, 2 V), column, row."""

    frame: int
    plane: int
    x: int
    y: int


class Box(NamedTuple):
    """The smallest rectangle around the nonzero pixels, inclusive."""

    left: int
    top: int
    right: int
    bottom: int


def subtract(twin: StagePlane, oracle: StagePlane) -> ResiduePlane:
    """Return `twin - oracle` exactly; planes of unlike shape are not comparable (NothingCompared)."""
    if twin.shape != oracle.shape:
        raise NothingCompared(
            f"the twin's plane is {twin.shape[::-1]} and the oracle's {oracle.shape[::-1]}: nothing to compare"
        )
    if twin.dtype.kind == "f" or oracle.dtype.kind == "f":
        return freeze(twin.astype(np.float64) - oracle.astype(np.float64))
    if twin.dtype == oracle.dtype == np.int32 and _difference_fits(twin, oracle):
        return freeze(np.subtract(twin, oracle))
    wide = twin.astype(np.int64) - oracle.astype(np.int64)
    narrow = wide.astype(np.int32)
    return freeze(narrow if np.array_equal(narrow, wide) else wide)


def _difference_fits(twin: StagePlane, oracle: StagePlane) -> bool:
    """Whether the extremes of two int32 planes rule out an overflow of their difference."""
    if not twin.size:
        return True
    limit = np.iinfo(np.int32)
    highest, lowest = int(twin.max()) - int(oracle.min()), int(twin.min()) - int(oracle.max())
    return highest <= limit.max and lowest >= limit.min


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of one or several residue planes of one stage; add them with `+`."""

    pixels: int = 0
    nonzero: int = 0
    max_abs: float = 0
    sum_positive: float = 0
    sum_negative: float = 0
    worst: Pixel | None = None
    bounding_box: Box | None = None
    edge_nonzero: int = 0
    """Nonzero pixels in the outer two rows and columns."""
    edge_pixels: int = 0

    @property
    def edge_share(self) -> float | None:
        """Share of the nonzero pixels that lie in the outer two rows and columns; None where all are zero."""
        return self.edge_nonzero / self.nonzero if self.nonzero else None

    @property
    def edge_share_if_uniform(self) -> float | None:
        """The share that a spread over the whole plane would have."""
        return self.edge_pixels / self.pixels if self.pixels else None

    def __add__(self, other: Statistics) -> Statistics:
        boxes = [box for box in (self.bounding_box, other.bounding_box) if box]
        return Statistics(
            self.pixels + other.pixels,
            self.nonzero + other.nonzero,
            max(self.max_abs, other.max_abs),
            self.sum_positive + other.sum_positive,
            self.sum_negative + other.sum_negative,
            other.worst if other.max_abs > self.max_abs or self.worst is None else self.worst,
            Box(
                min(b.left for b in boxes),
                min(b.top for b in boxes),
                max(b.right for b in boxes),
                max(b.bottom for b in boxes),
            )
            if boxes
            else None,
            self.edge_nonzero + other.edge_nonzero,
            self.edge_pixels + other.edge_pixels,
        )


def statistics(residue: ResiduePlane, frame: int, plane: int) -> Statistics:
    """Return the statistics of one residue plane; NothingCompared where it holds NaN or infinity."""
    height, width = residue.shape
    inner = residue[RADIUS : max(RADIUS, height - RADIUS), RADIUS : max(RADIUS, width - RADIUS)]
    nonzero = int(np.count_nonzero(residue))
    edge_pixels = residue.size - inner.size
    if not nonzero:
        return Statistics(pixels=residue.size, edge_pixels=edge_pixels)
    low, high = residue.min().item(), residue.max().item()
    if not (math.isfinite(low) and math.isfinite(high)):
        raise NothingCompared(f"frame {frame}, plane {plane}: a stage plane holds NaN or infinity: not comparable")
    at = int(residue.argmax() if high >= -low else residue.argmin())
    differs = residue != 0
    rows = np.flatnonzero(differs.any(axis=1))
    columns = np.flatnonzero(differs.any(axis=0))
    wide = np.float64 if residue.dtype.kind == "f" else np.int64
    return Statistics(
        pixels=residue.size,
        nonzero=nonzero,
        max_abs=max(high, -low),
        sum_positive=np.maximum(residue, 0).sum(dtype=wide).item(),
        sum_negative=np.minimum(residue, 0).sum(dtype=wide).item(),
        worst=Pixel(frame, plane, at % width, at // width),
        bounding_box=Box(int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])),
        edge_nonzero=nonzero - int(np.count_nonzero(inner)),
        edge_pixels=edge_pixels,
    )


@dataclass(frozen=True, slots=True, eq=False)
class StagePair:
    """Both engines' stages of one plane of one pair, and their residues."""

    frame: int
    plane: int
    oracle: Stages
    twin: Stages

    def residue(self, stage: Stage) -> ResiduePlane:
        """Return `twin - oracle` of a stage; of magnitudes where the twin's plane holds those."""
        twin, oracle = self.twin.get(stage), self.oracle.get(stage)
        return subtract(twin, np.abs(oracle) if stage in self.twin.unsigned else oracle)

    @property
    def observable(self) -> tuple[Stage, ...]:
        """The stages that both engines have."""
        return tuple(stage for stage in self.oracle.observable if stage in self.twin.observable)

    def statistics(self, stage: Stage) -> Statistics:
        """Return the statistics of a stage's residue."""
        return statistics(self.residue(stage), self.frame, self.plane)

    @property
    def first_difference(self) -> Stage | None:
        """The first observable stage with a nonzero residue; None where all are equal."""
        return next((stage for stage in self.observable if self.residue(stage).any()), None)
