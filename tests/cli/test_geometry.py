"""`motion-tui geometry`: what it prints of a clip and of a geometry, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import Program


def test_a_geometry_without_a_clip(program: Program) -> None:
    code, out, err = program("geometry", "--size", "577x323", "--format", "420", "--bits", "10", "--json", "-")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["frame_bytes"] == 2 * 280007
    assert [(row["name"], row["width"], row["height"], row["offset"]) for row in report["planes"]] == [
        ("Y", 577, 323, 0), ("U", 289, 162, 372742), ("V", 289, 162, 372742 + 2 * 289 * 162),
    ]  # fmt: skip
    rules = {row["rule"]: (row["width"], row["height"], row["left_out"], row["invented"]) for row in report["chroma"]}
    assert rules == {
        "plane": (289, 162, 0, 0),
        "picture": (288, 161, 289 * 162 - 288 * 161, 0),
        "as-420": (289, 162, 0, 0),
    }
    assert report["frames"] is None


def test_what_the_third_convention_leaves_out(program: Program) -> None:
    """A 4:2:2 plane loses half its rows, a 4:4:4 plane three quarters of its area."""
    for name, full in (("422", 50 * 100), ("444", 100 * 100)):
        report = json.loads(program("geometry", "--size", "100x100", "--format", name, "--json", "-")[1])
        row = report["chroma"][2]
        assert (row["width"], row["height"]) == (50, 50)
        assert row["left_out"] == full - 2500
    report = json.loads(program("geometry", "--size", "100x100", "--format", "400", "--json", "-")[1])
    assert report["chroma"] == []


def test_offsets_and_left_over_bytes_of_a_y4m(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a.y4m"
    header = b"YUV4MPEG2 W5 H3 C420mpeg2\n"
    path.write_bytes(header + (b"FRAME\n" + bytes(27)) * 4 + b"FRAME\n" + bytes(3))
    code, out, err = program("geometry", str(path), "--json", "-")
    report = json.loads(out)
    assert code == 0
    assert report["frame_bytes"] == 27
    assert (report["frames"], report["left_over"], report["file_bytes"]) == (4, 9, len(header) + 33 * 4 + 9)
    assert report["frame_places"] == [
        {"frame": frame, "begin": len(header) + 33 * frame + 6, "end": len(header) + 33 * (frame + 1)}
        for frame in (0, 1, 3)
    ]
    assert report["siting"] == "left (C420mpeg2)"
    assert report["sources"]["size"] == "W and H tags"
    assert "4 whole frames + 9 bytes" in err
    code, out, _ = program("geometry", str(path))
    assert code == 0
    assert "9 left over" in out
    assert "rounded down: libvmaf's own picture" in out


def test_padding_shows_in_offsets(program: Program) -> None:
    words = ["--size", "5x3", "--stride", "8", "--plane-padding", "2", "--order", "nv12", "--json", "-"]
    planes = json.loads(program("geometry", *words)[1])["planes"]
    assert [(row["name"], row["offset"], row["row_bytes"], row["stride"], row["bytes"]) for row in planes] == [
        ("Y", 0, 5, 8, 26), ("UV", 26, 6, 8, 18),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "no clip and no --size"),
        (["--size", "5"], "size '5': give it as WxH"),
        (["--size", "5x5", "--format", "rgb"], "unknown pixel format 'rgb'"),
        (["--size", "5x5", "--bits", "17"], "bits 17"),
        (["--size", "5x5", "--stride", "3"], "stride 3"),
        (["--size", "5x5", "--images", "rgb"], "--images does not apply"),
        (["--size", "5x5", "--frames", "0:2"], "--frames needs a clip"),
        (["none.yuv"], "none.yuv: cannot be opened: No such file"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(program: Program, words: list[str], expected: str) -> None:
    code, out, err = program("geometry", *words)
    assert (code, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1


def test_a_name_with_control_characters_stays_on_its_line(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31m_8x6_420.yuv"
    path.write_bytes(bytes(72))
    code, out, err = program("geometry", str(path))
    assert code == 0
    assert "a\\n\\x1b[31m_8x6_420.yuv: 8x6 420 8-bit, 1 frames, raw\n" in out
    assert all(line.isprintable() for text in (out, err) for line in text.split("\n"))
