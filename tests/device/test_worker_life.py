"""A worker that is killed, stopped, cancelled or closed: the caller gets one line, and the next call works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from motion_tui.core.errors import TwinError
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.reference import Reference
from motion_tui.engines.twins import shared
from motion_tui.engines.twins.twin import Twin
from tests.device.conftest import MakeTwin, OpenTwin
from tests.device.pairs import assert_right, noise_pair


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
    assert_right(twin, pair)
    first = until_idle(twin)
    thread, raised = fail_in_thread(lambda: twin.bench(3840, 2160, 8, runs=2000))
    time.sleep(0.5)
    os.kill(first, signal.SIGKILL)
    thread.join(10)
    (error,) = raised
    assert "died while timing diff-first at 3840x2160 (SIGKILL)" in str(error)
    assert "\n" not in str(error)
    assert_right(twin, pair)
    assert twin.worker_pid != first


def test_killed_between_calls(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(), noise_pair(17, 17)
    assert_right(twin, pair)
    os.kill(until_idle(twin), signal.SIGKILL)
    with pytest.raises(TwinError, match="SIGKILL"):
        twin.stages(pair)
    assert_right(twin, pair)


def test_stopped_past_the_time_limit(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(time_limit=1.0), noise_pair(17, 17)
    assert_right(twin, pair)
    stopped = until_idle(twin)
    os.kill(stopped, signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(TwinError, match=r"no answer in 1 s while computing the stages of frame 1 with diff-first"):
        twin.stages(pair)
    assert time.monotonic() - began < 3
    with pytest.raises(ProcessLookupError):
        os.kill(stopped, 0)
    assert_right(twin, pair)


def test_cancel(make_twin: MakeTwin) -> None:
    twin, pair = make_twin(), noise_pair(17, 17)
    until_idle(twin)
    thread, raised = fail_in_thread(lambda: twin.bench(3840, 2160, 8, runs=2000))
    time.sleep(0.3)
    twin.cancel()
    thread.join(5)
    (error,) = raised
    assert "cancelled while timing" in str(error)
    assert_right(twin, pair)
    twin.cancel()
    assert_right(twin, pair)


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


def test_two_devices_at_once(make_twin: MakeTwin) -> None:
    one, other = make_twin(device="opencl:cpu:0"), make_twin(device="opencl:cpu:0")
    pair = noise_pair(33, 33)
    assert_right(one, pair)
    assert_right(other, pair)
    assert one.worker_pid != other.worker_pid


def test_calls_from_several_threads_wait_for_one_another(open_twin: OpenTwin) -> None:
    twin = open_twin()
    pairs = [noise_pair(width, height, seed=seed) for width, height, seed in ((64, 48, 0), (64, 48, 1), (129, 65, 2))]
    wanted = [Reference(EngineConfig()).stages(pair).get("H") for pair in pairs]

    def same(i: int) -> bool:
        return np.array_equal(twin.stages(pairs[i % 3]).get("H"), wanted[i % 3])

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(same, range(120)))


def test_results_outlive_the_next_request(open_twin: OpenTwin) -> None:
    twin, pair = open_twin(), noise_pair(33, 33)
    first = twin.stages(pair)
    kept = np.array(first.get("H"))
    twin.stages(noise_pair(33, 33, seed=1))
    np.testing.assert_array_equal(first.get("H"), kept)


def test_modules_of_the_current_directory_are_not_taken(
    make_twin: MakeTwin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "dpctl", "json", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('hijacked')")
    monkeypatch.chdir(tmp_path)
    assert_right(make_twin(), noise_pair(17, 17))


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


def test_a_plane_that_shared_memory_cannot_hold(make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = make_twin()
    twin.prepare()

    def full(fd: int, offset: int, size: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(TwinError, match=r"MiB of shared memory for the planes \(No space left on device\)"):
        twin.stages(noise_pair(1283, 723))
    monkeypatch.undo()
    assert_right(twin, noise_pair(1283, 723))


def test_a_plane_larger_than_the_memory_that_is_left_is_refused_before_it_is_taken(
    make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = make_twin()
    twin.prepare()
    monkeypatch.setattr(shared, "available_memory", lambda: 1 << 20)
    with pytest.raises(TwinError, match=r"no \d+ MiB of shared memory for the planes \(Cannot allocate memory\)"):
        twin.stages(noise_pair(1283, 723))
    assert_right(twin, noise_pair(64, 48))
