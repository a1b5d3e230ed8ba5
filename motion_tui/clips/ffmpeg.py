"""Running FFmpeg: one frame to see what a stream decodes to, then the whole of it, with progress and a cancel.

FFmpeg is told to convert nothing: no automatic scaler, no rotation, no frame dropped or duplicated. There is no ffprobe
in imageio-ffmpeg, and none is needed: the output's own line in the log says what the decoder really gives.

It gets the file as an open descriptor and may open nothing else: a playlist (HLS, DASH, ffconcat) that somebody sent
can't make it read other files or the network.
"""

from __future__ import annotations

import os
import queue
import re
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from motion_tui.core.errors import ClipError

_OUTPUT = re.compile(r"Stream #0:0.*: Video: rawvideo.*?, (\w+)(?:\((.*?)\))?, (\d{1,6})x(\d{1,6})(?=[ ,]|$)")
_LEVEL = re.compile(r"\[(panic|fatal|error|warning|info|verbose)\] ")
_RESHAPED = re.compile(r"video parameters changed to (\w+)\(.*?\), (\d+)x(\d+)")
_DURATION = re.compile(r"^  Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)")
_RATE = re.compile(r"^  Stream #0:\d+.*: Video: .*, (\d+(?:\.\d+)?)(k?) fps")
_DAMAGED = re.compile(r"Decoding error:|corrupt decoded frame")
_SPEAKER = re.compile(r"^(\[[^]]*\] )+")
_SITINGS = {"left": "left", "center": "centre", "topleft": "top left", "top": "top", "bottomleft": "bottom left"}
PROBE_SECONDS = 60
PROBES = 3
"""Only the level "verbose" tells of chroma siting, and there lines of FFmpeg's threads may run into each other."""
POLL_SECONDS = 0.1
LINES_KEPT = 60
LONGEST_LINE = 4096
FROZEN = 300.0
"""Seconds without a line of progress after which FFmpeg is taken for hung."""


class SpoolCancelled(ClipError):
    """The user cancelled the decoding of a video."""


@dataclass(frozen=True, slots=True)
class Stream:
    """What the first video stream of a file decodes to."""

    pix_fmt: str
    """FFmpeg's name of what the decoder gives (or of what a conversion gives)."""
    width: int
    height: int
    first_frame_bytes: int
    estimated_frames: int
    """From duration and rate; 0 where the file doesn't say."""
    siting: str
    notes: tuple[str, ...]
    """What FFmpeg says of range, colour space and field order."""


@cache
def executable() -> str:
    """Return the FFmpeg of imageio-ffmpeg."""
    import imageio_ffmpeg

    try:
        found: str = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError as error:
        raise ClipError(
            f"video: imageio-ffmpeg has no FFmpeg here ({error}); decode the video to .y4m instead"
        ) from None
    return found


def _command(convert: str | None, filters: list[str], before_output: list[str], output: str, level: str) -> list[str]:
    """Return the command that decodes what its standard input is; counts come from its progress, not from its log."""
    if convert:
        filters = [*filters, f"format={convert}"]
    return [
        executable(), "-hide_banner", "-nostdin", "-loglevel", f"level+{level}", "-protocol_whitelist", "fd",
        "-noautorotate", "-i", "fd:", "-map", "0:V:0", "-an", "-sn", "-dn",
        *([] if convert else ["-noauto_conversion_filters"]),
        *(["-vf", ",".join(filters)] if filters else []),
        "-fps_mode", "passthrough", *before_output, "-nostats", "-stats_period", str(POLL_SECONDS),
        "-progress", "pipe:1", "-f", "rawvideo", "-y", output,
    ]  # fmt: skip


def probe(path: Path, convert: str | None = None) -> Stream:
    """Decode one frame and return what the stream gives; a ClipError quotes FFmpeg where it can't be read."""
    command = _command(convert, [], ["-frames:v", "1"], f"file:{os.devnull}", "verbose")
    for _ in range(PROBES):
        try:
            with path.open("rb") as source:
                done = subprocess.run(command, stdin=source, capture_output=True, timeout=PROBE_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise ClipError(f"{path}: FFmpeg gave no frame within {PROBE_SECONDS} s; decode it to .y4m first") from None
        lines, errors = _split_log(done.stderr.decode("utf-8", "replace").splitlines())
        output = next((at for at, line in enumerate(lines) if line.startswith("Output #0")), len(lines))
        found = next((match for line in lines[output:] if (match := _OUTPUT.search(line))), None)
        if found or done.returncode:
            break
    sizes = re.findall(rb"^total_size=(\d+)", done.stdout, re.MULTILINE)
    if done.returncode or found is None or not sizes or not int(sizes[-1]):
        raise ClipError(f"{path}: FFmpeg cannot decode it{_asked(convert)}: {_reason(errors)}")
    words = [word.strip() for word in (found[2] or "").split(",")]
    siting = next((_SITINGS[word] for word in words if word in _SITINGS), "")
    return Stream(
        found[1],
        int(found[3]),
        int(found[4]),
        int(sizes[-1]),
        _estimate(lines[:output]),
        f"{siting} (FFmpeg)" if siting else "not said",
        tuple(word for word in words if word and word not in _SITINGS),
    )


def decode(
    path: Path,
    output: Path,
    convert: str | None,
    frames: tuple[int, int | None],
    stream: Stream,
    poll: Callable[[int], None],
) -> tuple[int, list[str]]:
    """Decode frames A up to B of a stream into `output`; return how many, and warnings.

    `poll(frames done)` is called about ten times a second and may raise, which ends FFmpeg.
    """
    start, stop = frames
    filters = (
        [f"trim=start_frame={start}" + (f":end_frame={stop}" if stop is not None else "")] if start or stop else []
    )
    limit = ["-frames:v", str(stop - start)] if stop is not None else []
    command = _command(convert, filters, limit, f"file:{output.absolute()}", "info")
    with path.open("rb") as source:
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
        )
    log = _Log(process, stream, bool(convert))
    try:
        done = _follow(log, path, stream, poll)
        code = process.wait(timeout=PROBE_SECONDS)
        log.join()
        if code:
            raise ClipError(f"{path}: FFmpeg stopped after frame {done}{_asked(convert)}: {_reason(list(log.errors))}")
        return done, log.warnings(path)
    finally:
        process.kill()
        process.wait()
        log.join()


def _follow(log: _Log, path: Path, stream: Stream, poll: Callable[[int], None]) -> int:
    """Read FFmpeg's progress to its end and return how many frames it gave."""
    done, quiet = 0, 0.0
    while True:
        try:
            line = log.progress.get(timeout=POLL_SECONDS)
        except queue.Empty:
            quiet += POLL_SECONDS
            if quiet > FROZEN:
                raise ClipError(f"{path}: FFmpeg has hung after frame {done}; decode it to .y4m first") from None
            poll(done)
            continue
        if line is None:
            return done
        quiet = 0.0
        if line.startswith("frame=") and line[6:].strip().isdigit():
            done = int(line[6:])
            poll(done)
        if log.reshaped:
            raise ClipError(
                f"{path}: near frame {done} the stream changes to {log.reshaped}, from {stream.pix_fmt} "
                f"{stream.width}x{stream.height}: give --frames A:B with one of the two"
            )


class _Log:
    """Two threads that read FFmpeg's output: progress lines go to a queue, of the log only what matters is kept."""

    def __init__(self, process: subprocess.Popen[bytes], stream: Stream, converted: bool) -> None:
        self.progress: queue.Queue[str | None] = queue.Queue()
        self.errors: deque[str] = deque(maxlen=LINES_KEPT)
        self.reshaped = ""
        self.damaged = 0
        self._stream, self._converted = stream, converted
        self._process = process
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._read_progress, self._read_log)]
        for thread in self._threads:
            thread.start()

    def _read_progress(self) -> None:
        assert self._process.stdout
        with self._process.stdout as pipe:
            while line := pipe.readline(LONGEST_LINE):
                self.progress.put(line.decode("utf-8", "replace"))
        self.progress.put(None)

    def _read_log(self) -> None:
        assert self._process.stderr
        with self._process.stderr as pipe:
            while raw := pipe.readline(LONGEST_LINE):
                (line,), errors = _split_log([raw.decode("utf-8", "replace").rstrip()])
                self.errors.extend(errors)
                self.damaged += _DAMAGED.search(line) is not None
                if found := _RESHAPED.search(line):
                    same_size = (int(found[2]), int(found[3])) == (self._stream.width, self._stream.height)
                    if not same_size or (not self._converted and found[1] != self._stream.pix_fmt):
                        self.reshaped = f"{found[1]} {found[2]}x{found[3]}"

    def join(self) -> None:
        for thread in self._threads:
            with suppress(RuntimeError):
                thread.join(timeout=5)

    def warnings(self, path: Path) -> list[str]:
        """Return what went wrong on the way."""
        if self.reshaped:
            raise ClipError(f"{path}: the stream changes to {self.reshaped}: decode it to .y4m first")
        said = f"FFmpeg met damage {self.damaged} times: samples are partly its guess, and may differ from run to run"
        return [said] if self.damaged else []


def _asked(convert: str | None) -> str:
    return f" (converted to {convert})" if convert else ""


def _split_log(lines: list[str]) -> tuple[list[str], list[str]]:
    """Return a log's lines without their levels, and those of them that tell of an error."""
    levels = [_LEVEL.search(line) for line in lines]
    plain = [_LEVEL.sub("", line, count=1) for line in lines]
    failures = ("panic", "fatal", "error")
    return plain, [line for level, line in zip(levels, plain, strict=True) if level and level[1] in failures]


def _reason(errors: list[str]) -> str:
    """Return why FFmpeg failed, the first of its errors where none is telling, and what to do."""
    if any("matches no streams" in line for line in errors):
        return "it has no video stream; name a video file"
    if any(re.search("not on whitelist|Unsafe file name|Impossible to open|of playlist", line) for line in errors):
        return "it refers to other files or addresses, which are not followed; name the video itself"
    if any("Protocol not found" in line for line in errors):
        return "this FFmpeg can't read an open file (its fd: came with version 6); unset IMAGEIO_FFMPEG_EXE"
    full = next((line for line in errors if "No space left" in line), "")
    said = _SPEAKER.sub("", full or (errors or ["it said nothing"])[0])[:200]
    return f"{said}; {'make room, or set MOTION_TUI_CACHE_DIR' if full else 'check that it is a video'}"


def _estimate(lines: list[str]) -> int:
    """Return duration times rate as the input's lines have them; 0 where one is missing."""
    duration = next((match for line in lines if (match := _DURATION.match(line))), None)
    rate = next((match for line in lines if (match := _RATE.match(line))), None)
    if duration is None or rate is None:
        return 0
    seconds = int(duration[1]) * 3600 + int(duration[2]) * 60 + float(duration[3])
    return round(seconds * float(rate[1]) * (1000 if rate[2] else 1))
