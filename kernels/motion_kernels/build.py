# /// script
# requires-python = ">=3.10,<3.12"
# dependencies = [
#   "numba-dpex==0.23.0",
#   "numba==0.59.1",
#   "numpy==1.26.4",
#   "dpctl==0.17.0",
#   "dpnp==0.15.0",
#   "dpcpp-cpp-rt==2024.2.*",
#   "intel-opencl-rt==2024.2.*",
#   "mkl==2024.2.*",
#   "onemkl-sycl-blas==2024.2.*",
# ]
# ///
"""Compiles the kernels with numba-dpex to SPIR-V: the only module that imports the compiler.

Run it as a script: `python build.py [--out DIR] [--file FILE.py]`, in an environment with numba-dpex, or
`uv run build.py` beside any Python. It starts itself once more with the environment that the stack needs, since a
library path can only be set before a process starts. Prints one line of JSON; an error is one line on stderr and
exit code 1. `compiler.py` finds the right interpreter and calls it.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # Run as a script, Python puts this file's own folder first. The package is loaded by its place instead, since
    # the folder above it may be the site-packages of another Python, whose NumPy must not be found.
    del sys.path[0]
    _here = Path(__file__).resolve().parent
    _spec = importlib.util.spec_from_file_location("motion_kernels", _here / "__init__.py")
    assert _spec is not None
    assert _spec.loader is not None
    sys.modules["motion_kernels"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["motion_kernels"])

from motion_kernels import catalogue, plan, spirv_module
from motion_kernels.binaries import HERE, MANIFEST, SCHEMA, SPIRV, KernelError, source_hash
from motion_kernels.messages import compiler_message
from motion_kernels.user_file import load_user_file

DEVICE = "opencl:cpu"
"""The compiler wants a device to think of; the SPIR-V it writes is the same for all."""
TOOLS = ("numba-dpex", "numba", "llvmlite", "dpcpp-llvm-spirv", "dpctl", "numpy")
_READY = "MOTION_KERNELS_ENVIRONMENT"


def compiler_environment(environment: dict[str, str]) -> dict[str, str]:
    """Return `environment` with what the pip-installed stack needs before the first SYCL call."""
    libraries = Path(sys.prefix) / "lib"
    changed = dict(environment)
    changed.pop("ONEAPI_DEVICE_SELECTOR", None)
    for name, value in (("LD_LIBRARY_PATH", libraries), ("OCL_ICD_FILENAMES", libraries / "libintelocl.so")):
        changed[name] = os.pathsep.join(filter(None, (str(value), environment.get(name, ""))))
    changed[_READY] = "1"
    return changed


def compile_kernel(function: types.FunctionType, arrays: list[str], scalars: int, dimensions: int) -> bytes:
    """Compile `function(item, *arrays, *scalars)` and return SPIR-V whose entry point has the function's name."""
    import numba
    import numba_dpex
    from numba_dpex.core.types.kernel_api.index_space_ids import ItemType

    types_ = [numba_dpex.DpnpNdArray(ndim=2, dtype=getattr(numba, name), layout="C", device=DEVICE) for name in arrays]
    try:
        dispatcher = numba_dpex.kernel(with_device_functions(function, numba_dpex.device_func))
        dispatcher.compile(numba.void(ItemType(dimensions), *types_, *[numba.int64] * scalars))
    except Exception as error:
        # Numba's own errors and whatever its passes trip over: to the user both are a refusal of this kernel.
        kind = "" if type(error).__module__.startswith("numba.") else f"{type(error).__name__}: "
        raise KernelError(compiler_message(f"{kind}{error}", function.__name__)) from error
    (made,) = dispatcher.overloads.values()
    return spirv_module.rename(made.kernel_device_ir_module.kernel_bitcode, function.__name__)


def with_device_functions(function: types.FunctionType, mark: Callable[..., Any]) -> types.FunctionType:
    """Return a copy of `function` that sees the plain Python functions it calls as device functions of the compiler."""
    called = {
        name: mark(with_device_functions(value, mark))
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names and isinstance(value, types.FunctionType)
    }
    seen = {**function.__globals__, **called}
    return types.FunctionType(function.__code__, seen, function.__name__, function.__defaults__, function.__closure__)


def submissions(twin: plan.Twin, depths: tuple[int, ...]) -> Iterator[tuple[plan.Step, str]]:
    """Yield each step of a twin with the variants that the given bit depths need."""
    for step in plan.steps(twin):
        for variant in dict.fromkeys(plan.variant(twin, step, depth) for depth in depths):
            yield step, variant


def build(
    out: Path, twins: list[plan.Twin], module: types.ModuleType | None = None, depths: tuple[int, ...] = (8, 16)
) -> dict[str, Any]:
    """Compile every kernel that `twins` submit into `out` and write its manifest; undotted names are `module`'s."""
    own = Path(module.__file__) if module is not None and module.__file__ else None
    kernels: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    for twin in twins:
        for step, variant in submissions(twin, depths):
            row = kernels.setdefault(step.kernel, {"source": source_hash(step.kernel, own), "variants": {}})
            if variant in row["variants"]:
                continue
            arrays = variant.split("_")
            scalars = len(step.arguments) - len(arrays)
            function = _function(step.kernel, module)
            _check_arguments(function, step)
            code = compile_kernel(function, arrays, scalars, len(step.range))
            file = f"{step.kernel}.{variant}.spv"
            files[file] = code
            row["variants"][variant] = {
                "file": file,
                "entry": step.kernel.rpartition(".")[2],
                "arguments": [f"{name}[2]" for name in arrays] + ["int64"] * scalars,
                "dimensions": len(step.range),
                "sha256": hashlib.sha256(code).hexdigest(),
            }
    manifest: dict[str, Any] = {
        "schema": SCHEMA,
        "tools": {tool: importlib.metadata.version(tool) for tool in TOOLS},
        "kernels": dict(sorted(kernels.items())),
    }
    if module is not None:
        manifest["twin"] = plan.to_json(twins[0])
    _write(out, files, manifest)
    return manifest


def _write(out: Path, files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    """Write all binaries, then the manifest in one move: a build cut short leaves hashes that do not match."""
    out.mkdir(parents=True, exist_ok=True)
    for name, code in files.items():
        (out / name).write_bytes(code)
    scratch = out / f"{MANIFEST}.new"
    scratch.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    scratch.replace(out / MANIFEST)
    for left_over in set(out.glob("*.spv")) - {out / name for name in files}:
        left_over.unlink()


def _function(kernel: str, module: types.ModuleType | None) -> types.FunctionType:
    package, _, name = kernel.rpartition(".")
    if package and not (HERE / f"{package}.py").is_file():
        raise KernelError(f"there is no module {package} in {HERE}: a kernel of your own file has no dot in its name")
    home = importlib.import_module(f"motion_kernels.{package}") if package else module
    found = getattr(home, name, None)
    # A kernel that its author has decorated with `numba_dpex.kernel` holds its plain function.
    function = getattr(found, "py_func", found)
    if not isinstance(function, types.FunctionType):
        raise KernelError(f"there is no kernel function {name} in {getattr(home, '__file__', package)}")
    return function


def _check_arguments(function: types.FunctionType, step: plan.Step) -> None:
    """Refuse a plan that does not fit its function before the compiler does in its own words."""
    taken = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    if len(taken) != len(step.arguments):
        raise KernelError(
            f"kernel {step.kernel} takes ({', '.join(taken)}) after item, and its plan passes "
            f"({', '.join(step.arguments)}): make them agree"
        )
    scalars = [name in plan.SCALARS for name in step.arguments]
    if scalars != sorted(scalars):
        raise KernelError(f"kernel {step.kernel} takes a scalar before a buffer: buffers come first")


def main(arguments: list[str] | None = None) -> int:
    """Build what the command line asks for; the exit code is 0 when all of it was built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=SPIRV, help="directory for binaries and manifest")
    parser.add_argument("--file", type=Path, help="compile a user's own kernel file instead of the twins")
    parser.add_argument("--bits", type=int, nargs="*", default=[8, 16], help="sample depths to build for")
    given = parser.parse_args(arguments)
    try:
        if given.file:
            module, twin = load_user_file(given.file)
            manifest = build(given.out, [twin], module, tuple(given.bits))
        else:
            manifest = build(given.out, [catalogue.twin(name) for name in catalogue.TWINS], None, tuple(given.bits))
    except ImportError as error:
        print(
            f"the kernel compiler does not start ({error}): use `uv run {__file__}`, or the pins in it", file=sys.stderr
        )
        return 1
    except (KernelError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps({"out": str(given.out), "kernels": len(manifest["kernels"])}))
    return 0


if __name__ == "__main__":
    if _READY not in os.environ:
        os.execve(sys.executable, [sys.executable, __file__, *sys.argv[1:]], compiler_environment(dict(os.environ)))
    sys.exit(main())
