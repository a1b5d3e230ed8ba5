"""The spool: decoded videos as raw planes in the user's cache, with a size limit, the least recently used going first.

An entry is `KEY.yuv`, the samples, and `KEY.json`, a note of what they are, which is written last and makes the entry
valid. A key holds the source's path, size, time of change and a digest of its two ends, so that a changed file is
decoded anew.
`MOTION_TUI_CACHE_DIR` and `MOTION_TUI_CACHE_BYTES` move and bound it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from motion_tui.core.errors import ClipError, UsageError

DEFAULT_LIMIT = 20 << 30
PROBE = 65536
STALE_SECONDS = 24 * 3600
VERSION = 1
"""Raised where the meaning of an entry changes."""


def folder() -> Path:
    """Return the spool's folder, made where it is missing."""
    named = os.environ.get("MOTION_TUI_CACHE_DIR")
    if named:
        path = Path(named)
    else:
        from platformdirs import user_cache_path

        path = user_cache_path("motion-tui") / "spool"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ClipError(
            f"{path}: the cache of videos cannot be made: {error.strerror}; set MOTION_TUI_CACHE_DIR to a folder"
        ) from None
    return path


def limit() -> int:
    """Return how many bytes the spool may hold."""
    text = os.environ.get("MOTION_TUI_CACHE_BYTES", str(DEFAULT_LIMIT))
    if not re.fullmatch("[0-9]{1,18}", text):
        raise UsageError(f"MOTION_TUI_CACHE_BYTES={text}: give a number of bytes")
    return int(text)


def key_of(path: Path, *parts: object) -> str:
    """Return the key of what is decoded from `path` with `parts` (what else decides the samples)."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            ends = file.read(PROBE)
            file.seek(max(0, status.st_size - PROBE))
            ends += file.read(PROBE)
    except OSError as error:
        raise ClipError(f"{path}: cannot be read: {error.strerror}; check the path") from None
    facts = [VERSION, str(path.resolve()), status.st_size, status.st_mtime_ns, hashlib.sha256(ends).hexdigest(), *parts]
    return hashlib.sha256(json.dumps([str(fact) for fact in facts]).encode()).hexdigest()[:40]


def find(key: str) -> tuple[Path, dict[str, Any]] | None:
    """Return the samples and the note of an entry, or None where there is none or its samples are not whole.

    What the note says of the samples is for the caller to check.
    """
    samples, note = folder() / f"{key}.yuv", folder() / f"{key}.json"
    try:
        facts = json.loads(note.read_text())
        if not isinstance(facts, dict) or facts.get("bytes") != samples.stat().st_size:
            return None
        os.utime(note)
    except (OSError, ValueError, RecursionError):
        return None
    return samples, facts


@contextmanager
def part() -> Iterator[Path]:
    """Give a file to decode into; it is gone afterwards unless `commit` took it."""
    place = folder()
    try:
        handle, name = tempfile.mkstemp(suffix=".part", dir=place)
    except OSError as error:
        raise _unwritable(place, error) from None
    os.close(handle)
    path = Path(name)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def commit(part_path: Path, key: str, facts: dict[str, Any]) -> Path:
    """Make a decoded file an entry and return where its samples are."""
    samples = folder() / f"{key}.yuv"
    facts = {**facts, "bytes": part_path.stat().st_size}
    _evict(limit() - facts["bytes"])
    with part() as note:
        try:
            note.write_text(json.dumps(facts))
            part_path.replace(samples)
            note.replace(folder() / f"{key}.json")
        except OSError as error:
            raise _unwritable(samples.parent, error) from None
    return samples


def _unwritable(place: Path, error: OSError) -> ClipError:
    return ClipError(
        f"{place}: the cache of videos cannot be written: {error.strerror}; make room, or set MOTION_TUI_CACHE_DIR"
    )


def make_room(needed: int, what: str) -> None:
    """Make room for `needed` bytes by evicting entries; a ClipError where there can't be room."""
    bound, place = limit(), folder()
    if needed > bound:
        raise ClipError(
            f"{what}: decoded it takes about {needed} bytes, more than the cache's {bound}: give --frames A:B, "
            "or raise MOTION_TUI_CACHE_BYTES"
        )
    _sweep_stale(place)
    _evict(bound - needed)
    free = shutil.disk_usage(place).free
    if needed > free:
        raise ClipError(
            f"{what}: decoded it takes about {needed} bytes and {place} has {free} free: give --frames A:B, make "
            "room, or set MOTION_TUI_CACHE_DIR"
        )


def _evict(bound: int) -> None:
    """Remove the least recently used entries until the others hold no more than `bound` bytes."""
    entries = []
    for note in folder().glob("*.json"):
        with suppress(OSError):
            samples = note.with_suffix(".yuv")
            entries.append((note.stat().st_mtime_ns, samples.stat().st_size if samples.exists() else 0, note))
    held = sum(size for _, size, _ in entries)
    for _, size, note in sorted(entries):
        if held <= bound:
            break
        with suppress(OSError):
            note.unlink()
            note.with_suffix(".yuv").unlink()
            held -= size


def _sweep_stale(place: Path) -> None:
    """Remove what processes that were killed left behind: old parts, and samples without a note."""
    now = time.time()
    for path in (*place.glob("*.part"), *place.glob("*.yuv")):
        with suppress(OSError):
            orphan = path.suffix == ".part" or not path.with_suffix(".json").exists()
            if orphan and now - path.stat().st_mtime > STALE_SECONDS:
                path.unlink()
