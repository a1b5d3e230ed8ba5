"""`motion-tui diff-logs A B`: two vmaf logs, metric by metric."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.cli.paths import Named
from motion_tui.cli.tolerance_flags import ToleranceFlags
from motion_tui.export.files import STDOUT, write_text
from motion_tui.export.logdiff import diff_json, diff_markdown, diff_text
from motion_tui.parity.logdiff import diff_logs as diff

CODES = {"parity": diagnostics.PARITY, "gap": diagnostics.GAP, "not-run": diagnostics.NOT_COMPARED}


def diff_logs(
    a: Annotated[Named, Parameter(help="A vmaf log: JSON, XML, CSV or subtitle.")],
    b: Annotated[Named, Parameter(help="Another; deltas are B - A.")],
    /,
    *,
    tolerance: ToleranceFlags | None = None,
    metric: Annotated[
        tuple[str, ...], Parameter(negative="", help="Compare this metric alone; repeatable. Default: all of both.")
    ] = (),
    json: Annotated[Output, Parameter(help="FILE or -: JSON.")] = None,
    md: Annotated[Output, Parameter(help="FILE or -: Markdown.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
) -> int:
    """Compare two logs: largest delta, its frame, mismatches, ULPs where both have all digits, smallest tolerance.

    Without a tolerance flag figures have to be equal as printed; where one log has more digits than the other, half
    a unit of the coarser one's last place is allowed. Exit code: 0 equal, 1 a gap, 2 a log that cannot be read, 3
    something was not compared (a metric that only one log has, NaN, another number of frames; see --metric).
    """
    outputs = require_outputs(force, inputs=(a, b), json=json, md=md)
    found = diff(a, b, (tolerance or ToleranceFlags()).chosen, metric)
    for reason in found.not_compared.values():
        diagnostics.say(reason)
    if found.metrics and found.not_compared and not metric:
        diagnostics.say("not everything was compared: --metric NAME, repeatable, compares what it names alone")
    if not found.metrics and not found.not_compared:
        diagnostics.say(f"{a} and {b}: no frame, nothing to compare")
    if STDOUT not in map(str, outputs.values()):
        sys.stdout.write(diff_text(found))
    if json is not None:
        write_text(json, diff_json(found), force)
    if md is not None:
        write_text(md, diff_markdown(found), force)
    return CODES[found.verdict]
