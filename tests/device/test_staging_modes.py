"""Staging, submission, extents and state: same results where the field's way is right, known faults where not."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from motion_tui.core.errors import ClipError
from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig, Stages, TwinSettings
from motion_tui.engines.models import Model
from motion_tui.engines.reference import Reference
from motion_tui.engines.timeline import Timeline
from motion_tui.engines.twins.twin import Twin
from tests.device.conftest import OpenTwin
from tests.device.pairs import assert_same, noise_pair

ADD_UV = {"motion_add_uv": True}
MODES = [{"staging": staging, "submit": submit} for staging in ("pinned", "wait") for submit in ("direct", "replay")]
GROUPS = [{"work_group": size} for size in (1, 7, 16, 64)]


def reference(**options: Any) -> Reference:
    return Reference(EngineConfig(Options.parse("motion", options)))


@pytest.mark.parametrize("settings", [*MODES, *GROUPS], ids=lambda s: "-".join(map(str, s.values())))
@pytest.mark.parametrize("name", ["diff-first", "blur-first"])
def test_modes_give_the_same_results(open_twin: OpenTwin, name: str, settings: dict[str, Any]) -> None:
    twin = open_twin(name, **ADD_UV, **settings)
    config = EngineConfig(Options.parse("motion", ADD_UV))
    oracle = Reference(config) if name == "diff-first" else Model(config, name)
    # Five pairs go round both alternating slots more than twice; the size changes between them.
    for seed, (width, height) in enumerate(((33, 19), (33, 19), (64, 48), (33, 19), (64, 48))):
        pair = noise_pair(width, height, 10, "422", seed)
        assert twin.pair_sums(pair) == oracle.pair_sums(pair)
        assert_same(twin.stages(pair, seed % 3), oracle.stages(pair, seed % 3))


def lanes(timeline: Timeline | None, word: str) -> set[str]:
    """The lanes of the events whose name has a word."""
    assert timeline is not None
    return {event.lane for event in timeline.events if word in event.name}


@pytest.mark.parametrize("submit", ["direct", "replay"])
def test_pinned_staging_waits_once_and_uploads_on_the_kernels_queue(open_twin: OpenTwin, submit: str) -> None:
    twin = open_twin(**ADD_UV, staging="pinned", submit=submit)
    twin.pair_sums(noise_pair(64, 48, pixel_format="420"))
    timeline = twin.timeline
    assert timeline is not None
    assert timeline.host_waits == 1
    assert lanes(timeline, "upload") == {"kernel queue"}
    assert lanes(timeline, "fill pinned") == {"host"}


def test_waiting_staging_waits_between_and_uploads_on_a_queue_of_its_own(open_twin: OpenTwin) -> None:
    twin = open_twin(**ADD_UV, staging="wait")
    twin.pair_sums(noise_pair(64, 48, pixel_format="420"))
    timeline = twin.timeline
    assert timeline is not None
    assert timeline.host_waits == 3
    assert lanes(timeline, "upload") == lanes(timeline, "download") == {"copy queue"}
    assert lanes(timeline, "diff_first") == {"kernel queue"}
    first_wait = next(event for event in timeline.events if event.name == "wait")
    assert all(event.start >= first_wait.end for event in timeline.events if event.lane == "kernel queue")


@pytest.mark.parametrize("staging", ["pinned", "wait"])
def test_the_timeline_lies_within_the_call_and_reaches_its_end(open_twin: OpenTwin, staging: str) -> None:
    twin, pair = open_twin(staging=staging), noise_pair(1283, 723)
    twin.stages(pair)
    began = time.perf_counter()
    twin.stages(pair)
    took = (time.perf_counter() - began) * 1e6
    timeline = twin.timeline
    assert timeline is not None
    assert all(0 <= event.start <= event.end for event in timeline.events)
    assert timeline.duration <= took
    assert timeline.events[-1].name == "copy from the worker"


def test_commands_are_recorded_once_for_each_of_two_slots_and_replayed(open_twin: OpenTwin) -> None:
    twin = open_twin(submit="replay")
    recorded = []
    for seed in range(6):
        twin.pair_sums(noise_pair(29, 11, seed=seed))  # a size that no other test has
        recorded.append(bool(lanes(twin.timeline, "record commands")))
    assert recorded == [True, True, False, False, False, False]


def test_timeline_holds_every_plane_and_step_in_order(open_twin: OpenTwin) -> None:
    twin = open_twin(**ADD_UV)
    twin.pair_sums(noise_pair(64, 48, pixel_format="444"))
    timeline = twin.timeline
    assert timeline is not None
    assert all(0 <= event.start <= event.end <= timeline.duration for event in timeline.events)
    for plane in "YUV":
        steps = [event for event in timeline.events if event.name.endswith(f" {plane}")]
        uploads = [event for event in steps if event.name.startswith("upload")]
        (download,) = (event for event in steps if event.name.startswith("download"))
        kernels = [event for event in steps if "." in event.name]
        assert [event.size for event in uploads] == [64 * 48] * 2
        assert len(kernels) >= 2
        assert max(event.end for event in uploads) <= min(event.start for event in kernels) + 1
        assert max(event.end for event in kernels) <= download.start + 1
    assert timeline.as_dict()["host_waits"] == 1


def cropped(stages: Stages, oracle: Stages, width: int, height: int) -> None:
    """Inside the staged part the stages are those of a plane of that size, outside they are zero."""
    for stage in ("D", "V", "H"):
        found = stages.get(stage)
        np.testing.assert_array_equal(found[:height, :width], oracle.get(stage))
        outside = found.copy()
        outside[:height, :width] = 0
        assert not outside.any()


@pytest.mark.parametrize(
    ("pixel_format", "staged"),
    [("420", (10, 12)), ("422", (10, 12)), ("444", (10, 12)), ("411", (5, 12)), ("440", (10, 12))],
)
def test_chroma_staged_as_420(open_twin: OpenTwin, pixel_format: str, staged: tuple[int, int]) -> None:
    twin = open_twin(**ADD_UV, chroma_extent="as-420")
    pair = noise_pair(19, 23, 8, pixel_format)
    width, height = staged
    sums = twin.pair_sums(pair)
    assert sums.areas == (19 * 23, 120, 120)
    for plane in (1, 2):
        part = noise_pair(width, height)
        frames = [
            type(frame)(frame.index, part.geometry, (whole.planes[plane][:height, :width],))
            for frame, whole in zip((part.previous, part.current), (pair.previous, pair.current), strict=True)
        ]
        oracle = reference().stages(type(part)(*frames))
        found = twin.stages(pair, plane)
        assert found.get("H").shape == pair.current.planes[plane].shape
        cropped(found, oracle, width, height)
        assert sums.sums[plane] == int(np.abs(oracle.get("H")).sum())
    assert_same(twin.stages(pair, 0), reference().stages(pair, 0))


def test_chroma_staged_as_420_may_be_too_small(open_twin: OpenTwin) -> None:
    with pytest.raises(ClipError, match="plane U is staged as 2x2"):
        open_twin(**ADD_UV, chroma_extent="as-420").pair_sums(noise_pair(4, 4, 8, "444"))


def test_buffers_of_the_first_clip_give_a_later_larger_one_wrong_scores() -> None:
    small, large = noise_pair(3, 3), noise_pair(4, 5)
    with Twin(EngineConfig(twin=TwinSettings(state="reuse-first")), "diff-first") as twin:
        assert twin.pair_sums(small) == reference().pair_sums(small)
        wrong = twin.pair_sums(large)
        assert wrong.areas == (20,)
        assert wrong != reference().pair_sums(large)
        part = type(small)(
            *(type(f)(f.index, small.geometry, (f.planes[0][:3, :3],)) for f in (large.previous, large.current))
        )
        oracle = reference().stages(part)
        assert wrong.sums == (int(np.abs(oracle.get("H")).sum()),)
        cropped(twin.stages(large), oracle, 3, 3)
        assert twin.pair_sums(small) == reference().pair_sums(small)


def test_following_state_is_right_at_any_size(open_twin: OpenTwin) -> None:
    twin = open_twin(state="follow")
    for size in ((3, 3), (4, 5), (3, 3)):
        pair = noise_pair(*size)
        assert twin.pair_sums(pair) == reference().pair_sums(pair)
