"""Devices and queues: what SYCL shows, which of it can run a twin, and the queues of the one that was taken."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import dpctl

from motion_tui.engines.twins.device.faults import NoDevice
from motion_tui.engines.twins.protocol import DeviceFacts

_PROPERTIES = ["in_order", "enable_profiling"]


@dataclass(frozen=True, slots=True, eq=False)
class Queues:
    """Two in-order queues with profiling on one device and context."""

    kernels: Any
    copies: Any
    facts: DeviceFacts


def facts_of(device: Any) -> DeviceFacts:
    """Describe a dpctl device, and why it is unusable where it is."""
    unusable = ""
    if not (device.has_aspect_usm_device_allocations and device.has_aspect_usm_host_allocations):
        unusable = "it has no USM allocations, which the twins need"
    return DeviceFacts(
        name=device.name.strip(),
        filter_string=device.filter_string,
        driver=device.driver_version,
        backend=device.backend.name,
        kind=device.device_type.name,
        memory=device.global_mem_size,
        unusable=unusable,
    )


def list_devices() -> list[DeviceFacts]:
    """Describe every device."""
    return [facts_of(device) for device in dpctl.get_devices()]


def open_queues(filter_string: str) -> Queues:
    """Take the device of a filter string, or the best usable one; NoDevice says what was passed over, and why.

    A GPU comes before a CPU, then the runtime's own ranking decides.
    """
    devices = [_by_filter(filter_string)] if filter_string else dpctl.get_devices()
    ranked = sorted(devices, key=lambda d: (d.is_gpu, d.default_selector_score), reverse=True)
    skipped: list[str] = []
    for device in ranked:
        facts = facts_of(device)
        if not facts.unusable:
            kernels = dpctl.SyclQueue(device, property=_PROPERTIES)
            copies = dpctl.SyclQueue(kernels.sycl_context, device, property=_PROPERTIES)
            return Queues(kernels, copies, facts)
        skipped.append(f"{facts.filter_string} ({facts.name}): {facts.unusable}")
    if skipped:
        raise NoDevice(f"no usable SYCL device: {'; '.join(skipped)}")
    raise NoDevice(f"SYCL shows no device{_selector()}")


def _by_filter(filter_string: str) -> Any:
    try:
        return dpctl.SyclDevice(filter_string)
    except (dpctl.SyclDeviceCreationError, ValueError):
        shown = ", ".join(device.filter_string for device in dpctl.get_devices()) or "none"
        raise NoDevice(f"there is no SYCL device '{filter_string}'{_selector()}: SYCL shows {shown}") from None


def _selector() -> str:
    selector = os.environ.get("ONEAPI_DEVICE_SELECTOR")
    return f" under ONEAPI_DEVICE_SELECTOR={selector}" if selector else ""
