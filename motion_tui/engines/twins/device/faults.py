"""What can go wrong on the device side; the worker sends each as a reply with its kind."""

from __future__ import annotations

from motion_tui.engines.twins.protocol import Fault


class DeviceFault(Exception):
    """A fault to report; `kind` says what it is about."""

    kind: Fault = "twin"


class NoDevice(DeviceFault):
    """There is no device, or not the one that was asked for."""

    kind: Fault = "device"


class NoKernel(DeviceFault):
    """A kernel that cannot be had, or that the device's compiler refuses."""


class TooLarge(DeviceFault):
    """More than the device has: memory, or items in a work-group."""


class WrongWrite(DeviceFault):
    """A kernel wrote outside a buffer or into an input, or left part of an output unwritten."""
