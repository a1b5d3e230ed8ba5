"""What `scalar` leaves out, as loops over plain Python numbers: the older edition, and float_motion down to the score.

A float32 is a double rounded after every operation, which for one addition, product or quotient is the float32
result.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from tests.parity.scalar import FLOAT_TAPS, TAPS, Rows, diff_first, minus, reflect

FloatRows = list[list[float]]


def older_blur(plane: Rows, shift: int) -> Rows:
    """The taps down the columns, the far border mirrored as 2n-1-i."""
    height, half = len(plane), 2 ** (shift - 1)
    at = [[-i if i < 0 else min(i, 2 * height - 1 - i) for i in range(y - 2, y + 3)] for y in range(height)]
    return [
        [(sum(tap * plane[i][x] for tap, i in zip(TAPS, lines, strict=True)) + half) // 2**shift for x in range(width)]
        for lines in at
        for width in [len(plane[0])]
    ]


def transposed(plane: Rows) -> Rows:
    """Rows as columns."""
    return [list(column) for column in zip(*plane, strict=True)]


def integer_stages(
    previous: NDArray[Any], current: NDArray[Any], bit_depth: int, edition: str = "3.2"
) -> tuple[Rows, Rows, Rows]:
    """D, V and H of a pair in an edition of libvmaf."""
    if edition == "3.2":
        return diff_first(previous, current, bit_depth)
    frames = previous.tolist(), current.tolist()
    v_prev, v_cur = (older_blur(frame, bit_depth) for frame in frames)
    h_prev, h_cur = (transposed(older_blur(transposed(v), 16)) for v in (v_prev, v_cur))
    return minus(*frames), minus(v_prev, v_cur), minus(h_prev, h_cur)


def f32(value: float) -> float:
    """The float32 nearest to a double."""
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def float_blur(plane: Rows, bit_depth: int, size: int) -> FloatRows:
    """The blurred plane of float_motion."""
    height, width = len(plane), len(plane[0])
    taps = [f32(tap) for tap in FLOAT_TAPS[size if size in (1, 3) else 5]]
    around = range(-(len(taps) // 2), len(taps) // 2 + 1)
    source = [[f32(f32(s / 2 ** (bit_depth - 8)) - 128.0) for s in row] for row in plane]

    def weighted(values: Sequence[float]) -> float:
        total = 0.0
        for tap, value in zip(taps, values, strict=True):
            total = f32(total + f32(tap * value))
        return total

    v = [[weighted([source[reflect(y + k, height)][x] for k in around]) for x in range(width)] for y in range(height)]
    return [[weighted([v[y][reflect(x + k, width)] for k in around]) for x in range(width)] for y in range(height)]


def float_mean(a: FloatRows, b: FloatRows) -> float:
    """The mean absolute difference, row sums left to right, the total top to bottom."""
    total = 0.0
    for row_a, row_b in zip(a, b, strict=True):
        row = 0.0
        for p, q in zip(row_a, row_b, strict=True):
            row = f32(row + abs(f32(p - q)))
        total = f32(total + row)
    return f32(total / f32(len(a) * len(a[0])))


def halved(plane: FloatRows) -> FloatRows:
    """The plane at half size, bilinear."""

    def lines(n: int) -> list[tuple[int, int, float]]:
        half = int(n * 0.5 + 0.5)
        ratio, found = f32(n / half), []
        for i in range(half):
            t = f32(f32((i + 0.5) * ratio) - 0.5)
            floor = int(t // 1)
            ceil = floor if floor == t else floor + 1
            found.append((reflect(floor, n), reflect(ceil, n), f32(t - reflect(floor, n))))
        return found

    def weighted(rows: tuple[int, int, float], columns: tuple[int, int, float]) -> float:
        (top, bottom, dy), (left, right, dx) = rows, columns
        total = f32(f32(f32(1 - dy) * f32(1 - dx)) * plane[top][left])
        total = f32(total + f32(f32(f32(1 - dy) * dx) * plane[top][right]))
        total = f32(total + f32(f32(dy * f32(1 - dx)) * plane[bottom][left]))
        return f32(total + f32(f32(dy * dx) * plane[bottom][right]))

    columns = lines(len(plane[0]))
    return [[weighted(row, column) for column in columns] for row in lines(len(plane))]


def float_score(
    previous: NDArray[Any], current: NDArray[Any], bit_depth: int, size: int = 5, add_scale1: bool = False
) -> float:
    """The score of one plane of a pair."""
    a, b = (float_blur(plane.tolist(), bit_depth, size) for plane in (previous, current))
    score = float_mean(a, b)
    return f32(score + float_mean(halved(a), halved(b))) if add_scale1 else score
