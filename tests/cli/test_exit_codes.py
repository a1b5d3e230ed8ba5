"""What the program itself does: usage errors, help, start-up, interrupts, broken pipes, bugs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from motion_tui.cli import main as main_module
from motion_tui.cli import run_flags
from motion_tui.cli import score as score_module
from tests.cli.program import NOISE, Program
from tests.unit.faulty import CrashingTwin

PYTHON = [sys.executable, "-m", "motion_tui"]


@pytest.mark.parametrize(
    "words",
    [
        ["score"],
        ["score", NOISE, "--nonsense"],
        ["score", NOISE, "--bits", "x"],
        ["--nonsense"],
        ["absent.y4m", "--bits"],
        ["check", NOISE, "--twin", ""],
        ["check", NOISE, "--device", ""],
        ["check", NOISE, "--planes", ""],
        ["check", NOISE, "--scores", ""],
        ["check", NOISE, "--kernel", ""],
        ["check", NOISE, "--twin", "oracle", "--json", ""],
        ["check", NOISE, "--twin", "oracle", "--md", "", "--force"],
        ["export", NOISE, "--frame", "1", "--twin", "oracle", "--out", "", "--force"],
        ["fixture", "noise", "--size", "9x9", "--out", ""],
        ["diff-logs", "", "x.json"],
        ["--planes", ""],
        ["check", NOISE, "--places", "4.5"],
        ["check", NOISE, "--twin", "oracle", "--device", "opencl:cpu"],
        ["check", NOISE, "--scores", "x.json", "--staging", "wait"],
        ["check", NOISE, "--against-libvmaf", "--submit", "replay"],
        ["score", NOISE, "--device", "opencl:cpu"],
        ["score", NOISE, "--kernel", "mine.py"],
        ["export", NOISE, "--frame", "1", "--out", "x", "--planes", "x", "--device", "opencl:cpu"],
        ["check", NOISE, "--repeat", "1.5"],
        ["check", NOISE, "--time-limit", "nan"],
        ["check", NOISE, "--time-limit", "0"],
        ["check", NOISE, "--work-group", "-3"],
        ["check", NOISE, "--option", "mbo=1_0"],
    ],
    ids=" ".join,
)
def test_usage_is_one_line_on_stderr_and_code_2(program: Program, words: list[str]) -> None:
    ran = program(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("motion-tui: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["--help"], ["score", "--help"], ["check", "-h"], ["diff-logs", "--help"]], ids=" ".join
)
def test_help_is_data(program: Program, words: list[str]) -> None:
    ran = program(*words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Usage: motion-tui")


def test_the_help_of_check_names_the_exit_codes(program: Program) -> None:
    words = " ".join(program("check", "--help").out.split())
    assert "0 parity, 1 a gap, 2 bad input or usage, 3 nothing was compared" in words


def test_an_interrupt_is_130_and_a_bug_is_one_line(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(error: BaseException) -> None:
        def score_clip(*_: object) -> None:
            raise error

        monkeypatch.setattr(score_module, "score_clip", score_clip)

    raising(KeyboardInterrupt())
    assert program("score", NOISE).code == 130
    raising(ZeroDivisionError("three\nlines\nlong"))
    ran = program("score", NOISE)
    assert (ran.code, ran.out, ran.err.count("\n")) == (70, "", 1)
    assert "a bug, please report it: ZeroDivisionError: three lines long" in ran.err
    monkeypatch.setenv(main_module.DEBUG, "1")
    assert "Traceback" in program("score", NOISE).err


@pytest.mark.parametrize("words", [["score", NOISE], ["--help"], ["check", "--help"]], ids=" ".join)
def test_a_reader_that_goes_away_is_met_in_silence(words: list[str]) -> None:
    with subprocess.Popen([*PYTHON, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_help_and_scoring_load_no_screen_and_no_compiler() -> None:
    code = (
        "import sys\n"
        "from motion_tui.cli.main import main\n"
        "try: main({words!r})\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "assert not {heavy!r} & set(sys.modules), {heavy!r} & set(sys.modules)"
    )
    for words, heavy in (
        (["--help"], {"textual", "numba", "dpctl", "imageio"}),
        (["score", NOISE, "--engine", "reference"], {"textual", "numba", "dpctl", "imageio"}),
        (["score", NOISE], {"textual", "dpctl", "imageio"}),
    ):
        script = code.format(words=words, heavy=heavy)
        subprocess.run([sys.executable, "-c", script], check=True, timeout=60, stdout=subprocess.DEVNULL)


def test_version(program: Program) -> None:
    plain = program("--version")
    document = json.loads(program("--version", "--json").out)
    assert plain.out == f"motion-tui {document['versions']['motion-tui']}\n"
    assert {"python", "numpy", "numba"} <= document["versions"].keys()
    assert {"cpu_features", "platform", "oracle", "twins"} <= document.keys()
    assert all(len(digest) == 64 for digest in document["twins"]["binaries"].values())


def test_a_twin_that_dies_is_4_and_its_report_an_error(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_flags, "open_twin", lambda *_, **__: CrashingTwin(2))
    ran = program("check", NOISE, "--json", "-")
    assert (ran.code, ran.err) == (4, f"motion-tui: {NOISE}: twin:faulty: the worker died at frame 2\n")
    report = json.loads(ran.out)
    assert (report["verdict"], report["reason"]) == ("error", "twin:faulty: the worker died at frame 2")
    assert (report["metrics"], report["frames_compared"], report["clip"]["frames"]) == ({}, 0, 4)
