"""The comparison of a whole clip, against twins with planted faults."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from motion_tui.clips.base import Clip
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError, LogError, NothingCompared, TwinError, UsageError
from motion_tui.core.options import Options
from motion_tui.core.scores import Scores
from motion_tui.core.spec import STAGES
from motion_tui.engines.base import Engine, EngineConfig, Stages
from motion_tui.engines.recorded import PlaneDump, RecordedScores
from motion_tui.engines.reference import Reference
from motion_tui.parity.check import CheckPlan, check
from motion_tui.parity.report import ParityReport
from motion_tui.parity.residue import Pixel
from motion_tui.parity.session import Session, score_clip
from motion_tui.parity.verdict import EXACT, Tolerance, places
from tests.unit.faulty import CrashingTwin, FaultyTwin, one_pixel, unchanged, zeroed

CONFIG = EngineConfig()
LAST = ("VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3")


def noise(frames: int = 4, size: str = "17x19", bits: int = 8) -> Clip:
    return open_clip(f"synthetic:noise?size={size}&format=444&bits={bits}&frames={frames}&seed=3")


def run(twin: Engine, plan: CheckPlan | None = None, clip: Clip | None = None) -> ParityReport:
    return check(Session(noise() if clip is None else clip, Reference(twin.config), twin), plan)


def test_an_equal_twin_is_parity_and_what_was_compared_is_counted() -> None:
    report = run(FaultyTwin(unchanged))
    assert (report.verdict, report.reason, report.frames_compared) == ("parity", "", 4)
    assert {metric.name for metric in report.metrics} == set(LAST)
    assert {stage: known.pixels for stage, known in report.residue.items()} == dict.fromkeys(STAGES, 3 * 17 * 19)
    assert report.smallest_passing_tolerance == 0
    assert report.neighbourhood is None


def test_a_device_that_fails_its_self_test_is_never_a_pass() -> None:
    class FailingDevice(FaultyTwin):
        health = "self-test FAILED on gpu:0: full swing: 1 pixels wrong"

    report = run(FailingDevice(unchanged))
    assert report.verdict == "not-run"
    assert "full swing: 1 pixels wrong" in report.reason
    assert run(FailingDevice(one_pixel(2, 3, 4, 1))).verdict == "gap"


@pytest.mark.parametrize("place", [(0, 0), (16, 0), (0, 18), (16, 18), (8, 9)], ids=str)
def test_one_unit_in_one_pixel_is_a_gap_and_is_found(place: tuple[int, int]) -> None:
    x, y = place
    report = run(FaultyTwin(one_pixel(2, x, y, 1)))
    assert report.verdict == "gap"
    assert report.first_difference == "H"
    assert report.residue["V"].nonzero == 0
    assert report.residue["H"].nonzero == 1
    assert report.residue["H"].worst == Pixel(2, 0, x, y)
    assert report.smallest_passing_tolerance == pytest.approx(1 / 256 / (17 * 19), rel=1e-6)
    assert report.neighbourhood is not None
    text = report.neighbourhood.text()
    assert f"frame 2, plane 0, x {x}, y {y}" in text
    drawn = text.splitlines()[-report.neighbourhood.differs.shape[0] :]
    assert sum(line.count("x") for line in drawn) == 1
    assert drawn[y - report.neighbourhood.map_top][x - report.neighbourhood.map_left] == "x"


def test_equal_scores_do_not_hide_unequal_planes() -> None:
    """Two samples that cancel in the sum: scores agree to the bit, the planes do not."""

    def swap(frame: int, stages: Stages) -> Stages:
        assert stages.v is not None
        v = stages.v.copy()
        v[3, 4] += 1
        return Stages(stages.d, v, stages.h)

    report = run(FaultyTwin(swap))
    assert all(metric.max_abs == 0 for metric in report.metrics)
    assert (report.verdict, report.first_difference) == ("gap", "V")


def test_under_a_wider_tolerance_the_scores_alone_decide() -> None:
    twin = FaultyTwin(one_pixel(2, 5, 5, 1))
    assert run(twin, CheckPlan(places(4))).verdict == "parity"
    assert run(twin, CheckPlan(places(6))).verdict == "gap"
    assert run(twin, CheckPlan(EXACT)).verdict == "gap"
    smallest = run(twin).smallest_passing_tolerance
    assert smallest is not None
    assert run(twin, CheckPlan(Tolerance(smallest))).verdict == "parity"


def test_a_zero_on_a_moving_frame_is_pointed_out() -> None:
    report = run(FaultyTwin(zeroed(3)))
    assert report.verdict == "gap"
    assert any("exactly 0 on the twin" in note and "frame 3" in note for note in report.notes)


def test_without_residue_no_plane_is_computed() -> None:
    twin = FaultyTwin(unchanged)
    report = run(twin, CheckPlan(residue=False))
    assert (report.verdict, report.residue, twin.calls) == ("parity", {}, 0)


@pytest.mark.parametrize("frames", [0, 1])
def test_a_clip_without_a_pair_is_not_compared(frames: int) -> None:
    clip = noise(frames) if frames else _NoFrames(noise())
    with pytest.raises(NothingCompared, match="nothing to compare"):
        run(FaultyTwin(unchanged), clip=clip)


class _NoFrames(Clip):
    def __init__(self, like: Clip) -> None:
        super().__init__("empty", like.geometry)

    def __len__(self) -> int:
        return 0

    def _read(self, index: int) -> tuple[NDArray[Any], ...]:
        raise AssertionError("nothing to read")


def test_two_frames_are_no_pair_for_the_five_frame_window() -> None:
    options = Options.parse("motion", {"motion_five_frame_window": True})
    with pytest.raises(NothingCompared, match="2 apart"):
        run(FaultyTwin(unchanged, EngineConfig(options)), clip=noise(2))


def test_planes_too_small_for_the_filter_are_refused() -> None:
    with pytest.raises(ClipError, match="2x3"):
        run(FaultyTwin(unchanged), clip=noise(size="2x3"))


def test_a_twin_that_fails_is_no_verdict() -> None:
    with pytest.raises(TwinError, match="died at frame 2"):
        run(CrashingTwin(2))


def test_the_cpu_compared_with_itself_is_no_parity_unless_asked() -> None:
    report = run(Reference(CONFIG))
    assert report.verdict == "not-run"
    assert "no parity of a twin" in report.reason
    assert run(Reference(CONFIG), CheckPlan(accept_cpu=True)).verdict == "parity"


class TestRepeat:
    def test_a_steady_twin_gives_one_hash(self) -> None:
        report = run(FaultyTwin(one_pixel(1, 2, 2, 5)), CheckPlan(places(0), repeat=3))
        assert report.verdict == "parity"
        assert report.repeat is not None
        assert len(report.repeat.hashes) == report.repeat.runs == 3
        assert len(set(report.repeat.hashes)) == 1
        assert report.repeat.first is None

    def test_run_frame_and_pixel_of_the_first_change_are_named(self) -> None:
        """A pixel that is off in one run of three, under a tolerance that would let its score pass."""
        calls = itertools.count()

        def change(frame: int, stages: Stages) -> Stages:
            assert stages.h is not None
            h = stages.h.copy()
            if frame == 2 and next(calls) >= 4:  # frame 2 is asked for twice a run: sums and stages
                h[7, 11] += 1
            return Stages(stages.d, stages.v, h)

        report = run(FaultyTwin(change), CheckPlan(places(2), repeat=3))
        assert report.verdict == "gap"
        assert report.repeat is not None
        first = report.repeat.first
        assert first is not None
        assert (first.run, first.frame, first.stage, first.pixel) == (3, 2, "H", Pixel(2, 0, 11, 7))
        assert report.repeat.frames == (2,)
        assert report.repeat.hashes[0] == report.repeat.hashes[1] != report.repeat.hashes[2]

    def test_zero_runs_are_refused(self) -> None:
        with pytest.raises(UsageError, match="repeat"):
            run(FaultyTwin(unchanged), CheckPlan(repeat=0))


class TestRecordedScores:
    def scores(self, clip: Clip) -> Scores:
        return score_clip(clip, Reference(CONFIG))

    def twin(self, scores: Scores, **changed: tuple[float | None, ...]) -> RecordedScores:
        metrics = {**scores.metrics, **changed}
        return RecordedScores(CONFIG, Scores("motion", "3.2", "log:x", "unknown", scores.options, metrics), "a log")

    def test_all_digits_are_exact_parity(self) -> None:
        report = run(self.twin(self.scores(noise())), CheckPlan(EXACT))
        assert report.verdict == "parity"
        assert "not observable: stage D, V, H" in report.notes

    def test_unequal_frames_a_missing_metric_and_nan_are_not_compared(self) -> None:
        scores = self.scores(noise())
        values = scores.metrics["integer_motion2"]
        for changed in (values[:-1], (*values, 0.0), (*values[:-1], None), (*values[:-1], float("nan"))):
            with pytest.raises(NothingCompared, match="integer_motion2"):
                run(self.twin(scores, integer_motion2=changed))
        less = Scores("motion", "3.2", "log:x", "", scores.options, {LAST[0]: scores.metrics[LAST[0]]})
        with pytest.raises(NothingCompared, match="no metric integer_motion2"):
            run(RecordedScores(CONFIG, less, "a log"))
        named = run(RecordedScores(CONFIG, less, "a log"), CheckPlan(metrics=(LAST[0],)))
        assert (named.verdict, [metric.name for metric in named.metrics]) == ("parity", [LAST[0]])

    def test_a_metric_that_the_oracle_has_not_is_refused(self) -> None:
        with pytest.raises(UsageError, match="--metric vmaf"):
            run(self.twin(self.scores(noise())), CheckPlan(metrics=("vmaf",)))


def npy(shape: str, samples: int) -> bytes:
    """An array file of int32 whose header says `shape`, with so many bytes of samples."""
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x02\x00" + len(header).to_bytes(4, "little") + header + bytes(samples)


class TestPlaneDumps:
    clip = noise(frames=3, bits=10)

    def right(self, frame: int) -> Stages:
        return Reference(CONFIG).stages(self.clip.pair(frame))

    def check(self, folder: Path) -> ParityReport:
        return run(PlaneDump(CONFIG, str(folder)), clip=self.clip)

    def test_one_plane_of_one_frame_is_compared_and_is_no_pass(self, tmp_path: Path) -> None:
        np.save(tmp_path / "f0001_p0_V.npy", self.right(1).get("V"))
        report = self.check(tmp_path)
        assert (report.verdict, report.frames_compared, report.metrics) == ("not-run", 1, ())
        assert "H, which is what the score adds up, is there for 0 of 2 planes" in report.reason
        assert list(report.residue) == ["V"]
        assert "not observable: stage D, H" in report.notes
        assert "not observable: the stages of 1 pairs" in report.notes
        assert report.smallest_passing_tolerance is None

    @pytest.mark.parametrize("dtype", ["int32", "uint32", "float32"])
    def test_raw_planes_of_every_frame_give_scores_too(self, tmp_path: Path, dtype: str) -> None:
        for frame in (1, 2):
            h = self.right(frame).get("H")
            stored = np.abs(h) if dtype.startswith("u") else h
            (tmp_path / f"f{frame}_p0_H_{dtype}.raw").write_bytes(
                stored.astype(f"<{np.dtype(dtype).str[1:]}").tobytes()
            )
        report = self.check(tmp_path)
        assert (report.verdict, report.residue["H"].nonzero) == ("parity", 0)
        assert bool(report.metrics) == (dtype != "float32")

    @pytest.mark.parametrize("stage", STAGES)
    def test_one_wrong_sample_is_a_gap(self, tmp_path: Path, stage: str) -> None:
        plane = {"D": self.right(2).d, "V": self.right(2).v, "H": self.right(2).h}[stage]
        assert plane is not None
        wrong = plane.copy()
        wrong[18, 16] -= 1
        np.save(tmp_path / f"f0002_p0_{stage}.npy", wrong)
        report = self.check(tmp_path)
        assert (report.verdict, report.first_difference) == ("gap", stage)

    def test_planes_that_the_score_reads_and_the_dump_has_not_are_named(self, tmp_path: Path) -> None:
        config = EngineConfig(Options.parse("motion", {"motion_add_uv": True}))
        for frame in (1, 2):
            np.save(tmp_path / f"f{frame}_p1_H.npy", Reference(config).stages(self.clip.pair(frame), 1).get("H"))
        report = check(Session(self.clip, Reference(config), PlaneDump(config, str(tmp_path))))
        assert (report.verdict, report.metrics) == ("not-run", ())
        assert "is there for 2 of 6 planes" in report.reason
        assert "not observable: plane Y, V, which the score reads" in report.notes

    def test_a_dump_of_other_frames_compares_nothing(self, tmp_path: Path) -> None:
        np.save(tmp_path / "f0009_p0_H.npy", self.right(1).get("H"))
        assert self.check(tmp_path).verdict == "not-run"

    def test_a_stage_that_is_missing_is_not_taken_for_zeros(self, tmp_path: Path) -> None:
        np.save(tmp_path / "f0001_p0_D.npy", self.right(1).get("D"))
        with pytest.raises(NothingCompared, match="stage H is not observable"):
            Session(self.clip, Reference(CONFIG), PlaneDump(CONFIG, str(tmp_path))).stage_pair(1).residue("H")

    @pytest.mark.parametrize(
        ("name", "array", "words"),
        [
            ("f0001_p0_H.npy", np.zeros((17, 19), np.int32), "19x17 samples where the clip's plane has 17x19"),
            ("f0001_p0_H.npy", np.zeros((19, 17), np.float64), "samples of float64"),
            ("f0001_p0_H.npy", np.array([[{"a": 1}]], object), "not a plane that can be read"),
            ("f0001_p0_H_int32.raw", np.zeros((19, 16), np.int32), "1216 bytes where 17x19 samples of int32 take 1292"),
            ("other.npy", np.zeros((19, 17), np.int32), "no stage planes"),
        ],
        ids=["shape", "dtype", "pickle", "size", "name"],
    )
    def test_what_is_no_plane_is_refused(self, tmp_path: Path, name: str, array: NDArray[Any], words: str) -> None:
        path = tmp_path / name
        if path.suffix == ".npy":
            np.save(path, array)
        else:
            path.write_bytes(array.tobytes())
        with pytest.raises(LogError, match=words):
            self.check(tmp_path)

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"\x93NUMPY",
            npy("(19, 17)", 100),
            npy("(-19, 17)", 1292),
            npy("(10000000, 10000000)", 0),
            npy("(99999999999, 99999999999)", 0),
            npy("(" * 9000, 0),
            npy("__import__('os')", 0),
        ],
        ids=["empty", "magic", "short", "negative", "huge", "overflow", "deep", "code"],
    )
    def test_a_damaged_array_file_is_refused(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "f0001_p0_H.npy").write_bytes(content)
        with pytest.raises(LogError, match=r"f0001_p0_H\.npy: not a plane that can be read"):
            self.check(tmp_path)

    def test_the_same_plane_twice_is_refused(self, tmp_path: Path) -> None:
        np.save(tmp_path / "f0001_p0_H.npy", self.right(1).get("H"))
        np.save(tmp_path / "f1_p0_H.npy", self.right(1).get("H"))
        with pytest.raises(LogError, match="the same plane"):
            self.check(tmp_path)


def test_session_sums_and_stages_are_computed_once() -> None:
    twin = FaultyTwin(unchanged)
    session = Session(noise(), Reference(CONFIG), twin)
    assert session.stage_pair(1).first_difference is None
    session.stage_pair(1)
    assert twin.calls == 1
    assert session.pair_sums(twin, 2) is session.pair_sums(twin, 2)
    assert session.scores(session.oracle).metrics == session.scores(twin).metrics
