"""The environment that the SYCL runtime needs before its process starts, and what a device selector means.

The pip package of the OpenCL CPU runtime registers no device by itself, and the runtime's own libraries are found
by the library path alone. What the user has set stays; ours is appended.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import site
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

CPU_RUNTIME = "libintelocl.so"
CPU_RUNTIME_PACKAGE = "intel-opencl-rt"
WITHOUT_A_DEVICE = "go on without a device: --engine reference, --twin model:NAME"
_BACKENDS, _KINDS = "opencl|level_zero|cuda|hip|native_cpu", "cpu|gpu|accelerator"
_FILTER = re.compile(rf"{_BACKENDS}|(?:(?:{_BACKENDS}):)?(?:(?:{_KINDS}):)?(?:{_KINDS}|\d+)")
_SELECTOR = "ONEAPI_DEVICE_SELECTOR"


def has_dpctl() -> bool:
    """Whether the SYCL runtime's Python package is installed (there is none for macOS and ARM)."""
    return importlib.util.find_spec("dpctl") is not None


def is_filter_string(selector: str) -> bool:
    """Whether a selector is a SYCL filter string ("opencl:cpu:0", "gpu"), not ONEAPI_DEVICE_SELECTOR's syntax."""
    return _FILTER.fullmatch(selector.lower()) is not None


@lru_cache(maxsize=1)
def runtime_directory() -> Path | None:
    """Return the directory that holds the OpenCL CPU runtime of the Python package, wherever pip put it."""
    prefixes = (sys.prefix, sys.base_prefix, site.getuserbase())
    for directory in (Path(prefix) / "lib" for prefix in prefixes):
        if (directory / CPU_RUNTIME).is_file():
            return directory
    try:
        files = importlib.metadata.files(CPU_RUNTIME_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == CPU_RUNTIME:
            return Path(str(file.locate())).resolve().parent
    return None


def worker_environment(environment: Mapping[str, str], selector: str | None) -> dict[str, str]:
    """Return the environment of a worker that is to run on `selector` (None: what the environment says)."""
    made = dict(environment)
    runtime = runtime_directory()
    if runtime is not None:
        _append(made, "OCL_ICD_FILENAMES", str(runtime / CPU_RUNTIME))
        _append(made, "LD_LIBRARY_PATH", str(runtime))
    if not made.get(_SELECTOR, "").strip():
        # Set and empty, it would hide every device.
        made.pop(_SELECTOR, None)
    if selector and not is_filter_string(selector):
        made[_SELECTOR] = selector
    return made


def _append(environment: dict[str, str], name: str, value: str) -> None:
    entries = [entry for entry in environment.get(name, "").split(os.pathsep) if entry]
    environment[name] = os.pathsep.join([*entries, *([] if value in entries else [value])])


def how_to_go_on() -> str:
    """The end of every message about a missing device."""
    return (
        "set --device to one that `motion-tui devices` lists, ONEAPI_DEVICE_SELECTOR to one such as opencl:cpu or "
        f"nothing, install {CPU_RUNTIME_PACKAGE} (the OpenCL CPU runtime), or {WITHOUT_A_DEVICE}"
    )
