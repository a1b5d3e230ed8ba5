"""Users' kernels for device tests, in OpenCL C."""

from __future__ import annotations

HEAD = """
__kernel void motion(__global const ushort *previous, __global const ushort *current, __global int *d,
                     __global int *v, __global int *h, int width, int height, int bpc)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    d[i] = v[i] = h[i] = 0;
"""


def opencl(body: str = "") -> str:
    """The text of a kernel that writes zeros and then does what `body` says of pixel `i` at (`x`, `y`)."""
    return HEAD + body + "}"
