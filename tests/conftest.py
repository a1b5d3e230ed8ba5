"""The program as a fixture."""

from __future__ import annotations

import pytest

from tests.cli.program import Program


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    """Run commands and read back their exit code, stdout and stderr."""
    return Program(capsys)
