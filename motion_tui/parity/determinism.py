"""Whether a twin gives the same answer each time: every run's sums and residues as hashes, and the first that differ.

The first run's residues are kept compressed, as far as `KEPT_BYTES` reaches, so that the pixel can be named.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from motion_tui.core.scores import PairSums
from motion_tui.core.spec import Stage
from motion_tui.parity.residue import Pixel, ResiduePlane

KEPT_BYTES = 256 << 20
Place = tuple[int, int, Stage]


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a later run first departed from run 1."""

    run: int
    """Counted from 1."""
    frame: int
    stage: Stage | None = None
    """The first stage whose residue differs; None where only the sums do."""
    pixel: Pixel | None = None
    """The first pixel that differs; None where only the sums do, or where the first run's plane was not kept."""


@dataclass(frozen=True, slots=True)
class Repeatability:
    """The outcome of N runs."""

    runs: int
    hashes: tuple[str, ...]
    """One hash a run, over the sums and residues of every frame in order."""
    first: Divergence | None
    frames: tuple[int, ...]
    """Every frame that some later run computed otherwise than run 1."""


@dataclass
class Recorder:
    """Collects runs one frame after another; `start` begins a run, `result` ends the last."""

    runs: int = 0
    _hashes: list[str] = field(default_factory=list)
    _sums: dict[int, PairSums | None] = field(default_factory=dict)
    _digests: dict[Place, bytes] = field(default_factory=dict)
    _kept: dict[Place, bytes] = field(default_factory=dict)
    _kept_bytes: int = 0
    _first: Divergence | None = None
    _frames: set[int] = field(default_factory=set)
    _run: blake2b = field(default_factory=lambda: blake2b(digest_size=16))

    def start(self) -> None:
        """Begin the next run."""
        if self.runs:
            self._hashes.append(self._run.hexdigest())
        self.runs += 1
        self._run = blake2b(digest_size=16)

    def plane(self, frame: int, plane: int, stage: Stage, residue: ResiduePlane) -> None:
        """Take a residue plane of the current run."""
        data = np.ascontiguousarray(residue).data
        digest = blake2b(data, digest_size=16).digest()
        self._run.update(digest)
        place: Place = (frame, plane, stage)
        if self.runs == 1:
            self._digests[place] = digest
            if self._kept_bytes < KEPT_BYTES:
                packed = zlib.compress(data, 1)
                self._kept[place] = packed
                self._kept_bytes += len(packed)
        elif digest != self._digests.get(place):
            self._differs(frame, stage, self._first_pixel(place, residue))

    def sums(self, frame: int, sums: PairSums | None) -> None:
        """Take the twin's sums of a pair of the current run."""
        self._run.update(repr(sums).encode())
        if self.runs == 1:
            self._sums[frame] = sums
        elif sums != self._sums.get(frame):
            self._differs(frame)

    def result(self) -> Repeatability:
        """Return what all runs together show."""
        return Repeatability(
            self.runs, (*self._hashes, self._run.hexdigest()), self._first, tuple(sorted(self._frames))
        )

    def _differs(self, frame: int, stage: Stage | None = None, pixel: Pixel | None = None) -> None:
        self._frames.add(frame)
        if self._first is None:
            self._first = Divergence(self.runs, frame, stage, pixel)

    def _first_pixel(self, place: Place, residue: ResiduePlane) -> Pixel | None:
        if place not in self._kept:
            return None
        kept = np.frombuffer(zlib.decompress(self._kept[place]), np.uint8)
        now = np.frombuffer(np.ascontiguousarray(residue).data, np.uint8)
        if kept.size != now.size:  # int64 in one run, int32 in the other: no pixel by pixel comparison
            return None
        at = int(np.flatnonzero(kept != now)[0]) // residue.itemsize
        frame, plane, _ = place
        return Pixel(frame, plane, at % residue.shape[1], at // residue.shape[1])
