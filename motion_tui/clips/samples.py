"""Where the bundled samples are: in an installed package beside the code, in a checkout at its top."""

from __future__ import annotations

import json
from pathlib import Path

from motion_tui.core.errors import ClipError

MANIFEST = "manifest.json"


def samples_folder() -> Path:
    """Return the folder of the samples; a ClipError where the installation has none."""
    package = Path(__file__).parent.parent
    for folder in (package / "bundled_samples", package.parent / "samples"):
        if (folder / MANIFEST).is_file():
            return folder
    raise ClipError(f"{package / 'bundled_samples'}: no bundled samples are installed: install motion-tui again")


def sample_path() -> Path:
    """Return the sample that opens without a clip: the first of the manifest."""
    folder = samples_folder()
    first: str = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["samples"][0]["file"]
    return folder / first
