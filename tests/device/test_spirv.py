"""The compiled kernels on the device: equal to their sources in plain Python, and to the NumPy arithmetic at any size.

Every case runs in a subprocess: a crash in the runtime's compiler fails a test and not the whole run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from motion_kernels import binaries, catalogue, plan, spirv_module
from motion_tui.core.spec import CURRENT_RULES
from motion_tui.engines import float_reference, reference
from tests.device.spirv_runner import Case, Pair, run_cases
from tests.parity import plain_runner

pytestmark = pytest.mark.device

INTEGER = [name for name in catalogue.TWINS if "motion" in catalogue.twin(name).features]
SIZES = ((3, 3), (4, 5), (17, 17), (19, 23), (31, 9), (33, 33), (64, 64), (257, 145), (576, 324))
DEPTHS = (8, 10, 12, 15, 16)
STAGES: tuple[plan.Stage, ...] = ("D", "V", "H")
PATHS: tuple[plan.StepPath, ...] = ("stages", "sums")


def noise(size: tuple[int, int], bpc: int) -> Pair:
    """Two planes of full-range noise."""
    width, height = size
    made = np.random.default_rng([width, height, bpc]).integers(0, 1 << bpc, (2, height, width))
    planes = made.astype(np.uint8 if bpc == 8 else np.uint16)
    return planes[0], planes[1]


def stage(case: Case, buffers: dict[str, NDArray[Any]], name: plan.Stage) -> NDArray[Any]:
    """A stage's plane of a case."""
    return plain_runner.stage(catalogue.twin(case.twin), buffers, name, buffers["current"].shape[1])


def expected(twin: str, pair: Pair, bpc: int) -> tuple[NDArray[Any], ...]:
    """D, V and H as the NumPy reference has them, in the twin's order."""
    return reference.stage_planes(*pair, bpc, replace(CURRENT_RULES, blur_first=twin == "blur-first"))


@pytest.mark.parametrize("twin", catalogue.TWINS)
def test_spirv_equals_its_source_in_plain_python(twin: str, tmp_path: Path) -> None:
    cases = [Case(twin, "stages", bpc) for bpc in (8, 10, 16)] + [Case(twin, "sums", bpc) for bpc in (8, 16)]
    pairs = [noise((plan.CHUNKS + 3, 5), case.bpc) for case in cases]
    record = catalogue.twin(twin)
    for case, pair, found in zip(cases, pairs, run_cases(cases, pairs, tmp_path), strict=True):
        steps = plan.path_steps(record, case.path)
        wanted = plain_runner.run(record, steps, *pair, case.bpc)
        for name in written(steps):
            if record.tolerance:
                np.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=2e-4, err_msg=f"{case} {name}")
            else:
                np.testing.assert_array_equal(found[name], wanted[name], f"{case} {name}")


def written(steps: tuple[plan.Step, ...]) -> Iterator[str]:
    """The buffers that steps write: the last array of each."""
    for step in steps:
        yield [name for name in step.arguments if name not in plan.SCALARS][-1]


@pytest.mark.parametrize("twin", INTEGER)
def test_integer_twins_equal_the_reference_at_every_size_and_depth(twin: str, tmp_path: Path) -> None:
    cells = [(size, bpc, path) for size in SIZES for bpc in DEPTHS for path in PATHS]
    cases = [Case(twin, path, bpc) for _, bpc, path in cells]
    pairs = [noise(size, bpc) for size, bpc, _ in cells]
    results = run_cases(cases, pairs, tmp_path)
    assert len(results) == len(SIZES) * len(DEPTHS) * 2
    for case, pair, found in zip(cases, pairs, results, strict=True):
        wanted = expected(twin, pair, case.bpc)
        if case.path == "sums":
            assert int(found["sums"].sum()) == int(np.abs(wanted[2]).sum()), (case, pair[0].shape)
            continue
        for name, plane in zip(STAGES, wanted, strict=True):
            np.testing.assert_array_equal(stage(case, found, name), plane, f"{case} {pair[0].shape} {name}")


@pytest.mark.parametrize("twin", catalogue.TWINS)
def test_results_do_not_depend_on_the_work_group(twin: str, tmp_path: Path) -> None:
    groups: tuple[tuple[int, int] | None, ...] = (None, (1, 1), (1, 16), (1, 64), (4, 8), (16, 16), (64, 1))
    cells = [(group, path, bpc) for path in PATHS for bpc in (8, 10) for group in groups]
    cases = [Case(twin, path, bpc, group) for group, path, bpc in cells]
    results = run_cases(cases, [noise((128, 64), case.bpc) for case in cases], tmp_path)
    for start in range(0, len(cases), len(groups)):
        first = results[start]
        for case, found in zip(cases[start + 1 :], results[start + 1 : start + len(groups)], strict=False):
            for name in (*map(catalogue.twin(twin).stages.get, STAGES), "sums"):
                np.testing.assert_array_equal(found[str(name)], first[str(name)], f"{case} {name}")


@pytest.mark.parametrize("filter_size", [5, 3, 1])
def test_float_error_is_rounding_that_grows_with_the_frame(filter_size: int, tmp_path: Path) -> None:
    """Planes within a few units in the last place; the sum near the true one; the score near libvmaf's order of it."""
    sizes = ((17, 17), (257, 145), (1283, 723))
    cells = [(size, bpc, path) for size in sizes for bpc in (8, 16) for path in PATHS]
    cases = [Case("float", path, bpc, filter_size=filter_size) for _, bpc, path in cells]
    pairs = [noise(size, bpc) for size, bpc, _ in cells]
    for case, pair, found in zip(cases, pairs, run_cases(cases, pairs, tmp_path), strict=True):
        samples = [float_reference.samples(plane, case.bpc) for plane in pair]
        vertical = [float_reference.blur(plane, 0, filter_size) for plane in samples]
        blurred = [float_reference.blur(plane, 1, filter_size) for plane in vertical]
        if case.path == "stages":
            for name, (previous, current) in zip(STAGES, (samples, vertical, blurred), strict=True):
                wanted = previous - current
                np.testing.assert_allclose(
                    stage(case, found, name), wanted, rtol=0, atol=1e-4, err_msg=f"{case} {name}"
                )
            continue
        score = found["sums"].sum(dtype=np.float64) / pair[0].size
        true = np.abs(blurred[0].astype(np.float64) - blurred[1]).mean()
        assert score == pytest.approx(true, rel=5e-7), (case, pair[0].shape)
        assert score == pytest.approx(float(float_reference.mean_difference(*blurred)), rel=3e-6), (case, pair[0].shape)


def test_no_module_needs_what_a_small_device_lacks() -> None:
    """No float64 and no atomics among the capabilities; no barrier and no atomic among the instructions."""
    float64, int64_atomics, barriers, atomics = 10, 12, {224, 225}, range(227, 243)
    entries = list(binaries.Library().entries())
    assert entries
    for entry in entries:
        words = spirv_module.to_words((binaries.SPIRV / entry.file).read_bytes())
        found = spirv_module.instructions(words)
        capabilities = {i[1] for i in found if spirv_module.opcode(i) == 17}
        assert not capabilities & {float64, int64_atomics}, entry
        assert not [i for i in found if spirv_module.opcode(i) in barriers or spirv_module.opcode(i) in atomics], entry
