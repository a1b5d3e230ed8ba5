"""The twins' side of the program without a device: protocol, layout, environment, extents, the known answers."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from motion_kernels import catalogue, plan
from motion_tui.core.errors import ClipError, DeviceError, TwinError, UsageError
from motion_tui.core.frames import Frame, FramePair, Plane, freeze
from motion_tui.core.geometry import Extent, Geometry
from motion_tui.engines.base import EngineConfig, StagePlane, TwinSettings
from motion_tui.engines.reference import Reference
from motion_tui.engines.timeline import Event, Timeline
from motion_tui.engines.twins import client, environment, user_build
from motion_tui.engines.twins.extents import Staged, staged_extent
from motion_tui.engines.twins.layout import layout
from motion_tui.engines.twins.process import WorkerDied, WorkerHung, WorkerProcess
from motion_tui.engines.twins.protocol import (
    Bench,
    KernelSource,
    ListDevices,
    Load,
    Open,
    PlaneSize,
    Request,
    Run,
    decode,
    encode,
)
from motion_tui.engines.twins.selftest import HEIGHT, WIDTH, known_pairs, self_test
from motion_tui.engines.twins.shared import MappedMemory, SharedMemory

SOURCE = KernelSource("built-in", "diff-first")


@pytest.mark.parametrize(
    "request_",
    [
        Open("opencl:cpu:0"),
        ListDevices(),
        Load(SOURCE, "stages", 10),
        Bench(SOURCE, "sums", 17, 19, 8, 5),
        Run(SOURCE, "sums", (PlaneSize(17, 19), PlaneSize(9, 10, "U")), 8, 4096, staging="wait", work_group=16),
    ],
)
def test_a_request_survives_the_wire(request_: Request) -> None:
    line = encode(request_)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == request_


@pytest.mark.parametrize("path", ["stages", "sums"])
@pytest.mark.parametrize("name", catalogue.TWINS)
def test_regions_of_a_layout_are_apart_and_within_its_size(name: str, path: str) -> None:
    sizes = (PlaneSize(17, 19), PlaneSize(9, 10, "U"), PlaneSize(9, 10, "V"))
    placed, total = layout(catalogue.twin(name), path, sizes, 16)  # type: ignore[arg-type]
    regions = sorted(
        (region for plane in placed for region in (*plane.inputs.values(), *plane.outputs.values())),
        key=lambda region: region.offset,
    )
    assert len(regions) == 3 * (5 if path == "stages" else 3)
    ends = [region.offset + region.nbytes for region in regions]
    assert all(end <= region.offset for end, region in zip(ends, regions[1:], strict=False))
    assert ends[-1] <= total
    assert placed[0].inputs["previous"].nbytes == 17 * 19 * 2


def test_a_kernel_without_partial_sums_has_its_h_read() -> None:
    twin = plan.Twin("mine", ("motion",), "", (plan.Buffer("h", "int32"),), (), (), sums="")
    (placed,), _ = layout(twin, "sums", (PlaneSize(5, 4),), 8)
    assert placed.outputs["h"].shape == (4, 5)


def test_both_sides_see_the_same_memory() -> None:
    memory = SharedMemory()
    (placed,), total = layout(catalogue.twin("diff-first"), "sums", (PlaneSize(5, 4),), 8)
    memory.reserve(total)
    memory.array(placed.inputs["current"])[...] = np.arange(20).reshape(4, 5)
    other = MappedMemory(memory.fd)
    other.follow(memory.size, total)
    np.testing.assert_array_equal(other.array(placed.inputs["current"]), np.arange(20).reshape(4, 5))
    with pytest.raises(ValueError, match="are needed"):
        other.follow(memory.size, memory.size + 1)
    with pytest.raises(ValueError, match="announced"):
        other.follow(memory.size + 1, total)
    memory.close()


@pytest.mark.parametrize(
    ("selector", "is_filter"),
    [
        ("opencl:cpu:0", True),
        ("level_zero:gpu:1", True),
        ("cpu", True),
        ("gpu:1", True),
        ("opencl:0", True),
        ("0", True),
        ("OpenCL:CPU", True),
        ("opencl", True),
        ("*:cpu", False),
        ("opencl:*", False),
        ("opencl:gpu,cpu", False),
        ("!opencl:cpu", False),
        ("cpu:0:opencl", False),
        ("", False),
    ],
)
def test_filter_strings_are_told_from_selectors(selector: str, is_filter: bool) -> None:
    assert environment.is_filter_string(selector) == is_filter


def test_the_users_environment_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(environment, "runtime_directory", lambda: tmp_path)
    theirs = {"OCL_ICD_FILENAMES": "/theirs.so", "LD_LIBRARY_PATH": "/theirs", "ONEAPI_DEVICE_SELECTOR": "gpu"}
    made = environment.worker_environment(theirs, None)
    assert made["OCL_ICD_FILENAMES"].split(os.pathsep) == ["/theirs.so", str(tmp_path / "libintelocl.so")]
    assert made["LD_LIBRARY_PATH"].split(os.pathsep) == ["/theirs", str(tmp_path)]
    assert made["ONEAPI_DEVICE_SELECTOR"] == "gpu"
    assert environment.worker_environment(made, None) == made
    assert environment.worker_environment(theirs, "cpu")["ONEAPI_DEVICE_SELECTOR"] == "gpu"
    assert environment.worker_environment(theirs, "*:cpu")["ONEAPI_DEVICE_SELECTOR"] == "*:cpu"


def test_an_empty_selector_hides_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "runtime_directory", lambda: None)
    assert environment.worker_environment({"ONEAPI_DEVICE_SELECTOR": " "}, None) == {}
    assert environment.worker_environment({"ONEAPI_DEVICE_SELECTOR": ""}, "*:cpu") == {
        "ONEAPI_DEVICE_SELECTOR": "*:cpu"
    }


def test_without_the_runtime_nothing_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "runtime_directory", lambda: None)
    assert environment.worker_environment({"A": "b"}, None) == {"A": "b"}


def test_where_dpctl_is_missing_there_is_no_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "has_dpctl", lambda: False)
    with pytest.raises(DeviceError, match=r"no SYCL twin here: .* dpctl is not installed; .* --engine reference"):
        client.Client()


YUV = TwinSettings(chroma_extent="as-420")
REUSE = TwinSettings(state="reuse-first")


@pytest.mark.parametrize(
    ("pixel_format", "plane", "settings", "first", "wanted"),
    [
        ("422", 1, TwinSettings(), None, Staged(Extent(10, 23), Extent(10, 23), 230)),
        ("420", 1, YUV, None, Staged(Extent(10, 12), Extent(10, 12), 120)),
        ("422", 1, YUV, None, Staged(Extent(10, 23), Extent(10, 12), 120)),
        ("444", 2, YUV, None, Staged(Extent(19, 23), Extent(10, 12), 120)),
        ("444", 0, YUV, None, Staged(Extent(19, 23), Extent(19, 23), 437)),
        ("411", 1, YUV, None, Staged(Extent(5, 23), Extent(5, 12), 120)),
        ("444", 0, REUSE, None, Staged(Extent(19, 23), Extent(19, 23), 437)),
        ("444", 0, REUSE, Extent(3, 40), Staged(Extent(19, 23), Extent(3, 23), 437)),
        ("444", 0, TwinSettings(), Extent(3, 3), Staged(Extent(19, 23), Extent(19, 23), 437)),
    ],
)
def test_staged_extents(
    pixel_format: str, plane: int, settings: TwinSettings, first: Extent | None, wanted: Staged
) -> None:
    assert staged_extent(Geometry(19, 23, pixel_format, 8), plane, "plane", settings, first) == wanted


def test_too_small_an_extent_is_refused() -> None:
    with pytest.raises(ClipError, match="plane V is staged as 2x2"):
        staged_extent(Geometry(4, 4, "444", 8), 2, "plane", YUV)


def test_the_known_answers_are_the_references() -> None:
    geometry = Geometry(WIDTH, HEIGHT, "400", 8)

    def run(previous: Plane, current: Plane) -> StagePlane:
        frames = (Frame(i, geometry, (freeze(plane),)) for i, plane in enumerate((previous, current)))
        return Reference(EngineConfig()).stages(FramePair(*frames)).get("H")

    assert self_test(run) == ""
    swing, impulse = known_pairs().values()
    assert int(swing[1].sum()) == 65280 * WIDTH * HEIGHT
    assert np.count_nonzero(impulse[1]) == 25
    broken = self_test(lambda previous, current: run(previous, current) + (previous == 255))
    assert broken == f"full swing: {WIDTH * HEIGHT} pixels wrong, H at (0, 0) is 65281 and must be 65280"


@pytest.mark.parametrize("name", ["kernel.txt", "kernel", "missing.cl"])
def test_a_file_that_is_no_kernel_is_refused(tmp_path: Path, name: str) -> None:
    if not name.startswith("missing"):
        (tmp_path / name).write_text("")
    with pytest.raises(UsageError, match=f"--kernel .*{name}: "):
        user_build.prepare(tmp_path / name)


def test_a_file_too_large_for_a_kernel_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.cl").open("wb") as file:
        file.truncate(user_build.SIZE_LIMIT + 1)
    with pytest.raises(UsageError, match="too many for a kernel"):
        user_build.prepare(tmp_path / "huge.cl")


@pytest.mark.parametrize(
    ("cut", "fault"),
    [
        (slice(0), "its first word is not 0x07230203"),
        (slice(1, None), "its first word is not 0x07230203"),
        (slice(24), "it breaks off in word 6"),
        (slice(-1), r"it breaks off in word \d+"),
    ],
)
def test_a_broken_off_spirv_file_never_reaches_a_driver(tmp_path: Path, cut: slice, fault: str) -> None:
    module = (Path(__file__).parents[1] / "data" / "user_motion.spv").read_bytes()
    assert user_build.spirv_fault(module) == ""
    assert user_build.spirv_fault(module[:20] + bytes(40)) == "it breaks off in word 5"
    (tmp_path / "mine.spv").write_bytes(module[cut])
    with pytest.raises(TwinError, match=f"mine.spv is no SPIR-V module: {fault}"):
        user_build.prepare(tmp_path / "mine.spv")


def test_a_timeline_as_json() -> None:
    timeline = Timeline((Event("wait", "host", 1.0, 4.5), Event("upload", "copy queue", 0.0, 2.0, 9)), 1)
    assert timeline.duration == 4.5
    assert timeline.as_dict()["events"][1] == {
        "name": "upload",
        "lane": "copy queue",
        "start": 0.0,
        "end": 2.0,
        "size": 9,
    }
    assert Timeline((), 0).duration == 0


@contextlib.contextmanager
def process_of(script: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerProcess]:
    """A process that runs `script` in the worker's place."""
    popen = subprocess.Popen

    def instead(command: list[str], **rest: object) -> object:
        return popen([sys.executable, "-c", script, *command[3:]], **rest)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", instead)
    memory = SharedMemory()
    process = WorkerProcess(dict(os.environ), memory.fd)
    yield process
    process.close()
    memory.close()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("import sys; sys.stderr.write('one\\ntwo\\n'); sys.exit(3)", "exit code 3, its last words: two"),
        ("import os; os.abort()", "SIGABRT"),
        ("import os, time; os.close(1); time.sleep(0.2); os._exit(5)", "exit code 5"),
    ],
)
def test_how_a_worker_ended_is_said(monkeypatch: pytest.MonkeyPatch, script: str, says: str) -> None:
    with process_of(script, monkeypatch) as process, pytest.raises(WorkerDied, match=says):
        process.exchange(b"{}\n", 10)


def test_a_flood_of_stderr_does_not_stop_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (
        "import sys\nsys.stdin.readline()\n"
        "for i in range(20000): sys.stderr.write(f'line {i}\\n')\n"
        'print(\'{"note": "well"}\\n{"ok": 1}\', flush=True)'
    )
    with process_of(script, monkeypatch) as process:
        assert process.exchange(b"{}\n", 10) == {"ok": 1}
        assert process.note == "well"


def test_no_answer_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with process_of("import time; time.sleep(60)", monkeypatch) as process, pytest.raises(WorkerHung):
        process.exchange(b"{}\n", 0.1)
