"""`motion-tui serve`: the terminal UI in a browser."""

from __future__ import annotations

import os
import shlex
import sys
from typing import Annotated

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.whole import Whole
from motion_tui.core.errors import UsageError

HOST = "127.0.0.1"
"""Whoever reaches the port can open files as this user, so it is bound to this machine alone."""


def serve(
    arguments: Annotated[
        list[str] | None,
        Parameter(allow_leading_hyphen=True, help="What would follow motion-tui: a clip and its flags."),
    ] = None,
    /,
    *,
    port: Annotated[Whole, Parameter(help="TCP port on 127.0.0.1.")] = 8000,
) -> int:
    """Serve the UI to a browser on this machine alone, until interrupted (needs the extra: motion-tui[web])."""
    if not 1 <= port <= 65535:
        raise UsageError(f"--port {port}: 1 to 65535")
    try:
        from textual_serve.server import Server
    except ImportError:
        raise UsageError("serve needs textual-serve, an extra: pip install 'motion-tui[web]'") from None
    command = shlex.join([sys.executable, "-m", "motion_tui", *(arguments or [])])
    diagnostics.say(f"serving http://{HOST}:{port} (for another machine: ssh -L {port}:{HOST}:{port} this-machine)")
    os.environ["COLORTERM"] = "truecolor"  # the browser's terminal has all colours, whatever this one has
    Server(command, host=HOST, port=port, title="motion-tui").serve()
    return 0
