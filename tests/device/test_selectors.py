"""Which device a selector means, from the flag and from the environment, and what a device refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from motion_tui.core.errors import DeviceError, TwinError
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.protocol import KernelSource, PlaneSize, Run
from tests.device.conftest import MakeTwin, OpenTwin
from tests.device.pairs import assert_right, noise_pair


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
    assert_right(make_twin(), noise_pair(17, 17))


@pytest.mark.parametrize("selector", ["OpenCL:CPU", "opencl:cpu:0", "*:cpu"])
def test_a_selector_that_matches(make_twin: MakeTwin, selector: str) -> None:
    twin = make_twin(device=selector)
    assert_right(twin, noise_pair(17, 17))
    assert "opencl:cpu:0" in twin.device


def test_an_empty_selector_in_the_environment_hides_no_device(
    make_twin: MakeTwin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "")
    assert_right(make_twin(), noise_pair(17, 17))


def test_a_runtime_that_does_not_start_is_no_device(
    make_twin: MakeTwin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dpctl.py").write_text("raise ImportError('libDPCTLSyclInterface.so.0: cannot open')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(DeviceError, match=r"SYCL does not start here .*libDPCTLSyclInterface.*--engine reference"):
        make_twin().prepare()


def test_a_work_group_larger_than_the_device_takes(open_twin: OpenTwin) -> None:
    with pytest.raises(TwinError, match=r"takes work-groups of \d+ items at most, not 65536"):
        open_twin(work_group=1 << 16).stages(noise_pair(1 << 16, 3))


def test_what_the_device_cannot_hold_is_said_before_it_is_allocated(client: Client) -> None:
    huge = Run(KernelSource("built-in", "diff-first"), "sums", (PlaneSize(1 << 20, 1 << 20),), 8, client.memory.size)
    with pytest.raises(TwinError, match=r"has \d+ MiB and the pair needs \d+ MiB: use a smaller clip"):
        client.call(huge, "asking for too much")
