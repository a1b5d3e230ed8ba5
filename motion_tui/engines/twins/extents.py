"""Which part of a plane a twin stages to its device, and by which area it divides: right, or as found in the field."""

from __future__ import annotations

from dataclasses import dataclass

from motion_tui.core.errors import ClipError
from motion_tui.core.geometry import MINIMUM_SIDE, ChromaRule, Extent, Geometry
from motion_tui.engines.base import TwinSettings


@dataclass(frozen=True, slots=True)
class Staged:
    """One plane as a twin sees it."""

    true: Extent
    """The plane's own size; stage planes have it."""
    copied: Extent
    """The top left part that reaches the device, never more than `true`."""
    area: int
    """What its SAD is divided by."""


def staged_extent(
    geometry: Geometry, plane: int, rule: ChromaRule, settings: TwinSettings, first: Extent | None = None
) -> Staged:
    """Return what is staged of a plane; ClipError where too little of it is.

    With `chroma_extent` "as-420" chroma is copied row by row as `(w+1)/2 x (h+1)/2` whatever the format, and
    divided by that area. With `state` "reuse-first" the buffers keep the size of the `first` clip, so no more of
    a larger one fits; it is still divided by its own area. Where a faulty size is larger than the plane (4:1:1),
    the plane ends the copy: nothing is read out of bounds.
    """
    true = geometry.extent(plane, rule)
    wanted = geometry.extent(plane, "as-420") if settings.chroma_extent == "as-420" and plane else true
    copied = _smaller(wanted, true)
    if settings.state == "reuse-first" and first is not None:
        copied = _smaller(copied, first)
    if min(copied) < MINIMUM_SIDE:
        raise ClipError(
            f"plane {geometry.plane_names[plane]} is staged as {copied}: motion needs "
            f"{MINIMUM_SIDE}x{MINIMUM_SIDE} samples or more; use a larger clip"
        )
    return Staged(true, copied, wanted.area)


def _smaller(a: Extent, b: Extent) -> Extent:
    return Extent(min(a.width, b.width), min(a.height, b.height))
