"""Devices for tests: twins that are opened once, and a line that says how many cases really ran on one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from motion_tui.core.options import Options
from motion_tui.engines.base import EngineConfig, TwinSettings
from motion_tui.engines.twins.environment import has_dpctl
from motion_tui.engines.twins.twin import Twin

OpenTwin = Callable[..., Twin]


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
    """Return a function that opens a twin by name, options and settings; the same twin is opened once."""
    opened: dict[tuple[object, ...], Twin] = {}

    def open_(name: str = "diff-first", feature: str = "motion", **settings: Any) -> Twin:
        options = {key: settings.pop(key) for key in list(settings) if key.startswith("motion_")}
        key = (name, feature, *sorted(options.items()), *sorted(settings.items()))
        if key not in opened:
            config = EngineConfig(Options.parse(feature, options), twin=TwinSettings(**settings))
            opened[key] = Twin(config, name)
        return opened[key]

    yield open_
    for twin in opened.values():
        twin.close()
