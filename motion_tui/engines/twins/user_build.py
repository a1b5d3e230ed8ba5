"""Makes a user's kernel file ready for the worker: read once, kept in a cache by content, compiled if it is Python.

The program that runs is the one that was read: a restarted worker finds it even when the file has changed since.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
import tempfile
from pathlib import Path

import platformdirs

from motion_kernels import binaries, compiler
from motion_kernels.spirv_module import HEADER_WORDS
from motion_tui.core.errors import TwinError, UsageError
from motion_tui.engines.twins.protocol import KernelSource
from motion_tui.engines.twins.sources import OWN_COPY

SIZE_LIMIT = 16 << 20
"""Bytes of a kernel file; anything larger is not one."""
SPIRV_MAGIC = 0x07230203
_KINDS = (".py", ".cl", ".spv")


def prepare(file: Path) -> KernelSource:
    """Return what the worker loads for a user's kernel file.

    UsageError where the file cannot be a kernel; TwinError with the compiler's message where it is refused.
    """
    if file.suffix not in _KINDS:
        raise UsageError(f"--kernel {file}: a kernel is a .py, a .cl or a .spv file")
    try:
        content = _read(file)
    except OSError as error:
        raise UsageError(f"--kernel {file}: {error.strerror}") from error
    if file.suffix == ".spv" and (fault := spirv_fault(content)):
        raise TwinError(f"{file.name} is no SPIR-V module: {fault}")
    home = Path(platformdirs.user_cache_dir("motion-tui")) / "kernels" / _key(file.suffix, content)
    name = OWN_COPY if file.suffix == ".py" else f"kernel{file.suffix}"
    if not _holds(home, name, content):
        try:
            _make(home, file, name, content)
        except OSError as error:
            raise TwinError(
                f"{home.parent} cannot keep {file.name} ({error.strerror}): set XDG_CACHE_HOME to a directory of yours"
            ) from error
    if file.suffix == ".py":
        return KernelSource("library", file.name, str(home))
    return KernelSource("opencl-c" if file.suffix == ".cl" else "spirv", file.name, str(home / name))


def _read(file: Path) -> bytes:
    """Return a regular file's content; a pipe or a device would be waited for, or never end."""
    found = file.stat()
    if stat.S_ISDIR(found.st_mode):
        raise UsageError(f"--kernel {file}: a directory, not a file")
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"--kernel {file}: not a regular file")
    if found.st_size > SIZE_LIMIT:
        raise UsageError(f"--kernel {file}: {found.st_size} bytes are too many for a kernel (at most {SIZE_LIMIT})")
    return file.read_bytes()


def spirv_fault(content: bytes) -> str:
    """Return what is wrong with the form of a SPIR-V module, empty where nothing is.

    A half-written file is the common case, and drivers hang on one.
    """
    words = memoryview(content[: len(content) // 4 * 4]).cast("I")
    if not words or words[0] != SPIRV_MAGIC:
        return f"its first word is not {SPIRV_MAGIC:#010x}"
    at = HEADER_WORDS
    while at < len(words) and words[at] >> 16:
        at += words[at] >> 16
    return "" if at == len(words) and len(content) % 4 == 0 else f"it breaks off in word {min(at, len(words))}"


def _key(suffix: str, content: bytes) -> str:
    """Return the hash of all that decides the binaries: the file, and for Python what compiles it."""
    digest = hashlib.sha256(suffix.encode() + content)
    if suffix == ".py":
        for module in sorted(binaries.HERE.glob("*.py")):
            digest.update(module.read_bytes())
    return digest.hexdigest()[:32]


def _holds(home: Path, name: str, content: bytes) -> bool:
    """Whether the cache has this file, and every binary that was made of it as it was made."""
    try:
        if (home / name).read_bytes() != content:
            return False
        return name != OWN_COPY or all(row.state == "fresh" for row in binaries.Library(home, home / name).entries())
    except (OSError, binaries.KernelError):
        return False


def _make(home: Path, file: Path, name: str, content: bytes) -> None:
    """Fill a directory beside `home` and rename it, so that `home` is whole or not there."""
    shutil.rmtree(home, ignore_errors=True)  # what a cleaner or a full disk has left of an earlier one
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".making-") as scratch:
        made = Path(scratch) / "kernel"
        made.mkdir()
        (made / name).write_bytes(content)
        if file.suffix == ".py":
            try:
                compiler.compile_file(made / name, made)
            except binaries.KernelError as error:
                said = str(error).replace(str(made / name), file.name).replace(name, file.name)
                raise TwinError(said if said.startswith(file.name) else f"{file.name}: {said}") from error
        try:
            made.rename(home)
        except OSError:
            # Another process was faster: what it made is the same.
            if not home.is_dir():
                raise
            shutil.rmtree(made)
