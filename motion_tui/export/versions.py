"""What an output was made with: the program, its libraries, the processor, and the twins' binaries."""

from __future__ import annotations

import json
import platform
from importlib import metadata, resources
from typing import Any

from motion_tui.core.spec import CURRENT_EDITION, EDITIONS

LIBRARIES = ("numpy", "numba", "dpctl", "intel-opencl-rt", "imageio-ffmpeg", "textual")


def program_version() -> str:
    """The version of motion-tui."""
    return metadata.version("motion-tui")


def versions() -> dict[str, str | None]:
    """Versions of the program, Python and the libraries that compute; None for one that is not installed."""
    found: dict[str, str | None] = {"motion-tui": program_version(), "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def cpu_features() -> list[str]:
    """The instruction sets that NumPy found on this processor."""
    import numpy as np

    config: dict[str, Any] = np.show_config(mode="dicts")  # type: ignore[assignment]  # a dict in this mode
    return list(config.get("SIMD Extensions", {}).get("found", []))


def build_document() -> dict[str, Any]:
    """Return everything that may change a result: versions, processor, editions, and the twins' binaries by hash."""
    return {
        "schema": 1,
        "versions": versions(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpu_features": cpu_features(),
        "oracle": {"editions": list(EDITIONS), "default": CURRENT_EDITION},
        "twins": _binaries(),
    }


def _binaries() -> dict[str, Any]:
    """What the manifest says of the compiled kernels: the tools, and each binary's hash; empty where there is none."""
    manifest = resources.files("motion_kernels") / "spirv" / "manifest.json"
    if not manifest.is_file():
        return {}
    document = json.loads(manifest.read_text(encoding="utf-8"))
    binaries = {
        variant["file"]: variant["sha256"]
        for kernel in document["kernels"].values()
        for variant in kernel["variants"].values()
    }
    return {"tools": document["tools"], "binaries": binaries}
