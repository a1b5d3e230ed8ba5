"""What each twin costs: kernel times from profiling events, beside the CPU engines and the field's published table.

Every figure is of one pair of full-range noise that is on the device already. Twins and depths take turns in rounds,
so that what else the machine does meanwhile weighs on all of them alike; read the ratios first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles

from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import UsageError
from motion_tui.core.geometry import MINIMUM_SIDE, Extent
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.registry import open_engine
from motion_tui.engines.twins import built_in_twins
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.kernel_files import built_in
from motion_tui.engines.twins.protocol import Bench, KernelTimes, StepPath
from motion_tui.engines.twins.user_build import prepare
from motion_tui.parity.session import Progress

PATHS: tuple[StepPath, ...] = ("sums", "stages")
ROUNDS = 4
CPU_ENGINES = ("oracle", "reference")
CPU_RUNS = 3
PUBLISHED = (
    ("Arc B580", {"blur-first": 0.484, "diff-first": 0.525, "copy": 0.013}),
    ("UHD 770", {"blur-first": 6.15, "diff-first": 6.65, "copy": 0.17}),
)
"""Kernel milliseconds at 3840x2160, 50 runs, profiling events, as published with `motion_sycl`'s fix."""
TO_H = {
    "diff-first": ("diff_first.vertical", "common.mirror_columns", "common.horizontal"),
    "single-pass": ("single_pass.motion",),
}
"""The kernels between the two planes and H, in the staged path."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds over the runs."""

    median: float
    low: float
    high: float
    quartile_range: float

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> Spread:
        """Summarise runs."""
        values = [ns / 1e6 for ns in nanoseconds]
        quartiles = quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
        return cls(median(values), min(values), max(values), quartiles[2] - quartiles[0])


@dataclass(frozen=True, slots=True)
class StepCost:
    """One kernel submission of a path."""

    kernel: str
    kept: bool
    """A stream keeps its output from the pair before."""
    ms: Spread


@dataclass(frozen=True, slots=True)
class TwinCost:
    """One twin on one path at one depth."""

    twin: str
    path: StepPath
    bits: int
    pair_ms: Spread
    """All steps, for a pair out of the blue."""
    stream_ms: Spread
    """Without the steps that a stream has kept from the pair before: what the field's figures count."""
    copy_ms: Spread
    """A copy of `current` on the device."""
    steps: tuple[StepCost, ...]


@dataclass(frozen=True, slots=True)
class CpuCost:
    """One CPU engine: wall time of the sums of one pair."""

    engine: str
    bits: int
    ms: Spread


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times slower `slower` is than `faster`, by their medians."""

    slower: str
    faster: str
    value: float


@dataclass(frozen=True, slots=True)
class BenchReport:
    """Everything that one bench found."""

    size: str
    runs: int
    device_used: str
    twins: tuple[TwinCost, ...]
    cpu: tuple[CpuCost, ...]
    ratios: tuple[Ratio, ...]


def run_bench(
    size: Extent,
    bits: Sequence[int],
    runs: int,
    device: str | None = None,
    twins: Sequence[str] = (),
    kernel: Path | None = None,
    progress: Progress | None = None,
) -> BenchReport:
    """Time `twins` (all of them by default), a user's own kernel file and the CPU at `size` and each depth."""
    if runs < 1:
        raise UsageError(f"--runs {runs}: at least 1")
    if min(size) < MINIMUM_SIDE:
        raise UsageError(f"--size {size}: motion needs {MINIMUM_SIDE}x{MINIMUM_SIDE} samples or more")
    sources = [built_in(name) for name in dict.fromkeys(twins or built_in_twins())]
    if kernel is not None:
        sources.append(prepare(kernel))
    requests = [
        Bench(source, path, *size, bit_depth=depth, runs=runs) for source in sources for path in PATHS for depth in bits
    ]
    device_used, times = _time(requests, runs, device, progress)
    costs = tuple(_cost(request, batches) for request, batches in zip(requests, times, strict=True))
    cpu = tuple(_cpu_cost(engine, size, depth) for engine in CPU_ENGINES for depth in bits)
    return BenchReport(str(size), runs, device_used, costs, cpu, tuple(_ratios(costs, cpu, bits)))


def _time(
    requests: Sequence[Bench], runs: int, device: str | None, progress: Progress | None
) -> tuple[str, list[list[KernelTimes]]]:
    """Return the device's name and, for each request, one batch of times a round; all in one worker."""
    rounds = min(ROUNDS, runs)
    times: list[list[KernelTimes]] = [[] for _ in requests]
    client = Client(device)
    try:
        facts = client.open()
        for turn in range(rounds):
            # One run more than asked for: the first of a batch warms the device's memory and is left out.
            share = (runs - turn + rounds - 1) // rounds + 1
            for i, request in enumerate(requests):
                times[i].append(client.bench(replace(request, runs=share)))
                if progress:
                    progress(turn * len(requests) + i + 1, rounds * len(requests))
    finally:
        client.close()
    return f"{facts.name} [{facts.filter_string}]", times


def _cost(request: Bench, batches: Sequence[KernelTimes]) -> TwinCost:
    steps = batches[0].steps
    runs = [[ns for batch in batches for ns in batch.steps[i].nanoseconds[1:]] for i in range(len(steps))]
    copies = [ns for batch in batches for ns in batch.copy[1:]]
    streamed = [ns for ns, step in zip(runs, steps, strict=True) if not step.kept]
    return TwinCost(
        request.source.name,
        request.path,
        request.bit_depth,
        Spread.of([sum(run) for run in zip(*runs, strict=True)]),
        Spread.of([sum(run) for run in zip(*streamed, strict=True)]),
        Spread.of(copies),
        tuple(StepCost(step.kernel, step.kept, Spread.of(ns)) for step, ns in zip(steps, runs, strict=True)),
    )


def _cpu_cost(name: str, size: Extent, depth: int) -> CpuCost:
    with (
        open_clip(f"synthetic:noise?size={size}&format=400&bits={depth}&frames=2") as clip,
        open_engine(name, EngineConfig()) as engine,
    ):
        pair = clip.pair(1)
        times = []
        for _ in range(CPU_RUNS + 1):
            began = time.perf_counter_ns()
            engine.pair_sums(pair)
            times.append(time.perf_counter_ns() - began)
    return CpuCost(name, depth, Spread.of(times[1:]))


def _ratios(costs: Sequence[TwinCost], cpu: Sequence[CpuCost], bits: Sequence[int]) -> Iterator[Ratio]:
    scoring = {(cost.twin, cost.bits): cost for cost in costs if cost.path == "sums"}
    staged = {(cost.twin, cost.bits): cost for cost in costs if cost.path == "stages"}
    for depth in bits:
        base = scoring.get(("diff-first", depth))
        if base is None:
            continue
        words, milliseconds = f"diff-first, {depth} bits, scoring", base.stream_ms.median
        if ("single-pass", depth) in staged:
            to_h = {name: _to_h(staged[name, depth]) for name in TO_H}
            kernels = "diff-first vertical + border + horizontal"
            yield Ratio(f"single-pass kernel, {depth} bits", kernels, to_h["single-pass"] / to_h["diff-first"])
        for (name, at), cost in scoring.items():
            if at == depth and name != "diff-first":
                yield Ratio(f"{name}, {depth} bits, scoring", words, cost.stream_ms.median / milliseconds)
        yield Ratio(words, f"copy of a plane, {depth} bits", milliseconds / base.copy_ms.median)
        for row in cpu:
            if row.bits == depth:
                yield Ratio(f"CPU {row.engine}, {depth} bits", words, row.ms.median / milliseconds)
        first = scoring.get(("diff-first", 8))
        if first is not None and depth != 8:
            yield Ratio(words, "diff-first, 8 bits, scoring", milliseconds / first.stream_ms.median)


def _to_h(cost: TwinCost) -> float:
    return sum(step.ms.median for step in cost.steps if step.kernel in TO_H[cost.twin])
