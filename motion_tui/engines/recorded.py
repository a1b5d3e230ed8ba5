"""Twins that ran elsewhere: a score log, or a folder of stage planes that a user's own kernel wrote.

A plane dump is a folder of files `f0001_p0_H.npy`, or raw `f0001_p0_H_int32.raw`: the current frame of the pair
(any number of digits, counted from 0 in the clip), the plane (0 Y, 1 U, 2 V), the stage (D, V or H), and for raw
files the sample type, little-endian, rows tightly packed. int32 and int16 planes are signed `prev - cur`, float32
planes too; uint16 and uint32 planes are magnitudes and compared with the oracle's magnitudes. What is not in the
folder is not observable: it is never taken for zero.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from motion_tui.core.errors import LogError, NothingCompared
from motion_tui.core.frames import FramePair, freeze
from motion_tui.core.geometry import Extent
from motion_tui.core.scores import PairSums, Scores
from motion_tui.core.spec import STAGES, Stage
from motion_tui.engines.base import Engine, EngineConfig, StagePlane, Stages
from motion_tui.engines.logs import read_log

DTYPES = ("int16", "int32", "uint16", "uint32", "float32")
_PLANE_FILE = re.compile(rf"f(\d+)_p([012])_([DVH])(?:\.npy|_({'|'.join(DTYPES)})\.raw)", re.ASCII)
_API_NAME = re.compile(r"VMAF_integer_feature_(motion[23]?)_score(.*)")
Place = tuple[int, int, Stage]
LOG_DEVICE, PLANES_DEVICE = "unknown (a log)", "unknown (plane files)"
"""Devices of engines that ran elsewhere: neither a log nor planes say where."""


class RecordedScores(Engine):
    """Finished scores that stand for a twin: metrics by their own names, and no planes."""

    def __init__(self, config: EngineConfig, scores: Scores, arithmetic: str) -> None:
        super().__init__(config)
        self.name = scores.engine
        self.arithmetic = arithmetic
        self._scores = scores

    @property
    def device(self) -> str:
        return self._scores.device

    def recorded_scores(self) -> Scores:
        return self._scores

    def observable(self, frame: int, plane: int = 0) -> tuple[Stage, ...]:
        return ()

    def has_sums(self, frame: int) -> bool:
        return False

    def pair_sums(self, pair: FramePair) -> PairSums:
        raise NothingCompared(f"{self.name}: a score log has no sums of pairs")

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        return Stages(None, None, None)


def open_log(config: EngineConfig, path: str) -> RecordedScores:
    """Open a score log; metrics under the names of libvmaf's API are also found under those that logs have."""
    log = read_log(Path(path))
    metrics, decimals = dict(log.metrics), dict(log.decimals)
    for name in log.metrics:
        match = _API_NAME.fullmatch(name)
        if match and (short := f"integer_{match[1]}{match[2]}") not in metrics:
            metrics[short] = metrics[name]
            if name in decimals:
                decimals[short] = decimals[name]
    options = config.options
    scores = Scores(options.feature, config.edition, f"log:{path}", LOG_DEVICE, options, metrics, decimals)
    return RecordedScores(config, scores, f"a {log.format} log" + (f", version {log.version}" if log.version else ""))


class PlaneDump(Engine):
    """A folder of stage planes; see the module for the names of its files."""

    arithmetic = "planes from files"

    def __init__(self, config: EngineConfig, folder: str) -> None:
        super().__init__(config)
        self.name = f"planes:{folder}"
        self.files = _find_planes(Path(folder))

    @property
    def device(self) -> str:
        return PLANES_DEVICE

    def observable(self, frame: int, plane: int = 0) -> tuple[Stage, ...]:
        return tuple(stage for stage in STAGES if (frame, plane, stage) in self.files)

    def has_sums(self, frame: int) -> bool:
        """Whether every plane that is read has an H plane of integers."""
        places: list[Place] = [(frame, plane, "H") for plane in self.planes_read]
        return self.config.options.feature != "float_motion" and all(
            place in self.files and not _is_float(self.files[place]) for place in places
        )

    def pair_sums(self, pair: FramePair) -> PairSums:
        if not self.has_sums(pair.current.index):
            raise NothingCompared(
                f"{self.name}: frame {pair.current.index} lacks an integer H plane of a plane that is read: no score"
            )
        sums = []
        for plane in self.planes_read:
            h = self._plane(pair, plane, "H")
            assert h is not None  # has_sums has looked
            sums.append(int(np.abs(h.astype(np.int64)).sum()))
        return PairSums(tuple(sums), tuple(pair.geometry.extent(plane).area for plane in self.planes_read))

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        planes = {stage: self._plane(pair, plane, stage) for stage in STAGES}
        unsigned = tuple(stage for stage, array in planes.items() if array is not None and array.dtype.kind == "u")
        return Stages(planes["D"], planes["V"], planes["H"], unsigned)

    def _plane(self, pair: FramePair, plane: int, stage: Stage) -> StagePlane | None:
        path = self.files.get((pair.current.index, plane, stage))
        return None if path is None else _load_plane(path, pair.geometry.extent(plane))


def _find_planes(folder: Path) -> Mapping[Place, Path]:
    if not folder.is_dir():
        raise LogError(f"{folder}: not a folder of stage planes")
    files: dict[Place, Path] = {}
    for path in sorted(folder.iterdir()):
        match = _PLANE_FILE.fullmatch(path.name)
        if match is None:
            continue
        stage: Stage = match[3]  # type: ignore[assignment]  # the pattern has the three stages alone
        place = (int(match[1]), int(match[2]), stage)
        if place in files:
            raise LogError(f"{path} and {files[place].name} are the same plane: keep one of them")
        files[place] = path
    if not files:
        raise LogError(
            f"{folder}: no stage planes: files are named f0001_p0_H.npy or f0001_p0_H_int32.raw "
            f"(frame, plane, stage D, V or H; {', '.join(DTYPES)})"
        )
    return MappingProxyType(files)


def _is_float(path: Path) -> bool:
    return _open_plane(path, None).dtype.kind == "f"


def _load_plane(path: Path, extent: Extent) -> StagePlane:
    plane = _open_plane(path, extent)
    if plane.shape != (extent.height, extent.width):
        shape = "x".join(str(side) for side in reversed(plane.shape))
        raise LogError(f"{path}: {shape} samples where the clip's plane has {extent}")
    return freeze(plane)


def _map_npy(path: Path) -> StagePlane:
    """Map an array file; a LogError says what is wrong with it, whatever NumPy raises of its header."""
    try:
        with np.errstate(over="ignore"):  # the product of a shape without bounds; it fits no file
            plane = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:
        raise LogError(f"{path}: not a plane that can be read: {error}") from None
    if plane.dtype.name not in DTYPES:
        raise LogError(f"{path}: samples of {plane.dtype}: one of {', '.join(DTYPES)} is needed")
    return np.asarray(plane)


def _open_plane(path: Path, extent: Extent | None) -> StagePlane:
    """Map a file as an array; `extent` None opens just enough to tell the sample type of a raw file."""
    try:
        if path.suffix == ".npy":
            return _map_npy(path)
        dtype = np.dtype(path.stem.rpartition("_")[2]).newbyteorder("<")
        if extent is None:
            return np.empty((0, 0), dtype)
        if path.stat().st_size != extent.area * dtype.itemsize:
            raise LogError(
                f"{path}: {path.stat().st_size} bytes where {extent} samples of {dtype.name} take "
                f"{extent.area * dtype.itemsize}"
            )
        return np.asarray(np.memmap(path, dtype, "r", shape=(extent.height, extent.width)))
    except (OSError, ValueError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(f"{path}: not a plane that can be read: {error}") from None
