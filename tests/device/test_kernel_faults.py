"""Kernels that hang, crash, or write where they must not: the caller is told which, and the program lives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motion_tui.core.errors import TwinError
from motion_tui.engines.twins.client import Client
from motion_tui.engines.twins.protocol import KernelSource, PlaneSize, Run
from tests.device.conftest import MakeTwin, OpenKernel
from tests.device.pairs import noise_pair
from tests.device.user_kernels import opencl


def test_hanging_kernel(make_twin: MakeTwin) -> None:
    twin = make_twin("volatile int go = 1; while (go) { h[i] += 1; }", time_limit=1.0)
    twin.prepare()
    with pytest.raises(TwinError, match=r"no answer in 1 s while scoring frame 1 with mine\.cl, and was killed"):
        twin.pair_sums(noise_pair(64, 48))
    assert twin.worker_pid is None


def test_wild_pointer(make_twin: MakeTwin) -> None:
    twin = make_twin("*(__global int *)(((ulong)bpc) << 40) = x;")
    for _ in range(2):
        with pytest.raises(TwinError, match=r"died while computing the stages of frame 1 with mine.cl \(SIG\w+"):
            twin.stages(noise_pair(64, 48))


def test_division_by_what_a_wild_pointer_holds(make_twin: MakeTwin) -> None:
    twin = make_twin("h[i] = x / *(__global int *)(((ulong)bpc) << 40);")
    with pytest.raises(TwinError, match=r"died while scoring frame 1 with mine.cl \(SIG\w+"):
        twin.pair_sums(noise_pair(64, 48))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("if (i == 0) h[width * height] = 7;", "outside buffer 'h' .* 4 bytes after its end, the nearest 1 bytes away"),
        ("if (i == 0) v[-1] = 7;", "outside buffer 'v' .* 4 bytes before its start, the nearest 1 bytes away"),
        ("d[(y + 1) * width + x] = 0;", "outside buffer 'd' .* 44 bytes after its end"),
        ("if (i == 0) h[width * height + (1 << 18)] = 7;", "outside buffer 'h' .* the nearest 1048577 bytes away"),
        ("if (i == 0) d[-(1 << 18)] = 7;", "outside buffer 'd' .* 4 bytes before its start, the nearest 1048573 bytes"),
        ("if (i == 5) h[i] = 0xa5a5a5a5;", r"left 1 elements of buffer 'h' unwritten, the first at \(5, 0\) of 11x9"),
    ],
    ids=["after", "before", "a row too many", "a MiB after", "a MiB before", "unwritten"],
)
def test_writes_outside_and_gaps(open_kernel: OpenKernel, body: str, says: str) -> None:
    with pytest.raises(TwinError, match=says):
        open_kernel(body).stages(noise_pair(11, 9))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "if (i == 13) ((__global ushort *)previous)[i] ^= 1;",
            r"'previous' .* 1 samples changed, the first at \(2, 1\)",
        ),
        ("((__global ushort *)current)[i] ^= 7;", r"'current' .* 99 samples changed, the first at \(0, 0\)"),
    ],
)
def test_writes_into_an_input(open_kernel: OpenKernel, body: str, says: str) -> None:
    twin, pair = open_kernel(body), noise_pair(11, 9)
    for compute in (twin.stages, twin.pair_sums):
        with pytest.raises(TwinError, match=rf"mine\.cl \(motion\) wrote into its input plane {says}; write to the"):
            compute(pair)
    assert open_kernel("h[i] = previous[i] - current[i];").pair_sums(pair).sums == (
        int(np.abs(pair.previous.planes[0].astype(int) - pair.current.planes[0]).sum()),
    )


@pytest.mark.parametrize(("body", "nosy"), [("h[i] = previous[i];", False), ("h[i] = previous[i + 1];", True)])
def test_what_lies_around_a_plane_enters_only_a_nosy_kernels_result(
    client: Client, tmp_path: Path, body: str, nosy: bool
) -> None:
    file = tmp_path / "mine.cl"
    file.write_text(opencl(body))
    source = KernelSource("opencl-c", file.name, str(file))
    sums = [
        client.call(
            Run(source, "sums", (PlaneSize(11, 9),), 16, client.memory.size, poison=poison), "looking for the poison"
        )["sums"]
        for poison in (0xAA, 0x55)
    ]
    assert (sums[0] != sums[1]) == nosy


def test_what_a_kernel_prints_does_not_enter_the_protocol(open_kernel: OpenKernel) -> None:
    twin = open_kernel('if (i == 0) printf("{\\"fault\\": \\"twin\\", \\"text\\": \\"forged\\"}\\n");')
    assert twin.pair_sums(noise_pair(11, 9)).sums == (0,)
