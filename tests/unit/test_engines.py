"""Engines by name, row blocks, and compiling where nothing can be cached."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from motion_tui.core.errors import UsageError
from motion_tui.core.options import Options
from motion_tui.engines import blocks
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine


@pytest.mark.parametrize("name", ["oracle", "reference"])
@pytest.mark.parametrize(
    ("feature", "edition", "words"),
    [
        ("motion", "3.2", "diff-first, reflect-101, 64-bit sums, float64 scores (libvmaf 3.2)"),
        ("motion", "3.1", "blur-first, far edge repeated, 64-bit sums, float32 scores (libvmaf 3.1)"),
        ("motion_v2", "3.1", "diff-first, reflect-101, 64-bit sums, float64 scores (libvmaf 3.1)"),
        ("float_motion", "3.2", "float32, blur-first, reflect-101, sums in scalar order"),
    ],
)
def test_engines_say_what_they_compute(name: str, feature: str, edition: str, words: str) -> None:
    engine = open_engine(name, EngineConfig(Options.parse(feature), edition))  # type: ignore[arg-type]
    assert (engine.name, engine.arithmetic) == (name, words)
    assert engine.device.startswith("CPU")


@pytest.mark.parametrize(
    ("feature", "chroma", "words"),
    [
        ("motion", None, "chroma as the file has it, rounded up"),
        ("float_motion", None, "chroma as libvmaf's picture has it, rounded down"),
        ("motion", "picture", "chroma as libvmaf's picture has it, rounded down"),
        ("float_motion", "as-420", "chroma cut to (w+1)/2 x (h+1)/2"),
    ],
)
def test_engines_say_how_they_cut_chroma(feature: str, chroma: Any, words: str) -> None:
    for name in ("oracle", "reference"):
        config = EngineConfig(Options.parse(feature, {"motion_add_uv": True}), chroma=chroma)
        assert open_engine(name, config).arithmetic.endswith(f", {words}")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("orcale", "did you mean oracle"),
        ("gpu", "one of oracle, reference, model:NAME"),
        ("modle:blur-first", "did you mean model:blur-first"),
        ("twn:diff-first", "did you mean twin:diff-first"),
        ("oracle:x", "did you mean oracle"),
    ],
)
def test_unknown_engines_are_refused(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"unknown engine '{name}': .*{hint}"):
        open_engine(name, EngineConfig())


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ({"edition": "2.3"}, "unknown edition '2.3' of libvmaf: one of 3.2, 3.1, 3.0"),
        ({"chroma": "421"}, "unknown chroma rule '421': one of plane, picture, as-420"),
    ],
)
def test_unknown_editions_and_chroma_rules_are_refused(values: dict[str, Any], hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        EngineConfig(**values)


@pytest.mark.parametrize("processors", [1, 2, 7])
@pytest.mark.parametrize(("height", "width"), [(3, 3), (5, 100_000), (2160, 3840), (7, 1 << 20)])
def test_row_blocks_cover_every_row_once(
    processors: int, height: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "processors", lambda: processors)
    found = blocks.row_blocks(height, width)
    assert [row for first, last in found for row in range(first, last)] == list(range(height))
    assert all(first < last for first, last in found)
    assert len(found) == (1 if height * width < blocks.SMALL else min(processors, height))


def test_an_error_in_a_block_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "processors", lambda: 2)

    def work(block: int, first: int, last: int) -> None:
        if block == 1:
            raise ValueError("row 1080")

    with pytest.raises(ValueError, match="row 1080"):
        blocks.over_blocks(work, 2160, 3840)


def test_small_planes_stay_in_the_calling_thread() -> None:
    seen: list[int] = []
    blocks.over_blocks(lambda *_: seen.append(threading.get_ident()), 17, 17)
    assert seen == [threading.get_ident()]


PROBE = """
import numba.core.caching as caching

class Nowhere:
    @classmethod
    def from_function(cls, *where):
        return None

caching.CacheImpl._locator_classes = [Nowhere]
from motion_tui.engines import integer_rows
import numpy as np
planes = [np.full((5, 6), value, np.uint8) for value in (255, 0)]
partial = np.zeros(1, np.int64)
integer_rows.sad_diff_first(*planes, 0, 5, 8, 0, partial)
print(partial[0] / 256 / 30)
"""


def test_an_install_where_nothing_can_be_cached_still_computes() -> None:
    """A read-only install for a user without a home: numba finds no place for its machine code."""
    run = subprocess.run([sys.executable, "-W", "error", "-c", PROBE], capture_output=True, text=True, check=False)
    assert run.stdout == "255.0\n", run.stderr


def test_the_oracle_compiles_into_the_users_cache_folder(tmp_path: Path) -> None:
    code = (
        "from motion_tui.engines.integer_rows import absolute_sum\n"
        "import numpy as np\n"
        "print(absolute_sum(np.array([-3, 4], np.int32)))"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout == "7\n"
    assert list(tmp_path.rglob("*absolute_sum*.nbc"))
