"""Which samples of a pair a feature reads: its planes, checked, and chroma cut to the rule in force."""

from __future__ import annotations

import numpy as np

from motion_tui.core.frames import FramePair, Plane, freeze
from motion_tui.core.geometry import ChromaRule


def motion_planes(pair: FramePair, plane: int, rule: ChromaRule) -> tuple[Plane, Plane]:
    """Return the previous and current samples of plane 0, 1 or 2: the top left part that `rule` leaves of them.

    A rule that gives more than the file holds leaves the plane whole. A plane that is missing or too small is
    a ClipError.
    """
    pair.geometry.require_motion((plane,), rule)
    width, height = pair.geometry.extent(plane, rule)
    previous, current = (samples[:height, :width] for samples in pair.planes(plane))
    return previous, current


def packed(plane: Plane) -> Plane:
    """The plane in one contiguous read-only piece: one kind of array, so that numba compiles once a sample type."""
    return freeze(np.ascontiguousarray(plane))
