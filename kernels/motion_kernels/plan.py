"""What a twin is as data: its buffers, and the kernels to submit over them; no device, no arithmetic, no I/O.

The worker that runs a twin, the plain-Python runner of the tests, the compiler and `bench` all read these
records, so that none of them knows a twin by name.

Two buffers exist in every twin and are not listed: `previous` and `current`, the tightly packed samples of one
plane, shape (height, width), uint8 at 8 bits, else uint16. Every buffer is two-dimensional and packed by rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

DType = Literal["sample", "int32", "int64", "float32"]
Dim = Literal["height", "width", "padded", "chunks", "one"]
Stage = Literal["D", "V", "H"]
StepPath = Literal["stages", "sums"]
Scalar = Literal["width", "height", "bpc", "chunks", "filter_size"]

PADDING = 2
"""Columns that a padded row has before and after the plane's own."""
CHUNKS = 16
"""Partial sums of a row (fewer where the row is shorter): work-item k adds pixels k, k + CHUNKS, k + 2*CHUNKS ...

One work-item can't see another's value without local memory or atomics, so each adds several pixels. As many as a
sub-group is wide: neighbours read neighbouring words, and a row is run over once.
"""
INPUTS = ("previous", "current")
SCALARS: tuple[Scalar, ...] = ("width", "height", "bpc", "chunks", "filter_size")


class Item(Protocol):
    """The index of one work-item; `get_id(0)` is the fastest dimension (columns)."""

    def get_id(self, dim: int, /) -> int:
        """Return the index along `dim`."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """A two-dimensional device buffer, its shape in terms of the plane."""

    name: str
    dtype: DType
    rows: Dim = "height"
    columns: Dim = "width"

    @property
    def first_column(self) -> int:
        """The column that holds the plane's column 0."""
        return PADDING if self.columns == "padded" else 0


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel submission."""

    kernel: str
    """"MODULE.FUNCTION" in this package, or "FUNCTION" in a user's own file."""
    arguments: tuple[str, ...]
    """Names in the kernel's order (after `item`): buffers first, then scalars."""
    range: tuple[Dim, ...] = ("height", "width")
    """Global range as submitted: the last entry is the fastest, `item.get_id(0)`."""
    kept: bool = False
    """It reads only the previous frame: a stream would have kept its output from the pair before."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A GPU implementation of motion: what it computes and how it is run."""

    name: str
    features: tuple[str, ...]
    """libvmaf's names of the features that it computes."""
    arithmetic: str
    """Order of operations and widths, in words."""
    buffers: tuple[Buffer, ...]
    stage_steps: tuple[Step, ...]
    """Fill the stage planes; no sums."""
    sum_steps: tuple[Step, ...]
    """The scoring path: fills `sums` by the shortest way and leaves the stage planes alone or half done."""
    stages: Mapping[Stage, str] = field(default_factory=lambda: {"D": "d", "V": "v", "H": "h"})
    """Which buffer holds which stage (from its `first_column` on)."""
    sums: str = "sums"
    """The buffer of partial sums of |H|; the host adds all of its entries, exactly."""
    tolerance: str = ""
    """Where it is not bit-exact: how far it may be off and why; empty for integer twins."""

    def buffer(self, name: str) -> Buffer:
        """Return a buffer by name, the two inputs included."""
        if name in INPUTS:
            return Buffer(name, "sample")
        return next(buffer for buffer in self.buffers if buffer.name == name)


def sizes(width: int, height: int) -> dict[Dim, int]:
    """Return what the symbolic dimensions are for a plane of `width` x `height` samples."""
    return {
        "height": height,
        "width": width,
        "padded": width + 2 * PADDING,
        "chunks": min(width, CHUNKS),
        "one": 1,
    }


def shape(buffer: Buffer, width: int, height: int) -> tuple[int, int]:
    """Return (rows, columns) of a buffer for a plane."""
    known = sizes(width, height)
    return known[buffer.rows], known[buffer.columns]


def global_range(step: Step, width: int, height: int) -> list[int]:
    """Return the global range to submit a step with, fastest dimension last."""
    known = sizes(width, height)
    return [known[name] for name in step.range]


def scalar_values(width: int, height: int, bit_depth: int, filter_size: int = 5) -> dict[str, int]:
    """Return what the scalar arguments are (all passed as int64)."""
    chunks = sizes(width, height)["chunks"]
    return {"width": width, "height": height, "bpc": bit_depth, "chunks": chunks, "filter_size": filter_size}


def dtype_name(dtype: DType, bit_depth: int) -> str:
    """Return NumPy's name of a buffer's type at a bit depth."""
    if dtype == "sample":
        return "uint8" if bit_depth == 8 else "uint16"
    return dtype


def variant(twin: Twin, step: Step, bit_depth: int) -> str:
    """Return which build of a step's kernel to load: its array types in order, as in "uint8_uint8_int32"."""
    arrays = [name for name in step.arguments if name not in SCALARS]
    return "_".join(dtype_name(twin.buffer(name).dtype, bit_depth) for name in arrays)


def steps(twin: Twin) -> tuple[Step, ...]:
    """Return every step of a twin, each once."""
    return tuple(dict.fromkeys((*twin.stage_steps, *twin.sum_steps)))


def path_steps(twin: Twin, path: StepPath) -> tuple[Step, ...]:
    """Return the steps that fill the stage planes, or those that fill the sums."""
    return twin.stage_steps if path == "stages" else twin.sum_steps


def minimal_twin(name: str) -> Twin:
    """Return the plan of a kernel file that defines only `motion`.

    `motion(item, previous, current, d, v, h, width, height, bpc)` is a work-item a pixel and
    writes d, v and h, each int32 of shape (height, width).
    """
    motion = Step("motion", ("previous", "current", "d", "v", "h", "width", "height", "bpc"))
    return Twin(
        name=name,
        features=("motion", "motion_v2"),
        arithmetic="a user's own kernel",
        buffers=(
            Buffer("d", "int32"),
            Buffer("v", "int32"),
            Buffer("h", "int32"),
            Buffer("sums", "int64", columns="chunks"),
        ),
        stage_steps=(motion,),
        sum_steps=(motion, Step("common.row_sums", ("h", "sums", "width", "chunks"), ("height", "chunks"))),
    )


def to_json(twin: Twin) -> dict[str, Any]:
    """Return a twin's record as JSON values."""
    return asdict(twin)


def from_json(values: Mapping[str, Any]) -> Twin:
    """Return the record that `to_json` wrote."""

    def step(row: Mapping[str, Any]) -> Step:
        return Step(row["kernel"], tuple(row["arguments"]), tuple(row["range"]), row["kept"])

    return Twin(
        **{
            **values,
            "features": tuple(values["features"]),
            "buffers": tuple(Buffer(**row) for row in values["buffers"]),
            "stage_steps": tuple(step(row) for row in values["stage_steps"]),
            "sum_steps": tuple(step(row) for row in values["sum_steps"]),
        }
    )
