"""CSV in the layout of libvmaf's: a row a frame, a column a metric; doubles read back to the same bits."""

from __future__ import annotations

import csv
import io

from motion_tui.core.scores import Scores
from motion_tui.export.text import number


def scores_csv(scores: Scores) -> str:
    """Return scores as CSV; an empty cell where a frame has no value."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["Frame", *scores.metrics])
    for i in range(len(scores)):
        writer.writerow([i, *(number(values[i]) for values in scores.metrics.values())])
    return stream.getvalue()
