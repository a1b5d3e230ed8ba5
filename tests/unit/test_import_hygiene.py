"""What a module loads, proven in a process of its own: no Textual without a screen, dpctl in the worker alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEADLESS = (
    "motion_tui",
    "motion_tui.parity.session",
    "motion_tui.export.json",
    "motion_tui.cli.main",
    "motion_kernels",
)
EVERYTHING = (*HEADLESS, "motion_tui.engines.registry", "motion_tui.engines.twins.twin", "motion_tui.tui.app")


def loaded_after(module: str) -> set[str]:
    """Import `module` in a new process and return the top-level names of what is loaded."""
    code = f"import {module}, sys; print(' '.join(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("module", HEADLESS)
def test_headless_modules_load_neither_textual_nor_rich_screens(module: str) -> None:
    loaded = loaded_after(module)
    assert module.partition(".")[0] in loaded
    assert "textual" not in loaded


@pytest.mark.parametrize("module", EVERYTHING)
def test_dpctl_and_numba_dpex_stay_out_of_this_process(module: str) -> None:
    assert not loaded_after(module) & {"dpctl", "numba_dpex", "dpnp"}


def test_the_command_line_loads_no_numba() -> None:
    assert "numba" not in loaded_after("motion_tui.cli.main")
