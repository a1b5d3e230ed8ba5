"""`motion-tui score CLIP`: per-frame scores."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.cli.run_flags import RunFlags, require_twin
from motion_tui.core.errors import NothingCompared
from motion_tui.engines.registry import open_engine
from motion_tui.export.csv import scores_csv
from motion_tui.export.files import write_text
from motion_tui.export.json import dumps, scores_document
from motion_tui.export.text import scores_text
from motion_tui.parity.report import ClipFacts
from motion_tui.parity.session import score_clip


def score(
    clip: Annotated[list[str], Parameter(help="A clip, or the image files of one, in order.")],
    /,
    *,
    engine: Annotated[str, Parameter(help="oracle, reference, twin:NAME or model:NAME.")] = "oracle",
    json: Annotated[Output, Parameter(help="FILE or -: the layout of a `vmaf --json` log, every digit.")] = None,
    csv: Annotated[Output, Parameter(help="FILE or -: a row a frame, every digit.")] = None,
    timeline: Annotated[Output, Parameter(help="FILE or -: what each frame cost on a twin's device, as JSON.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
    flags: ClipFlags | None = None,
    run: RunFlags | None = None,
) -> int:
    """Score a clip frame by frame; without --json or --csv as a table on stdout.

    motion (sad_score): mean |H|, how much a frame differs from the one before. motion2: the smaller of a frame's
    motion and its successor's. motion3: motion2 blended and capped. Frame 0 has no previous frame.
    """
    config = (run or RunFlags()).config
    outputs = require_outputs(force, inputs=(*clip, config.twin.kernel), json=json, csv=csv, timeline=timeline)
    require_twin(config.twin, engine)
    with diagnostics.progress("open") as opening:
        opened = (flags or ClipFlags()).open(clip, progress=opening)
    with opened, diagnostics.progress("score") as progress, open_engine(engine, config) as made:
        diagnostics.warn_of(opened)
        costs: list[dict[str, Any]] = []

        def scored(done: int, frames: int) -> None:
            if progress is not None:
                progress(done, frames)
            if timeline is not None and made.timeline is not None:
                costs.append({"frame": done - 1, **made.timeline.as_dict()})

        scores = score_clip(opened, made, scored)
        facts = ClipFacts.of(opened)
    if made.health:
        diagnostics.say(f"{made.name} on {made.device}: {made.health}")
    if timeline is not None:
        if not costs:
            raise NothingCompared(f"{made.name} has no timeline: it ran no pair on a SYCL device")
        write_text(timeline, dumps({"schema": 1, "engine": made.name, "device": made.device, "frames": costs}), force)
    if not outputs:
        sys.stdout.write(scores_text(scores))
    if json is not None:
        write_text(json, dumps(scores_document(scores, facts)), force)
    if csv is not None:
        write_text(csv, scores_csv(scores), force)
    return 0
