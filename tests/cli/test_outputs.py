"""Where outputs go: devices, pipes, links, a full disk, closed streams, names that are no text."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import NOISE, Program

PYTHON = [sys.executable, "-m", "motion_tui"]
CPU = ("--twin", "oracle", "--accept-cpu-twin")
FORGED = "a\nPARITY  b\x1b[2K\u202e.y4m"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices, pipes and links of POSIX")


def test_a_pipe_is_written_to_and_never_replaced(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for flags in ([], ["--force"]):
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as reader:
            assert program("score", NOISE, "--json", path, *flags).code == 0
            assert reader.stdout is not None
            assert len(json.loads(reader.stdout.read())["frames"]) == 4
        assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_link_stays_a_link(program: Program, tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    assert program("score", NOISE, "--json", link).code == 0
    assert program("score", NOISE, "--json", link).code == 2
    target.write_text("old")
    assert program("score", NOISE, "--json", link, "--force").code == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["feature"] == "motion"


def test_what_is_read_is_never_written_to(program: Program, tmp_path: Path) -> None:
    clip, log, planes, link = (tmp_path / name for name in ("a.y4m", "log.json", "planes", "link"))
    program("fixture", "noise", "--size", "9x9", "--frames", 2, "--out", clip)
    program("score", clip, "--json", log)
    planes.mkdir()
    link.symlink_to(clip)
    before = {path: path.read_bytes() for path in (clip, log)}
    kernel = ("--kernel", log)
    for words in (
        ("score", clip, "--csv", clip),
        ("score", clip, "--json", link),
        ("score", clip, "--engine", "twin:x", *kernel, "--timeline", log),
        ("geometry", clip, "--json", clip),
        ("check", NOISE, clip, *CPU, "--junit", clip),
        ("check", clip, "--scores", log, "--md", log),
        ("check", clip, *kernel, "--md", log),
        ("diff-logs", log, log, "--json", log),
        ("export", clip, "--frame", 1, "--twin", "oracle", "--out", clip),
        ("export", clip, "--frame", 1, "--planes", planes, "--out", planes),
    ):
        ran = program(*words, "--force")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.endswith(", which is read: name another file\n")
    assert before == {path: path.read_bytes() for path in (clip, log)}


def test_two_outputs_in_one_place_are_refused(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "a.yuv"
    for json_file in (out, tmp_path / "a.yuv.json", tmp_path / ".." / tmp_path.name / "a.yuv"):
        ran = program("fixture", "noise", "--size", "9x9", "--out", out, "--json", json_file, "--force")
        assert (ran.code, list(tmp_path.iterdir())) == (2, [])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [["score", NOISE], ["score", NOISE, "--json", "/dev/full"]], ids=["stdout", "file"])
def test_a_full_disk_is_one_line_and_no_bug(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([*PYTHON, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in ran.stderr


@pytest.mark.parametrize("name", ["x" * 300, "absent/x.json"], ids=["long", "folder"])
def test_a_name_that_no_file_can_have_is_refused(program: Program, tmp_path: Path, name: str) -> None:
    for words in (["score", NOISE, "--json"], ["export", NOISE, "--frame", 1, *CPU[:2], "--out"]):
        ran = program(*words, tmp_path / name)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("closed", [(0, 1, 2), (1,), (2,)], ids=str)
@pytest.mark.parametrize(("clip", "code"), [(NOISE, 0), ("absent.y4m", 2)], ids=["parity", "absent"])
def test_closed_streams_change_no_exit_code(closed: tuple[int, ...], clip: str, code: int) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    command = [*PYTHON, "check", clip, *CPU]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=close) as process:
        assert process.wait(60) == code


def test_a_file_name_forges_no_line(program: Program, tmp_path: Path) -> None:
    path = tmp_path / FORGED
    program("fixture", "noise", "--size", "9x9", "--frames", 2, "--out", path)
    path.with_name(FORGED + ".json").unlink(missing_ok=True)
    ran = program("check", path, "--twin", "oracle")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert not {"\x1b", "\u202e"} & set(ran.out + ran.err)
    assert [line for line in ran.out.splitlines() if line.startswith("PARITY")] == []
    shown = program("check", path, *CPU, "--md", "-").out
    assert "a\\\\nPARITY  b\\\\x1b" in shown.splitlines()[0]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_file_name_that_is_no_text_reaches_every_form(program: Program, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.y4m")
    assert program("fixture", "noise", "--size", "9x9", "--frames", 2, "--out", path).code == 0
    outputs = [word for form in ("json", "md", "junit") for word in (f"--{form}", tmp_path / form)]
    assert program("check", path, *CPU, *outputs).code == 0
    assert "\\udcff.y4m" in (tmp_path / "md").read_text()
    assert json.loads((tmp_path / "json").read_text())["clip"]["name"] == str(path)
    plain = dict(os.environ, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    ran = subprocess.run([*PYTHON, "check", path, *CPU], env=plain, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
