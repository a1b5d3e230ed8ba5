"""`motion-tui --version [--json]`: what this program is made of, for a bug report."""

from __future__ import annotations

import sys

from motion_tui.export.versions import program_version


def print_version(as_json: bool) -> int:
    """Print the version, or as JSON everything that may change a result."""
    if not as_json:
        sys.stdout.write(f"motion-tui {program_version()}\n")
        return 0
    from motion_tui.export.json import dumps
    from motion_tui.export.versions import build_document

    sys.stdout.write(dumps(build_document()))
    return 0
