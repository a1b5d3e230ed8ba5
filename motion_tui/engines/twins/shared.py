"""Memory that client and worker both map: an anonymous file without a name, so that nothing is left after a crash."""

from __future__ import annotations

import errno
import mmap
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.errors import TwinError
from motion_tui.engines.twins.layout import Region


def map_region(memory: mmap.mmap, region: Region) -> NDArray[Any]:
    """Return a region of mapped memory as a writable array that shares it."""
    flat: NDArray[Any] = np.frombuffer(memory, region.dtype, region.shape[0] * region.shape[1], region.offset)
    return flat.reshape(region.shape)


class MappedMemory:
    """The worker's side: maps the client's file, anew where it has grown."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._size = 0
        self._memory: mmap.mmap | None = None

    def follow(self, size: int, needed: int) -> bool:
        """Map `size` bytes, of which a request needs `needed`; return whether arrays made before are stale.

        ValueError where that memory is not there.
        """
        if not needed <= size <= os.fstat(self._fd).st_size:
            raise ValueError(f"{size} bytes of shared memory were announced and {needed} are needed")
        if size == self._size:
            return False
        self._memory = mmap.mmap(self._fd, size)
        self._size = size
        return True

    def array(self, region: Region) -> NDArray[Any]:
        """Return a region as a writable array; the memory must have been mapped."""
        assert self._memory is not None
        return map_region(self._memory, region)


class SharedMemory:
    """The client's side: owns the file, grows it, and hands out arrays over it."""

    def __init__(self) -> None:
        self.fd = _anonymous_file()
        self.size = 0
        self._memory: mmap.mmap | None = None

    def reserve(self, size: int) -> None:
        """Make room for `size` bytes; TwinError where the system has not got them."""
        if size <= self.size:
            return
        try:
            if size - self.size > available_memory():
                raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
            os.posix_fallocate(self.fd, 0, size)
            self._memory = mmap.mmap(self.fd, size)
        except OSError as error:
            raise TwinError(
                f"no {size >> 20} MiB of shared memory for the planes ({error.strerror}): use a smaller clip"
            ) from error
        self.size = size

    def array(self, region: Region) -> NDArray[Any]:
        """Return a region as a writable array; it must have been reserved."""
        assert self._memory is not None
        return map_region(self._memory, region)

    def close(self) -> None:
        """Give the file back; arrays handed out before stay valid until they are dropped."""
        self._memory = None
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def available_memory() -> int:
    """Return the bytes that the system can give without swapping; more than any machine has where it does not say.

    Asked before pages are taken: the system gives them until it has to kill a process for more.
    """
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return sys.maxsize


def above_standard(fd: int) -> int:
    """Return a descriptor of the same file that is none of stdin, stdout and stderr, and close `fd`.

    A program that was started with one of these closed gets its number for the next file that it opens: what the
    runtime prints would go there, and the worker would find its own stdin under that number.
    """
    import fcntl  # not on Windows, where the client says so before it comes here

    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(fd)
    return moved


def _anonymous_file() -> int:
    if hasattr(os, "memfd_create"):
        return above_standard(os.memfd_create("motion-tui planes", os.MFD_CLOEXEC))
    with tempfile.TemporaryFile() as file:
        return above_standard(os.dup(file.fileno()))
