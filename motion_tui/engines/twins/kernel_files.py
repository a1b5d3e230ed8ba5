"""The compiled kernels as the program sees them: what there is, built anew, verified, kept up with their sources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from motion_kernels import binaries, catalogue, compiler, plan
from motion_tui.core.errors import TwinError, UsageError
from motion_tui.core.text import nearest
from motion_tui.engines.twins.protocol import KernelSource


@contextmanager
def _as_twin_errors() -> Iterator[None]:
    try:
        yield
    except binaries.KernelError as error:
        raise TwinError(str(error)) from error


def built_in(name: str) -> KernelSource:
    """Return a twin of the catalogue, rebuilt first where its source has changed and the compiler is installed.

    UsageError where there is none of that name.
    """
    if name not in catalogue.TWINS:
        hint = nearest(name, catalogue.TWINS)
        raise UsageError(f"unknown twin '{name}': {hint} (or your own with --kernel FILE)")
    with _as_twin_errors():
        compiler.refresh({step.kernel for step in plan.steps(catalogue.twin(name))})
    return KernelSource("built-in", name)


def listing() -> dict[str, Any]:
    """Return twins and compiled kernels, each with its state against the source, as JSON values."""
    with _as_twin_errors():
        library = binaries.Library()
        kernels = [asdict(entry) for entry in library.entries()]
    twins = []
    for name in catalogue.TWINS:
        twin = catalogue.twin(name)
        used = list(dict.fromkeys(step.kernel for step in plan.steps(twin)))
        row = {"name": name, "features": list(twin.features), "arithmetic": twin.arithmetic, "kernels": used}
        twins.append(row | {"tolerance": twin.tolerance or None})
    return {
        "schema": 1,
        "twins": twins,
        "kernels": kernels,
        "tools": library.manifest["tools"],
        "compiler": compiler_words(),
    }


def compiler_words() -> str:
    """Say which compiler would be used."""
    if compiler.is_here():
        return "numba-dpex of this environment"
    return "numba-dpex of an environment that uv makes (the first time it fetches about a gigabyte)"


def build() -> dict[str, Any]:
    """Compile every kernel anew and return the listing of what is there now."""
    with _as_twin_errors():
        compiler.compile_twins()
    return listing()


def verify() -> compiler.Verification:
    """Compile every kernel anew, elsewhere, and compare."""
    with _as_twin_errors():
        return compiler.verify()
