"""What a clip is to the rest of the program."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator, Mapping

from motion_tui.clips.layout import FrameLayout
from motion_tui.core.closing import Closing
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import Frame, FramePair, Plane, freeze
from motion_tui.core.geometry import Geometry

RECENT_FRAMES = 3
"""How many frames a clip keeps: a walk by pairs then reads each frame once."""


class Clip(Closing, ABC):
    """Frames in order, by random access.

    `frame` may be called from any thread; it keeps the last three frames, so memory does not grow with the clip.
    """

    container = "memory"
    """What holds the frames: "raw", "Y4M", "video", "images", "synthetic", "memory"."""
    siting = "not said"
    """Where a chroma sample lies within its luma samples, as far as the file's header says."""
    left_over = 0
    """Bytes of the file after the last whole frame."""

    def __init__(self, name: str, geometry: Geometry, *, sources: Mapping[str, str] | None = None) -> None:
        self.name = name
        """The clip as the user named it."""
        self.geometry = geometry
        self.sources: dict[str, str] = dict(sources or {})
        """Where each fact of the geometry came from: {"size": "file name", "bits": "--bits", ...}."""
        self.warnings: list[str] = []
        """Sentences for the user: what is odd about the file, and what was not done about it."""
        self._recent: OrderedDict[int, Frame] = OrderedDict()
        self._recent_lock = threading.Lock()

    @property
    def layout(self) -> FrameLayout:
        """How a frame is stored; tightly packed planes where the clip isn't stored as samples."""
        return FrameLayout(self.geometry)

    @property
    def file_bytes(self) -> int | None:
        """Size of the one file that holds the samples; None where there is none."""
        return None

    def frame_offset(self, index: int) -> int | None:
        """Byte of the file at which the samples of frame `index` begin; None where they lie in no one file."""
        return None

    @property
    def width(self) -> int:
        """Luma columns."""
        return self.geometry.width

    @property
    def height(self) -> int:
        """Luma rows."""
        return self.geometry.height

    @property
    def pixel_format(self) -> str:
        """Chroma layout: "400", "420", "422", "444", "411", "410" or "440"."""
        return self.geometry.pixel_format

    @property
    def bit_depth(self) -> int:
        """Bits of a sample, 8 to 16 (libvmaf's bpc)."""
        return self.geometry.bit_depth

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.geometry}, {len(self)} frames>"

    @abstractmethod
    def __len__(self) -> int:
        """Whole frames."""

    @abstractmethod
    def _read(self, index: int) -> tuple[Plane, ...]:
        """Return the planes of frame `index` (in range), uint8 or uint16, native order, any memory."""

    def frame(self, index: int) -> Frame:
        """Return frame `index` (0-based) with read-only planes as the file holds them."""
        if not 0 <= index < len(self):
            raise ClipError(f"{self.name}: there is no frame {index}: the clip has {len(self)} (0 to {len(self) - 1})")
        with self._recent_lock:
            if index in self._recent:
                self._recent.move_to_end(index)
                return self._recent[index]
        frame = Frame(index, self.geometry, tuple(freeze(plane) for plane in self._read(index)))
        with self._recent_lock:
            self._recent[index] = frame
            while len(self._recent) > RECENT_FRAMES:
                self._recent.popitem(last=False)
        return frame

    def pair(self, index: int, distance: int = 1) -> FramePair:
        """Return the pair that scores frame `index`: frames `index - distance` and `index`."""
        return FramePair(self.frame(index - distance), self.frame(index))

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(index) for index in range(len(self)))

    def close(self) -> None:
        """Release files; frames handed out before stay valid."""
