"""Runs the compiler in a process of its own: in this environment where numba-dpex is there, else through uv.

`build.py` carries the pins of its environment as inline script metadata, so that uv can make one beside any Python.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from motion_kernels.binaries import HERE, MANIFEST, SPIRV, KernelError, Library

SCRIPT = HERE / "build.py"
TIME_LIMIT = 900.0
"""Seconds; the first run through uv fetches about a gigabyte of compiler."""
_running: set[subprocess.Popen[str]] = set()


def command() -> list[str]:
    """Return the command that runs `build.py`; KernelError where neither numba-dpex nor uv is there."""
    if is_here():
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
    if not (out / MANIFEST).is_file():
        raise KernelError(f"{path} ended the compiler before it was compiled: a kernel file must not exit")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a kept binary stands against one built just now."""

    kernel: str
    variant: str
    outcome: Literal["same", "differs", "not kept", "no longer built"]


@dataclass(frozen=True, slots=True)
class Verification:
    """A rebuild of everything, compared byte for byte with what is kept."""

    comparisons: tuple[Comparison, ...]
    kept_tools: dict[str, str]
    tools: dict[str, str]
    """Versions of the compiler's packages, then and now."""

    @property
    def holds(self) -> bool:
        """Whether all that is kept is what the sources compile to."""
        return bool(self.comparisons) and all(row.outcome == "same" for row in self.comparisons)


def verify(directory: Path = SPIRV) -> Verification:
    """Compile everything anew and compare it with `directory`; the same tools give the same bytes."""
    kept = Library(directory)
    with tempfile.TemporaryDirectory(prefix="motion-kernels-") as scratch:
        compile_twins(Path(scratch))
        built = Library(Path(scratch))
        codes = {(e.kernel, e.variant): (built.directory / e.file).read_bytes() for e in built.entries()}
    rows = []
    for entry in kept.entries():
        file, code = directory / entry.file, codes.pop((entry.kernel, entry.variant), None)
        same = file.is_file() and file.read_bytes() == code and entry.state == "fresh"
        rows.append(
            Comparison(
                entry.kernel, entry.variant, "no longer built" if code is None else "same" if same else "differs"
            )
        )
    rows += [Comparison(kernel, variant, "not kept") for kernel, variant in codes]
    return Verification(tuple(rows), kept.manifest["tools"], built.manifest["tools"])


def refresh(kernels: Collection[str], directory: Path = SPIRV) -> bool:
    """Rebuild everything where one of `kernels` is not what its source says and the compiler is in this environment.

    Where it is not, nothing happens here: loading the stale kernel is refused by name. uv is not asked, since that
    may fetch a gigabyte. Returns whether it rebuilt.
    """
    if not is_here():
        return False
    entries = list(Library(directory).entries(kernels))
    if {entry.kernel for entry in entries} == set(kernels) and all(entry.state == "fresh" for entry in entries):
        return False
    compile_twins(directory)
    return True


def is_here() -> bool:
    """Whether numba-dpex is in this environment."""
    return importlib.util.find_spec("numba_dpex") is not None


def _run(arguments: list[str]) -> None:
    """Run the compiler; what it says becomes the text of the error. Given up, it ends with all that it has started."""
    # A session of its own: uv starts Python, which starts the SPIR-V translator.
    with subprocess.Popen(
        [*command(), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        _running.add(process)
        try:
            _, text = process.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            _kill_group(process)
            raise KernelError(f"the kernel compiler did not end within {TIME_LIMIT:.0f} s: try again") from None
        except BaseException:
            _kill_group(process)
            raise
        finally:
            _running.discard(process)
    if process.returncode:
        said = [line for line in text.splitlines() if line.strip()]
        # uv says first what failed and then why, in lines; build.py says all in its last line.
        uv_said = next((line for line in said if line.startswith("error: ")), None)
        if uv_said:
            raise KernelError(f"uv cannot make the compiler's environment: {uv_said.removeprefix('error: ')}")
        raise KernelError(said[-1] if said else f"the kernel compiler ended with {process.returncode} and said nothing")


def give_up() -> None:
    """End every compiler that runs, from any thread: who waits for one gets a KernelError."""
    for process in tuple(_running):
        _kill_group(process)


def _kill_group(process: subprocess.Popen[str]) -> None:
    """End a process that leads its group, and all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
