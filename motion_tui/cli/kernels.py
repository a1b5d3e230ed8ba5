"""`motion-tui kernels list|build|verify`: the twins' kernels, their binaries, and whether the two belong together."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import App, Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.export.files import write_text
from motion_tui.export.json import dumps

app = App(name="kernels", help="List, build and verify the twins' kernels.")

Json = Annotated[Output, Parameter(help="FILE or -: the result as JSON.")]
Force = Annotated[bool, Parameter(negative="", help="Replace files that exist.")]


@app.command(name="list")
def list_(*, json: Json = None, force: Force = False) -> int:
    """List twins and kernels, and whether each binary is what its source says."""
    from motion_tui.engines.twins import kernel_files

    outputs = require_outputs(force, json=json)
    found = kernel_files.listing()
    _give(found, listing_lines(found), outputs, force)
    return 0


@app.command
def build(*, json: Json = None, force: Force = False) -> int:
    """Compile every kernel: here where numba-dpex is installed, else through `uv run` with the pins of build.py.

    Exit codes: 0 all built; 4 there is no compiler, or it refused a kernel.
    """
    from motion_tui.engines.twins import kernel_files

    outputs = require_outputs(force, json=json)
    diagnostics.say(f"compiling the kernels with {kernel_files.compiler_words()}")
    found = kernel_files.build()
    _give(found, listing_lines(found), outputs, force)
    return 0


@app.command
def verify(*, json: Json = None, force: Force = False) -> int:
    """Compile every kernel anew, elsewhere, and compare it byte for byte with the binary that is kept.

    Exit codes: 0 all are the same; 1 one differs; 4 there is no compiler, or it refused a kernel.
    """
    from motion_tui.engines.twins import kernel_files

    outputs = require_outputs(force, json=json)
    diagnostics.say(f"compiling the kernels to compare, with {kernel_files.compiler_words()}")
    found = kernel_files.verify()
    result = {"schema": 1, "verdict": "same" if found.holds else "differs", **asdict(found)}
    _give(result, verification_lines(result), outputs, force)
    return diagnostics.PARITY if found.holds else diagnostics.GAP


def _give(result: dict[str, Any], lines: Iterator[str], outputs: dict[str, Any], force: bool) -> None:
    """Write JSON where it was asked for, else text to stdout."""
    if outputs:
        write_text(outputs["json"], dumps(result), force)
    else:
        sys.stdout.write("\n".join(lines) + "\n")


def listing_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the listing as text: twins, then kernels, then tools."""
    for twin in found["twins"]:
        yield f"{twin['name']} ({', '.join(twin['features'])}): {twin['arithmetic']}"
        if twin["tolerance"]:
            yield f"  not bit-exact: {twin['tolerance']}"
    yield ""
    yield f"{'state':<8} {'kernel':<32} {'for':<40} {'source':<12} {'binary':<12}"
    for row in found["kernels"]:
        hashes = f"{row['source'][:12]:<12} {row['sha256'][:12]:<12}"
        yield f"{row['state']:<8} {row['kernel']:<32} {row['variant'].replace('_', ' '):<40} {hashes}"
    yield ""
    yield "built with " + ", ".join(f"{name} {version}" for name, version in found["tools"].items())
    yield f"compiler: {found['compiler']}"


def verification_lines(result: dict[str, Any]) -> Iterator[str]:
    """Yield a verification as text: every kernel, then the verdict."""
    for row in result["comparisons"]:
        yield f"{row['outcome']:<16} {row['kernel']:<32} {row['variant'].replace('_', ' ')}"
    changed = {n: (old, result["tools"].get(n)) for n, old in result["kept_tools"].items()}
    for name, (old, new) in changed.items():
        if old != new:
            yield f"{name} was {old} and is {new}: another compiler may write other bytes for the same source"
    same = sum(row["outcome"] == "same" for row in result["comparisons"])
    yield f"{same} of {len(result['comparisons'])} binaries are what their sources compile to"
