"""Where the bundled samples are: in an installed package beside the code, in a checkout at its top."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from motion_tui.core.errors import ClipError

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """One bundled clip."""

    path: Path
    why: str
    """What it is there for, in a sentence."""


def samples_folder() -> Path:
    """Return the folder of the samples; a ClipError where the installation has none."""
    package = Path(__file__).parent.parent
    for folder in (package / "bundled_samples", package.parent / "samples"):
        if (folder / MANIFEST).is_file():
            return folder
    raise ClipError(f"{package / 'bundled_samples'}: no bundled samples are installed: install motion-tui again")


def samples() -> tuple[Sample, ...]:
    """Return the bundled samples in the manifest's order; the first is the one that opens without a clip."""
    folder = samples_folder()
    rows = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["samples"]
    return tuple(Sample(folder / row["file"], row["why"]) for row in rows)


def sample_path(name: str | None = None) -> Path:
    """Return a sample by file name; without one, the sample that the terminal UI opens on."""
    found = samples()
    if name is None:
        return found[0].path
    for sample in found:
        if sample.path.name == name:
            return sample.path
    raise ClipError(f"{name}: no such sample: there are {', '.join(sample.path.name for sample in found)}")
