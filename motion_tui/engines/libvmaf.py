"""libvmaf itself, as FFmpeg's `libvmaf` filter in the binary of imageio-ffmpeg: a CPU reference that is not ours.

Raw planes go in through a pipe and a JSON log comes out; the log has six decimals, so that a comparison with it can
be no finer than half a unit of the last of them.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from motion_tui.core.errors import ClipError, DeviceError, NothingCompared, TwinError, UsageError
from motion_tui.core.frames import Frame
from motion_tui.core.geometry import Geometry
from motion_tui.core.options import OPTIONS, Options
from motion_tui.core.scores import Column, Scores, metric_names

FORMATS = ("420", "422", "444")
DEPTHS = (8, 10, 12, 16)
TIME_LIMIT = 600.0
"""Seconds that libvmaf may take once it has all frames."""
MODEL = {
    "param_dict": {"C": 1.0, "score_clip": [0.0, 100.0], "norm_type": "clip_0to1", "nu": 0.5, "gamma": 0.05},
    "model_dict": {
        "model_type": "LIBSVMNUSVR",
        "norm_type": "linear_rescale",
        "score_clip": [0.0, 100.0],
        "feature_names": ["psnr_y"],
        "slopes": [0.01, 0.01],
        "intercepts": [0.0, 0.0],
        "model": "svm_type nu_svr\nkernel_type rbf\ngamma 0.05\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n",
    },
}
"""A VMAF model of PSNR alone. FFmpeg always loads one, and the usual ones bring a motion feature with default
options, which hides ours of the same name, and features that crash on frames below 16x16."""


def ffmpeg_binary() -> str:
    """The FFmpeg of imageio-ffmpeg."""
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise DeviceError(f"no FFmpeg: {error}; install imageio-ffmpeg, which brings one") from None


def libvmaf_scores(frames: Iterable[Frame], geometry: Geometry, runs: Sequence[Options]) -> list[Scores]:
    """Return libvmaf's scores of `frames` for each of `runs`, in one pass; runs must differ in their metric names.

    Nothing is converted: samples that libvmaf cannot take as they are raise a ClipError, options that it would
    ignore a UsageError. A failure of FFmpeg is a TwinError, a log without the metrics or frames NothingCompared.
    """
    geometry.require_motion()
    for options in runs:
        _require(geometry, options)
    carrier = _carrier(geometry, runs)
    with tempfile.TemporaryDirectory(prefix="motion-tui-libvmaf-") as name:
        folder = Path(name)
        (folder / "model.json").write_text(json.dumps(MODEL), encoding="ascii")
        with (folder / "stderr.txt").open("w+b") as talk:
            count = _run(_command(carrier, runs), frames, carrier, folder, talk)
        log = _read_log(folder, count)
    return [_scores(log, count, options) for options in runs]


def _require(geometry: Geometry, options: Options) -> None:
    if options.feature == "motion_v2":
        raise UsageError("this libvmaf has no motion_v2 (its motion computes the same): choose --feature motion")
    if geometry.bit_depth not in DEPTHS:
        raise ClipError(f"{geometry}: libvmaf takes 8, 10, 12 or 16 bits; nothing is converted, so leave libvmaf out")
    if not options.motion_add_uv:
        return
    if options.feature == "motion":
        raise UsageError("libvmaf's motion has no motion_add_uv: drop it, or choose --feature float_motion")
    if geometry.pixel_format not in FORMATS:
        raise ClipError(f"{geometry}: libvmaf takes chroma as 420, 422 or 444; drop motion_add_uv")
    if options.motion_add_scale1 and geometry.pixel_format != "444":
        raise UsageError(
            "libvmaf reads unwritten memory with motion_add_uv and motion_add_scale1 on subsampled chroma: drop one"
        )


def _carrier(geometry: Geometry, runs: Sequence[Options]) -> Geometry:
    """The geometry that is sent: the clip's own, or where libvmaf has no such format and reads luma alone, 4:2:0."""
    if geometry.pixel_format in FORMATS or any(options.motion_add_uv for options in runs):
        return geometry
    return Geometry(geometry.width, geometry.height, "420", geometry.bit_depth)


def _pix_fmt(geometry: Geometry) -> str:
    suffix = "" if geometry.bit_depth == 8 else f"{geometry.bit_depth}le"
    return f"yuv{geometry.pixel_format}p{suffix}"


def _feature(options: Options) -> str:
    """One feature of the filter's option: `name=motion\\:motion_fps_weight=0.5`."""
    changed = {name: value for name, value in options.as_dict().items() if value != OPTIONS[name].default}
    changed["debug"] = options.debug
    words = [f"{name}={str(value).lower() if isinstance(value, bool) else value!r}" for name, value in changed.items()]
    return "\\:".join([f"name={options.feature}", *words])


def _command(carrier: Geometry, runs: Sequence[Options]) -> list[str]:
    features = "|".join(_feature(options) for options in runs)
    graph = (
        f"[0:v]split[a][b];[a][b]libvmaf=model='path=model.json':feature='{features}':log_fmt=json:log_path=log.json"
    )
    source = [
        "-f",
        "rawvideo",
        "-pix_fmt",
        _pix_fmt(carrier),
        "-s",
        f"{carrier.width}x{carrier.height}",
        "-i",
        "pipe:0",
    ]
    quiet = ["-hide_banner", "-loglevel", "error", "-noauto_conversion_filters"]
    return [ffmpeg_binary(), *quiet, *source, "-filter_complex", graph, "-f", "null", "-"]


def _samples(frame: Frame, carrier: Geometry) -> Iterable[bytes]:
    """The planes as the carrier's rawvideo; chroma that the clip doesn't have in its format is flat."""
    little = carrier.dtype.newbyteorder("<")
    for plane, extent in enumerate(carrier.extents):
        if plane == 0 or frame.geometry.pixel_format == carrier.pixel_format:
            yield frame.planes[plane].astype(little, copy=False).tobytes()
        else:
            yield np.zeros((extent.height, extent.width), little).tobytes()


def _run(command: list[str], frames: Iterable[Frame], carrier: Geometry, folder: Path, talk: IO[bytes]) -> int:
    """Feed FFmpeg and wait for it; return the number of frames sent."""
    count = 0
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=talk, cwd=folder
    ) as process:
        assert process.stdin is not None
        try:
            # A broken pipe means that FFmpeg has ended: its exit code, or its log, says more.
            with contextlib.suppress(BrokenPipeError):
                for frame in frames:
                    for samples in _samples(frame, carrier):
                        process.stdin.write(samples)
                    count += 1
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            code = process.wait(TIME_LIMIT)
        except subprocess.TimeoutExpired:
            raise TwinError(f"libvmaf took more than {TIME_LIMIT:g} s for {count} frames: score a part") from None
        finally:
            process.kill()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
    if code:
        talk.seek(0)
        lines = talk.read().decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise TwinError(f"FFmpeg's libvmaf failed (exit {code}): {lines[0]}")
    return count


def _read_log(folder: Path, count: int) -> dict[str, Any]:
    """The JSON log, once it is there and has a row a frame: FFmpeg's exit code 0 alone says neither."""
    path = folder / "log.json"
    if not path.exists():
        raise NothingCompared("FFmpeg's libvmaf ended without a log: was there a frame?")
    log: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if len(log["frames"]) != count or count == 0:
        raise NothingCompared(f"libvmaf logged {len(log['frames'])} frames of {count}")
    return log


def _scores(log: dict[str, Any], count: int, options: Options) -> Scores:
    rows = [row["metrics"] for row in log["frames"]]
    metrics: dict[str, Column] = {}
    for name in metric_names(options):
        metrics[name] = tuple(row.get(name) for row in rows)
        if None in metrics[name]:
            raise NothingCompared(f"libvmaf's log has no {name} in frame {metrics[name].index(None)} of {count}")
    return Scores(options.feature, "3.2", "libvmaf", f"CPU (libvmaf {log['version']} in FFmpeg)", options, metrics)
