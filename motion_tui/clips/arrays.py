"""Clips from arrays in memory: a list of frames, each a list of 2-D arrays, one a plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.clips.base import Clip
from motion_tui.clips.request import Request
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.frames import Plane
from motion_tui.core.geometry import PIXEL_FORMATS, Geometry

NAME = "arrays"


class ArrayClip(Clip):
    """Frames that the caller holds; planes are read-only views of the caller's arrays."""

    def __init__(self, frames: list[tuple[Plane, ...]], geometry: Geometry, sources: dict[str, str]) -> None:
        super().__init__(NAME, geometry, sources=sources)
        self._frames = frames

    def __len__(self) -> int:
        return len(self._frames)

    def _read(self, index: int) -> tuple[Plane, ...]:
        return self._frames[index]


def open_arrays(source: Sequence[Any], request: Request) -> ArrayClip:
    """Open frames in memory; every plane's shape, type and values are checked against the geometry."""
    request.refuse_others("arrays", "size", "format", "bits")
    stored = request.format
    if stored and (stored.order not in (None, "i420") or stored.align == "msb" or stored.alpha):
        raise UsageError(
            f"{NAME}: the format's name says how samples are stored, and arrays hold planes: give {stored.pixel_format}"
        )
    frames = [_planes(frame, at) for at, frame in enumerate(source)]
    if not frames:
        raise ClipError(f"{NAME}: there is no frame: give a list of frames, each a list of 2-D arrays")
    luma = frames[0][0]
    bits = request.bits or (stored.bits if stored else None) or (8 if luma.dtype.itemsize == 1 else None)
    if bits is None:
        raise ClipError(f"{NAME}: samples are uint16 and nothing says their depth: give bit_depth=9 to 16")
    name = stored.pixel_format if stored else _guess_format(frames[0])
    geometry = Geometry(luma.shape[1], luma.shape[0], name, bits)
    if request.size and request.size != geometry.luma:
        raise ClipError(
            f"{NAME}: size={request.size} was given and plane Y of frame 0 is {geometry.luma}: leave size out"
        )
    for at, planes in enumerate(frames):
        _check(planes, at, geometry)
    sources = {
        "size": "arrays",
        "format": "--format" if stored else "shapes of the arrays",
        "bits": "--bits" if request.bits else "type of the arrays",
    }
    return ArrayClip(frames, geometry, sources)


def _planes(frame: Any, at: int) -> tuple[NDArray[Any], ...]:
    """Return a frame's planes as aligned, native, C-contiguous arrays of uint8 or uint16; nothing is converted."""
    if isinstance(frame, np.ndarray) and frame.ndim == 2:
        raise ClipError(f"{NAME}: frame {at}: is one 2-D array: give a list of planes, [y] where there is luma alone")
    try:
        arrays = [np.asarray(plane) for plane in frame]
    except (TypeError, ValueError):
        raise ClipError(f"{NAME}: frame {at}: is not a list of 2-D arrays, one a plane: make it one") from None
    planes: list[NDArray[Any]] = []
    for array in arrays:
        if array.ndim != 2 or array.dtype.kind != "u" or array.dtype.itemsize > 2 or not array.size:
            raise ClipError(
                f"{NAME}: frame {at}, plane {len(planes)}: is {array.dtype} of shape {array.shape}: expected "
                "a 2-D array of uint8 or uint16"
            )
        planes.append(np.require(array, array.dtype.newbyteorder("="), ["C", "A"]))
    if not planes:
        raise ClipError(f"{NAME}: frame {at} has no plane: give a list of 2-D arrays, one a plane")
    return tuple(planes)


def _guess_format(planes: tuple[Plane, ...]) -> str:
    """Return the one pixel format whose planes have these shapes."""
    height, width = planes[0].shape
    for name in ("400", "420", "422", "444", "440", "411", "410"):
        extents = Geometry(width, height, name, 8).extents
        if [plane.shape for plane in planes] == [(extent.height, extent.width) for extent in extents]:
            return name
    shapes = ", ".join(f"{plane.shape[1]}x{plane.shape[0]}" for plane in planes)
    raise ClipError(
        f"{NAME}: frame 0 has planes of {shapes}: no pixel format has these (chroma is rounded up); "
        f"give one of {', '.join(PIXEL_FORMATS)} and planes that fit"
    )


def _check(planes: tuple[Plane, ...], at: int, geometry: Geometry) -> None:
    if len(planes) != len(geometry.plane_names):
        raise ClipError(
            f"{NAME}: frame {at} has {len(planes)} planes: {geometry.pixel_format} has {len(geometry.plane_names)}"
        )
    for name, plane, extent in zip(geometry.plane_names, planes, geometry.extents, strict=True):
        where = f"{NAME}: frame {at}, plane {name}"
        if plane.shape != (extent.height, extent.width):
            raise ClipError(f"{where}: is {plane.shape[1]}x{plane.shape[0]}: {geometry} has {extent} there")
        if plane.dtype != geometry.dtype:
            raise ClipError(f"{where}: is {plane.dtype}: {geometry.bit_depth} bits are {geometry.dtype}")
        if int(plane.max()) > geometry.peak:
            raise ClipError(f"{where}: has the value {plane.max()}: {geometry.bit_depth} bits end at {geometry.peak}")
