"""What client and worker say to each other: one JSON object a line, each a frozen record.

Planes never travel here. They lie in memory that both sides map, and `motion_tui.engines.twins.layout` tells both
where, so that no offset crosses the wire.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from motion_kernels import plan

StepPath = plan.StepPath
Staging = Literal["pinned", "wait"]
Fault = Literal["device", "twin"]
"""What an error reply is about: there is no such device, or the twin failed on it."""


@dataclass(frozen=True, slots=True)
class KernelSource:
    """Where a twin's kernels come from."""

    kind: Literal["built-in", "library", "opencl-c", "spirv"]
    """"library" is a directory that build.py wrote; the last two are one file with fixed arguments."""
    name: str
    path: str = ""

    @property
    def is_users(self) -> bool:
        """Whether it is a user's own, so that every check is made on every run."""
        return self.kind != "built-in"


@dataclass(frozen=True, slots=True)
class PlaneSize:
    """The part of one plane that is staged to the device, in samples."""

    width: int
    height: int
    label: str = "Y"
    """The plane's name in the timeline."""


@dataclass(frozen=True, slots=True)
class Open:
    """Take a device; the answer is its `DeviceFacts`."""

    device: str = ""
    """A SYCL filter string; empty for the best one."""


@dataclass(frozen=True, slots=True)
class ListDevices:
    """Name every device that SYCL shows; the answer is a list of `DeviceFacts`."""


@dataclass(frozen=True, slots=True)
class Run:
    """Compute one pair: the planes are in shared memory already, results are written there."""

    source: KernelSource
    path: StepPath
    planes: tuple[PlaneSize, ...]
    bit_depth: int
    shared_bytes: int
    """Size of the shared memory now: the worker maps it anew where it has grown."""
    filter_size: int = 5
    staging: Staging = "pinned"
    submit: Literal["direct", "replay"] = "direct"
    work_group: int = 0
    """Largest local size along the fastest dimension; 0 leaves it to the device."""
    poison: int = 0xA5
    """The byte that guard bands and outputs are filled with."""


@dataclass(frozen=True, slots=True)
class Load:
    """Load every program of a path at a bit depth, so that the first `Run` does not have to."""

    source: KernelSource
    path: StepPath
    bit_depth: int


@dataclass(frozen=True, slots=True)
class Bench:
    """Run a path over noise that stays on the device and time each step by its profiling events."""

    source: KernelSource
    path: StepPath
    width: int
    height: int
    bit_depth: int
    runs: int
    filter_size: int = 5
    work_group: int = 0


Request = Open | ListDevices | Run | Load | Bench
_REQUESTS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Open, ListDevices, Run, Load, Bench)}


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """One SYCL device."""

    name: str
    filter_string: str
    """The exact string to pass back as `--device`."""
    driver: str
    backend: str
    kind: str
    memory: int
    """Bytes of global memory."""
    unusable: str = ""
    """Why it cannot run a twin; empty where it can."""


@dataclass(frozen=True, slots=True)
class Span:
    """One event of a timeline, in nanoseconds of the system's monotonic clock, which both processes share."""

    name: str
    lane: str
    start: int
    end: int
    size: int = 0


@dataclass(frozen=True, slots=True)
class StepTimes:
    """The times of one submission."""

    kernel: str
    kept: bool
    """It reads only the previous frame: a stream would have kept its output from the pair before."""
    nanoseconds: tuple[int, ...]
    """One entry a run, from profiling events."""


@dataclass(frozen=True, slots=True)
class KernelTimes:
    """What a path costs on the device, step by step, and a copy of `current` there for scale."""

    steps: tuple[StepTimes, ...]
    copy: tuple[int, ...]


def encode(request: Request) -> bytes:
    """Return a request as one line."""
    return json.dumps({"do": type(request).__name__, **asdict(request)}).encode() + b"\n"


def decode(line: bytes) -> Request:
    """Return the request of a line that `encode` wrote."""
    values = json.loads(line)
    kind = _REQUESTS[values.pop("do")]
    if "source" in values:
        values["source"] = KernelSource(**values["source"])
    if "planes" in values:
        values["planes"] = tuple(PlaneSize(**plane) for plane in values["planes"])
    request: Request = kind(**values)
    return request
