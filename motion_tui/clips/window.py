"""A part of a clip: frames A up to but not B, counted from 0 again."""

from __future__ import annotations

from motion_tui.clips.base import Clip
from motion_tui.clips.layout import FrameLayout
from motion_tui.clips.request import FrameRange
from motion_tui.core.errors import ClipError
from motion_tui.core.frames import Plane


class Window(Clip):
    """Frames of another clip, which it closes with itself."""

    def __init__(self, whole: Clip, frames: FrameRange) -> None:
        stop = len(whole) if frames.stop is None else frames.stop
        if not 0 <= frames.start < stop <= len(whole):
            raise ClipError(
                f"{whole.name}: frames {frames} are not in the clip, which has {len(whole)}: give a range within "
                f"0:{len(whole)}"
            )
        super().__init__(whole.name, whole.geometry, sources=whole.sources | {"frames": f"--frames {frames}"})
        self.warnings += whole.warnings
        self.container, self.siting, self.left_over = whole.container, whole.siting, whole.left_over
        self._whole = whole
        self._range = range(frames.start, stop)

    def __len__(self) -> int:
        return len(self._range)

    @property
    def layout(self) -> FrameLayout:
        return self._whole.layout

    @property
    def file_bytes(self) -> int | None:
        return self._whole.file_bytes

    def frame_offset(self, index: int) -> int | None:
        return self._whole.frame_offset(self._range[index])

    def _read(self, index: int) -> tuple[Plane, ...]:
        return self._whole.frame(self._range[index]).planes

    def close(self) -> None:
        self._whole.close()
