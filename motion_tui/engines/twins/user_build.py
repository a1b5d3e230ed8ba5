"""Makes a user's kernel file ready for the worker: read once, kept in a cache by content, compiled if it is Python.

The program that runs is the one that was read: a restarted worker finds it even when the file has changed since.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

import platformdirs

from motion_kernels import binaries, compiler
from motion_kernels.spirv_module import HEADER_WORDS
from motion_tui.core.errors import TwinError, UsageError
from motion_tui.engines.twins.protocol import KernelSource
from motion_tui.engines.twins.users import OWN_COPY

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
        size = file.stat().st_size
        if size > SIZE_LIMIT:
            raise UsageError(f"--kernel {file}: {size} bytes are too many for a kernel (at most {SIZE_LIMIT})")
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"--kernel {file}: {error.strerror}") from error
    if file.suffix == ".spv" and (fault := spirv_fault(content)):
        raise TwinError(f"{file.name} is no SPIR-V module: {fault}")
    home = Path(platformdirs.user_cache_dir("motion-tui")) / "kernels" / _key(file.suffix, content)
    name = OWN_COPY if file.suffix == ".py" else f"kernel{file.suffix}"
    if not home.is_dir():
        _make(home, file, name, content)
    if file.suffix == ".py":
        return KernelSource("library", file.name, str(home))
    return KernelSource("opencl-c" if file.suffix == ".cl" else "spirv", file.name, str(home / name))


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


def _make(home: Path, file: Path, name: str, content: bytes) -> None:
    """Fill a directory beside `home` and rename it, so that `home` is whole or not there."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".making-") as scratch:
        made = Path(scratch) / "kernel"
        made.mkdir()
        (made / name).write_bytes(content)
        if file.suffix == ".py":
            try:
                compiler.compile_file(made / name, made)
            except binaries.KernelError as error:
                raise TwinError(f"{file}: {str(error).replace(str(made / name), file.name)}") from error
        try:
            made.rename(home)
        except OSError:
            # Another process was faster: what it made is the same.
            if not home.is_dir():
                raise
            shutil.rmtree(made)
