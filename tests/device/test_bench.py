"""`motion-tui bench`: what it lists and refuses; how fast anything is, it measures and no test does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from motion_tui.cli.main import main

pytestmark = pytest.mark.device


def run(*tokens: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        main(tokens)
    return int(str(ended.value.code))


def test_json_has_every_twin_path_and_depth(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--size", "64x48", "--runs", "3", "--bits", "8", "--bits", "12", "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
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


def test_text_shows_the_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--size", "33x17", "--runs", "1", "--bits", "8", "--twin", "diff-first", "--steps") == 0
    out = capsys.readouterr().out
    assert " x  CPU oracle, 8 bits / diff-first, 8 bits, scoring" in out
    assert "diff_first.horizontal_sums" in out


def test_a_users_kernel_is_timed_beside_the_twins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "zeros.cl"
    own.write_text(
        "__kernel void motion(__global const ushort *p, __global const ushort *c, __global int *d, __global int *v,"
        " __global int *h, int width, int height, int bpc)"
        " { size_t i = get_global_id(1) * width + get_global_id(0); d[i] = p[i] - c[i]; v[i] = 0; h[i] = 0; }"
    )
    arguments = ("--size", "33x17", "--runs", "1", "--bits", "8", "--twin", "diff-first", "--json", "-")
    assert run("bench", *arguments, "--kernel", str(own)) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["twin"] for row in found["twins"] if row["path"] == "sums"] == ["diff-first", "zeros.cl"]


@pytest.mark.parametrize(
    ("tokens", "code", "said"),
    [
        (("--size", "2x2"), 2, "3x3"),
        (("--runs", "0"), 2, "at least 1"),
        (("--bits", "7"), 2, "8 to 16"),
        (("--twin", "diff-last"), 2, "unknown twin 'diff-last'"),
        (("--device", "opencl:gpu:7", "--size", "16x16"), 4, "opencl:gpu:7"),
    ],
)
def test_what_cannot_be_timed_is_refused(
    tokens: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("bench", *tokens) == code
    assert said in capsys.readouterr().err
