"""Raw YUV: the geometry comes from flags, else a side-car, else the file's name, and is checked against the size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from motion_tui.clips.detect import detect
from motion_tui.clips.request import Request
from motion_tui.clips.resolve import (
    ASSUMED,
    Facts,
    build_layout,
    given_facts,
    layout_warnings,
    name_facts,
    resolve,
    sidecar_facts,
)
from motion_tui.clips.stored import ClipFile, FixedClip
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.geometry import Extent, Geometry

COMMON_SIZES = tuple(
    Extent(*size)
    for size in (
        (176, 144), (320, 180), (320, 240), (352, 288), (416, 240), (480, 270), (576, 324), (640, 360), (640, 480),
        (704, 576), (720, 480), (720, 576), (832, 480), (854, 480), (960, 540), (1024, 768), (1280, 720), (1920, 1080),
        (2560, 1440), (2560, 1600), (3840, 2160), (4096, 2160), (7680, 4320),
    )
)  # fmt: skip
"""Sizes that are proposed where a file doesn't say its own."""
PROPOSALS = 8


class GeometryNeeded(ClipError):
    """A raw file whose geometry isn't known or doesn't fit its size: a person can choose one of `candidates`."""

    def __init__(self, text: str, path: Path, candidates: tuple[Geometry, ...]) -> None:
        super().__init__(text)
        self.path = path
        self.candidates = candidates
        """Geometries of which the file holds a whole number of frames, the likeliest first."""


def candidates(file_bytes: int, size: Extent | None) -> Iterator[Geometry]:
    """Yield geometries of which `file_bytes` holds a whole number of frames: at `size` first, then common sizes."""
    for extent in [size] if size else COMMON_SIZES:
        for bits in (8, 10):
            for name in ("420", "422", "444", "400"):
                geometry = Geometry(extent.width, extent.height, name, bits)
                if file_bytes and file_bytes % geometry.frame_bytes == 0:
                    yield geometry
    if size:
        yield from candidates(file_bytes, None)


def ask(path: Path, file_bytes: int, size: Extent | None, problem: str, advice: str) -> GeometryNeeded:
    """Return the refusal of a file whose geometry must be chosen, with the geometries that would fit."""
    fits = tuple(dict.fromkeys(candidates(file_bytes, size)))[:PROPOSALS]
    listed = ", ".join(f"{geometry} ({file_bytes // geometry.frame_bytes} frames)" for geometry in fits)
    text = f"{path}: {problem}; {advice}; {file_bytes} bytes would be whole frames of {listed or 'no common geometry'}"
    return GeometryNeeded(text, path, fits)


def choose_size(layers: list[Facts], sizes: tuple[Extent, ...], file_bytes: int) -> tuple[Extent, list[str]]:
    """Return the largest of the name's sizes that the file's size allows (else the first), and a warning or none.

    The largest, since a small one (4x4, 16x9) divides nearly every file and is seldom a picture's.
    """
    fitting = [size for size in sizes if file_bytes % build_layout(layers, size)[0].frame_bytes == 0]
    chosen = max(fitting, key=lambda size: size.area) if fitting else sizes[0]
    if len(sizes) == 1:
        return chosen, []
    others = ", ".join(str(size) for size in sizes if size != chosen)
    return chosen, [f"the name has several sizes: {chosen} was taken, not {others}; --size says it for sure"]


def open_raw(path: Path, request: Request) -> FixedClip:
    """Open a raw file of planes; GeometryNeeded where a person has to say what it is."""
    request.refuse_others(
        "a raw file", "size", "format", "bits", "endian", "stride", "order", "align", "plane_padding", "chroma_rows"
    )
    file = ClipFile(path)
    try:
        return _open(path, file, request)
    except BaseException:
        file.close()
        raise


def _open(path: Path, file: ClipFile, request: Request) -> FixedClip:
    if not file.size:
        raise ClipError(f"{path}: is empty (0 bytes): there is no frame; write it again")
    layers = [*given_facts(request), *sidecar_facts(path)]
    named, sizes = name_facts(path, refuse_packed=request.format is None)
    layers += [named, ASSUMED]
    size, source = resolve(layers, "size")
    warnings: list[str] = []
    if size is None and not sizes:
        raise ask(path, file.size, None, "neither flags nor a side-car nor the name say its size", "give --size WxH")
    try:
        if size is None:
            size, warnings = choose_size(layers, sizes, file.size)
            source = named.source
        layout, sources = build_layout(layers, size)
    except UsageError as error:
        raise ClipError(f"{path}: {error}") from None
    clip = FixedClip(str(path), file, layout, sources={"size": source, **sources})
    clip.warnings += warnings
    _check_size(clip, request)
    clip.warnings += layout_warnings(layout, sources)
    assumed = [key for key in ("format", "bits") if sources[key] == "assumed"]
    if assumed:
        clip.warnings.append(f"nothing says its {' and '.join(assumed)}: {layout.geometry} is assumed, since it fits")
    clip.warnings += detect(clip)
    return clip


def _check_size(clip: FixedClip, request: Request) -> None:
    """Refuse a file that isn't a whole number of frames, unless the frames asked for are all there."""
    if not clip.left_over:
        return
    size = clip.file.size
    origin = ", ".join(
        f"{key} from {source}" for key, source in clip.sources.items() if key in ("size", "format", "bits")
    )
    problem = (
        f"{size} bytes are {len(clip)} whole frames of {clip.geometry} ({clip.layout.frame_bytes} bytes each; "
        f"{origin}) and {clip.left_over} bytes"
    )
    stop = request.frames.stop if request.frames else None
    if stop is not None and stop <= len(clip):
        clip.warnings.append(f"{problem}: cut off, or another geometry")
        return
    whole = f", or --frames 0:{len(clip)} if it was cut off" if len(clip) else ""
    advice = f"give the right --size, --format and --bits{whole}"
    raise ask(clip.file.path, size, clip.geometry.luma, problem, advice)
