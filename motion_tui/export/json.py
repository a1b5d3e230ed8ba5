"""JSON: doubles that read back to the same bits."""

from __future__ import annotations

import json
from typing import Any

from motion_tui.core.scores import Scores


def scores_document(scores: Scores) -> dict[str, Any]:
    """Return scores in the layout of a `vmaf --json` log."""
    frames = [
        {"frameNum": i, "metrics": {name: values[i] for name, values in scores.metrics.items()}}
        for i in range(len(scores))
    ]
    return {"version": scores.edition, "engine": scores.engine, "device": scores.device, "frames": frames}


def dumps(document: dict[str, Any]) -> str:
    """Return a document as JSON text, one line end at its end; NaN is refused."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"
