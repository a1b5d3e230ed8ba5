"""The float twin: float_motion in float32; each frame is blurred, then the absolute differences are added.

Not bit-exact, and never called so. A device may contract a product and a sum to one rounding (fma), which moves D, V
and H by a unit in the last place; the Intel CPU runtime does not, and there the three planes equal libvmaf's scalar
code. The score differs all the same: libvmaf adds a row, and then the rows, in one running float32 sum, whose rounding
grows with the frame; here a row is added in `CHUNKS` strands and the strands in float64, which stays within 1e-7 of
the true sum. On full-range noise (scores near 24) the gap was 4e-6 at 17x17, 8e-6 at 576x324, 2.4e-5 at 1920x1080 and
3.7e-5 at 3840x2160, in relative terms 2e-7 to 1.5e-6.

The three filter sizes are the same five taps with zeros, which add nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels.arithmetic import after, before
from motion_kernels.plan import Buffer, Item, Step, Twin


def choose(filter_size: int, five: Any, three: Any, one: Any) -> Any:
    """Return the tap of the filter of this size; any size but 3 and 1 is libvmaf's 5."""
    tap = five
    if filter_size == 3:
        tap = three
    if filter_size == 1:
        tap = one
    return tap


def weigh_float(a: Any, b: Any, c: Any, d: Any, e: Any, filter_size: int) -> Any:
    """Return the filter sum of five float32 values, products added in tap order; float32."""
    outer = choose(filter_size, np.float32(0.054488685), np.float32(0.0), np.float32(0.0))
    inner = choose(filter_size, np.float32(0.244201342), np.float32(0.166378498), np.float32(0.0))
    centre = choose(filter_size, np.float32(0.402619947), np.float32(0.667243004), np.float32(1.0))
    total = np.float32(outer * a)
    total = np.float32(total + np.float32(inner * b))
    total = np.float32(total + np.float32(centre * c))
    total = np.float32(total + np.float32(inner * d))
    return np.float32(total + np.float32(outer * e))


def weigh_float_row(v: NDArray[Any], y: Any, x: int, filter_size: int) -> Any:
    """Return the horizontal filter of row `y` of a padded plane at the plane's column `x`; float32."""
    return weigh_float(
        v[y, np.uint64(x)],
        v[y, np.uint64(x + 1)],
        v[y, np.uint64(x + 2)],
        v[y, np.uint64(x + 3)],
        v[y, np.uint64(x + 4)],
        filter_size,
    )


def sample(value: Any, bpc: int) -> Any:
    """Return a sample on the 8-bit scale, less 128; float32, exact."""
    sixteen_bit = np.float32(np.int32(np.int32(value) << np.int32(16 - bpc)))
    return np.float32(np.float32(sixteen_bit * np.float32(0.00390625)) - np.float32(128.0))


def difference(item: Item, previous: NDArray[Any], current: NDArray[Any], d: NDArray[Any], bpc: int) -> None:
    """D = previous - current on the 8-bit scale, float32; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    y = np.uint64(item.get_id(1))
    d[y, x] = np.float32(sample(previous[y, x], bpc) - sample(current[y, x], bpc))


def vertical(item: Item, frame: NDArray[Any], v: NDArray[Any], height: int, bpc: int, filter_size: int) -> None:
    """V of one frame, written into rows padded by two columns; a work-item a pixel."""
    x = np.uint64(item.get_id(0))
    row = item.get_id(1)
    v[np.uint64(row), np.uint64(item.get_id(0) + 2)] = weigh_float(
        sample(frame[before(row, 2), x], bpc),
        sample(frame[before(row, 1), x], bpc),
        sample(frame[np.uint64(row), x], bpc),
        sample(frame[after(row, 1, height), x], bpc),
        sample(frame[after(row, 2, height), x], bpc),
        filter_size,
    )


def subtract_horizontal(
    item: Item, v_previous: NDArray[Any], v_current: NDArray[Any], h: NDArray[Any], filter_size: int
) -> None:
    """H of the pair: H(V(previous)) - H(V(current)); a work-item a pixel."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    blurred_previous = weigh_float_row(v_previous, y, x, filter_size)
    h[y, np.uint64(x)] = np.float32(blurred_previous - weigh_float_row(v_current, y, x, filter_size))


def horizontal_sums(
    item: Item,
    v_previous: NDArray[Any],
    v_current: NDArray[Any],
    sums: NDArray[Any],
    width: int,
    chunks: int,
    filter_size: int,
) -> None:
    """Partial sums of |H| of a row, float32; work-item k takes columns k, k + chunks, k + 2*chunks ..."""
    x = item.get_id(0)
    y = np.uint64(item.get_id(1))
    partial = np.float32(0.0)
    while x < width:
        blurred_previous = weigh_float_row(v_previous, y, x, filter_size)
        h = np.float32(blurred_previous - weigh_float_row(v_current, y, x, filter_size))
        partial = np.float32(partial + np.float32(abs(h)))
        x += chunks
    sums[y, np.uint64(item.get_id(0))] = partial


_BLUR = (
    Step("float_motion.vertical", ("previous", "v_previous", "height", "bpc", "filter_size"), kept=True),
    Step("common.mirror_columns", ("v_previous", "width"), ("height",), kept=True),
    Step("float_motion.vertical", ("current", "v_current", "height", "bpc", "filter_size")),
    Step("common.mirror_columns", ("v_current", "width"), ("height",)),
)
TWIN = Twin(
    name="float",
    features=("float_motion",),
    arithmetic="sum |H(V(prev)) - H(V(cur))| in float32, reflect-101, strands of a row added apart",
    buffers=(
        Buffer("d", "float32"),
        Buffer("v_previous", "float32", columns="padded"),
        Buffer("v_current", "float32", columns="padded"),
        Buffer("v", "float32"),
        Buffer("h", "float32"),
        Buffer("sums", "float32", columns="chunks"),
    ),
    stage_steps=(
        Step("float_motion.difference", ("previous", "current", "d", "bpc")),
        *_BLUR,
        Step("common.subtract_padded", ("v_previous", "v_current", "v")),
        Step("float_motion.subtract_horizontal", ("v_previous", "v_current", "h", "filter_size")),
    ),
    sum_steps=(
        *_BLUR,
        Step(
            "float_motion.horizontal_sums",
            ("v_previous", "v_current", "sums", "width", "chunks", "filter_size"),
            ("height", "chunks"),
        ),
    ),
    tolerance="float32 rounding that grows with the frame: 2e-7 of the score at 17x17, 2e-6 at 3840x2160",
)
