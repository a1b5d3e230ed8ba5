"""`motion-tui bench`: what it lists and refuses; how fast anything is, it measures and no test does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.device.user_kernels import opencl


def test_json_has_every_twin_path_and_depth(program: Program) -> None:
    ran = program("bench", "--size", "64x48", "--runs", "3", "--bits", "8", "--bits", "12", "--json", "-")
    assert ran.code == 0
    found = json.loads(ran.out)
    cells = {(row["twin"], row["path"], row["bits"]) for row in found["twins"]}
    twins = ("diff-first", "blur-first", "float", "single-pass")
    assert cells == {(twin, path, bits) for twin in twins for path in ("sums", "stages") for bits in (8, 12)}
    for row in found["twins"]:
        for spread in (row["pair_ms"], row["stream_ms"], row["copy_ms"], *(step["ms"] for step in row["steps"])):
            assert 0 < spread["low"] <= spread["median"] <= spread["high"]
        kept = sum(step["kept"] for step in row["steps"])
        assert (row["stream_ms"]["low"] < row["pair_ms"]["low"]) == bool(kept)
        assert bool(kept) == (row["twin"] in ("blur-first", "float"))
    assert {row["engine"] for row in found["cpu"]} == {"oracle", "reference"}
    assert "opencl:cpu" in found["device_used"]
    assert found["published"][0] == {
        "device": "Arc B580",
        "size": "3840x2160",
        "ms": {"blur-first": 0.484, "diff-first": 0.525, "copy": 0.013},
    }


def test_text_shows_the_ratios_and_a_users_kernel_beside_the_twins(program: Program, tmp_path: Path) -> None:
    own = tmp_path / "zeros.cl"
    own.write_text(opencl())
    twice = ("--twin", "diff-first", "--twin", "diff-first")
    ran = program("bench", "--size", "33x17", "--runs", "1", "--bits", "8", *twice, "--steps", "--kernel", own)
    assert ran.code == 0
    assert re.findall(r"^(\S+) +8 sums +[\d.]+ \([^)]+\) +[\d.]+ ", ran.out, re.MULTILINE) == ["diff-first", "zeros.cl"]
    assert " x  CPU oracle, 8 bits / diff-first, 8 bits, scoring" in ran.out
    assert "diff_first.horizontal_sums" in ran.out


@pytest.mark.parametrize(
    ("tokens", "code", "said"),
    [
        (("--size", "2x2"), 2, "3x3"),
        (("--runs", "0"), 2, "at least 1"),
        (("--bits", "7"), 2, "8 to 16"),
        (("--bits", "8.5"), 2, '"8.5"'),
        (("--twin", "diff-frist"), 2, "unknown twin 'diff-frist': did you mean diff-first?"),
        (("--device", "opencl:gpu:7", "--size", "16x16"), 4, "opencl:gpu:7"),
    ],
)
def test_what_cannot_be_timed_is_refused(program: Program, tokens: tuple[str, ...], code: int, said: str) -> None:
    ran = program("bench", *tokens)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
