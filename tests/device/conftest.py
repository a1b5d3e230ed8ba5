"""Devices for tests: twins that are opened once, and a line that says how many cases really ran on one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.environment import has_dpctl
from motion_tui.engines.twins.twin import Twin
from tests.device.user_kernels import opencl

OpenTwin = Callable[..., Twin]
OpenKernel = Callable[..., Twin]
MakeTwin = Callable[..., Twin]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and skip it where the SYCL runtime has no package."""
    for item in items:
        if "tests/device/" in item.nodeid:
            item.add_marker(pytest.mark.device)
            if not has_dpctl():
                item.add_marker(pytest.mark.skip(reason="dpctl is not installed: there is no SYCL device"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many cases ran on a device: skipped is not green."""
    ran = [r for r in terminalreporter.stats.get("passed", []) if "tests/device/" in r.nodeid and r.when == "call"]
    terminalreporter.write_line(f"device: {len(ran)} cases passed on a SYCL device")


@pytest.fixture(scope="session")
def open_twin() -> Iterator[OpenTwin]:
    """Return a function that gives a twin under options and settings; one worker serves all of a twin's."""
    opened: dict[tuple[str, str], Twin] = {}

    def open_(name: str = "diff-first", feature: str = "motion", **settings: Any) -> Twin:
        options = {key: settings.pop(key) for key in list(settings) if key.startswith("motion_")}
        config = EngineConfig(Options.parse(feature, options), twin=TwinSettings(**settings))
        if (name, feature) not in opened:
            opened[name, feature] = Twin(config, name)
        twin = opened[name, feature]
        twin.config = config  # a twin reads it with every call
        return twin

    yield open_
    for twin in opened.values():
        twin.close()


@pytest.fixture(scope="session")
def open_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenKernel]:
    """Return a function that gives a twin of a user's `mine.cl` with the text of `opencl`; one worker serves all."""
    folder = tmp_path_factory.mktemp("user")
    file = folder / "mine.cl"
    opened: list[Twin] = []

    def open_(body: str = "") -> Twin:
        file.write_text(opencl(body))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
            if not opened:
                opened.append(Twin(EngineConfig(twin=TwinSettings(kernel=file)), "ignored"))
            opened[0].reload()
        return opened[0]

    yield open_
    for twin in opened:
        twin.close()


@pytest.fixture
def make_twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeTwin]:
    """Return a function that opens a twin of the test's own; `body` is the rest of an OpenCL C kernel of its own."""
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


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """A worker that is spoken to without a twin, with 64 KiB of shared memory."""
    made = Client()
    made.memory.reserve(1 << 16)
    yield made
    made.close()
