"""A snapshot bundle: a folder with everything that one frame's comparison was made of and what it showed.

report.json     what was compared with what, by which versions, on which device, and the statistics
panes.png       the three panes of the chosen stage
stages.npz      oracle_p0_H, twin_p0_H, ...: every observable stage of every plane that is read
pair.npz        previous_p0, current_p0, ...: the samples of both frames, so that it can be computed again
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from motion_tui.core.errors import ClipError, ExportError
from motion_tui.core.scores import PairSums
from motion_tui.core.spec import Stage
from motion_tui.engines.base import Engine
from motion_tui.export.files import write_folder
from motion_tui.export.json import SCHEMA, clip_document, dumps, statistics_document
from motion_tui.export.png import write_panes
from motion_tui.export.text import changed
from motion_tui.export.versions import versions
from motion_tui.parity.report import ClipFacts
from motion_tui.parity.residue import StagePair
from motion_tui.parity.session import Session

FILES = frozenset(("panes.png", "stages.npz", "pair.npz"))
REPORT = "report.json"


def write_bundle(
    path: Path, session: Session, frame: int, plane: int = 0, stage: Stage = "H", force: bool = False
) -> None:
    """Write the bundle of `frame`; the picture is of `plane` and `stage`, the arrays are of all that was read."""
    if frame not in session.scored_frames:
        known = session.scored_frames
        raise ClipError(
            f"{session.clip.name}: frame {frame} has no pair: "
            + (f"frames {known[0]} to {known[-1]} have one" if known else "the clip is too short for any")
        )
    _require_bundle(path)
    pairs = [session.stage_pair(frame, p) for p in sorted({*session.twin.planes_read, plane})]
    shown = next(pair for pair in pairs if pair.plane == plane)
    shown.residue(stage)  # what cannot be shown is refused before anything is written

    def fill(folder: Path) -> None:
        write_panes(folder / "panes.png", shown, stage)
        np.savez_compressed(folder / "stages.npz", **_stage_arrays(pairs))
        np.savez_compressed(folder / "pair.npz", **_samples(session, frame))
        files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in sorted(FILES)}
        document = _document(session, frame, pairs) | {"shown": {"plane": plane, "stage": stage}, "files": files}
        (folder / REPORT).write_text(dumps(document), encoding="utf-8")

    write_folder(path, fill, force)


def _require_bundle(path: Path) -> None:
    """Refuse to replace a folder that holds anything but a bundle, whatever was forced."""
    strangers = {entry.name for entry in path.iterdir()} - FILES - {REPORT} if path.is_dir() else set()
    if strangers:
        raise ExportError(
            f"{path}: holds {min(strangers)}, so it is no bundle and is not replaced: name another folder"
        )


def _stage_arrays(pairs: Sequence[StagePair]) -> dict[str, Any]:
    return {
        f"{side}_p{pair.plane}_{stage}": stages.get(stage)
        for pair in pairs
        for side, stages in (("oracle", pair.oracle), ("twin", pair.twin))
        for stage in stages.observable
    }


def _samples(session: Session, frame: int) -> dict[str, Any]:
    pair = session.clip.pair(frame, session.distance)
    return {
        f"{side}_p{plane}": samples
        for side, one in (("previous", pair.previous), ("current", pair.current))
        for plane, samples in enumerate(one.planes)
    }


def _document(session: Session, frame: int, pairs: Sequence[StagePair]) -> dict[str, Any]:
    config = session.config
    return {
        "schema": SCHEMA,
        "kind": "bundle",
        "clip": clip_document(ClipFacts.of(session.clip)),
        "frame": frame,
        "previous_frame": frame - session.distance,
        "feature": config.options.feature,
        "edition": config.edition,
        "options": config.options.as_dict(),
        "settings": {name: str(value) for name, value in changed(config.twin).items()},
        "versions": versions(),
        "oracle": _engine_document(session, session.oracle, frame),
        "twin": _engine_document(session, session.twin, frame),
        "residue": {
            f"p{pair.plane}": {stage: statistics_document(pair.statistics(stage)) for stage in pair.observable}
            for pair in pairs
        },
        "first_difference": {f"p{pair.plane}": pair.first_difference for pair in pairs},
    }


def _engine_document(session: Session, engine: Engine, frame: int) -> dict[str, Any]:
    sums: PairSums | None = session.pair_sums(engine, frame) if engine.has_sums(frame) else None
    return {
        "name": engine.name,
        "arithmetic": engine.arithmetic,
        "device": engine.device,
        "health": engine.health or None,
        "sums": None if sums is None else list(sums.sums),
        "areas": None if sums is None else list(sums.areas),
    }
