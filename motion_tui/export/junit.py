"""JUnit XML for CI: a suite a clip, a case a metric and a stage. What was not compared is an error, never skipped:
a skipped case is green."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from motion_tui.export.text import notes, report_text, summary
from motion_tui.parity.report import ParityReport


@dataclass(frozen=True, slots=True)
class Case:
    """One test case; `problem` is empty where it passed."""

    name: str
    kind: str = ""
    """"failure" or "error"."""
    problem: str = ""


def reports_text(reports: Sequence[ParityReport], verdict: str) -> str:
    """Return all reports as one JUnit document; the overall verdict is its name."""
    root = ElementTree.Element("testsuites", name=f"motion-tui check: {verdict}")
    for report in reports:
        cases = list(_cases(report))
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_legal(report.clip.name),
            tests=str(len(cases)),
            failures=str(sum(case.kind == "failure" for case in cases)),
            errors=str(sum(case.kind == "error" for case in cases)),
        )
        for case in cases:
            element = ElementTree.SubElement(
                suite, "testcase", classname=_legal(f"motion_tui.{report.twin.name}"), name=_legal(case.name)
            )
            if case.problem:
                ElementTree.SubElement(element, case.kind, message=_legal(case.problem)).text = _legal(
                    report_text(report) if case is cases[0] else "\n".join(notes(report))
                )
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _cases(report: ParityReport) -> Iterator[Case]:
    """The verdict first, so that a report without any metric is never an empty, green suite."""
    kind = {"parity": "", "gap": "failure"}.get(report.verdict, "error")
    yield Case("verdict", kind, summary(report) if kind else "")
    for metric in report.metrics:
        outside = f"{metric.mismatches} frames outside {metric.tolerance.value:g}, worst {metric.max_abs!r}"
        yield Case(metric.name, *(("failure", f"{outside} in frame {metric.frame}") if metric.mismatches else ()))
    for stage, known in report.residue.items():
        judged = report.verdict == "gap" and known.nonzero and report.tolerance.value == 0
        yield Case(f"stage {stage}", *(("failure", f"{known.nonzero} of {known.pixels} pixels") if judged else ()))


def _legal(text: str) -> str:
    """Replace what XML 1.0 cannot hold."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "?" for c in text
    )
