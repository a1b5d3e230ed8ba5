"""`diff-logs`: two logs, metric by metric."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tests.cli.program import Program


def csv(path: Path, header: str, *rows: str) -> Path:
    path.write_text("\n".join([f"Frame,{header}", *(f"{i},{row}" for i, row in enumerate(rows))]) + "\n")
    return path


def test_equal_logs_of_two_formats(program: Program, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "m", "0.000000", "0.072310")
    b = tmp_path / "b.xml"
    b.write_text(
        '<VMAF version="1"><frames><frame frameNum="0" m="0.000000"/><frame frameNum="1" m="0.072310"/></frames></VMAF>'
    )
    ran = program("diff-logs", a, b)
    assert (ran.code, ran.out.splitlines()[0].split()[0]) == (0, "PARITY")


def test_largest_delta_frame_mismatches_ulps_and_smallest_tolerance(program: Program, tmp_path: Path) -> None:
    near = math.nextafter(math.nextafter(2.5, 3), 3)
    a = csv(tmp_path / "a.csv", "m,n", "0.0,1.5", "2.5,1.5", "0.125,1.75")
    b = csv(tmp_path / "b.csv", "m,n", "0.0,1.5", f"{near!r},1.5", "0.125,1.5")
    ran = program("diff-logs", a, b, "--json", "-")
    found = json.loads(ran.out)
    assert (ran.code, found["verdict"]) == (1, "gap")
    m, n = found["metrics"]["m"], found["metrics"]["n"]
    assert (m["max_abs"], m["frame"], m["mismatches"], m["max_ulps"]) == (near - 2.5, 1, 1, 2)
    assert (n["max_abs"], n["frame"], n["mismatches"]) == (0.25, 2, 1)
    assert found["smallest_passing_tolerance"] == 0.25
    assert program("diff-logs", a, b, "--tolerance", "0.25").code == 0
    assert program("diff-logs", a, b, "--metric", "m", "--places", "4").code == 0


def test_a_coarse_log_is_compared_at_its_own_resolution(program: Program, tmp_path: Path) -> None:
    fine = csv(tmp_path / "fine.csv", "m", "0.0", "39.54730902777778")
    coarse = csv(tmp_path / "coarse.csv", "m", "0.000000", "39.547309")
    off = csv(tmp_path / "off.csv", "m", "0.000000", "39.547310")
    found = json.loads(program("diff-logs", fine, coarse, "--json", "-").out)
    assert (found["verdict"], found["metrics"]["m"]["could_be_printing"]) == ("parity", 1)
    assert found["metrics"]["m"]["max_ulps"] is None
    assert program("diff-logs", fine, off).code == 1
    assert program("diff-logs", coarse, off).code == 1


@pytest.mark.parametrize(
    ("header", "rows", "words"),
    [
        ("n", ("1", "2"), "has no metric m"),
        ("m", ("1",), "has 2 frames and"),
        ("m", ("1", "nan"), "frame 1 is 2.0"),
        ("m", ("1", ""), "frame 1 is 2.0"),
        ("m,n", ("1,1", "2,1"), "has no metric n"),
        ("m", (), "has no metric m"),
    ],
    ids=str,
)
def test_what_is_not_compared_is_said_and_no_pass(
    program: Program, tmp_path: Path, header: str, rows: tuple[str, ...], words: str
) -> None:
    a = csv(tmp_path / "a.csv", "m", "1", "2")
    b = csv(tmp_path / "b.csv", header, *rows)
    for first, second in ((a, b), (b, a)):
        ran = program("diff-logs", first, second, "--json", "-")
        assert (ran.code, json.loads(ran.out)["verdict"]) == (3, "not-run")
    assert words in program("diff-logs", a, b).err


def test_two_empty_logs_are_no_parity(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text('{"frames": []}')
    ran = program("diff-logs", path, path)
    assert (ran.code, "nothing to compare" in ran.err) == (3, True)


def test_markdown(program: Program, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "m", "1.5")
    ran = program("diff-logs", a, a, "--md", "-")
    assert ran.out.startswith("## parity: two logs\n")
    assert "| m | 0.0 |" in ran.out


def test_a_log_that_cannot_be_read(program: Program, tmp_path: Path) -> None:
    a = csv(tmp_path / "a.csv", "m", "1.5")
    ran = program("diff-logs", a, tmp_path / "absent")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"motion-tui: {tmp_path / 'absent'}: No such file or directory\n"
