"""Which reader opens a clip argument; readers are imported when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from motion_tui.clips.base import Clip
from motion_tui.clips.layout import ALIGNS, CHROMA_ROWS, ENDIANS, ORDERS
from motion_tui.clips.request import (
    IMAGES,
    Progress,
    Request,
    check_size,
    choice,
    parse_format,
    parse_frames,
    parse_size,
)
from motion_tui.clips.stored import ClipFile
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.geometry import Extent

Source = str | Path | Sequence[Any]
SYNTHETIC = "synthetic:"
IMAGE_SUFFIXES = (".png", ".tif", ".tiff", ".pgm")
RAW_SUFFIXES = (
    ".yuv", ".raw", ".i420", ".yv12", ".nv12", ".nv21", ".nv16", ".p010", ".p012", ".p016", ".y", ".gray", ".grey",
    ".400", ".420", ".422", ".444",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reader:
    """One row: which files a reader takes, and where it is; its opener is called with (path, request)."""

    suffixes: tuple[str, ...]
    magic: bytes
    opener: str
    """"module:function" within this package."""


RAW = Reader(RAW_SUFFIXES, b"", "yuv:open_raw")
READERS = (
    Reader((".y4m",), b"YUV4MPEG", "y4m:open_y4m"),
    RAW,
    Reader(IMAGE_SUFFIXES, b"", "images:open_image"),
)
VIDEO = Reader((), b"", "video:open_video")
"""Takes whatever no other row takes, since FFmpeg knows formats by their content."""


def open_clip(
    source: Source,
    *,
    size: str | tuple[int, int] | None = None,
    pixel_format: str | None = None,
    bit_depth: int | None = None,
    endian: str | None = None,
    stride: int | None = None,
    frames: str | slice | None = None,
    order: str | None = None,
    align: str | None = None,
    plane_padding: int | None = None,
    chroma_rows: str | None = None,
    images: str | None = None,
    convert: str | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Clip:
    """Open a clip: a file, a folder or `%04d` pattern of images, `synthetic:...`, a list of images, or arrays.

    What is given here outranks what the file says of itself. `frames` is "A:B" or a slice; `order`, `align`,
    `plane_padding` and `chroma_rows` describe a raw file as the flags of the same names do; `images` is "grey" or
    "rgb"; `convert` names an FFmpeg pixel format for a video; `progress(done, total)` is called, and `cancelled()`
    polled, while a video is decoded. A ClipError's text is one line that says what is wrong and what to do.
    """
    extent = parse_size(size) if isinstance(size, str) else check_size(Extent(*size)) if size else None
    request = Request(
        size=extent,
        format=parse_format(pixel_format) if pixel_format else None,
        bits=bit_depth,
        endian=choice("endian", endian, ENDIANS),
        stride=stride,
        order=choice("order", order, ORDERS),
        align=choice("align", align, ALIGNS),
        plane_padding=plane_padding,
        chroma_rows=choice("chroma_rows", chroma_rows, CHROMA_ROWS),
        frames=parse_frames(frames) if frames is not None else None,
        images=choice("images", images, IMAGES),
        convert=convert,
        progress=progress,
        cancelled=cancelled,
    )
    if bit_depth is not None and not 8 <= bit_depth <= 16:
        raise UsageError(f"bits {bit_depth}: 8 to 16 are supported")
    clip = _open_source(source, request)
    if request.frames is None or clip.sources.get("frames"):
        return clip
    from motion_tui.clips.window import Window

    try:
        return Window(clip, request.frames)
    except ClipError:
        clip.close()
        raise


def _open_source(source: Source, request: Request) -> Clip:
    if isinstance(source, (str, Path)):
        return open_named(str(source), request)
    items = list(source)
    if not items:
        raise ClipError("no clip: the list of files or frames is empty; give at least one")
    if not all(isinstance(item, (str, Path)) for item in items):
        return _load("arrays:open_arrays")(items, request)
    if len(items) == 1:
        return open_named(str(items[0]), request)
    return _load("images:open_sequence")([Path(item) for item in items], request)


def open_named(name: str, request: Request) -> Clip:
    """Open one clip argument."""
    if name.startswith(SYNTHETIC):
        return _load("synthetic:open_synthetic")(name, request)
    path = Path(name)
    if "%" in path.name and not path.exists():
        return _load("images:open_pattern")(path, request)
    if path.is_dir():
        return _load("images:open_folder")(path, request)
    return _load(reader_of(path, request).opener)(path, request)


def reader_of(path: Path, request: Request) -> Reader:
    """Return the row that takes `path`: by its first bytes where a row has a magic, else by its suffix.

    A file of unknown suffix is raw where the user gives its geometry.
    """
    file = ClipFile(path)
    head = file.read(0, 16).tobytes()
    file.close()
    for reader in READERS:
        if reader.magic and head.startswith(reader.magic):
            return reader
    suffix = path.suffix.lower()
    unknown = RAW if request.size else VIDEO
    return next((reader for reader in READERS if suffix in reader.suffixes), unknown)


def group_sources(sources: Sequence[str]) -> list[list[str]]:
    """Split several clip arguments into clips: neighbouring image files are one clip."""
    groups: list[list[str]] = []
    for source in sources:
        image = Path(source).suffix.lower() in IMAGE_SUFFIXES and "%" not in source and not source.startswith(SYNTHETIC)
        if image and groups and Path(groups[-1][-1]).suffix.lower() in IMAGE_SUFFIXES and "%" not in groups[-1][-1]:
            groups[-1].append(source)
        else:
            groups.append([source])
    return groups


def _load(opener: str) -> Callable[[Any, Request], Clip]:
    module, _, function = opener.partition(":")
    loaded: Callable[[Any, Request], Clip] = getattr(import_module(f"motion_tui.clips.{module}"), function)
    return loaded
