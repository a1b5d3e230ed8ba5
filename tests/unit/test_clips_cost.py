"""What opening and walking cost: reads of a bounded size whatever the clip's length, and memory that stays flat."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from motion_tui.clips.base import RECENT_FRAMES
from motion_tui.clips.layout import Bytes
from motion_tui.clips.registry import open_clip
from motion_tui.clips.stored import ClipFile

FRAME = 1920 * 1080 * 3 // 2


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many bytes the readers have read of files so far."""
    sizes: list[int] = []
    read = ClipFile.read

    def counted(self: ClipFile, offset: int, size: int) -> Bytes:
        data = read(self, offset, size)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(ClipFile, "read", counted)
    return lambda: sum(sizes)


def sparse_raw(path: Path, frames: int) -> Path:
    """A raw file of black frames that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(FRAME * frames)
    return path


def sparse_y4m(path: Path, frames: int) -> Path:
    """A Y4M file of black frames with nothing but its header lines on the disk."""
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W1920 H1080 C420\n")
        for _ in range(frames):
            file.write(b"FRAME\n")
            file.seek(FRAME, 1)
        file.truncate(file.tell())
    return path


@pytest.mark.parametrize("kind", ["raw", "y4m"])
def test_opening_reads_the_same_at_any_length(tmp_path: Path, bytes_read: Callable[[], int], kind: str) -> None:
    costs = []
    for frames in (10, 3000):
        name = f"clip{frames}_1920x1080_420_8bit"
        path = (
            sparse_raw(tmp_path / f"{name}.yuv", frames)
            if kind == "raw"
            else sparse_y4m(tmp_path / f"{name}.y4m", frames)
        )
        before = bytes_read()
        with open_clip(path) as clip:
            assert len(clip) == frames
            costs.append(bytes_read() - before)
            clip.frame(frames - 2)
            assert bytes_read() - before - costs[-1] <= FRAME + 6
    assert costs[0] == costs[1] < 1 << 20


def test_a_walk_keeps_a_few_frames_and_no_more(tmp_path: Path) -> None:
    with open_clip(sparse_raw(tmp_path / "clip_1920x1080_420_8bit.yuv", 200)) as clip:
        clip.pair(1)
        tracemalloc.start()
        try:
            for index in range(2, 200):
                clip.pair(index)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < (RECENT_FRAMES + 2) * FRAME


def test_a_walk_by_pairs_reads_each_frame_once(tmp_path: Path, bytes_read: Callable[[], int]) -> None:
    with open_clip(sparse_raw(tmp_path / "clip_1920x1080_420_8bit.yuv", 20)) as clip:
        before = bytes_read()
        for index in range(1, 20):
            clip.pair(index)
        assert bytes_read() - before == 20 * FRAME


def test_frames_may_be_asked_for_from_several_threads(tmp_path: Path) -> None:
    path = tmp_path / "clip_64x64_400_8bit.yuv"
    path.write_bytes(b"".join(bytes([number]) * 4096 for number in range(200)))

    def wrong(start: int) -> int:
        order = [(start * 37 + step * 11) % 200 for step in range(400)]
        return sum(not (clip.frame(number).planes[0] == number).all() for number in order)

    with open_clip(path) as clip, ThreadPoolExecutor(8) as pool:
        assert list(pool.map(wrong, range(8))) == [0] * 8
