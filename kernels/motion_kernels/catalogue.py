"""Which twins there are: a name and the module that holds its kernels and its `TWIN` record; a new twin is a row."""

from __future__ import annotations

import importlib

from motion_kernels.plan import Twin

TWINS = {
    "diff-first": "diff_first",
    "blur-first": "blur_first",
    "float": "float_motion",
    "single-pass": "single_pass",
}


def twin(name: str) -> Twin:
    """Return the record of a twin; KeyError where there is none of that name."""
    found: Twin = importlib.import_module(f"motion_kernels.{TWINS[name]}").TWIN
    return found
