"""The compiled kernels beside their sources: finds a binary, and refuses one whose source has changed since.

Needs nothing but the standard library, so that a machine without the compiler runs the same twin. What a
directory holds is in its `manifest.json`: for each kernel a hash of its source, and for each variant (the array
types it was compiled for) file, entry point, arguments and the hash of the binary.
"""

from __future__ import annotations

import ast
import hashlib
import json
import tokenize
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

HERE = Path(__file__).parent
SPIRV = HERE / "spirv"
MANIFEST = "manifest.json"
PACKAGE = "motion_kernels"
SCHEMA = 1
VARIANT_KEYS = ("file", "entry", "arguments", "dimensions", "sha256")

State = Literal["fresh", "stale", "damaged", "missing"]


class KernelError(RuntimeError):
    """A kernel that cannot be had: not built, changed since it was built, damaged, or refused by the compiler."""


@dataclass(frozen=True, slots=True)
class Binary:
    """One compiled kernel, ready for `dpctl.program.create_program_from_spirv`."""

    kernel: str
    variant: str
    entry: str
    """Name of the kernel inside the module."""
    arguments: tuple[str, ...]
    """Each "uint8[2]" (a two-dimensional array: seven words) or "int64", in order."""
    dimensions: int
    """Dimensions of the global range."""
    code: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a manifest and how it stands against its source."""

    kernel: str
    variant: str
    file: str
    source: str
    sha256: str
    state: State


def source_file(kernel: str, own: Path | None = None) -> Path:
    """Return the file that defines "MODULE.FUNCTION" of this package, or "FUNCTION" of a user's `own` file."""
    module, _, _ = kernel.rpartition(".")
    if module:
        return HERE / f"{module}.py"
    if own is None:
        raise KernelError(f"kernel {kernel} names no module: write MODULE.FUNCTION")
    return own


def source_hash(kernel: str, own: Path | None = None) -> str:
    """Return the hash of what decides a kernel's code: its function, the functions it calls, and their constants.

    Formatting, comments and docstrings do not enter, so that only a real change makes a binary stale.
    """
    parts: dict[tuple[Path, str], str] = {}
    _gather(source_file(kernel, own), kernel.rpartition(".")[2], parts)
    return hashlib.sha256("\n".join(parts.values()).encode()).hexdigest()


def _gather(file: Path, name: str, parts: dict[tuple[Path, str], str]) -> None:
    """Add the definition of `name` in `file`, and of whatever it uses of this package, to `parts`."""
    definition = _definitions(file, file.stat().st_mtime_ns).get(name) if file.is_file() else None
    if definition is None or (file, name) in parts:
        return
    if definition.imported_from:
        _gather(definition.imported_from, definition.text, parts)
        return
    parts[file, name] = definition.text
    for used in definition.uses:
        _gather(file, used, parts)


class Definition(NamedTuple):
    """What a module binds a name to."""

    text: str
    """Tokens without comments and docstring; for an import the name over there."""
    uses: tuple[str, ...] = ()
    """Names in it, sorted."""
    imported_from: Path | None = None


@lru_cache(maxsize=64)
def _definitions(file: Path, modified: int) -> dict[str, Definition]:
    """Return the functions, constants and imports from this package of a source file, as of its time `modified`."""
    found: dict[str, Definition] = {}
    with tokenize.open(file) as source:
        text = source.read()
    for node in ast.parse(text).body:
        uses = tuple(sorted({part.id for part in ast.walk(node) if isinstance(part, ast.Name)}))
        if isinstance(node, ast.FunctionDef):
            found[node.name] = Definition(_tokens(text, node), uses)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            found |= dict.fromkeys(names, Definition(_tokens(text, node), uses))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}."):
            home = HERE / f"{str(node.module).removeprefix(PACKAGE + '.')}.py"
            found |= {alias.asname or alias.name: Definition(alias.name, (), home) for alias in node.names}
    return found


def _tokens(text: str, node: ast.stmt) -> str:
    """Return a statement's tokens without comments, blank lines and docstring: the same in every Python.

    `ast.unparse` would be shorter, and writes the same tree differently from release to release.
    """
    lines = text.splitlines(keepends=True)
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
        docstring = node.body[0]
        end = docstring.end_lineno or docstring.lineno
        lines[docstring.lineno - 1 : end] = ["\n"] * (end - docstring.lineno + 1)
    readline = iter(lines[node.lineno - 1 : node.end_lineno]).__next__
    marks = {tokenize.INDENT: "{", tokenize.DEDENT: "}", tokenize.NEWLINE: ";"}
    left_out = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)
    tokens = [token for token in tokenize.generate_tokens(readline) if token.type not in left_out]
    return " ".join(marks.get(token.type, token.string) for token in tokens)


def _parsed(text: str) -> dict[str, Any]:
    """Return a manifest with no row missing a value; an error of Python's own where one is."""
    manifest: dict[str, Any] = json.loads(text)
    if manifest["schema"] == SCHEMA:
        dict(manifest["tools"])
        variants = [made for row in manifest["kernels"].values() if row["source"] for made in row["variants"].values()]
        missing = [key for made in variants for key in VARIANT_KEYS if key not in made]
        if missing:
            raise KeyError(missing[0])
    return manifest


class Library:
    """A directory of compiled kernels; with `own`, the user's file that its undotted kernels come from."""

    def __init__(self, directory: Path = SPIRV, own: Path | None = None) -> None:
        self.directory = directory
        self.own = own
        try:
            self.manifest = _parsed((directory / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise KernelError(f"{directory} holds no compiled kernels: run `motion-tui kernels build`") from None
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            why = f"{type(error).__name__}: {error}"
            raise KernelError(f"{directory / MANIFEST} is damaged ({why}): run `motion-tui kernels build`") from None
        if self.manifest["schema"] != SCHEMA:
            raise KernelError(f"{directory / MANIFEST} is of another version: run `motion-tui kernels build`")

    def binary(self, kernel: str, variant: str) -> Binary:
        """Return a binary that matches its source as it is now; KernelError names one that does not."""
        row = self.manifest["kernels"].get(kernel, {})
        made = row.get("variants", {}).get(variant)
        if made is None:
            raise KernelError(f"kernel {kernel} was not built for {variant}: run `motion-tui kernels build`")
        state = self._state(kernel, row["source"], made)
        if state != "fresh":
            why = {"stale": "its source has changed since it was built", "damaged": "the file is not what was built"}
            raise KernelError(
                f"kernel {kernel} ({variant}) is {state}: {why.get(state, 'the file is missing')}; "
                "run `motion-tui kernels build`"
            )
        code = (self.directory / made["file"]).read_bytes()
        return Binary(kernel, variant, made["entry"], tuple(made["arguments"]), made["dimensions"], code)

    def entries(self, kernels: Collection[str] | None = None) -> Iterator[Entry]:
        """Yield every variant of `kernels` (None: of all) with its state."""
        for kernel, row in self.manifest["kernels"].items():
            if kernels is not None and kernel not in kernels:
                continue
            for variant, made in row["variants"].items():
                state = self._state(kernel, row["source"], made)
                yield Entry(kernel, variant, made["file"], row["source"], made["sha256"], state)

    def _state(self, kernel: str, built_from: str, made: dict[str, Any]) -> State:
        if source_hash(kernel, self.own) != built_from:
            return "stale"
        path = self.directory / made["file"]
        if not path.is_file():
            return "missing"
        return "fresh" if hashlib.sha256(path.read_bytes()).hexdigest() == made["sha256"] else "damaged"
