"""Frozen records of samples: a frame of planes and the pair that motion is computed on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.geometry import Geometry

Plane = NDArray[np.generic]
"""A read-only 2-D array (rows, columns) of uint8 or uint16 samples, native byte order, as the file holds them."""


def freeze(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of `array`; the memory is shared."""
    view: NDArray[Any] = array.view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One frame: its place in the clip and its planes (Y, or Y U V), each a `Plane`."""

    index: int
    geometry: Geometry
    planes: tuple[Plane, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FramePair:
    """The previous and the current frame of one motion score."""

    previous: Frame
    current: Frame

    @property
    def geometry(self) -> Geometry:
        """Geometry of both frames (a clip has one)."""
        return self.current.geometry

    def planes(self, plane: int) -> tuple[Plane, Plane]:
        """The previous and the current samples of plane 0, 1 or 2."""
        return self.previous.planes[plane], self.current.planes[plane]
