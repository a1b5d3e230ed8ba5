"""A user's own twin from each kind of file; a broken one is refused with the compiler's words, the old one stays."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from motion_tui.core.errors import TwinError, UsageError
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.reference import Reference
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.twin import Twin
from motion_tui.engines.twins.user_build import prepare
from tests.device.conftest import OpenKernel
from tests.device.pairs import assert_same, noise_pair

DATA = Path(__file__).parents[1] / "data"
HAS_COMPILER = importlib.util.find_spec("numba_dpex") is not None
DEFECT = ("h[y * width + x] = (int)((sum + 32768) >> 16);", "h[y * width + x] = (int)(sum >> 16);")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read from or left in the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def open_file(file: Path) -> Twin:
    return Twin(EngineConfig(twin=TwinSettings(kernel=file)), "ignored")


@pytest.mark.parametrize(
    "name",
    [
        "user_motion.cl",
        "user_motion.spv",
        pytest.param(
            "user_motion.py", marks=pytest.mark.skipif(not HAS_COMPILER, reason="numba-dpex is not installed here")
        ),
    ],
)
def test_a_right_kernel_equals_the_reference(name: str) -> None:
    with open_file(DATA / name) as twin:
        assert twin.name == f"twin:{name}"
        reference = Reference(EngineConfig())
        for width, height, bits in ((3, 3, 8), (19, 23, 10), (257, 145, 16), (33, 33, 8)):
            pair = noise_pair(width, height, bits)
            assert_same(twin.stages(pair), reference.stages(pair))
            assert twin.pair_sums(pair) == reference.pair_sums(pair)


def test_the_sum_of_h_needs_64_bits(open_kernel: OpenKernel) -> None:
    assert open_kernel("h[i] = -2147483647 - 1;").pair_sums(noise_pair(33, 9)).sums == (33 * 9 * 2**31,)


def test_reload_takes_a_good_edit_and_keeps_the_old_kernel_after_a_bad_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.cl"
    shutil.copy(DATA / "user_motion.cl", file)
    right = file.read_text()
    pair = noise_pair(33, 19)
    wanted = Reference(EngineConfig()).stages(pair)
    with open_file(file) as twin:
        assert_same(twin.stages(pair), wanted)
        twin.reload()
        assert_same(twin.stages(pair), wanted)

        file.write_text(right.replace(*DEFECT))
        twin.reload()
        edited = twin.stages(pair)
        np.testing.assert_array_equal(edited.get("V"), wanted.get("V"))
        residue = edited.get("H") - wanted.get("H")
        assert set(np.unique(residue)) == {-1, 0}

        file.write_text(right.replace("sum >> 16", "sum >>").replace("long sum", "long total"))
        with pytest.raises(TwinError, match=r"cannot build mine\.cl: .*undeclared identifier 'sum'"):
            twin.reload()
        assert_same(twin.stages(pair), edited)
        twin.cancel()
        assert_same(twin.stages(pair), edited)

        file.write_text(right)
        twin.reload()
        assert_same(twin.stages(pair), wanted)


# A header, and one instruction that no module may have: OpConstant of a type that was never declared.
NO_MODULE = np.array([0x07230203, 0x00010100, 0, 3, 0, (4 << 16) | 43, 1, 2, 7], "<u4").tobytes()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.cl", b"__kernel void other(__global int *d) { d[0] = 1; }", "has no kernel named motion or motion_d"),
        ("a.cl", b"__kernel void motion(__global int *d) { d[0] = 1; }", "takes 1 arguments: the 8 are previous"),
        ("a.cl", b"\xff\xfe", "cannot build a.cl: line 1, column 1: error: unexpected character"),
        ("a.spv", NO_MODULE, r"a\.spv"),
    ],
)
def test_what_is_no_twin_is_refused_by_name(
    client: Client, tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TwinError, match=says) as caught:
        client.load(prepare(tmp_path / name), "stages", 8)
    assert "\n" not in str(caught.value)


def test_a_file_that_would_never_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.cl")
    (tmp_path / "b.cl").symlink_to("/dev/zero")
    (tmp_path / "c.cl").mkdir()
    for name, says in (("a.cl", "not a regular file"), ("b.cl", "not a regular file"), ("c.cl", "a directory")):
        with pytest.raises(UsageError, match=rf"--kernel .*{name}: {says}"):
            open_file(tmp_path / name)


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(TwinError, match=r"cannot keep user_motion\.cl \(Not a directory\): set XDG_CACHE_HOME"):
        open_file(DATA / "user_motion.cl")


def test_a_damaged_copy_in_the_cache_is_made_anew(tmp_path: Path) -> None:
    pair = noise_pair(17, 17)
    wanted = Reference(EngineConfig()).stages(pair)
    with open_file(DATA / "user_motion.cl") as twin:
        assert_same(twin.stages(pair), wanted)
    (copy,) = (tmp_path / "cache").rglob("kernel.cl")
    copy.write_text(copy.read_text().replace(*DEFECT))
    with open_file(DATA / "user_motion.cl") as twin:
        assert_same(twin.stages(pair), wanted)


@pytest.mark.skipif(not HAS_COMPILER, reason="numba-dpex is not installed here")
def test_python_that_does_not_compile_is_refused_with_the_compilers_words(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def motion(item, previous, current, d, v, h, width, height, bpc):\n    d[0, 0] = nowhere\n")
    with pytest.raises(TwinError, match="nowhere"):
        open_file(file)


@pytest.mark.skipif(HAS_COMPILER or shutil.which("uv") is not None, reason="a kernel compiler is at hand")
def test_python_without_a_compiler_says_what_to_install(tmp_path: Path) -> None:
    shutil.copy(DATA / "user_motion.py", tmp_path)
    with pytest.raises(TwinError, match="no kernel compiler: install"):
        open_file(tmp_path / "user_motion.py")
