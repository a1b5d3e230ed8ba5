"""Device memory between guard bands: a kernel that writes outside its buffer is caught, not believed."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from dpctl.memory import MemoryUSMDevice, USMAllocationError
from numpy.typing import NDArray

from motion_tui.engines.twins.device.faults import TooLarge, WrongWrite

_UNIT = 256
"""Guard bands are multiples of this, so that a buffer is as aligned as its allocation."""


class _Part:
    """A part of an allocation, as dpctl takes it; it keeps the allocation alive."""

    def __init__(self, allocation: Any, offset: int, size: int) -> None:
        interface = dict(allocation.__sycl_usm_array_interface__)
        interface["data"] = (interface["data"][0] + offset, False)
        interface["shape"] = (size,)
        self.__sycl_usm_array_interface__ = interface
        self.allocation = allocation


def guard_bytes(shape: tuple[int, int], dtype: np.dtype[np.generic], margin: int) -> int:
    """Return the size of one guard band: two rows and `margin` bytes."""
    return -(-(2 * shape[1] * dtype.itemsize + margin) // _UNIT) * _UNIT


class GuardedBuffer:
    """A two-dimensional array in device memory with a band of poison before and after it."""

    def __init__(
        self,
        queue: Any,
        name: str,
        shape: tuple[int, int],
        dtype: np.dtype[np.generic],
        poison: int,
        margin: int = 0,
    ) -> None:
        self.name = name
        self.shape = shape
        self.dtype = dtype
        self.nbytes = shape[0] * shape[1] * dtype.itemsize
        self._poison = poison
        self._guard = guard_bytes(shape, dtype, margin)
        size = self.nbytes + 2 * self._guard
        try:
            allocation = MemoryUSMDevice(size, queue=queue)
        except USMAllocationError as error:
            raise TooLarge(f"the device has not {size >> 20} MiB for buffer '{name}': use a smaller clip") from error
        allocation.memset(poison)
        self.payload = MemoryUSMDevice(_Part(allocation, self._guard, self.nbytes))
        self._bands = tuple(
            MemoryUSMDevice(_Part(allocation, offset, self._guard)) for offset in (0, self._guard + self.nbytes)
        )

    def arguments(self) -> list[Any]:
        """The seven words of a two-dimensional array, as numba-dpex's kernels take it."""
        rows, columns = self.shape
        item = self.dtype.itemsize
        words = [ctypes.c_int64(word) for word in (rows * columns, item, rows, columns, columns * item, item)]
        return [*words[:2], self.payload, *words[2:]]

    def fill(self) -> None:
        """Fill the array with poison, so that what a kernel leaves unwritten shows."""
        self.payload.memset(self._poison)

    def check_unchanged(self, queue: Any, sent: NDArray[Any], kernels: str) -> None:
        """Raise WrongWrite where the array is not what was `sent` to it; the queue must be idle."""
        found: NDArray[Any] = np.empty(self.shape, self.dtype)
        queue.memcpy(found.reshape(-1).view(np.uint8), self.payload, self.nbytes)
        changed = found != sent
        if changed.any():
            y, x = np.unravel_index(int(changed.argmax()), self.shape)
            raise WrongWrite(
                f"{kernels} wrote into its input plane '{self.name}' ({self.shape[1]}x{self.shape[0]} {self.dtype}): "
                f"{np.count_nonzero(changed)} samples changed, the first at ({x}, {y}); write to the stages alone"
            )

    def check_guards(self, queue: Any, kernels: str) -> None:
        """Raise WrongWrite where a guard band is not as it was left; the queue must be idle."""
        found = np.empty(self._guard, np.uint8)
        for band, where in zip(self._bands, ("before", "after"), strict=True):
            queue.memcpy(found, band, self._guard)
            touched = np.flatnonzero(found != self._poison)
            if touched.size:
                first, last = touched[0], touched[-1]
                distance = self._guard - last if where == "before" else first + 1
                raise WrongWrite(
                    f"{kernels} wrote outside buffer '{self.name}' ({self.shape[1]}x{self.shape[0]} {self.dtype}): "
                    f"{touched.size} bytes {where} its {'start' if where == 'before' else 'end'}, "
                    f"the nearest {distance} bytes away; check the index against width and height"
                )


def unwritten(array: NDArray[Any], poison: int, thorough: bool) -> tuple[int, int, int] | None:
    """Return (count, x, y of the first) of elements that are still poison, or None.

    Not thorough: only the outer rows and columns are looked at, where kernels go wrong.
    """
    mark = np.frombuffer(bytes([poison]) * array.itemsize, f"u{array.itemsize}")[0]
    bits = array.view(mark.dtype)
    parts = [(0, 0, bits)]
    if not thorough:
        rows, columns = bits.shape
        parts = [(y, 0, bits[y : y + 4]) for y in (0, max(rows - 4, 0))]
        parts += [(0, x, bits[:, x : x + 4]) for x in (0, max(columns - 4, 0))]
    for top, left, part in parts:
        equal = part == mark
        if equal.any():
            y, x = np.unravel_index(int(equal.argmax()), equal.shape)
            return int(np.count_nonzero(equal)), int(x) + left, int(y) + top
    return None
