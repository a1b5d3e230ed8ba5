"""How the numba functions of this package are compiled: without the GIL, cached on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` on its first call; it runs without the GIL and without fast maths.

    The machine code is kept beside the source or in the user's cache folder. Where neither can be written
    (a read-only install without a home) numba refuses to cache at all: it then compiles in every process.
    """
    try:
        compiled: Callable[..., Any] = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        compiled = numba.njit(nogil=True)(function)
    return compiled
