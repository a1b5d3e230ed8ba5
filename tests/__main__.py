"""The one check command, `python -m tests`: format, lint, types, import contracts, tests.

Every step runs even where an earlier one failed, so that one run tells all; arguments go to pytest.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = sys.executable
STEPS = (
    ("format", [PYTHON, "-m", "ruff", "format", "--check", "."]),
    ("lint", [PYTHON, "-m", "ruff", "check", "."]),
    ("types", [PYTHON, "-m", "mypy"]),
    ("imports", [str(Path(PYTHON).with_name("lint-imports"))]),
    ("tests", [PYTHON, "-m", "pytest", *sys.argv[1:]]),
)


def main() -> int:
    """Run every step; 0 only where all passed."""
    failed = []
    for name, command in STEPS:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
        print(f"== {name}: {time.monotonic() - start:.0f} s", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
