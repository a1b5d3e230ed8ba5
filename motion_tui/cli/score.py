"""`motion-tui score CLIP`: per-frame scores."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from motion_tui.clips.registry import open_clip
from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.export.json import dumps, scores_document
from motion_tui.parity.session import score_clip


def score(
    clip: str,
    *,
    feature: str = "motion",
    engine: str = "oracle",
    option: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
) -> int:
    """Score a clip frame by frame."""
    options = Options.parse(feature, dict(item.split("=", 1) for item in option or []))
    with open_clip(clip) as opened, open_engine(engine, EngineConfig(options)) as made:
        text = dumps(scores_document(score_clip(opened, made)))
    if json is None or str(json) == "-":
        sys.stdout.write(text)
    else:
        json.write_text(text)
    return 0
