"""The geometry report: where a clip's planes lie, and what the three chroma conventions make of it.

The command `geometry` prints it and the panel of the terminal UI draws it; neither computes anything of its own.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from motion_tui.clips.base import Clip
from motion_tui.clips.layout import FrameLayout, Region
from motion_tui.core.geometry import CHROMA_RULES, ChromaRule, Extent, Geometry

RULE_WORDS: dict[ChromaRule, str] = {
    "plane": "rounded up: the file, and a correct staging buffer",
    "picture": "rounded down: libvmaf's own picture",
    "as-420": "(w+1)/2 x (h+1)/2 whatever the format: motion_sycl before its chroma fix",
}


@dataclass(frozen=True, slots=True)
class ChromaConvention:
    """One convention's idea of a chroma plane, against what the file holds."""

    rule: ChromaRule
    words: str
    extent: Extent
    staged_bytes: int
    """Bytes that a buffer of this size takes for U and V together."""
    left_out: int
    """Samples of the file's plane that lie outside it."""
    invented: int
    """Samples of it that the file's plane doesn't have."""


@dataclass(frozen=True, slots=True)
class FramePlace:
    """Where a frame's samples begin and end in the file."""

    frame: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class GeometryReport:
    """Everything about a clip's geometry that a person or a script may ask for."""

    name: str
    container: str
    geometry: Geometry
    layout: FrameLayout
    sources: dict[str, str]
    """Where each fact came from, by flag name."""
    regions: tuple[Region, ...]
    """Planes in file order with their offsets within a frame."""
    chroma: tuple[ChromaConvention, ...]
    """The three conventions in the order of `CHROMA_RULES`; empty at 4:0:0."""
    siting: str
    frames: int | None
    """None where a geometry without a clip is reported."""
    file_bytes: int | None
    places: tuple[FramePlace, ...]
    """The first, second and last frame, where they lie in one file."""
    left_over: int
    warnings: tuple[str, ...]

    @property
    def frame_bytes(self) -> int:
        """Bytes of one frame's samples as stored, padding included."""
        return self.layout.frame_bytes

    def as_dict(self) -> dict[str, Any]:
        """Return the report as a JSON document."""
        geometry, layout = self.geometry, self.layout
        return {
            "schema": 1,
            "clip": self.name,
            "container": self.container,
            "width": geometry.width,
            "height": geometry.height,
            "pixel_format": geometry.pixel_format,
            "bit_depth": geometry.bit_depth,
            "bytes_per_sample": geometry.bytes_per_sample,
            "endian": layout.endian if geometry.bit_depth > 8 else None,
            "order": layout.order,
            "align": layout.align,
            "stride": layout.stride,
            "plane_padding": layout.plane_padding,
            "chroma_rows": layout.chroma_rows,
            "sources": self.sources,
            "siting": self.siting,
            "frames": self.frames,
            "frame_bytes": self.frame_bytes,
            "file_bytes": self.file_bytes,
            "left_over": self.left_over,
            "planes": [
                {
                    "name": region.name,
                    "offset": region.offset,
                    "width": region.extent.width,
                    "height": region.extent.height,
                    "row_bytes": region.row_bytes,
                    "stride": region.stride,
                    "bytes": region.size,
                }
                for region in self.regions
            ],
            "frame_places": [asdict(place) for place in self.places],
            "chroma": [
                {
                    "rule": item.rule,
                    "means": item.words,
                    "width": item.extent.width,
                    "height": item.extent.height,
                    "staged_bytes": item.staged_bytes,
                    "left_out": item.left_out,
                    "invented": item.invented,
                }
                for item in self.chroma
            ],
            "warnings": list(self.warnings),
        }


def chroma_conventions(geometry: Geometry) -> tuple[ChromaConvention, ...]:
    """Return the three conventions for `geometry`; none where there is no chroma."""
    if len(geometry.plane_names) == 1:
        return ()
    true = geometry.extent(1)
    rows = []
    for rule in CHROMA_RULES:
        extent = geometry.extent(1, rule)
        shared = min(extent.width, true.width) * min(extent.height, true.height)
        staged = 2 * extent.area * geometry.bytes_per_sample
        rows.append(ChromaConvention(rule, RULE_WORDS[rule], extent, staged, true.area - shared, extent.area - shared))
    return tuple(rows)


def geometry_report(clip: Clip) -> GeometryReport:
    """Return the report of an open clip."""
    count = len(clip)
    places = []
    for frame in sorted({0, min(1, count - 1), count - 1}):
        begin = clip.frame_offset(frame)
        if begin is not None:
            places.append(FramePlace(frame, begin, begin + clip.layout.frame_bytes))
    return GeometryReport(
        clip.name,
        clip.container,
        clip.geometry,
        clip.layout,
        clip.sources,
        clip.layout.regions,
        chroma_conventions(clip.geometry),
        clip.siting if len(clip.geometry.plane_names) > 1 else "no chroma",
        count,
        clip.file_bytes,
        tuple(places),
        clip.left_over,
        tuple(clip.warnings),
    )


def layout_report(layout: FrameLayout, sources: dict[str, str]) -> GeometryReport:
    """Return the report of a layout without a clip."""
    geometry = layout.geometry
    return GeometryReport(
        "no clip",
        "none",
        geometry,
        layout,
        sources,
        layout.regions,
        chroma_conventions(geometry),
        "not said",
        None,
        None,
        (),
        0,
        (),
    )
