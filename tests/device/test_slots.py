"""Device buffers that are kept from pair to pair: bounded by their bytes, the one in use never dropped."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from motion_kernels import catalogue
from motion_tui.engines.twins.protocol import PlaneSize

slots = pytest.importorskip("motion_tui.engines.twins.device.slot", exc_type=ImportError)
programs = pytest.importorskip("motion_tui.engines.twins.device.programs", exc_type=ImportError)
runs = pytest.importorskip("motion_tui.engines.twins.device.runs", exc_type=ImportError)


def slot(nbytes: int) -> Any:
    """As much of a slot as the cache looks at."""
    return SimpleNamespace(nbytes=nbytes, recorded={"path": ()})


def test_slots_are_kept_up_to_a_limit_in_bytes() -> None:
    cache = slots.SlotCache(100)
    small = {key: cache.take(key, lambda: slot(10)) for key in range(9)}
    assert all(cache.take(key, lambda: slot(10)) is kept for key, kept in small.items())
    cache.take("large", lambda: slot(75))
    # 0 to 6 were used longest ago and have made room.
    assert all(cache.take(key, lambda: slot(0)) is small[key] for key in (7, 8))
    assert cache.take(6, lambda: slot(1)) is not small[6]


def test_a_slot_above_the_limit_is_alone_and_stays_while_it_is_used() -> None:
    cache = slots.SlotCache(100)
    kept = cache.take("small", lambda: slot(10))
    huge = cache.take("huge", lambda: slot(1000))
    assert cache.take("huge", lambda: slot(0)) is huge
    assert cache.take("small", lambda: slot(10)) is not kept
    assert cache.take("huge", lambda: slot(1)) is not huge


def test_commands_over_memory_that_has_moved_are_forgotten() -> None:
    cache = slots.SlotCache(100)
    kept = cache.take("a", lambda: slot(1))
    cache.forget_commands()
    assert kept.recorded == {}


@pytest.mark.parametrize(
    ("margin", "guard"),
    [(0, 256), (1 << 20, (1 << 20) + 256)],
)
def test_the_bytes_of_a_slot_count_guard_bands_and_pinned_memory(margin: int, guard: int) -> None:
    twin = programs.LoadedTwin(catalogue.twin("diff-first"), fixed_arguments=False, margin=margin)
    # Two rows of any buffer, 56 bytes at most, fit into the unit of guard bands.
    inputs, d, v, h, sums = 2 * 3 * 3, 3 * 3 * 4, 3 * 7 * 4, 3 * 3 * 4, 3 * 3 * 8
    assert slots.slot_bytes(twin, PlaneSize(3, 3), 8) == 2 * inputs + d + v + h + sums + 6 * 2 * guard


def test_six_slots_of_4k_fit() -> None:
    """Two alternating slots for each of three planes, as replaying 4:4:4 needs, of every twin."""
    for name in catalogue.TWINS:
        twin = programs.LoadedTwin(catalogue.twin(name), fixed_arguments=False, margin=0)
        assert 6 * slots.slot_bytes(twin, PlaneSize(3840, 2160), 16) <= runs.SLOT_BYTES, name
