"""Kernel times at a size, from profiling events, over noise that stays on the device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from motion_kernels import plan
from motion_tui.engines.twins.device.programs import Programs
from motion_tui.engines.twins.device.queues import Queues
from motion_tui.engines.twins.device.runs import check_size
from motion_tui.engines.twins.device.slot import Slot
from motion_tui.engines.twins.protocol import Bench, PlaneSize
from motion_tui.engines.twins.sources import sample_depth

SEED = 20260101
"""Any: times must not depend on a value that was drawn by chance."""


def bench(request: Bench, queues: Queues, programs: Programs) -> dict[str, Any]:
    """Return nanoseconds of each run by step, and of a copy of `current` on the device."""
    twin = programs.twin(request.source)
    depth = sample_depth(request.source, request.bit_depth)
    size = PlaneSize(request.width, request.height)
    check_size(queues.facts, twin, (size, size), depth)  # the noise is made on the host, which may be the device
    slot = Slot(queues, twin, size, depth, poison=0)
    sample = np.dtype(plan.dtype_name("sample", depth))
    shape = (size.height, size.width)
    noise = np.random.default_rng(SEED)
    planes = {name: noise.integers(0, 1 << request.bit_depth, shape, sample) for name in plan.INPUTS}
    for command in slot.uploads(planes, "pinned"):
        command.issue()
    queues.kernels.wait()
    scalars = plan.scalar_values(size.width, size.height, request.bit_depth, request.filter_size)
    steps = plan.path_steps(twin.record, request.path)
    issues: list[Callable[[], Any]] = [
        slot.kernel(step, programs.kernel(request.source, step, depth), scalars, request.work_group).issue
        for step in steps
    ]
    current, target = slot.buffer("current"), slot.buffer("previous")
    copy: Callable[[], Any] = partial(queues.kernels.memcpy_async, target.payload, current.payload, current.nbytes)
    times: list[list[int]] = []
    for _ in range(request.runs):
        events = [issue() for issue in (*issues, copy)]
        queues.kernels.wait()
        times.append([event.profiling_info_end - event.profiling_info_start for event in events])
    *by_step, copies = zip(*times, strict=True)
    rows = [{"kernel": s.kernel, "kept": s.kept, "ns": ns} for s, ns in zip(steps, by_step, strict=True)]
    return {"steps": rows, "copy_ns": copies}
