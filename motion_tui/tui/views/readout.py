"""The readout: what oracle and twin hold at one pixel, stage by stage, and the samples that it came from."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.widgets import Static

from motion_tui.core.errors import NothingCompared
from motion_tui.core.spec import STAGES, Stage, stage_unit
from motion_tui.engines.base import Stages
from motion_tui.tui.state import PairPicture


def number(value: Any) -> str:
    """A sample or stage value: whole numbers as such, floats with seven digits."""
    return f"{value:.7g}" if isinstance(value, float) else f"{value}"


def value_at(stages: Stages | None, stage: Stage, x: int, y: int) -> Any:
    """The value of a stage at a pixel as a Python number; None where there is none."""
    if stages is None:
        return None
    try:
        return stages.get(stage)[y, x].item()
    except NothingCompared:
        return None


def pixel_rows(picture: PairPicture, x: int, y: int) -> list[tuple[Stage, Any, Any, Any]]:
    """Stage, oracle, twin and residue at a pixel; None where a side has nothing."""
    rows = []
    for stage in STAGES:
        oracle, twin = (value_at(side, stage, x, y) for side in (picture.oracle, picture.twin))
        if oracle is not None and twin is not None and picture.twin and stage in picture.twin.unsigned:
            oracle = abs(oracle)
        residue = None if oracle is None or twin is None else twin - oracle
        rows.append((stage, oracle, twin, residue))
    return rows


def unit_words(picture: PairPicture) -> str:
    """The unit of the stage that is shown."""
    stage = picture.request.stage
    is_float = picture.oracle is not None and picture.oracle.get(stage).dtype.kind == "f"
    return stage_unit(stage, is_float=is_float) + (", float32" if is_float else "")


def readout_text(picture: PairPicture | None, plane_name: str, x: int, y: int, *, pointer: bool = False) -> Content:
    """The readout as text of eight lines and 38 columns."""
    if picture is None:
        return Content.styled("\n no picture yet", "$faint")
    height, width = picture.current.shape
    if not (0 <= x < width and 0 <= y < height):
        return Content.styled("\n outside of the plane", "$faint")
    request = picture.request
    where = "pointer" if pointer else "pixel"
    parts: list[tuple[str, str] | str] = [
        (f" {where} {x},{y}", "bold $primary"),
        (f"  plane {plane_name}  frame {request.frame}\n", "$faint"),
    ]
    current = picture.current[y, x].item()
    if picture.previous is None:
        parts += [(" sample ", "$faint"), (f"{current}\n", "bold"), (f" {picture.trouble}", "$warning")]
        return Content.assemble(*parts)
    previous = picture.previous[y, x].item()
    parts += [
        (" prev ", "$faint"),
        (f"{previous}", "bold"),
        ("  cur ", "$faint"),
        (f"{current}", "bold"),
        (f"  difference {previous - current}\n", "$faint"),
        (f" {'':2}{'oracle':>10}{'twin':>10}{'residue':>9}\n", "$faint"),
    ]
    first = True
    for stage, oracle, twin, residue in pixel_rows(picture, x, y):
        cells = ["-" if value is None else number(value) for value in (oracle, twin)]
        mark = "▸" if stage == request.stage else " "
        parts.append((f"{mark}{stage:2}", "bold" if stage == request.stage else ""))
        parts.append(f"{cells[0]:>10}{cells[1]:>10}")
        if residue:
            parts.append((f"{residue:>+9.7g}", "bold $error"))
            parts.append((" first\n" if first else "\n", "$error"))
            first = False
        else:
            parts.append((f"{'-' if residue is None else '0':>9}\n", "$faint"))
    note = picture.trouble or f"{request.stage} in {unit_words(picture)}"
    parts.append((f" {note}", "$warning" if picture.trouble else "$faint"))
    return Content.assemble(*parts)


class Readout(Static):
    """Shows `readout_text`."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Readout { text-wrap: nowrap; text-overflow: ellipsis; }"

    def write(self, text: Content) -> None:
        """Show a text; its size does not depend on it, so that nothing else is laid out or painted anew."""
        self.update(text, layout=False)
