"""A worker that is killed, stopped, crashed by a kernel or hung: the caller gets one line, and the next call works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motion_tui.core.errors import DeviceError, TwinError
from motion_tui.core.frames import FramePair
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.reference import Reference
from motion_tui.engines.twins import shared
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.protocol import KernelSource, PlaneSize, Run
from motion_tui.engines.twins.twin import Twin
from tests.device.conftest import OpenKernel, OpenTwin
from tests.device.pairs import assert_same, noise_pair
from tests.device.user_kernels import opencl

MakeTwin = Callable[..., Twin]


@pytest.fixture
def make_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeTwin]:
    """Open a twin; `body` is the rest of an OpenCL C kernel of its own. Twins are closed with the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made: list[Twin] = []

    def make(body: str = "", **settings: Any) -> Twin:
        if body:
            settings["kernel"] = tmp_path / "mine.cl"
            settings["kernel"].write_text(opencl(body))
        twin = Twin(EngineConfig(twin=TwinSettings(**settings)), "diff-first")
        made.append(twin)
        return twin

    yield make
    for twin in made:
        twin.close()


def works(twin: Twin, pair: FramePair) -> None:
    """The twin gives the reference's stages."""
    assert_same(twin.stages(pair), Reference(EngineConfig()).stages(pair))


def fail_in_thread(call: Callable[[], object]) -> tuple[threading.Thread, list[Exception]]:
    """Start a call in a thread; what it raises is put into the list."""
    raised: list[Exception] = []

    def run() -> None:
        try:
            call()
        except TwinError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


def until_idle(twin: Twin) -> int:
    """Wait until the twin has made itself ready; return the worker's process id."""
    twin._warm_up.join()
    assert twin.worker_pid is not None
    return twin.worker_pid


def test_killed_while_computing(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(), noise_pair(64, 48)
    works(twin, pair)
    first = until_idle(twin)
    thread, raised = fail_in_thread(lambda: twin.bench(3840, 2160, 8, runs=2000))
    time.sleep(0.5)
    os.kill(first, signal.SIGKILL)
    thread.join(10)
    (error,) = raised
    assert "died while timing diff-first at 3840x2160 (SIGKILL)" in str(error)
    assert "\n" not in str(error)
    works(twin, pair)
    assert twin.worker_pid != first


def test_killed_between_calls(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(), noise_pair(17, 17)
    works(twin, pair)
    os.kill(until_idle(twin), signal.SIGKILL)
    with pytest.raises(TwinError, match="SIGKILL"):
        twin.stages(pair)
    works(twin, pair)


def test_stopped_past_the_time_limit(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(time_limit=1.0), noise_pair(17, 17)
    works(twin, pair)
    stopped = until_idle(twin)
    os.kill(stopped, signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(TwinError, match=r"no answer in 1 s while computing the stages of frame 1 with diff-first"):
        twin.stages(pair)
    assert time.monotonic() - began < 3
    with pytest.raises(ProcessLookupError):
        os.kill(stopped, 0)
    works(twin, pair)


def test_hanging_kernel(make_twin: MakeTwin) -> None:
    twin = make_twin("volatile int go = 1; while (go) { h[i] += 1; }", time_limit=1.0)
    twin.prepare()
    with pytest.raises(TwinError, match=r"no answer in 1 s while scoring frame 1 with mine\.cl, and was killed"):
        twin.pair_sums(noise_pair(64, 48))
    assert twin.worker_pid is None


def test_wild_pointer(make_twin: MakeTwin) -> None:
    twin = make_twin("*(__global int *)(((ulong)bpc) << 40) = x;")
    for _ in range(2):
        with pytest.raises(TwinError, match=r"died while computing the stages of frame 1 with mine.cl \(SIG\w+"):
            twin.stages(noise_pair(64, 48))


def test_division_by_what_a_wild_pointer_holds(make_twin: MakeTwin) -> None:
    twin = make_twin("h[i] = x / *(__global int *)(((ulong)bpc) << 40);")
    with pytest.raises(TwinError, match=r"died while scoring frame 1 with mine.cl \(SIG\w+"):
        twin.pair_sums(noise_pair(64, 48))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("if (i == 0) h[width * height] = 7;", "outside buffer 'h' .* 4 bytes after its end, the nearest 1 bytes away"),
        ("if (i == 0) v[-1] = 7;", "outside buffer 'v' .* 4 bytes before its start, the nearest 1 bytes away"),
        ("d[(y + 1) * width + x] = 0;", "outside buffer 'd' .* 44 bytes after its end"),
        ("if (i == 0) h[width * height + (1 << 18)] = 7;", "outside buffer 'h' .* the nearest 1048577 bytes away"),
        ("if (i == 0) d[-(1 << 18)] = 7;", "outside buffer 'd' .* 4 bytes before its start, the nearest 1048573 bytes"),
        ("if (i == 5) h[i] = 0xa5a5a5a5;", r"left 1 elements of buffer 'h' unwritten, the first at \(5, 0\) of 11x9"),
    ],
    ids=["after", "before", "a row too many", "a MiB after", "a MiB before", "unwritten"],
)
def test_writes_outside_and_gaps(open_kernel: OpenKernel, body: str, says: str) -> None:
    with pytest.raises(TwinError, match=says):
        open_kernel(body).stages(noise_pair(11, 9))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "if (i == 13) ((__global ushort *)previous)[i] ^= 1;",
            r"'previous' .* 1 samples changed, the first at \(2, 1\)",
        ),
        ("((__global ushort *)current)[i] ^= 7;", r"'current' .* 99 samples changed, the first at \(0, 0\)"),
    ],
)
def test_writes_into_an_input(open_kernel: OpenKernel, body: str, says: str) -> None:
    twin, pair = open_kernel(body), noise_pair(11, 9)
    for compute in (twin.stages, twin.pair_sums):
        with pytest.raises(TwinError, match=rf"mine\.cl \(motion\) wrote into its input plane {says}; write to the"):
            compute(pair)
    assert open_kernel("h[i] = previous[i] - current[i];").pair_sums(pair).sums == (
        int(np.abs(pair.previous.planes[0].astype(int) - pair.current.planes[0]).sum()),
    )


@pytest.mark.parametrize(("body", "nosy"), [("h[i] = previous[i];", False), ("h[i] = previous[i + 1];", True)])
def test_what_lies_around_a_plane_enters_only_a_nosy_kernels_result(
    client: Client, tmp_path: Path, body: str, nosy: bool
) -> None:
    file = tmp_path / "mine.cl"
    file.write_text(opencl(body))
    source = KernelSource("opencl-c", file.name, str(file))
    sums = [
        client.call(
            Run(source, "sums", (PlaneSize(11, 9),), 16, client.memory.size, poison=poison), "looking for the poison"
        )["sums"]
        for poison in (0xAA, 0x55)
    ]
    assert (sums[0] != sums[1]) == nosy


def test_what_a_kernel_prints_does_not_enter_the_protocol(open_kernel: OpenKernel) -> None:
    twin = open_kernel('if (i == 0) printf("{\\"fault\\": \\"twin\\", \\"text\\": \\"forged\\"}\\n");')
    assert twin.pair_sums(noise_pair(11, 9)).sums == (0,)


@pytest.mark.parametrize("selector", ["level_zero:gpu:3", "cuda:*", "no such thing"])
def test_a_selector_that_matches_nothing(make_twin: MakeTwin, selector: str) -> None:
    twin = make_twin(device=selector)
    with pytest.raises(DeviceError) as caught:
        twin.prepare()
    text = str(caught.value)
    assert selector in text
    assert all(word in text for word in ("ONEAPI_DEVICE_SELECTOR", "intel-opencl-rt", "--engine reference"))
    assert "\n" not in text


def test_the_environments_selector_is_obeyed(make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu")
    with pytest.raises(DeviceError, match="no device under ONEAPI_DEVICE_SELECTOR=level_zero:gpu"):
        make_twin().prepare()
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "opencl:cpu")
    works(make_twin(), noise_pair(17, 17))


@pytest.mark.parametrize("selector", ["OpenCL:CPU", "opencl:cpu:0", "*:cpu"])
def test_a_selector_that_matches(make_twin: MakeTwin, selector: str) -> None:
    twin = make_twin(device=selector)
    works(twin, noise_pair(17, 17))
    assert "opencl:cpu:0" in twin.device


def test_modules_of_the_current_directory_are_not_taken(
    make_twin: MakeTwin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "dpctl", "json", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')")
    monkeypatch.chdir(tmp_path)
    works(make_twin(), noise_pair(17, 17))


def test_a_program_that_was_started_without_stdin() -> None:
    # The planes' memory would be descriptor 0, which is a pipe in the worker.
    program = """
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.twins.twin import Twin
with Twin(EngineConfig(), "diff-first") as twin:
    twin.prepare()
    print(twin.health)
"""
    shell = 'exec "$0" -c "$1" <&-'
    ran = subprocess.run(["sh", "-c", shell, sys.executable, program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "self-test passed\n"), ran.stderr


def test_a_runtime_that_does_not_start_is_no_device(
    make_twin: MakeTwin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dpctl.py").write_text("raise ImportError('libDPCTLSyclInterface.so.0: cannot open')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(DeviceError, match=r"SYCL does not start here .*libDPCTLSyclInterface.*--engine reference"):
        make_twin().prepare()


def test_an_empty_selector_in_the_environment_hides_no_device(
    make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "")
    works(make_twin(), noise_pair(17, 17))


def test_a_work_group_larger_than_the_device_takes(open_twin: OpenTwin) -> None:
    with pytest.raises(TwinError, match=r"takes work-groups of \d+ items at most, not 65536"):
        open_twin(work_group=1 << 16).stages(noise_pair(1 << 16, 3))


def test_two_devices_at_once(make_twin: MakeTwin) -> None:
    one, other = make_twin(device="opencl:cpu:0"), make_twin(device="opencl:cpu:0")
    pair = noise_pair(33, 33)
    works(one, pair)
    works(other, pair)
    assert one.worker_pid != other.worker_pid


def test_cancel(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(), noise_pair(17, 17)
    until_idle(twin)
    thread, raised = fail_in_thread(lambda: twin.bench(3840, 2160, 8, runs=2000))
    time.sleep(0.3)
    twin.cancel()
    thread.join(5)
    (error,) = raised
    assert "cancelled while timing" in str(error)
    works(twin, pair)
    twin.cancel()
    works(twin, pair)


def test_closing_ends_the_worker_even_while_it_computes(make_twin: MakeTwin) -> None:
    twin = make_twin()
    process = until_idle(twin)
    thread, raised = fail_in_thread(lambda: twin.bench(3840, 2160, 8, runs=2000))
    time.sleep(0.3)
    twin.close()
    thread.join(5)
    assert len(raised) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    twin.close()
    with pytest.raises(TwinError, match="closed"):
        twin.stages(noise_pair(17, 17))


def test_no_orphan_when_the_program_is_killed() -> None:
    # The worker computes, so that it does not even look at its pipe.
    program = """
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.twins.twin import Twin
twin = Twin(EngineConfig(), "diff-first")
twin.prepare()
print(twin.worker_pid, flush=True)
twin.bench(3840, 2160, 8, runs=20000)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.5)
        os.kill(worker, 0)
        parent.kill()
    for _ in range(50):
        if not Path(f"/proc/{worker}").exists() or "Z" in Path(f"/proc/{worker}/stat").read_text().split()[2]:
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the worker outlived the program")


def test_a_plane_that_shared_memory_cannot_hold(make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = make_twin()
    twin.prepare()

    def full(fd: int, offset: int, size: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(TwinError, match=r"MiB of shared memory for the planes \(No space left on device\)"):
        twin.stages(noise_pair(1283, 723))
    monkeypatch.undo()
    works(twin, noise_pair(1283, 723))


def test_a_plane_larger_than_the_memory_that_is_left_is_refused_before_it_is_taken(
    make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = make_twin()
    twin.prepare()
    monkeypatch.setattr(shared, "available_memory", lambda: 1 << 20)
    with pytest.raises(TwinError, match=r"no \d+ MiB of shared memory for the planes \(Cannot allocate memory\)"):
        twin.stages(noise_pair(1283, 723))
    works(twin, noise_pair(64, 48))


def test_calls_from_several_threads_wait_for_one_another(open_twin: OpenTwin) -> None:
    twin = open_twin()
    pairs = [noise_pair(width, height, seed=seed) for width, height, seed in ((64, 48, 0), (64, 48, 1), (129, 65, 2))]
    wanted = [Reference(EngineConfig()).stages(pair).get("H") for pair in pairs]

    def same(i: int) -> bool:
        return np.array_equal(twin.stages(pairs[i % 3]).get("H"), wanted[i % 3])

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(same, range(120)))


def test_what_the_device_cannot_hold_is_said_before_it_is_allocated(client: Client) -> None:
    huge = Run(KernelSource("built-in", "diff-first"), "sums", (PlaneSize(1 << 20, 1 << 20),), 8, client.memory.size)
    with pytest.raises(TwinError, match=r"has \d+ MiB and the pair needs \d+ MiB: use a smaller clip"):
        client.call(huge, "asking for too much")


def test_results_outlive_the_next_request(open_twin: OpenTwin) -> None:
    twin, pair = open_twin(), noise_pair(33, 33)
    first = twin.stages(pair)
    kept = np.array(first.get("H"))
    twin.stages(noise_pair(33, 33, seed=1))
    np.testing.assert_array_equal(first.get("H"), kept)
