"""Y4M files: frames found by place where every frame header is alike, else by an index of all of them.

The specification lets frame headers differ in length, so a file can't be read by multiplication in general. Nearly all
can: there the first, second, middle and last header are checked when the file is opened, and each other one when its
frame is read, so that opening costs the same at any length. Where a header isn't in its place the file is indexed.
"""

from __future__ import annotations

import threading
from array import array
from dataclasses import replace
from pathlib import Path

from motion_tui.clips.detect import detect
from motion_tui.clips.layout import FrameLayout
from motion_tui.clips.request import Progress, Request
from motion_tui.clips.resolve import ASSUMED, Facts, build_layout, given_facts, layout_warnings
from motion_tui.clips.stored import ClipFile, StoredClip
from motion_tui.clips.y4m_header import LARGEST_HEADER, Y4mHeader, parse_header, shown
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.core.frames import Plane

FRAME = b"FRAME"
SHORT_READ, LONG_READ = 4096, 1 << 20
FRAMES_A_REPORT = 256
"""How many frames are indexed between two reports of progress."""


class Y4mClip(StoredClip):
    """A Y4M file."""

    container = "Y4M"

    def __init__(
        self,
        file: ClipFile,
        layout: FrameLayout,
        header: Y4mHeader,
        sources: dict[str, str],
        *,
        needed: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """`needed` frames have to be there; None: whatever follows the last whole one must be part of a frame.

        `progress` is called while the file is indexed.
        """
        super().__init__(str(file.path), file, layout, sources=sources)
        self.siting = header.siting
        self.warnings += header.warnings
        self._start = header.length
        self._index: array[int] | None = None
        """Where each frame's samples begin; None while frames are found by multiplication."""
        self._index_lock = threading.Lock()
        self._needed = needed
        self._frame_line = self._first_line()
        step = len(self._frame_line) + layout.frame_bytes
        self._count, self.left_over = divmod(file.size - self._start, step)
        lost = "" if self._probe(step) else self._build_index(progress)
        if self._frame_line.rstrip(b"\n") != FRAME:
            self.warnings.append(
                f"frame headers carry parameters or a CR ({shown(self._frame_line)}): they are skipped"
            )
        if not self._count:
            raise ClipError(
                f"{self.name}: 0 whole frames + {self.left_over} bytes: a frame of {self.geometry} takes "
                f"{layout.frame_bytes} after its FRAME line{self._likely_reason(self._start)}; "
                "the file is cut off: write it again"
            )
        if lost:
            self.warnings.append(f"{lost}: the {self.left_over} bytes from there on are not read")
        elif self.left_over:
            self.warnings.append(f"cut off: {self._count} whole frames + {self.left_over} bytes, which are not read")

    def __len__(self) -> int:
        return self._count

    def frame_offset(self, index: int) -> int:
        if self._index is not None:
            return self._index[index]
        line = len(self._frame_line)
        return self._start + line + index * (line + self._layout.frame_bytes)

    def _read(self, index: int) -> tuple[Plane, ...]:
        if self._index is None and not self._line_in_place(index):
            with self._index_lock:
                if self._index is None:
                    self._build_index()
            if index >= self._count:
                raise ClipError(f"{self.name}: there is no frame {index}: the clip has {self._count} after indexing it")
        return super()._read(index)

    def _first_line(self) -> bytes:
        """Return the first frame's header with its line end; a ClipError where there is none."""
        head = self.file.read(self._start, LARGEST_HEADER).tobytes()
        if not head:
            raise ClipError(
                f"{self.name}: ends after its header, at byte {self._start}: there is no frame; write it again"
            )
        end = head.find(b"\n")
        if not head.startswith(FRAME) or end < 0 or not _well_formed(head[:end]):
            self._lost(0, self._start)
        return head[: end + 1]

    def _line_in_place(self, index: int) -> bool:
        line = self._frame_line
        return self.file.read(self.frame_offset(index) - len(line), len(line)).tobytes() == line

    def _probe(self, step: int) -> bool:
        """Whether the file looks like frames of one step: some headers are in place, and the rest begins like one."""
        tail = self.file.read(self._start + self._count * step, min(self.left_over, len(self._frame_line))).tobytes()
        places = {0, 1, self._count // 2, self._count - 1} & set(range(self._count))
        return self._frame_line.startswith(tail) and all(self._line_in_place(index) for index in places)

    def _build_index(self, progress: Progress | None = None) -> str:
        """Walk all frame headers; return where the framing is lost, if it is after the last frame that is needed.

        A ClipError where it is lost before, or where frames of another size would fit.
        """
        payload, size = self._layout.frame_bytes, self.file.size
        # Large frames are stepped over with short reads, small ones are read through, many at a time.
        lines = _Lines(self.file, SHORT_READ if payload > LONG_READ // 4 else LONG_READ)
        index, at, lost = array("Q"), self._start, ""
        while at < size:
            line, ended = lines.read(at)
            cut = not ended and at + len(line) >= size and _may_begin_frame(line)
            if not cut and not (ended and _well_formed(line)):
                lost = self._lost(len(index), at)
                break
            first = at + len(line) + 1
            if cut or first + payload > size:
                break
            index.append(first)
            at = first + payload
            if progress and len(index) % FRAMES_A_REPORT == 0:
                progress(len(index), max(len(index), self._count))
        self._index, self._count, self.left_over = index, len(index), size - at
        return lost

    def _lost(self, frame: int, at: int) -> str:
        """Return that frame `frame` isn't where it should be; a ClipError unless the frames before it are enough."""
        found = shown(self.file.read(at, 12).tobytes())
        place = f"framing lost: byte {at}, where frame {frame} should begin, is {found}, not FRAME"
        reason = self._likely_reason(at if not frame else None)
        if not reason and frame and self._needed is not None and self._needed <= frame:
            return place
        advice = f", or read what is before it: --frames 0:{frame}" if frame and not reason else ""
        raise ClipError(f"{self.name}: {place}{reason or ': the file was cut or edited'}; write it again{advice}")

    def _likely_reason(self, first: int | None) -> str:
        """Return why frames might not be where `layout` puts them, by looking where the second FRAME line is."""
        start = self._start if first is None else first
        head = self.file.read(start, LARGEST_HEADER).tobytes()
        if not head.startswith(FRAME) or b"\n" not in head:
            return ""
        samples = start + head.index(b"\n") + 1
        for reason, size in self._other_sizes():
            if size != self._layout.frame_bytes and (
                self.file.read(samples + size, len(FRAME)).tobytes() == FRAME or samples + size == self.file.size
            ):
                return f": frames of {size} bytes, not {self._layout.frame_bytes}, fit {reason}"
        return ""

    def _other_sizes(self) -> list[tuple[str, int]]:
        """Other sizes that a frame might have, each with its reason and what to do."""
        geometry, layout = self.geometry, self._layout
        sample = geometry.bytes_per_sample
        down = geometry.luma.area + 2 * geometry.extent(1, "picture").area if len(geometry.plane_names) > 1 else 0
        flip = replace(geometry, bit_depth=16 if sample == 1 else 8)
        return [
            (
                "byte-rounded chroma rows (some writers, FFmpeg among them, emit them at odd widths above 8 bits): "
                "--chroma-rows byte-rounded reads them",
                replace(layout, chroma_rows="byte-rounded").frame_bytes,
            ),
            ("exact chroma rows: leave --chroma-rows out", replace(layout, chroma_rows="exact").frame_bytes),
            ("chroma rounded down, which Y4M doesn't allow: the writer is at fault", down * sample),
            (
                f"{flip.bit_depth}-bit samples: the C tag is wrong, see --bits",
                replace(layout, geometry=flip).frame_bytes,
            ),
            ("luma alone: the C tag is wrong, see --format 400", geometry.luma.area * sample),
        ]


class _Lines:
    """Lines of a file by the byte that they begin at, read a window at a time."""

    def __init__(self, file: ClipFile, window: int) -> None:
        self._file = file
        self._window = window
        self._block, self._base = b"", 0

    def read(self, at: int) -> tuple[bytes, bool]:
        """Return the line at byte `at` without its end, and whether it has one (up to `LARGEST_HEADER` on)."""
        start = at - self._base
        end = self._block.find(b"\n", start) if 0 <= start < len(self._block) else -1
        if end < 0:
            self._file.read_exactly(at, 1)
            for size in (self._window, LARGEST_HEADER):
                self._block, self._base, start = self._file.read(at, size).tobytes(), at, 0
                end = self._block.find(b"\n")
                if end >= 0:
                    break
        return self._block[start : end if end >= 0 else None], end >= 0


def _well_formed(line: bytes) -> bool:
    """Whether a line without its end is a frame header: FRAME, alone or followed by white space."""
    return line.startswith(FRAME) and (len(line) == len(FRAME) or line[len(FRAME)] in b" \t\r")


def _may_begin_frame(data: bytes) -> bool:
    return FRAME.startswith(data) or _well_formed(data)


def _layout(path: Path, header: Y4mHeader, request: Request) -> tuple[FrameLayout, dict[str, str]]:
    """Return the layout that the header describes, with what was asked for instead, and where each fact came from."""
    described = Facts(
        header.colour_source,
        {"format": header.format.pixel_format, "bits": header.format.bits, "order": "i420", "align": "lsb"},
    )
    size = request.size or header.size
    layers = [*given_facts(request), described, Facts("Y4M is little-endian", {"endian": "little"}), ASSUMED]
    try:
        layout, sources = build_layout(layers, size)
    except UsageError as error:
        raise ClipError(f"{path}: {error}") from None
    if layout.order != "i420":
        raise ClipError(f"{path}: Y4M has the planes Y, U and V, not {layout.order.upper()}: give another --format")
    alpha = header.format.alpha if request.format is None else request.format.alpha
    return replace(layout, alpha=alpha), {"size": "--size" if request.size else "W and H tags", **sources}


def open_y4m(path: Path, request: Request) -> Y4mClip:
    """Open a Y4M file; flags outrank its header, with a warning."""
    request.refuse_others("a Y4M file", "size", "format", "bits", "chroma_rows", "align", "endian")
    file = ClipFile(path)
    try:
        header = parse_header(file.read(0, LARGEST_HEADER).tobytes(), str(path))
        layout, sources = _layout(path, header, request)
        needed = request.frames.stop if request.frames else None
        clip = Y4mClip(file, layout, header, sources, needed=needed, progress=request.progress)
        clip.warnings += [
            f"{source} outranks the file's own header: {key} is read as asked"
            for key, source in sources.items()
            if source.startswith("--")
        ]
        clip.warnings += [*layout_warnings(layout, sources), *detect(clip)]
        return clip
    except BaseException:
        file.close()
        raise
