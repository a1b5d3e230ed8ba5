"""Which reader opens a clip argument; readers are imported when they are first needed."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from typing_extensions import Unpack

from motion_tui.clips.base import Clip
from motion_tui.clips.image_files import SUFFIXES as IMAGE_SUFFIXES
from motion_tui.clips.request import ClipKeywords, Request, make_request
from motion_tui.clips.stored import ClipFile
from motion_tui.core.errors import ClipError

Source = str | Path | Sequence[Any]
SYNTHETIC = "synthetic:"
VIDEO_SUFFIXES = (
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".m2ts", ".mpg", ".mxf", ".h264", ".264", ".h265", ".265",
    ".hevc", ".ivf", ".obu", ".flv", ".wmv", ".gif",
)  # fmt: skip
"""Files that are never taken for raw ones, even with a size; FFmpeg itself goes by content."""
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


def open_clip(source: Source, **keywords: Unpack[ClipKeywords]) -> Clip:
    """Open a clip: a file, a folder or `%04d` pattern of images, `synthetic:...`, a list of images, or arrays.

    Keywords, all optional: size, pixel_format, bit_depth, endian, stride, frames ("A:B" or a slice); for raw files
    also order, align, plane_padding, chroma_rows; images ("grey" or "rgb"); for videos convert, progress, cancelled;
    `ClipKeywords` says what each takes. What is given outranks what the file says of itself. A ClipError's text is
    one line that says what is wrong and what to do.
    """
    request = make_request(**keywords)
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
    if not name:
        raise ClipError("no clip: its name is empty; name a file")
    path = Path(name)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        # What keeps a file from being found is said where it is opened.
        mode = 0
    if "%" in path.name and not mode:
        return _load("images:open_pattern")(path, request)
    if stat.S_ISDIR(mode):
        return _load("images:open_folder")(path, request)
    return _load(reader_of(path, request).opener)(path, request)


def reader_of(path: Path, request: Request) -> Reader:
    """Return the row that takes `path`: by its first bytes where a row has a magic, else by its suffix.

    A file of unknown suffix is raw where the user gives its geometry.
    """
    with ClipFile(path) as file:
        head = file.read(0, 16).tobytes()
    for reader in READERS:
        if reader.magic and head.startswith(reader.magic):
            return reader
    suffix = path.suffix.lower()
    unknown = RAW if request.size and suffix not in VIDEO_SUFFIXES else VIDEO
    return next((reader for reader in READERS if suffix in reader.suffixes), unknown)


def _load(opener: str) -> Callable[[Any, Request], Clip]:
    module, _, function = opener.partition(":")
    loaded: Callable[[Any, Request], Clip] = getattr(import_module(f"motion_tui.clips.{module}"), function)
    return loaded
