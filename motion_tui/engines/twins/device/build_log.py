"""What the OpenCL compiler says of a source that it refuses: dpctl keeps that to itself, so it is asked directly."""

from __future__ import annotations

import ctypes
import re
from typing import Any

_DEVICE_TYPE_ALL = 0xFFFFFFFF
_DEVICE_NAME = 0x102B
_PROGRAM_BUILD_LOG = 0x1183
_LOG_LIMIT = 1 << 20
_LINE_LIMIT = 600
_PLACE = re.compile(r"^(?:\d+|\S*):(\d+):(\d+): ")


def build_log(device_name: str, code: bytes | str) -> str:
    """Return in one line what the compiler says of OpenCL C text or SPIR-V that it refuses."""
    try:
        text = _build(ctypes.CDLL("libOpenCL.so.1"), device_name, code)
    except OSError:
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [_PLACE.sub(r"line \1, column \2: ", line) for line in lines if "error:" in line]
    return "; ".join(errors or lines)[:_LINE_LIMIT] or "its compiler gives no reason"


def _build(cl: Any, device_name: str, code: bytes | str) -> str:
    cl.clCreateContext.restype = cl.clCreateProgramWithSource.restype = ctypes.c_void_p
    cl.clCreateProgramWithIL.restype = ctypes.c_void_p
    device = _find_device(cl, device_name)
    if device is None:
        return ""
    error = ctypes.c_int()
    context = ctypes.c_void_p(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(error)))
    if isinstance(code, str):
        text = ctypes.c_char_p(code.encode())
        made = cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None, ctypes.byref(error))
    else:
        made = cl.clCreateProgramWithIL(context, code, ctypes.c_size_t(len(code)), ctypes.byref(error))
    program = ctypes.c_void_p(made)
    if not program:
        return ""
    cl.clBuildProgram(program, 1, ctypes.byref(device), None, None, None)
    size = ctypes.c_size_t()
    cl.clGetProgramBuildInfo(program, device, _PROGRAM_BUILD_LOG, ctypes.c_size_t(0), None, ctypes.byref(size))
    log = ctypes.create_string_buffer(min(size.value, _LOG_LIMIT) or 1)
    cl.clGetProgramBuildInfo(program, device, _PROGRAM_BUILD_LOG, ctypes.c_size_t(len(log)), log, None)
    cl.clReleaseProgram(program)
    cl.clReleaseContext(context)
    return log.value.decode(errors="replace").strip()


def _find_device(cl: Any, name: str) -> ctypes.c_void_p | None:
    platforms = (ctypes.c_void_p * 16)()
    count = ctypes.c_uint()
    cl.clGetPlatformIDs(16, platforms, ctypes.byref(count))
    for platform in platforms[: min(count.value, 16)]:
        devices = (ctypes.c_void_p * 16)()
        found = ctypes.c_uint()
        kind = ctypes.c_ulong(_DEVICE_TYPE_ALL)
        cl.clGetDeviceIDs(ctypes.c_void_p(platform), kind, 16, devices, ctypes.byref(found))
        for device in devices[: min(found.value, 16)]:
            text = ctypes.create_string_buffer(256)
            cl.clGetDeviceInfo(ctypes.c_void_p(device), _DEVICE_NAME, ctypes.c_size_t(256), text, None)
            if text.value.decode(errors="replace").strip() == name:
                return ctypes.c_void_p(device)
    return None
