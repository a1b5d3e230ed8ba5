"""The program: its commands, each imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts import App

from motion_tui.cli import diagnostics
from motion_tui.core.errors import MotionError

app = App(
    name="motion-tui", help="See where a GPU twin of VMAF's motion feature departs from its CPU reference, and why."
)
COMMANDS = {
    "score": "motion_tui.cli.score:score",
    "check": "motion_tui.cli.check:check",
    "geometry": "motion_tui.cli.geometry:geometry",
    "export": "motion_tui.cli.export:export",
    "diff-logs": "motion_tui.cli.diff_logs:diff_logs",
    "fixture": "motion_tui.cli.fixture:fixture",
    "devices": "motion_tui.cli.devices:devices",
    "kernels": "motion_tui.cli.kernels:app",
    "bench": "motion_tui.cli.bench:bench",
    "serve": "motion_tui.cli.serve:serve",
}
for name, target in COMMANDS.items():
    app.command(target, name=name)


def main(tokens: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    try:
        code = app(tokens, result_action="return_value")
    except MotionError as error:
        diagnostics.say(str(error))
        code = diagnostics.exit_code(error)
    sys.exit(code or 0)
