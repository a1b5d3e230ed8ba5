"""Clips whose frames lie in a file as samples: reading by place, whatever the file does meanwhile.

Frames are read into fresh memory, not mapped. A mapped file that shrinks kills the process with SIGBUS, and mapped
pages count as the process's memory and grow over a walk; the copy costs 0.2 ms at 1920x1080, little beside any use of a
frame.
"""

from __future__ import annotations

import os
import stat
import threading
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from motion_tui.clips.base import Clip
from motion_tui.clips.layout import Bytes, FrameLayout
from motion_tui.core.closing import Closing
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import Plane


class ClipFile(Closing):
    """A regular file read by place, from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise ClipError(f"{path}: not a regular file, and frames are read by place; write it to a file first")
            self._file = path.open("rb", buffering=0)
            self.size = os.fstat(self._file.fileno()).st_size
            """Bytes, when it was opened."""
        except (OSError, ValueError) as error:
            if isinstance(error, ClipError):
                raise
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise ClipError(f"{path}: cannot be opened: {reason}; check the path") from None
        self._lock = threading.Lock()

    def read(self, offset: int, size: int) -> Bytes:
        """Return up to `size` bytes from `offset`: fewer at the end of the file, never more than the file has."""
        buffer = np.empty(max(0, min(size, self.size - offset)), np.uint8)
        view, done = buffer.data, 0
        with self._lock:
            try:
                self._file.seek(offset)
                while done < len(view) and (count := self._file.readinto(view[done:])):
                    done += count
            except (OSError, ValueError) as error:
                raise ClipError(f"{self.path}: byte {offset + done} cannot be read: {error}; open it again") from None
        return buffer[:done]

    def read_exactly(self, offset: int, size: int) -> Bytes:
        """Return `size` bytes from `offset`; a ClipError where the file has become shorter than it was."""
        data = self.read(offset, size)
        if len(data) < size:
            raise ClipError(
                f"{self.path}: ends at byte {offset + len(data)}, in the middle of a frame: it became shorter than the "
                f"{self.size} bytes that it had when it was opened; open it again"
            )
        return data

    def close(self) -> None:
        """Release the file."""
        self._file.close()


class StoredClip(Clip):
    """A clip of frames stored in one file with one layout."""

    def __init__(
        self, name: str, file: ClipFile, layout: FrameLayout, *, sources: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(name, layout.geometry, sources=sources)
        self.file = file
        self._layout = layout

    @property
    def layout(self) -> FrameLayout:
        return self._layout

    @property
    def file_bytes(self) -> int | None:
        return self.file.size

    @abstractmethod
    def frame_offset(self, index: int) -> int:
        """Byte of the file at which the samples of frame `index` begin."""

    def _read(self, index: int) -> tuple[Plane, ...]:
        return self._layout.decode(self.file.read_exactly(self.frame_offset(index), self._layout.frame_bytes))

    def close(self) -> None:
        self.file.close()


class FixedClip(StoredClip):
    """Frames of one size, one after another from the file's first byte: raw files and the spool."""

    def __init__(
        self,
        name: str,
        file: ClipFile,
        layout: FrameLayout,
        *,
        container: str = "raw",
        sources: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name, file, layout, sources=sources)
        self.container = container
        self._count, self.left_over = divmod(file.size, layout.frame_bytes)

    def __len__(self) -> int:
        return self._count

    def frame_offset(self, index: int) -> int:
        return index * self._layout.frame_bytes
