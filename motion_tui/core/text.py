"""Text that others wrote: numbers in it, names nearly right in it, and showing it on one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def parse_number(text: str) -> float:
    """Return a number; ValueError also for what Python alone reads as one (1_000, the digits of other scripts)."""
    if "_" in text or not text.isascii():
        raise ValueError(f"not a number: {text!r}")
    return float(text)


def nearest(word: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """Say what may have been meant by `word`: the nearest of `known` and `also`, else all of `known`."""
    known = list(known)
    near = difflib.get_close_matches(word, [*known, *also], n=1, cutoff=0.4)
    return f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}"


def printable(text: str) -> str:
    """Keep text on its line: what a terminal would obey (line ends, escapes, marks of direction) is spelled out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
