"""Score logs: libvmaf's own in four formats, full digits, and everything that is refused."""

from __future__ import annotations

import json
import math
import subprocess
import time
from pathlib import Path

import imageio_ffmpeg
import pytest

from motion_tui.core.errors import LogError
from motion_tui.engines.base import EngineConfig
from motion_tui.engines.logs import SIZE_LIMIT, read_log
from motion_tui.engines.recorded import open_log

FORMATS = ("json", "xml", "csv", "sub")
SAD = "VMAF_integer_feature_motion_sad_score"


@pytest.fixture(scope="module")
def real_logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Logs that libvmaf itself wrote of the same five frames."""
    folder = tmp_path_factory.mktemp("logs")
    for form in FORMATS:
        graph = f"split[a][b];[a][b]libvmaf=feature='name=motion':log_fmt={form}:log_path=log.{form}"
        source = "testsrc2=size=64x48:rate=5:duration=1"
        command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-f", "lavfi", "-i", source]
        subprocess.run([*command, "-lavfi", graph, "-f", "null", "-"], cwd=folder, check=True, timeout=60)
    return {form: folder / f"log.{form}" for form in FORMATS}


def test_the_four_formats_say_the_same(real_logs: dict[str, Path]) -> None:
    logs = {form: read_log(path) for form, path in real_logs.items()}
    first = logs["json"]
    document = json.loads(real_logs["json"].read_text())
    assert first.frames == 5
    assert first.metrics[SAD] == tuple(frame["metrics"][SAD] for frame in document["frames"])
    assert first.version == document["version"]
    assert first.decimals[SAD] == first.decimals["integer_motion2"] == 6
    assert "integer_adm_scale1" not in first.decimals  # this libvmaf prints it with all its digits
    assert max(value or 0 for value in first.metrics[SAD]) > 0
    for log in logs.values():
        assert list(log.metrics) == list(first.metrics)
        assert log.metrics == first.metrics
        assert log.decimals == first.decimals
    assert {form: log.format for form, log in logs.items()} == {
        "json": "json",
        "xml": "xml",
        "csv": "csv",
        "sub": "subtitle",
    }


def write_json(path: Path, frames: list[object]) -> Path:
    path.write_text(json.dumps({"version": "x", "frames": frames}))
    return path


def frame(number: int, **metrics: object) -> dict[str, object]:
    return {"frameNum": number, "metrics": metrics}


def test_doubles_come_back_to_the_bit_and_have_no_fixed_decimals(tmp_path: Path) -> None:
    values = [0.0, 19.374131944444443, 5.3975694444444446, 255.99609375, 1e-300]
    log = read_log(write_json(tmp_path / "a.json", [frame(i, m=value) for i, value in enumerate(values)]))
    assert log.metrics["m"] == tuple(values)
    assert log.decimals == {}


@pytest.mark.parametrize(
    ("cells", "decimals"),
    [
        (("0.000000", "1.500000"), 6),
        (("0.000", "1.500"), 3),
        (("0", "0.5"), None),
        (("0.0", "0.5"), None),
        (("0.000000", "1.5000001"), None),
        (("1e-05", "0.500000"), None),
        (("0.00000000000000000", "1.50000000000000000"), None),
    ],
    ids=str,
)
def test_fixed_decimals_are_told_from_all_digits(tmp_path: Path, cells: tuple[str, str], decimals: int | None) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"Frame,m\n0,{cells[0]}\n1,{cells[1]}\n")
    assert read_log(path).decimals.get("m") == decimals


def columns(path: Path, **cells: str) -> Path:
    """A CSV log with the words of each metric."""
    rows = [["Frame", *cells]]
    rows += [[str(i), *row] for i, row in enumerate(zip(*map(str.split, cells.values()), strict=True))]
    path.write_text("\n".join(",".join(row) for row in rows) + "\n")
    return path


def test_figures_as_short_as_each_other_are_no_proof_of_cut_decimals(tmp_path: Path) -> None:
    """Full swing at 14 bits scores 255.984375 to the last digit; another column can show that six were printed."""
    short = "255.984375 255.984375"
    assert read_log(columns(tmp_path / "a.csv", a=short)).decimals == {}
    assert read_log(columns(tmp_path / "b.csv", a=short, b="0.0 255.984375")).decimals == {}
    assert read_log(columns(tmp_path / "c.csv", a=short, b="0.000000 255.984375")).decimals == {"a": 6, "b": 6}
    assert read_log(columns(tmp_path / "d.csv", a="17.923383 17.923383")).decimals == {"a": 6}


def test_a_log_that_was_rewritten_has_lost_digits_not_gained_them(real_logs: dict[str, Path], tmp_path: Path) -> None:
    """JSON tools drop the last zeros: 0.000000 becomes 0.0."""
    path = tmp_path / "rewritten.json"
    path.write_text(json.dumps(json.loads(real_logs["json"].read_text())))
    log, first = read_log(path), read_log(real_logs["json"])
    assert log.metrics == first.metrics
    assert '"integer_motion2": 0.0,' in path.read_text()
    for name in (SAD, "integer_motion2", "integer_motion3"):
        assert log.decimals[name] == first.decimals[name] == 6


def test_this_programs_own_logs_have_all_their_digits(tmp_path: Path) -> None:
    """motion_fps_weight 0.37 makes 255.9375 (full swing at 12 bits) 94.696875: six decimals, and no others."""
    frames: list[object] = [frame(i, m=value) for i, value in enumerate((0.0, 255.9375 * 0.37))]
    path = write_json(tmp_path / "a.json", frames)
    assert read_log(path).decimals == {"m": 6}
    path.write_text(path.read_text().replace('"version": "x"', '"version": "motion-tui 0.1.0"'))
    assert read_log(path).decimals == {}


def test_null_nan_and_gaps_are_kept_as_what_they_are(tmp_path: Path) -> None:
    log = read_log(write_json(tmp_path / "a.json", [frame(0, m=None), frame(1, m=math.nan), frame(2)]))
    first, second, third = log.metrics["m"]
    assert first is None
    assert second is not None
    assert math.isnan(second)
    assert third is None


def test_a_metric_that_begins_late_keeps_its_frames(tmp_path: Path) -> None:
    log = read_log(write_json(tmp_path / "a.json", [frame(0, a=1.0), frame(1, a=2.0, b=3.0)]))
    assert log.metrics == {"a": (1.0, 2.0), "b": (None, 3.0)}


def test_names_of_the_api_are_found_as_those_of_a_log(tmp_path: Path) -> None:
    name = "VMAF_integer_feature_motion2_score"
    engine = open_log(EngineConfig(), str(write_json(tmp_path / "a.json", [frame(0, **{name: 0.5, f"{SAD}": 1.0})])))
    metrics = engine.recorded_scores().metrics
    assert metrics["integer_motion2"] == metrics[name] == (0.5,)
    assert set(metrics) == {name, "integer_motion2", SAD}


BOMB = '<?xml version="1.0"?><!DOCTYPE VMAF [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><VMAF>&b;</VMAF>'
OUTSIDE = '<!DOCTYPE VMAF SYSTEM "file:///etc/passwd"><VMAF version="1"><frames/></VMAF>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a vmaf log"),
        ("hello", "not a vmaf log"),
        ("{", "line 1, column 2: not JSON"),
        ("[]", '"frames"'),
        ('{"frames": 3}', '"frames"'),
        ('{"frames": [3]}', "entry 0"),
        ('{"frames": [{"metrics": {"m": [1]}}]}', "m is not a number"),
        ('{"frames": [{"metrics": {"m": true}}]}', "m is not a number"),
        ('{"frames": [{"metrics": {"m": "fast"}}]}', "'fast' is not a number"),
        ("[" * 100_000, "nested too deep"),
        (
            '{"frames": [{"frameNum": 0, "metrics": {"m": 1}}, {"frameNum": 2, "metrics": {"m": 1}}]}',
            "frame 1 was expected",
        ),
        ("<VMAF><frames></VMAF>", "not well-formed"),
        ("<html/>", "root <html>"),
        ('<?xml version="1.0" encoding="klingon"?><VMAF/>', "not well-formed"),
        ("Frame,m\n0,1_0\n", "'1_0' is not a number"),
        ("Frame,m\n0,\u0661\n", "is not a number"),
        (BOMB, "document type"),
        (OUTSIDE, "document type"),
        ("a,b\n1,2\n", "first column is 'a'"),
        ("Frame,m,m\n0,1,2\n", "two columns"),
        ("Frame,m\n0,1,2,3\n", "line 2: 4 values for 2"),
        ("Frame,m\n0,abc\n", "'abc' is not a number"),
        ("Frame,m\n0,1\n0,1\n", "frame 1 was expected"),
        ("{0}{1}frame: 0|m: 1|\n{1}{2}nonsense\n", "line 2"),
        ("{0}{1}frame: 0|m 1|\n", "NAME: VALUE"),
    ],
    ids=lambda text: str(text)[:24],
)
def test_every_refusal_is_one_line_that_names_the_file(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    with pytest.raises(LogError) as refused:
        read_log(path)
    message = str(refused.value)
    assert words in message
    assert message.startswith(str(path))
    assert "\n" not in message


def test_files_that_are_no_text_or_too_large_are_refused(tmp_path: Path) -> None:
    binary, huge, absent = tmp_path / "binary", tmp_path / "huge", tmp_path / "absent"
    binary.write_bytes(b"\x89PNG\xff\xfe")
    with huge.open("wb") as stream:
        stream.truncate(SIZE_LIMIT + 1)  # sparse: no disk is used
    for path, words in ((binary, "not a text file"), (huge, "more than"), (absent, "No such file")):
        with pytest.raises(LogError, match=words):
            read_log(path)


def test_ten_thousand_frames_are_read_in_under_a_second(tmp_path: Path) -> None:
    row = {f"metric_{k}": 0.123456 for k in range(15)}
    path = write_json(tmp_path / "a.json", [frame(i, **row) for i in range(10_000)])
    begin = time.process_time()  # not the clock: other programs may be at work
    assert read_log(path).frames == 10_000
    assert time.process_time() - begin < 1
