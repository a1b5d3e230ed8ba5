"""Text that others wrote (logs, file names): reading numbers from it, and showing it on one line."""

from __future__ import annotations


def parse_number(text: str) -> float:
    """Return a number; ValueError also for what Python alone reads as one (1_000, the digits of other scripts)."""
    if "_" in text or not text.isascii():
        raise ValueError(f"not a number: {text!r}")
    return float(text)


def printable(text: str) -> str:
    """Keep text on its line: what a terminal would obey (line ends, escapes, marks of direction) is spelled out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
