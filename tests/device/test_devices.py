"""Which device is taken, what is said of those passed over, and the `devices` command."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from motion_tui.engines.twins import survey
from tests.cli.program import Program

queues = pytest.importorskip("motion_tui.engines.twins.device.queues", exc_type=ImportError)


@dataclass
class FakeDevice:
    """As much of a dpctl device as is looked at."""

    name: str
    filter_string: str
    is_gpu: bool
    default_selector_score: int
    has_usm: bool = True
    driver_version: str = "1"
    global_mem_size: int = 1 << 30

    def __post_init__(self) -> None:
        backend, kind, _ = self.filter_string.split(":")
        self.backend, self.device_type = SimpleNamespace(name=backend), SimpleNamespace(name=kind)
        self.has_aspect_usm_device_allocations = self.has_aspect_usm_host_allocations = self.has_usm


CPU = FakeDevice("a CPU ", "opencl:cpu:0", False, 500)
GPU = FakeDevice("a GPU", "level_zero:gpu:0", True, 100)
POCL = FakeDevice("PoCL", "opencl:cpu:1", False, 900, has_usm=False)


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let SYCL show these devices and no others."""

    def show_(*devices: FakeDevice) -> None:
        fake = SimpleNamespace(
            get_devices=lambda: list(devices), SyclQueue=lambda *a, **k: SimpleNamespace(sycl_context=None)
        )
        monkeypatch.setattr(queues, "dpctl", fake)
        monkeypatch.delenv("ONEAPI_DEVICE_SELECTOR", raising=False)

    return show_


def test_a_gpu_comes_before_a_cpu_and_one_without_usm_is_passed_over(show: Any) -> None:
    show(CPU, GPU, POCL)
    assert queues.open_queues("").facts.filter_string == "level_zero:gpu:0"
    show(POCL, CPU)
    assert queues.open_queues("").facts.name == "a CPU"


def test_no_device_is_taken_where_none_can_serve(show: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    show(POCL)
    with pytest.raises(queues.NoDevice, match=r"no usable SYCL device: opencl:cpu:1 \(PoCL\): it has no USM"):
        queues.open_queues("")
    show()
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "cuda:*")
    with pytest.raises(queues.NoDevice, match=r"SYCL shows no device under ONEAPI_DEVICE_SELECTOR=cuda:\*$"):
        queues.open_queues("")


def test_devices_lists_strings_that_can_be_passed_back(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    found = survey.survey()
    monkeypatch.setattr(survey, "survey", lambda: found)
    listed = program("devices", "--json", "-")
    assert listed.code == 0
    (row, *_) = [row for row in json.loads(listed.out)["devices"] if not row["unusable"]]
    assert row["health"] == "self-test passed"
    assert 0 < row["kernel_ms"] < 1000
    text = program("devices").out
    assert f"{row['filter_string']}\n" in text
    assert "self-test passed" in text
    clip = "synthetic:noise?size=9x9&frames=2"
    assert program("check", clip, "--device", row["filter_string"], "--exact").code == 0


def test_devices_without_any_is_4(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEAPI_DEVICE_SELECTOR", "cuda:gpu")
    ran = program("devices")
    assert (ran.code, ran.out) == (4, "")
    assert "ONEAPI_DEVICE_SELECTOR" in ran.err
    assert ran.err.count("\n") == 1


def test_score_writes_what_each_frame_cost(program: Program) -> None:
    clip = "synthetic:noise?size=33x19&frames=4&format=422"
    ran = program("score", clip, "--engine", "twin:diff-first", "--option", "motion_add_uv", "--timeline", "-")
    document = json.loads(ran.out)
    assert [row["frame"] for row in document["frames"]] == [1, 2, 3]
    for row in document["frames"]:
        assert row["host_waits"] == 1
        assert {event["lane"] for event in row["events"]} == {"host", "kernel queue"}
        assert [event["size"] for event in row["events"] if event["name"] == "upload current U"] == [17 * 19]
    on_the_cpu = program("score", clip, "--timeline", "-")
    assert (on_the_cpu.code, on_the_cpu.out) == (3, "")
    assert "oracle has no timeline" in on_the_cpu.err
