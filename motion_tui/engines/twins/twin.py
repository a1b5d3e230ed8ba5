"""The SYCL twin as an engine: stages planes, asks the worker, and gives sums, stage planes and a timeline."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motion_kernels import plan as plans
from motion_tui.core.errors import TwinError, UsageError
from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.geometry import Extent
from motion_tui.core.scores import PairSums
from motion_tui.core.spec import STAGES
from motion_tui.engines.base import Engine, EngineConfig, Stages
from motion_tui.engines.timeline import Event, Timeline
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.extents import Staged, staged_extent
from motion_tui.engines.twins.kernel_files import built_in
from motion_tui.engines.twins.layout import PlaneLayout, layout
from motion_tui.engines.twins.protocol import Bench, KernelSource, KernelTimes, PlaneSize, Run, Span, StepPath
from motion_tui.engines.twins.selftest import self_test
from motion_tui.engines.twins.sources import record_of, sample_depth

SELF_TEST_TWIN = KernelSource("built-in", "diff-first")
"""What a device is tested with where the twin itself will not do: a user's kernel may be wrong on purpose."""


class Twin(Engine):
    """One twin on one device, in a worker process of its own.

    Making it starts the worker in the background; the first call waits for it. Calls from several threads wait for
    one another, since all use the same shared memory. `stages` of a plane that is staged in part are zero outside
    that part, where nothing reached the device.
    """

    def __init__(self, config: EngineConfig, name: str) -> None:
        super().__init__(config)
        self._source = _source(config, name)
        self._record = record_of(self._source)
        self.name = f"twin:{self._source.name}"
        self.arithmetic = self._record.arithmetic
        _refuse_options(config, self.name, self._record)
        self._client = Client(config.twin.device, config.twin.time_limit)
        self._health = ""
        self._first_extents: dict[int, Extent] = {}
        self._timeline: Timeline | None = None
        self._ready = threading.Lock()
        self._memory_in_use = threading.Lock()
        self._warm_up = threading.Thread(target=self._prepare_quietly, name="twin-start", daemon=True)
        self._warm_up.start()

    def prepare(self) -> None:
        """Take the device and test it, if that has not happened yet; DeviceError or TwinError say why not."""
        with self._ready:
            if self._health:
                return
            facts = self._client.open()
            found = self_test(self._run_known_pair)
            self._health = f"self-test FAILED on {facts.filter_string}: {found}" if found else "self-test passed"

    def _prepare_quietly(self) -> None:
        try:
            self.prepare()
            self._client.load(self._source, "stages", 8)
        except TwinError:
            # The call that needs the twin meets the same error, in the thread that can show it.
            pass

    @property
    def device(self) -> str:
        facts = self._client.facts
        if facts is None:
            return f"{self.config.twin.device or 'a SYCL device'} (not started)"
        return f"{facts.name} [{facts.filter_string}, driver {facts.driver}]"

    @property
    def health(self) -> str:
        return self._health

    @property
    def timeline(self) -> Timeline | None:
        return self._timeline

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id, while there is one."""
        return self._client.worker_pid

    def pair_sums(self, pair: FramePair) -> PairSums:
        staged = self._staged(pair, self.planes_read)
        reply = self._run("sums", pair, self.planes_read, staged)
        if self._is_float:
            scores = tuple(total / s.area for total, s in zip(reply["sums"], staged, strict=True))
            return PairSums(scores, (1,) * len(scores))
        return PairSums(tuple(reply["sums"]), tuple(s.area for s in staged))

    def stages(self, pair: FramePair, plane: int = 0) -> Stages:
        staged = self._staged(pair, (plane,))
        (found,) = self._run("stages", pair, (plane,), staged)["planes"]
        d, v, h = (_whole(found[stage], staged[0]) for stage in STAGES)
        return Stages(d, v, h)

    @property
    def _is_float(self) -> bool:
        return self.config.options.feature == "float_motion"

    def _staged(self, pair: FramePair, planes: Sequence[int]) -> list[Staged]:
        geometry = pair.geometry
        rule = self.config.chroma_rule
        geometry.require_motion(tuple(planes), rule)
        return [
            staged_extent(geometry, plane, rule, self.config.twin, self._first_extents.get(plane)) for plane in planes
        ]

    def _run(self, path: StepPath, pair: FramePair, planes: Sequence[int], staged: Sequence[Staged]) -> dict[str, Any]:
        """Compute a pair on the device, as `_compute` does."""
        self.prepare()
        names = [pair.geometry.plane_names[plane] for plane in planes]
        what = f"{'scoring' if path == 'sums' else 'computing the stages of'} frame {pair.current.index}"
        inputs = [(pair.previous.planes[plane], pair.current.planes[plane]) for plane in planes]
        sizes = tuple(PlaneSize(*s.copied, label=name) for s, name in zip(staged, names, strict=True))
        reply = self._compute(self._source, self._record, path, inputs, sizes, pair.geometry.bit_depth, what)
        for plane, extent in zip(planes, staged, strict=True):
            self._first_extents.setdefault(plane, extent.copied)
        return reply

    def _compute(
        self,
        source: KernelSource,
        record: plans.Twin,
        path: StepPath,
        inputs: Sequence[tuple[Plane, Plane]],
        sizes: tuple[PlaneSize, ...],
        bit_depth: int,
        what: str,
    ) -> dict[str, Any]:
        """Return the worker's reply; on the path "stages" its "planes" hold, for each plane, the stages by name."""
        settings = self.config.twin
        self._client.load(source, path, bit_depth)
        with self._memory_in_use:
            began = time.perf_counter_ns()
            placed, total = layout(record, path, sizes, sample_depth(source, bit_depth))
            self._client.memory.reserve(total)
            self._place(inputs, placed)
            copied = time.perf_counter_ns()
            request = Run(
                source,
                path,
                sizes,
                bit_depth,
                self._client.memory.size,
                filter_size=self.config.options.motion_filter_size,
                staging=settings.staging,
                submit=settings.submit,
                work_group=settings.work_group,
            )
            reply = self._client.call(request, f"{what} with {source.name}")
            spans = [Span("copy to the worker", "host", began, copied), *(Span(**row) for row in reply["spans"])]
            if path == "stages":
                answered = time.perf_counter_ns()
                reply["planes"] = [self._copied(record, where) for where in placed]
                spans.append(Span("copy from the worker", "host", answered, time.perf_counter_ns()))
            events = (Event(s.name, s.lane, (s.start - began) / 1000, (s.end - began) / 1000, s.size) for s in spans)
            self._timeline = Timeline(tuple(events), reply["host_waits"])
            return reply

    def _place(self, inputs: Sequence[tuple[Plane, Plane]], placed: Sequence[PlaneLayout]) -> None:
        """Copy the staged part of each plane into the shared memory."""
        for pair, where in zip(inputs, placed, strict=True):
            for plane, name in zip(pair, plans.INPUTS, strict=True):
                target = self._client.memory.array(where.inputs[name])
                np.copyto(target, plane[: where.size.height, : where.size.width])

    def _copied(self, record: plans.Twin, where: PlaneLayout) -> dict[str, NDArray[Any]]:
        """Take the stage planes out of the shared memory, which the next request overwrites."""
        made: dict[str, NDArray[Any]] = {}
        for stage, name in record.stages.items():
            first = record.buffer(name).first_column
            made[stage] = np.array(self._client.memory.array(where.outputs[name])[:, first : first + where.size.width])
        return made

    def _run_known_pair(self, previous: Plane, current: Plane) -> NDArray[Any]:
        source = SELF_TEST_TWIN if self._source.is_users or self._is_float else self._source
        record = record_of(source)
        height, width = previous.shape
        sizes = (PlaneSize(width, height),)
        reply = self._compute(source, record, "stages", [(previous, current)], sizes, 8, "testing the device")
        h: NDArray[Any] = reply["planes"][0]["H"]
        return h

    def bench(self, width: int, height: int, bit_depth: int, runs: int, path: StepPath = "sums") -> KernelTimes:
        """Time the twin's kernels at a size, over noise that stays on the device."""
        self.prepare()
        filter_size = self.config.options.motion_filter_size
        request = Bench(self._source, path, width, height, bit_depth, runs, filter_size, self.config.twin.work_group)
        return self._client.bench(request)

    def reload(self) -> None:
        """Take the user's kernel file as it is now; TwinError with the compiler's message leaves the old one."""
        if self.config.twin.kernel is None:
            return
        source = _source(self.config, self.name)
        if source != self._source:
            record = record_of(source)
            _refuse_options(self.config, self.name, record)
            self._client.load(source, "stages", 8)
            self._source, self._record, self.arithmetic = source, record, record.arithmetic

    def cancel(self) -> None:
        """End the call in flight, from any thread: it raises a TwinError, and the next call starts a new worker."""
        self._client.cancel()

    def close(self) -> None:
        self._client.close()
        self._warm_up.join()


def _whole(found: NDArray[Any], staged: Staged) -> NDArray[Any]:
    """Return a stage of the plane's own size, zero where nothing was staged."""
    if staged.copied == staged.true:
        return found
    whole: NDArray[Any] = np.zeros(staged.true[::-1], found.dtype)
    whole[: staged.copied.height, : staged.copied.width] = found
    return whole


def _source(config: EngineConfig, name: str) -> KernelSource:
    if config.twin.kernel is not None:
        from motion_tui.engines.twins.user_build import prepare

        return prepare(config.twin.kernel)
    return built_in(name)


def _refuse_options(config: EngineConfig, name: str, record: plans.Twin) -> None:
    options = config.options
    if options.feature not in record.features:
        raise UsageError(
            f"{name} computes {', '.join(record.features)}, not {options.feature}: choose another twin or feature"
        )
    if options.motion_add_scale1:
        raise UsageError(f"{name} has no motion_add_scale1: leave the option out, or use --engine reference")
