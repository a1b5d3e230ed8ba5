"""Where outputs go: stdout for `-`, else a file that appears whole or not at all and replaces nothing unasked."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from motion_tui.core.errors import ExportError

STDOUT = "-"


def require_writable(path: Path, force: bool) -> None:
    """Refuse an output that exists and was not to be replaced, or whose folder is missing; call it before the work."""
    if str(path) == STDOUT:
        return
    try:
        if not path.parent.is_dir():
            raise ExportError(f"{path}: the folder {path.parent} does not exist: make it first")
        if path.is_dir() and not force:
            raise ExportError(f"{path}: a folder of that name exists: name another one, or say --force")
        if path.exists() and not force and not _is_stream(path):
            raise ExportError(f"{path}: exists already: name another file, or say --force to replace it")
    except OSError as error:
        raise error if isinstance(error, ExportError) else _refused(path, error) from None


def write_text(path: Path, text: str, force: bool = False) -> None:
    """Write `text` to stdout, or to a file by way of a temporary one beside it."""
    if str(path) == STDOUT:
        sys.stdout.write(text)
        return
    data = text.encode(errors="backslashreplace")  # a file's name may hold bytes that are no text
    write_bytes(path, lambda stream: stream.write(data), force)


def write_bytes(path: Path, fill: Callable[[BinaryIO], object], force: bool = False) -> None:
    """Let `fill` write into a temporary file beside `path`, then give it its name; a device or pipe is written to."""
    require_writable(path, force)
    temporary = ""
    try:
        if _is_stream(path):
            with path.open("wb") as stream:
                fill(stream)
            return
        path = Path(os.path.realpath(path))  # of a symbolic link its target is written, the link stays
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as stream:
            fill(stream)
        _settle(Path(temporary))
        Path(temporary).replace(path)
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def write_folder(path: Path, fill: Callable[[Path], None], force: bool = False) -> None:
    """Let `fill` write into a temporary folder beside `path`, then give it its name; an old one goes only then."""
    require_writable(path, force)
    temporary = path
    try:
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        fill(temporary)
        _settle(temporary)
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
        temporary.replace(path)
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        if temporary != path:
            shutil.rmtree(temporary, ignore_errors=True)


def _refused(path: Path, error: OSError) -> ExportError:
    return ExportError(f"{path}: cannot be written: {error.strerror or error}")


def _is_stream(path: Path) -> bool:
    """Whether `path` is a device or a pipe, which takes what is written and must never be replaced by a file."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _settle(path: Path) -> None:
    """Give a temporary file or folder the permissions that a plain new one would have."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)
