"""The kernel compiler itself, where it is to be had: numba-dpex here, or an environment that uv has made before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from motion_kernels import binaries, compiler, plan
from motion_tui.clips.registry import open_clip
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.registry import open_engine
from motion_tui.engines.twins.twin import Twin

pytestmark = pytest.mark.device

GOOD = """
import numpy as np

def change(previous, current, x, y):
    return np.int32(np.int32(previous[y, x]) - np.int32(current[y, x]))

def motion(item, previous, current, d, v, h, width, height, bpc):
    x, y = np.uint64(item.get_id(0)), np.uint64(item.get_id(1))
    d[y, x] = change(previous, current, x, y)
    v[y, x] = np.int32(0)
    h[y, x] = np.int32(0)
"""


@pytest.fixture(scope="module", autouse=True)
def _compiler() -> None:
    """Skip with the reason where there is no compiler; nothing is downloaded."""
    if compiler.is_here():
        return
    if shutil.which("uv") is None:
        pytest.skip("no kernel compiler: neither numba-dpex nor uv is installed")
    probe = subprocess.run(
        [*compiler.command(), "--help"], env=_offline(), capture_output=True, text=True, timeout=60, check=False
    )
    if probe.returncode:
        pytest.skip("no kernel compiler: uv has no environment for build.py yet (run `motion-tui kernels build` once)")


def _offline() -> dict[str, str]:
    return {**os.environ, "UV_OFFLINE": "1"}


@pytest.fixture(autouse=True)
def _no_download(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")


def test_the_kept_binaries_are_what_the_sources_compile_to() -> None:
    found = compiler.verify()
    assert {row.outcome for row in found.comparisons} == {"same"}
    assert found.holds
    assert len(found.comparisons) == len(list(binaries.Library().entries()))


def test_a_users_file_compiles_with_its_plan(tmp_path: Path) -> None:
    """A kernel that its author has decorated is taken as its plain function."""
    source = tmp_path / "mine.py"
    decorated = GOOD.replace("def motion", "@numba_dpex.kernel\ndef motion").replace(
        "import numpy", "import numba_dpex, numpy"
    )
    source.write_text(decorated)
    compiler.compile_file(source, tmp_path / "out", depths=(8,))
    library = binaries.Library(tmp_path / "out", own=source)
    assert {(entry.kernel, entry.state) for entry in library.entries()} >= {("motion", "fresh")}
    twin = plan.from_json(library.manifest["twin"])
    assert twin == plan.minimal_twin("mine")
    binary = library.binary("motion", plan.variant(twin, twin.stage_steps[0], 8))
    assert binary.entry == "motion"
    assert binary.arguments == ("uint8[2]", "uint8[2]", "int32[2]", "int32[2]", "int32[2]", "int64", "int64", "int64")
    source.write_text(decorated.replace("np.int32(0)", "np.int32(1)"))
    with pytest.raises(binaries.KernelError, match=r"kernel motion .* is stale"):
        binaries.Library(tmp_path / "out", own=source).binary("motion", binary.variant)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("np.int32(0)", "previous[y, x] + 'a'", 1), r"^mine\.py line 10 \(`v\[y, x\] = .*add\(uint8, "),
        (GOOD.replace("return np", "return change(previous, current, x, y) + np"), "^kernel motion: RecursionError: "),
    ],
    ids=["typing", "recursion"],
)
def test_the_compilers_refusal_is_one_line_that_names_the_place(text: str, said: str, tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text(text)
    with pytest.raises(binaries.KernelError, match=said) as caught:
        compiler.compile_file(source, tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out" / binaries.MANIFEST).exists()


def test_the_readmes_kernel_parts_in_the_last_two_columns(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    (example,) = [block.split("```")[0] for block in readme.split("```python\n")[1:] if "def motion(" in block]
    source = tmp_path / "edge.py"
    source.write_text(example)
    config = EngineConfig(twin=TwinSettings(kernel=source))
    with (
        open_clip("synthetic:noise?size=24x16&format=400&bits=10&frames=2") as clip,
        Twin(config, "edge") as twin,
        open_engine("reference", EngineConfig()) as reference,
    ):
        found, wanted = twin.stages(clip.pair(1)), reference.stages(clip.pair(1))
    np.testing.assert_array_equal(found.d, wanted.d)
    np.testing.assert_array_equal(found.v, wanted.v)
    differs = np.any(found.h != wanted.h, axis=0)
    assert np.flatnonzero(differs).tolist() == [22, 23]


def test_the_manifest_names_the_tools() -> None:
    tools = json.loads((binaries.SPIRV / binaries.MANIFEST).read_text())["tools"]
    assert tools["numba-dpex"] == "0.23.0"
