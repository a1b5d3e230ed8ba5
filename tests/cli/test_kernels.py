"""`motion-tui kernels`, and what it rests on: hashes that tell a stale binary, and pins that agree."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from motion_kernels import binaries, build, catalogue, compiler, messages, plan, spirv_module, user_file
from tests.cli.program import Program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the kernels that a test may change."""
    copy = tmp_path / "motion_kernels"
    shutil.copytree(binaries.HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(binaries, "HERE", copy)
    return copy


def states(package: Path) -> dict[str, set[str]]:
    """The states of each kernel's variants."""
    found: dict[str, set[str]] = {}
    for entry in binaries.Library(package / "spirv").entries():
        found.setdefault(entry.kernel, set()).add(entry.state)
    return found


def edit(file: Path, old: str, new: str) -> None:
    """Replace text that must be there."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_every_step_of_every_twin_has_a_fresh_binary() -> None:
    library = binaries.Library()
    for name in catalogue.TWINS:
        twin = catalogue.twin(name)
        assert twin.name == name
        for step in plan.steps(twin):
            for depth in (8, 10, 16):
                binary = library.binary(step.kernel, plan.variant(twin, step, depth))
                assert len(binary.arguments) == len(step.arguments)
                assert binary.dimensions == len(step.range)
                assert binary.code[:4] == b"\x03\x02\x23\x07"


def test_a_changed_kernel_is_stale_and_refused_by_name(package: Path) -> None:
    edit(
        package / "common.py",
        "np.int32(previous[y, x]) - np.int32(current",
        "np.int32(current[y, x]) - np.int32(previous",
    )
    assert {kernel for kernel, found in states(package).items() if found != {"fresh"}} == {"common.difference"}
    with pytest.raises(binaries.KernelError, match=r"kernel common\.difference .* is stale: its source has changed"):
        binaries.Library(package / "spirv").binary("common.difference", "uint8_uint8_int32")


def test_a_changed_helper_makes_every_kernel_that_calls_it_stale(package: Path) -> None:
    edit(package / "arithmetic.py", "np.int32(1785)", "np.int32(1786)")
    stale = {kernel for kernel, found in states(package).items() if found == {"stale"}}
    assert stale == {
        "blur_first.vertical",
        "blur_first.horizontal_sums",
        "common.horizontal",
        "diff_first.horizontal_sums",
        "diff_first.vertical",
        "single_pass.motion",
        "single_pass.vertical",
    }


def test_moving_a_line_into_a_loop_is_a_change(package: Path) -> None:
    edit(
        package / "diff_first.py",
        "    sums[y, np.uint64(item.get_id(0))] = partial",
        "        sums[y, np.uint64(item.get_id(0))] = partial",
    )
    assert states(package)["diff_first.horizontal_sums"] == {"stale"}


def test_words_and_layout_are_no_change(package: Path) -> None:
    edit(package / "common.py", '"""D = previous', '"""The difference. D = previous')
    edit(package / "arithmetic.py", "    outer = np.int32(a + e)", "    # both ends\n\n    outer = np.int32(a  +  e)")
    assert set.union(*states(package).values()) == {"fresh"}


@pytest.mark.parametrize("binding", ["TAP = {}", "TAP: int = {}", "TAP, OTHER = {}, 1", "OTHER = {}\nTAP = OTHER + 1"])
def test_a_changed_constant_is_a_change(binding: str, tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    hashes: list[str] = []
    for value in ("1785", "1786"):
        own.write_text(f"{binding.format(value)}\n\ndef motion(item, d):\n    d[0, 0] = TAP\n")
        os.utime(own, ns=(len(hashes), len(hashes)))
        hashes.append(binaries.source_hash("motion", own))
    assert hashes[0] != hashes[1]


def test_a_source_may_declare_its_encoding(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_bytes(b"# -*- coding: latin-1 -*-\n# \xe9\ndef motion(item, d):\n    d[0, 0] = 1\n")
    latin = binaries.source_hash("motion", own)
    own.write_text("def motion(item, d):\n    d[0, 0] = 1\n")
    assert latin == binaries.source_hash("motion", own)


def test_a_damaged_or_missing_binary_is_refused(package: Path) -> None:
    file = package / "spirv" / "common.horizontal.int32_int32.spv"
    code = bytearray(file.read_bytes())
    code[-1] ^= 1
    file.write_bytes(code)
    library = binaries.Library(package / "spirv")
    with pytest.raises(binaries.KernelError, match=r"common\.horizontal .* is damaged"):
        library.binary("common.horizontal", "int32_int32")
    file.unlink()
    with pytest.raises(binaries.KernelError, match=r"common\.horizontal .* is missing"):
        library.binary("common.horizontal", "int32_int32")
    with pytest.raises(binaries.KernelError, match=r"not built for int8"):
        library.binary("common.horizontal", "int8")


def test_a_broken_manifest_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(binaries.KernelError, match="holds no compiled kernels"):
        binaries.Library(tmp_path)
    for text in (
        '{"schema": 1, "kernels": {',
        '{"schema": 1}',
        "[]",
        "{}",
        '{"schema": 1, "tools": {}, "kernels": {"k": {"source": "00", "variants": {"int32": {"file": "k.spv"}}}}}',
        '{"schema": 1, "tools": {}, "kernels": {"k": 7}}',
    ):
        (tmp_path / binaries.MANIFEST).write_text(text)
        with pytest.raises(binaries.KernelError, match="is damaged"):
            binaries.Library(tmp_path)


BUFFERS = tuple(plan.Buffer(name, "int32") for name in ("d", "v", "h"))
STEP = plan.Step("motion", ("previous", "d"))
BAD_PLANS: dict[str, dict[str, Any]] = {
    "TWIN passes 'nosuch' to motion": {"stage_steps": (plan.Step("motion", ("previous", "nosuch")),)},
    "TWIN has no buffer 'sums' for the sums": {"sums": "sums"},
    "TWIN has no buffer 'w' for stage V": {"stages": {"D": "d", "V": "w", "H": "h"}},
    "TWIN has no buffer 'None' for stage H": {"stages": {"D": "d", "V": "v"}},
    "TWIN has the size or type 'int33'": {"buffers": (*BUFFERS, plan.Buffer("x", "int33"))},  # type: ignore[arg-type]
    "TWIN has the size or type 'depth'": {"stage_steps": (plan.Step("motion", ("d",), ("depth",)),)},  # type: ignore[arg-type]
}


@pytest.mark.parametrize("says", BAD_PLANS)
def test_a_users_plan_that_does_not_hold_together_is_refused(says: str) -> None:
    good = plan.Twin("mine", ("motion",), "mine", BUFFERS, (STEP,), (STEP,), sums="")
    user_file.check_plan(good)
    with pytest.raises(binaries.KernelError, match=says):
        user_file.check_plan(replace(good, **BAD_PLANS[says]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import sys; sys.exit(0)", r"mine\.py does not run: SystemExit: 0"),
        ("raise ValueError('x')", r"mine\.py does not run: ValueError: x"),
        ("def motion(item", r"mine\.py does not run: SyntaxError: "),
        ("x = 1", r"mine\.py defines neither `motion` nor `TWIN`"),
        (
            "def motion(item, previous, width): pass",
            r"kernel motion takes \(previous, width\) after item, and its plan passes \(previous, .*, bpc\)",
        ),
    ],
    ids=["exits", "raises", "syntax", "no kernel", "arguments"],
)
def test_a_users_file_that_is_no_twin_is_refused_before_it_is_compiled(
    text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "mine.py"
    own.write_text(text)
    assert build.main(["--file", str(own), "--out", str(tmp_path / "out")]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert re.search(says, err)
    assert not (tmp_path / "out").exists()


def test_list_shows_twins_and_states(program: Program) -> None:
    code, out, _ = program("kernels", "list")
    assert code == 0
    assert "diff-first (motion, motion_v2)" in out
    assert re.search(r"^fresh +diff_first\.vertical +uint8 uint8 int32", out, re.MULTILINE)


def test_list_json_holds_every_kernel(program: Program) -> None:
    ran = program("kernels", "list", "--json", "-")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert [twin["name"] for twin in found["twins"]] == list(catalogue.TWINS)
    used = {kernel for twin in found["twins"] for kernel in twin["kernels"]}
    assert {row["kernel"] for row in found["kernels"]} == used
    assert {row["state"] for row in found["kernels"]} == {"fresh"}


def test_stale_kernels_show_in_the_list(package: Path, program: Program) -> None:
    edit(package / "common.py", "v[y, np.uint64(0)] = v[y, np.uint64(4)]", "v[y, np.uint64(0)] = v[y, np.uint64(3)]")
    ran = program("kernels", "list", "--json", "-")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert {row["kernel"] for row in found["kernels"] if row["state"] == "stale"} == {"common.mirror_columns"}


def fake_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a script in the compiler's place."""
    script = tmp_path / "fake.py"
    script.write_text(body)
    monkeypatch.setattr(compiler, "command", lambda: [sys.executable, str(script)])


COPY = f"""
import pathlib, shutil, sys
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
shutil.copytree({str(binaries.SPIRV)!r}, out, dirs_exist_ok=True)
"""


def test_verify_is_0_when_the_rebuild_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    fake_compiler(tmp_path, monkeypatch, COPY)
    ran = program("kernels", "verify", "--json", "-")
    assert (ran.code, json.loads(ran.out)["verdict"]) == (0, "same")


def test_verify_is_1_when_one_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    change = 'file = out / "common.horizontal.int32_int32.spv"\nfile.write_bytes(file.read_bytes() + bytes(4))\n'
    fake_compiler(tmp_path, monkeypatch, COPY + change)
    ran = program("kernels", "verify")
    assert ran.code == 1
    assert re.search(r"^differs +common\.horizontal +int32 int32$", ran.out, re.MULTILINE)


def test_a_stale_twin_is_rebuilt_only_where_the_compiler_is_installed(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spirv, kernels = package / "spirv", {"common.difference", "common.horizontal"}
    fake_compiler(tmp_path, monkeypatch, COPY + '(out / "rebuilt").touch()\n')
    monkeypatch.setattr(compiler, "is_here", lambda: True)
    assert not compiler.refresh(kernels, spirv)
    edit(package / "common.py", "np.int32(previous[y, x])", "np.int32(previous[x, y])")
    monkeypatch.setattr(compiler, "is_here", lambda: False)
    assert not compiler.refresh(kernels, spirv)
    assert not (spirv / "rebuilt").exists()
    monkeypatch.setattr(compiler, "is_here", lambda: True)
    assert compiler.refresh(kernels, spirv)
    assert (spirv / "rebuilt").exists()
    assert compiler.refresh({"common.not_built_yet"}, spirv)


def test_a_compiler_that_fails_is_4_and_its_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    fake_compiler(tmp_path, monkeypatch, "import sys\nsys.exit('a warning\\nmine.py line 3: no such thing')")
    ran = program("kernels", "build")
    assert ran.code == 4
    assert "mine.py line 3: no such thing" in ran.err.splitlines()[-1]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups here")
def test_a_compiler_that_does_not_end_is_killed_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As uv does: the process at work is a child of the one that was started, and holds its stderr.
    child = tmp_path / "child"
    fake_compiler(
        tmp_path,
        monkeypatch,
        f"""
import pathlib, subprocess, sys, time
at_work = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
pathlib.Path({str(child)!r}).write_text(str(at_work.pid))
time.sleep(60)
""",
    )
    monkeypatch.setattr(compiler, "TIME_LIMIT", 1.0)
    began = time.monotonic()
    with pytest.raises(binaries.KernelError, match="did not end within 1 s"):
        compiler.compile_twins(tmp_path / "out")
    assert time.monotonic() - began < 10
    status = Path(f"/proc/{child.read_text()}/stat")
    for _ in range(50):
        # Whoever has inherited it may not have collected it yet.
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    os.kill(int(child.read_text()), signal.SIGKILL)
    pytest.fail("what the compiler had started outlived it")


def test_no_compiler_at_all_is_4_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    monkeypatch.setattr(compiler, "is_here", lambda: False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ran = program("kernels", "verify")
    assert ran.code == 4
    assert "motion-tui[kernels]" in ran.err


def test_build_and_the_extra_pin_the_same_versions() -> None:
    script = (binaries.HERE / "build.py").read_text()
    inline = re.findall(r'^#   "([^"]+)",$', script.split("# ///")[1], re.MULTILINE)
    project = (ROOT / "pyproject.toml").read_text()
    block = re.search(r"^kernels = \[(.*?)^\]", project, re.MULTILINE | re.DOTALL)
    assert block
    assert inline == re.findall(r'"([^"]+)"', block[1])
    assert len(inline) >= 9


def test_a_renamed_module_differs_in_names_alone() -> None:
    code = (binaries.SPIRV / "common.horizontal.int32_int32.spv").read_bytes()
    other = spirv_module.rename(code, "a_much_longer_name")
    assert other != code
    assert b"a_much_longer_name\0" in other
    assert b"horizontal" not in other
    assert spirv_module.rename(other, "horizontal") == code
    kept, renamed = (spirv_module.instructions(spirv_module.to_words(c)) for c in (code, other))
    named = {spirv_module.OP_ENTRY_POINT, spirv_module.OP_DECORATE}
    assert [i for i in kept if spirv_module.opcode(i) not in named] == [
        i for i in renamed if spirv_module.opcode(i) not in named
    ]


def test_a_users_plan_survives_the_manifest() -> None:
    for twin in (*map(catalogue.twin, catalogue.TWINS), plan.minimal_twin("mine")):
        assert plan.from_json(json.loads(json.dumps(plan.to_json(twin)))) == twin


def test_numbas_message_becomes_one_line() -> None:
    text = """Failed in dpex_kernel_nopython mode pipeline (step: nopython frontend)
No implementation of function Function(<function sort at 0x7fc4752b1940>) found for signature:

 >>> sort(DpnpNdArray(dtype=uint8, ndim=2, layout=C, device=opencl:cpu:0, sycl_queue=DpctlSyclQueue on opencl:cpu:0))

There are 2 candidate implementations:
   File "lib/numba/np/arrayobj.py", line 4256:
   def _call_allocator(arrtype, size, align):
       return arrtype._allocate(size, align)
       ^

File "../mine.py", line 6:
def motion(item, previous, current, d, v, h, width, height, bpc):
    <source elided>
        d[y, x] = np.sort(previous)[k, 0]
        ^
"""
    assert messages.compiler_message(text, "motion") == (
        "mine.py line 6 (`d[y, x] = np.sort(previous)[k, 0]`): No implementation of function "
        "Function(<function sort>) found for signature: sort(array(uint8, 2d))"
    )


def test_the_compiler_takes_nothing_but_the_package_from_its_folder(tmp_path: Path) -> None:
    """Installed, the package lies beside the libraries of the Python that installed it; uv's Python has its own."""
    shutil.copytree(Path(build.__file__).parent, tmp_path / "site" / "motion_kernels")
    (tmp_path / "site" / "numpy.py").write_text("raise SystemExit('the NumPy of another Python')")
    mine = tmp_path / "mine.py"
    mine.write_text("import numpy")
    script = tmp_path / "site" / "motion_kernels" / "build.py"
    done = subprocess.run(
        [sys.executable, str(script), "--file", str(mine), "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"{mine} defines neither `motion` nor `TWIN`")
