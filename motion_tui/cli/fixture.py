"""`motion-tui fixture FAMILY --size WxH --out FILE`: a synthetic clip as a file, and the scores it must give."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.cli.paths import Named
from motion_tui.cli.run_flags import RunFlags
from motion_tui.cli.whole import MaybeWhole, Whole
from motion_tui.clips.base import Clip
from motion_tui.clips.families import FAMILIES
from motion_tui.clips.registry import open_clip
from motion_tui.clips.sidecar import sidecar_path, sidecar_text
from motion_tui.clips.writer import write_y4m, write_yuv
from motion_tui.core.errors import ClipError, UsageError
from motion_tui.engines.registry import open_engine
from motion_tui.export.files import STDOUT, require_writable, write_bytes, write_text
from motion_tui.export.json import dumps, scores_document
from motion_tui.export.text import scores_text
from motion_tui.parity.report import ClipFacts
from motion_tui.parity.session import score_clip

FAMILY_HELP = "; ".join(f"{row.name}: {row.does}" for row in FAMILIES.values())


def fixture(
    family: Annotated[str, Parameter(help=f"The rule: {FAMILY_HELP}.")],
    /,
    *,
    size: Annotated[str, Parameter(help="Luma size WxH.")],
    out: Annotated[
        Named, Parameter(help="FILE.y4m, or FILE.yuv (with a side-car FILE.yuv.json that says its geometry).")
    ],
    pixel_format: Annotated[str, Parameter(name="--format", help="400, 420, 422, 444, 440, 411 or 410.")] = "420",
    bits: Annotated[Whole, Parameter(help="8 to 16.")] = 8,
    frames: Annotated[Whole, Parameter(help="How many frames.")] = 6,
    seed: Annotated[MaybeWhole, Parameter(help="For the families that take one.")] = None,
    parameter: Annotated[
        list[str] | None, Parameter(name="--set", negative="", help="KEY=VALUE, a parameter of the family.")
    ] = None,
    json: Annotated[Output, Parameter(help="FILE or -: the scores; else they go to FILE.scores.json.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
    run: RunFlags | None = None,
) -> int:
    """Write a synthetic clip, and the scores that the oracle gives it as a vmaf log beside it."""
    writer = {".y4m": write_y4m, ".yuv": write_yuv}.get(out.suffix.lower())
    if writer is None:
        raise UsageError(f"{out}: the name must end in .y4m or .yuv, which says what is written")
    scores_path = json if json is not None else out.with_name(out.name + ".scores.json")
    beside = sidecar_path(out) if writer is write_yuv else None
    require_outputs(force, out=out, json=scores_path)
    if beside:
        if scores_path == beside:
            raise UsageError(f"--json {json}: is the side-car of --out {out}: name another file")
        require_writable(beside, force)
    with open_clip(clip_name(family, size, pixel_format, bits, frames, seed, parameter or [])) as clip:
        write_bytes(out, lambda stream: writer(clip, stream), force)
        if beside:
            write_text(beside, sidecar_text(clip.geometry), force)
        _write_scores(clip, scores_path, run or RunFlags(), force)
    return 0


def clip_name(
    family: str, size: str, pixel_format: str, bits: int, frames: int, seed: int | None, parameters: list[str]
) -> str:
    """Return the URI of the clip that the flags describe."""
    pairs = [("size", size), ("format", pixel_format), ("bits", str(bits)), ("frames", str(frames))]
    if seed is not None:
        pairs.append(("seed", str(seed)))
    for item in parameters:
        key, equals, value = item.partition("=")
        if not equals:
            raise UsageError(f"--set {item}: give KEY=VALUE, such as step=3")
        pairs.append((key, value))
    return f"synthetic:{family}?{urlencode(pairs)}"


def _write_scores(clip: Clip, path: Path, run: RunFlags, force: bool) -> None:
    """Score a clip with the oracle and write that as a log; a clip too small for motion has none, and that is said."""
    config = run.config
    try:
        clip.geometry.require_motion(config.options.planes_read)
    except ClipError as error:
        diagnostics.say(f"{clip.name}: no scores are written: {error}")
        return
    with open_engine("oracle", config) as oracle, diagnostics.progress("score") as progress:
        scores = score_clip(clip, oracle, progress)
    write_text(path, dumps(scores_document(scores, ClipFacts.of(clip))), force)
    if str(path) != STDOUT:
        sys.stdout.write(scores_text(scores))
