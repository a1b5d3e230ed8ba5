"""The short form of the readers' fuzz run; the long one is `python tests/fuzz_readers.py`."""

from __future__ import annotations

from tests.fuzz_readers import fuzz


def test_hostile_inputs_are_read_or_refused_in_one_line() -> None:
    seen = fuzz(3000, seed=10**9)
    assert seen["read"] > 300
    assert seen["ClipError"] > 300
