"""Score logs as libvmaf and its kin write them: JSON, XML, CSV and subtitle, told apart by what the file holds.

A value is kept with the decimals it was printed with: libvmaf prints six unless told otherwise, and a difference
below half a unit of the last one may be mere printing. Nothing in a log is run: XML with a DTD is refused.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

from motion_tui.core.errors import LogError
from motion_tui.core.text import parse_number

SIZE_LIMIT = 1 << 30
FIXED_DECIMALS = range(3, 10)
"""Decimals that a column printed with a fixed number of them has; fewer or more are digits of doubles."""
LIBVMAF_DECIMALS = 6
OWN_VERSION = "motion-tui "
"""How the version in this program's own logs begins: they always have all digits."""
Row = tuple[str, Mapping[str, str | None]]
"""A frame's number and its values by metric name, as text; None where the log says null."""
_FIXED = re.compile(r"-?\d+(?:\.(\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ScoreLog:
    """What a log holds: `metrics[name][i]` is frame i's value, None where the log has none."""

    path: str
    format: str
    version: str
    """What the log says of its writer; empty where it says nothing."""
    metrics: Mapping[str, tuple[float | None, ...]]
    decimals: Mapping[str, int]
    """Decimals of metrics that were printed with a fixed number of them; others have all their digits."""

    @property
    def frames(self) -> int:
        """Frames in the log."""
        return max((len(values) for values in self.metrics.values()), default=0)


def read_log(path: Path) -> ScoreLog:
    """Read a log of any of the four formats; a LogError names the file, the place, and what is wrong."""
    text = _read_text(path)
    kind, reader = _reader(text, path)
    version, rows = reader(text, path)
    columns: dict[str, list[str | None]] = {}
    for index, (number, values) in enumerate(rows):
        if number != str(index):
            raise LogError(
                f"{path}: frame {number!r} where frame {index} was expected: a log of every frame in order is needed "
                "(n_subsample and frame ranges leave frames out)"
            )
        if not values.keys() <= columns.keys():  # a metric that begins here
            columns |= {name: [None] * index for name in values if name not in columns}
        for name, column in columns.items():
            column.append(values.get(name))
    metrics = {name: tuple(_number(text, name, path) for text in column) for name, column in columns.items()}
    decimals = {} if version.startswith(OWN_VERSION) else printed_decimals(columns)
    return ScoreLog(str(path), kind, version, metrics, decimals)


def _read_text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > SIZE_LIMIT:
            raise LogError(f"{path}: {size} bytes is more than the {SIZE_LIMIT} that a score log may have")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogError(
            f"{path}: not a text file (byte {error.start}): a vmaf log is JSON, XML, CSV or subtitle"
        ) from None
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from None


def _number(text: str | None, name: str, path: Path) -> float | None:
    if text is None or not text.strip():
        return None
    try:
        return parse_number(text)
    except ValueError:
        raise LogError(f"{path}: {name}: '{text[:40]}' is not a number") from None


@dataclass(frozen=True, slots=True)
class _Printing:
    """How the finite values of a column were printed."""

    counts: frozenset[int]
    """Numbers of decimals."""
    zeros: bool
    """Whether one ends in a zero that the shortest form of a double has not."""
    rounded: bool
    """Whether one is no sum of so many halves, quarters, ...: a score that has all its digits has more of them."""

    @property
    def fixed(self) -> int | None:
        """The one number of decimals of all values, if it can be a chosen one."""
        return min(self.counts) if len(self.counts) == 1 and self.counts <= {*FIXED_DECIMALS} else None

    def decimals(self, proven: set[int]) -> int | None:
        """Decimals that the values were cut to, also where a rewritten log has lost their last zeros; else None."""
        if self.fixed in proven:
            return self.fixed
        rewritten = self.rounded and not self.zeros and max(self.counts, default=0) == LIBVMAF_DECIMALS
        return LIBVMAF_DECIMALS if rewritten else None


def printed_decimals(columns: Mapping[str, Iterable[str | None]]) -> dict[str, int]:
    """Return the decimals of the columns that were cut to a fixed number of them; the others have all their digits.

    Figures that merely happen to be as short as each other (255.984375 twice) are no proof of that.
    """
    printed = {name: found for name, column in columns.items() if (found := _printing(column)) is not None}
    proven = {found.fixed for found in printed.values() if found.fixed and (found.zeros or found.rounded)}
    return {name: d for name, found in printed.items() if (d := found.decimals(proven)) is not None}


def _printing(column: Iterable[str | None]) -> _Printing | None:
    """Look at a column; None where an exponent or a tenth decimal shows that values have all their digits."""
    counts: set[int] = set()
    zeros = rounded = False
    for text in column:
        if text is None or not (stripped := text.strip()):
            continue
        match = _FIXED.fullmatch(stripped)
        if match is None:
            if math.isfinite(float(stripped)):
                return None
            continue
        decimals = len(match[1] or "")
        if decimals >= FIXED_DECIMALS.stop:
            return None
        counts.add(decimals)
        zeros = zeros or (decimals > 1 and stripped.endswith("0"))
        rounded = rounded or not (float(stripped) * (1 << decimals)).is_integer()
    return _Printing(frozenset(counts), zeros, rounded)


Reader = Callable[[str, Path], tuple[str, Iterable[Row]]]


def _reader(text: str, path: Path) -> tuple[str, Reader]:
    start = text.lstrip()[:200]
    if start.startswith(("{0}{1}", "{0}{")):
        return "subtitle", _read_subtitle
    if start.startswith(("{", "[")):
        return "json", _read_json
    if start.startswith("<"):
        return "xml", _read_xml
    if "," in start.partition("\n")[0]:
        return "csv", _read_csv
    raise LogError(f"{path}: not a vmaf log: neither JSON, XML, CSV (Frame,...) nor subtitle ({{0}}{{1}}frame: 0|...)")


def _read_json(text: str, path: Path) -> tuple[str, Iterable[Row]]:
    try:
        document = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise LogError(f"{path}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise LogError(f"{path}: JSON nested too deep for a vmaf log") from None
    frames = document.get("frames") if isinstance(document, dict) else None
    if not isinstance(frames, list):
        raise LogError(f'{path}: JSON without a "frames" list: not the layout of a vmaf log')
    return str(document.get("version", "")), [_json_row(frame, index, path) for index, frame in enumerate(frames)]


def _json_row(frame: Any, index: int, path: Path) -> Row:
    metrics = frame.get("metrics") if isinstance(frame, dict) else None
    if not isinstance(metrics, dict):
        raise LogError(f'{path}: entry {index} of "frames" has no "metrics"')
    for name, value in metrics.items():
        if not (value is None or isinstance(value, str)):
            raise LogError(f'{path}: entry {index} of "frames": {name} is not a number')
    return str(frame.get("frameNum", index)), metrics


def _read_xml(text: str, path: Path) -> tuple[str, Iterable[Row]]:
    rows: list[Row] = []
    root: list[dict[str, str]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if not root:
            if tag != "VMAF":
                raise LogError(f"{path}: XML with the root <{tag}>: a vmaf log has <VMAF>")
            root.append(attributes)
        elif tag == "frame":
            number = attributes.pop("frameNum", str(len(rows)))
            rows.append((number, attributes))

    def refuse(*_: Any) -> None:
        raise LogError(f"{path}: XML with a document type or entities: a vmaf log has neither, so it is not read")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode(), True)
    except (expat.ExpatError, LookupError) as error:  # the latter: an encoding that Python doesn't know
        raise LogError(f"{path}: not well-formed XML: {error}") from None
    return root[0].get("version", ""), rows


def _read_csv(text: str, path: Path) -> tuple[str, Iterable[Row]]:
    return "", _csv_rows(text, path)


def _csv_rows(text: str, path: Path) -> Iterator[Row]:
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip() for name in next(lines)]
        if header[0].lower() not in ("frame", "framenum"):
            raise LogError(f"{path}: CSV whose first column is '{header[0]}': a vmaf log has Frame there")
        if not header[-1]:  # libvmaf ends every line with a comma
            header.pop()
        if len(set(header)) != len(header):
            raise LogError(f"{path}: CSV with two columns of the same name")
        for values in lines:
            if not values:
                continue
            cells = values[: len(header)] if len(values) == len(header) + 1 and not values[-1] else values
            if len(cells) != len(header):
                raise LogError(f"{path}: line {lines.line_num}: {len(cells)} values for {len(header)} columns")
            yield cells[0].strip(), dict(zip(header[1:], (cell or None for cell in cells[1:]), strict=True))
    except csv.Error as error:
        raise LogError(f"{path}: line {lines.line_num}: not CSV: {error}") from None


def _read_subtitle(text: str, path: Path) -> tuple[str, Iterable[Row]]:
    return "", [_subtitle_row(line, index, path) for index, line in enumerate(text.split("\n")) if line.strip()]


def _subtitle_row(line: str, index: int, path: Path) -> Row:
    match = re.match(r"\{\d+\}\{\d+\}frame: (\d+)\|", line, re.ASCII)
    if match is None:
        raise LogError(f"{path}: line {index + 1}: not a line of a vmaf subtitle log ({{0}}{{1}}frame: 0|...)")
    values: dict[str, str | None] = {}
    for field in line[match.end() :].rstrip("\r").split("|"):
        if field:
            name, colon, value = field.rpartition(": ")
            if not colon:
                raise LogError(f"{path}: line {index + 1}: '{field[:40]}' is not NAME: VALUE")
            values[name] = value
    return match[1], values
