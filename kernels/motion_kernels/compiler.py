"""Runs the compiler in a process of its own: in this environment where numba-dpex is there, else through uv.

`build.py` carries the pins of its environment as inline script metadata, so that uv can make one beside any Python.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from motion_kernels.binaries import HERE, SPIRV, KernelError

SCRIPT = HERE / "build.py"
TIME_LIMIT = 900.0
"""Seconds; the first run through uv fetches about a gigabyte of compiler."""


def command() -> list[str]:
    """Return the command that runs `build.py`; KernelError where neither numba-dpex nor uv is there."""
    if importlib.util.find_spec("numba_dpex") is not None:
        return [sys.executable, str(SCRIPT)]
    uv = shutil.which("uv")
    if uv is None:
        raise KernelError(
            "there is no kernel compiler: install the extra `motion-tui[kernels]` (Python 3.10 or 3.11), or install uv"
        )
    return [uv, "run", "--quiet", "--no-project", "--script", str(SCRIPT)]


def compile_twins(out: Path = SPIRV) -> None:
    """Compile every kernel of the catalogue into `out`."""
    _run(["--out", str(out.resolve())])


def compile_file(path: Path, out: Path, depths: tuple[int, ...] = (8, 16)) -> None:
    """Compile a user's kernel file into `out`; its plan is `twin` in the manifest there."""
    bits = [str(depth) for depth in depths]
    _run(["--file", str(path.resolve()), "--out", str(out.resolve()), "--bits", *bits])


def _run(arguments: list[str]) -> None:
    """Run the compiler; its own last line of stderr becomes the text of the error."""
    try:
        done = subprocess.run([*command(), *arguments], capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        raise KernelError(f"the kernel compiler did not end within {TIME_LIMIT:.0f} s: try again") from None
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise KernelError(said[-1] if said else f"the kernel compiler ended with {done.returncode} and said nothing")
