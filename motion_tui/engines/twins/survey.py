"""A look at every device: what it is, whether it gives the known answers, and how fast its kernels run."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from motion_tui.core.errors import TwinError
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.protocol import DeviceFacts
from motion_tui.engines.twins.twin import Twin

SIZE = (1920, 1080)
RUNS = 9
TWIN = "diff-first"


@dataclass(frozen=True, slots=True)
class Surveyed:
    """One device and how it did."""

    facts: DeviceFacts
    health: str
    """The self-test's outcome, or why there was none."""
    kernel_ms: float | None
    """Milliseconds of the diff-first twin's scoring kernels for one pair of `SIZE`, median; None where it failed."""


def survey() -> list[Surveyed]:
    """Look at every device that SYCL shows, one after another, each in a worker of its own."""
    client = Client()
    try:
        listed = client.devices()
    finally:
        client.close()
    return [_look(facts) for facts in listed]


def _look(facts: DeviceFacts) -> Surveyed:
    if facts.unusable:
        return Surveyed(facts, facts.unusable, None)
    settings = TwinSettings(device=facts.filter_string)
    try:
        with Twin(EngineConfig(twin=settings), TWIN) as twin:
            times = twin.bench(*SIZE, bit_depth=8, runs=RUNS)
            runs = zip(*(step.nanoseconds for step in times.steps), strict=True)
            return Surveyed(facts, twin.health, median(map(sum, runs)) / 1e6)
    except TwinError as error:
        return Surveyed(facts, str(error), None)
