"""The forms a report can be written in: one row a form, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from motion_tui.parity.report import ParityReport

REPORTS = {
    "json": "motion_tui.export.json:reports_text",
    "md": "motion_tui.export.markdown:reports_text",
    "junit": "motion_tui.export.junit:reports_text",
}
"""Forms by the flag that asks for them: `module:function` of (reports, worst verdict) to text."""


def reports_in(form: str, reports: Sequence[ParityReport], verdict: str) -> str:
    """Return the reports in the form that `REPORTS` names."""
    module, _, name = REPORTS[form].partition(":")
    write: Callable[[Sequence[ParityReport], str], str] = getattr(import_module(module), name)
    return write(reports, verdict)
