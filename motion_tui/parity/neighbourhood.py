"""The samples around a pixel on both engines, as numbers and as a map of dots and crosses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_tui.core.spec import Stage, stage_unit
from motion_tui.parity.residue import Pixel, StagePair

RADIUS = 3
"""Rows and columns shown to each side as numbers."""
MAP_RADIUS = 16
"""Rows and columns shown to each side as dots and crosses."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Cut-outs of one stage around `pixel`; `left` and `top` place the numbers, `map_left` and `map_top` the map."""

    pixel: Pixel
    stage: Stage
    left: int
    top: int
    oracle: NDArray[Any]
    twin: NDArray[Any]
    residue: NDArray[Any]
    map_left: int
    map_top: int
    differs: NDArray[np.bool_]

    def text(self) -> str:
        """Draw the three cut-outs side by side, and below them where the planes differ (x) and agree (.)."""
        place = f"frame {self.pixel.frame}, plane {self.pixel.plane}, x {self.pixel.x}, y {self.pixel.y}"
        blocks = [
            _numbers(title, values, self.pixel.x - self.left, self.pixel.y - self.top)
            for title, values in (("oracle", self.oracle), ("twin", self.twin), ("twin - oracle", self.residue))
        ]
        unit = stage_unit(self.stage, is_float=self.oracle.dtype.kind == "f")
        lines = [f"stage {self.stage} in {unit} around {place} (marked)"]
        lines += ["   ".join(row).rstrip() for row in zip(*blocks, strict=True)]
        height, width = self.differs.shape
        lines.append(
            f"x differs, . equal; columns {self.map_left} to {self.map_left + width - 1}, "
            f"rows {self.map_top} to {self.map_top + height - 1}"
        )
        lines += ["".join(".x"[int(cell)] for cell in row) for row in self.differs]
        return "\n".join(lines)


def neighbourhood(pair: StagePair, stage: Stage, pixel: Pixel) -> Neighbourhood:
    """Cut out what lies around `pixel` in a stage of `pair`."""
    residue = pair.residue(stage)
    near, far = (
        tuple(slice(max(0, centre - radius), centre + radius + 1) for centre in (pixel.y, pixel.x))
        for radius in (RADIUS, MAP_RADIUS)
    )
    return Neighbourhood(
        pixel=pixel,
        stage=stage,
        left=near[1].start,
        top=near[0].start,
        oracle=np.array(pair.oracle.get(stage)[near]),
        twin=np.array(pair.twin.get(stage)[near]),
        residue=np.array(residue[near]),
        map_left=far[1].start,
        map_top=far[0].start,
        differs=residue[far] != 0,
    )


def _numbers(title: str, values: NDArray[Any], column: int, row: int) -> list[str]:
    """A title and the rows of a cut-out in columns of one width, the marked sample in brackets."""
    cells = [[f"{value:.6g}" if values.dtype.kind == "f" else str(value) for value in line] for line in values]
    width = max(len(cell) for line in cells for cell in line)
    lines = [title] + [
        "".join(
            f"[{cell:>{width}}]" if (x, y) == (column, row) else f" {cell:>{width}} " for x, cell in enumerate(line)
        )
        for y, line in enumerate(cells)
    ]
    longest = max(len(line) for line in lines)
    return [line.ljust(longest) for line in lines]
