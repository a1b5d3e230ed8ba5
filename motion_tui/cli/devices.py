"""`motion-tui devices`: what SYCL shows, tested, with the exact string to pass back."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from motion_tui.cli.output_flags import Output, require_outputs
from motion_tui.core.errors import DeviceError

if TYPE_CHECKING:
    from motion_tui.engines.twins.survey import Surveyed


def devices(
    *,
    json: Annotated[Output, Parameter(help="FILE or -: every device as JSON.")] = None,
    force: Annotated[bool, Parameter(negative="", help="Replace files that exist.")] = False,
) -> int:
    """List the SYCL devices: the string for --device, name, driver, self-test, kernel time of a 1920x1080 pair.

    ONEAPI_DEVICE_SELECTOR limits what is listed. Exit code 4 where no device can run a twin.
    """
    from motion_tui.engines.twins.environment import how_to_go_on
    from motion_tui.engines.twins.survey import SIZE, survey
    from motion_tui.export.files import write_text
    from motion_tui.export.json import dumps

    require_outputs(force, json=json)
    found = survey()
    if json is None:
        sys.stdout.write("".join(_lines(row, SIZE) for row in found))
    else:
        write_text(json, dumps({"schema": 1, "devices": [_row(row) for row in found]}), force)
    if not any(row.kernel_ms for row in found):
        raise DeviceError(f"no SYCL device can run a twin; {how_to_go_on()}")
    return 0


def _row(row: Surveyed) -> dict[str, object]:
    return {**asdict(row.facts), "health": row.health, "kernel_ms": row.kernel_ms}


def _lines(row: Surveyed, size: tuple[int, int]) -> str:
    facts = row.facts
    time = "" if row.kernel_ms is None else f"; {row.kernel_ms:.2f} ms of kernels for a {size[0]}x{size[1]} pair"
    return (
        f"{facts.filter_string}\n"
        f"  {facts.name} ({facts.kind}, {facts.backend}, driver {facts.driver}, {facts.memory >> 20} MiB)\n"
        f"  {row.health}{time}\n"
    )
