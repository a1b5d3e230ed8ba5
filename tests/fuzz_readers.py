"""Fuzzes the readers: hostile Y4M, raw, PGM, side-cars, file names and clip names, from a seeded corpus.

    python tests/fuzz_readers.py [--inputs 200000] [--seed 0]

Each input must either open, and give the frames it promises within the file's own size of memory, or be refused by a
ClipError or UsageError of one printable line. Anything else (another exception, a slow input, memory beyond a bound)
fails, with the input's seed. `tests/unit/test_clips_fuzz.py` runs a short form.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from motion_tui.clips.base import Clip
from motion_tui.clips.file_names import parse_name
from motion_tui.clips.registry import open_clip
from motion_tui.core.errors import ClipError, UsageError

SLOW_SECONDS = 2.0
MEMORY_BYTES = 256 << 20
"""Beyond what the process has after its imports; inputs have at most 200 kB."""
HEADERS = (
    b"YUV4MPEG2 W4 H3 F25:1 Ip A1:1 C420\n",
    b"YUV4MPEG2 W352 H288 F30000:1001 Ip A128:117 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED\n",
    b"YUV4MPEG2 C422p10 H3 W5\n",
    b"YUV4MPEG2 W3 H3 C444alpha\n",
    b"YUV4MPEG2 W7 H5 Cmono16 Im\r\n",
    b"YUV4MPEG2  W19\tH19 C420p10\n",
    b"YUV4MPEG2 W65536 H65536 C444p16\n",
    b"YUV4MPEG2 W4294967297 H3\n",
    b"YUV4MPEG2 W1 H1 Cmono\n",
    b"YUV4MPEG W4 H3\n",
    b"\xef\xbb\xbfYUV4MPEG2 W4 H3\n",
    b"YUV4MPEG2 W4 H3 X" + b"y" * 5000 + b"\n",
    b"YUV4MPEG2",
    b"YUV4MPEG2 W4 H3 C\xff\xfe\x00\n",
)
PAYLOADS = (20, 152064, 60, 36, 70, 1122, 9, 18, 1, 20, 20, 20, 20, 20)
"""Right bytes of a frame for each header, where there is such a thing."""
FRAME_LINES = (b"FRAME\n", b"FRAME Ip\n", b"FRAME\r\n", b"FRAME X" + b"z" * 400 + b"\n", b"FRAMES\n", b"FRAM", b"\n")
TOKENS = (
    b"W",
    b"H",
    b"C",
    b"I",
    b"X",
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\0",
    b"FRAME",
    b"0",
    b"-1",
    b"99999999999",
    b"420p",
    b"\xff",
)
WORDS = (
    "1920x1080", "0x0", "99999x99999", "3x3", "cif", "1080p", "HD", "420", "yuv420p10le", "p010le", "nv12", "v210",
    "10bit", "8", "16le", "_", "-", ".", "(", "%04d", "20200109", "×", "é", "x", "*", "444", "gray", "b", "60Hz_10",
)  # fmt: skip
VALID = ("size=3x3", "format=444", "bits=10", "frames=2", "size=17x19", "bits=16", "format=400")
KEYS = ("size", "format", "bits", "frames", "seed", "step", "cell", "dx", "x", "hold", "height", "level", "", "q", "%")
VALUES = (
    "3x3",
    "17x19",
    "0x0",
    "65536x65536",
    "444",
    "400",
    "8",
    "16",
    "-1",
    "1e9",
    "",
    "%00",
    "é",
    "6",
    "999999999999",
)
SIDE_CARS = (
    b'{"size": "3x3", "format": "444", "bits": 8}', b'{"bits": 10, "endian": "big"}', b'{"stride": 99999999}', b"{}",
    b"[", b'{"size": 3}', b'{"plane_padding": 1000000000000}', b"\xff", b'{"align": "msb"}',
    b'{"order": "nv12", "stride": 4}',
)  # fmt: skip


def mutate(source: random.Random, data: bytes) -> bytes:
    """Return `data` with a few bytes flipped, cut, doubled, or tokens put in; often unchanged."""
    out = bytearray(data)
    for _ in range(source.choice((0, 0, 1, 1, 2, 4))):
        at = source.randrange(len(out) + 1)
        kind = source.randrange(5)
        if kind == 0 and at < len(out):
            out[at] = source.randrange(256)
        elif kind == 1:
            del out[at : at + source.choice((1, 3, 50))]
        elif kind == 2:
            out[at:at] = source.choice(TOKENS)
        elif kind == 3:
            out[at:at] = out[at : at + source.choice((1, 6, 40))]
        else:
            del out[at:]
    return bytes(out)


def y4m_input(source: random.Random, folder: Path) -> Path:
    chosen = source.choice(HEADERS)
    header = mutate(source, chosen) if source.random() < 0.5 else chosen
    body = b""
    right = PAYLOADS[HEADERS.index(chosen)]
    size = right if source.random() < 0.7 else source.choice((0, 1, 9, 18, 20, 27, 36, 48, 70, 1102, 1122, 4096))
    for _ in range(source.choice((0, 1, 2, 3, 8))):
        body += source.choice(FRAME_LINES[: source.choice((1, 1, 1, len(FRAME_LINES)))]) + source.randbytes(size)
    path = folder / "fuzz.y4m"
    path.write_bytes(header + (mutate(source, body) if source.random() < 0.5 else body))
    return path


def raw_input(source: random.Random, folder: Path) -> Path:
    name = "_".join(source.choice(WORDS) for _ in range(source.randrange(5)))
    if source.random() < 0.5:
        name = f"_3x3_{source.choice(('444', '400', '420', '422_8bit', 'gray16le', 'p010le', '444_10bit'))}"
    path = folder / f"f{name}.{source.choice(('yuv', 'raw', 'nv12', 'yuv'))}".replace("/", "")
    path.write_bytes(source.randbytes(source.choice((0, 1, 27, 54, 102, 36 * 17, 108 * 17, 38016, 4096))))
    if source.random() < 0.3:
        path.with_name(path.name + ".json").write_bytes(mutate(source, source.choice(SIDE_CARS)))
    return path


def pgm_input(source: random.Random, folder: Path) -> Path:
    width, height, largest = (
        source.choice((1, 3, 17, 70000)),
        source.choice((1, 3, 99999)),
        source.choice((255, 1023, 7)),
    )
    header = f"P5\n#c\n{width} {height} {largest}\n"
    path = folder / "fuzz.pgm"
    path.write_bytes(mutate(source, header.encode() + source.randbytes(source.choice((0, 9, 18, 400)))))
    return path


def name_input(source: random.Random, _: Path) -> str:
    family = source.choice(
        ("noise", "ramp", "static", "hold", "flash", "checker", "stripes", "pan", "impulse", "", "nois")
    )
    wild = [f"{source.choice(KEYS)}={source.choice(VALUES)}" for _ in range(source.randrange(3))]
    pairs = "&".join(
        (wild if source.random() < 0.5 else []) + [source.choice(VALID) for _ in range(source.randrange(3))]
    )
    return f"synthetic:{family}?{pairs}" if pairs else f"synthetic:{family}"


MAKERS: tuple[Callable[[random.Random, Path], Path | str], ...] = (
    y4m_input,
    y4m_input,
    raw_input,
    pgm_input,
    name_input,
)


def read(clip: Clip, source: random.Random) -> None:
    """Read the first, the last and one other frame of a clip of sensible size, and check what they promise."""
    assert len(clip) > 0
    if clip.layout.frame_bytes > 1 << 22:
        return
    for index in {0, len(clip) - 1, source.randrange(len(clip))}:
        planes = clip.frame(index).planes
        assert [plane.shape[::-1] for plane in planes] == [tuple(extent) for extent in clip.geometry.extents]
        assert all(plane.dtype == clip.geometry.dtype for plane in planes)


def try_one(seed: int, folder: Path) -> str:
    """Open one input and return what became of it; an AssertionError or any other exception is a finding."""
    source = random.Random(seed)
    for path in folder.iterdir():
        path.unlink()
    made = source.choice(MAKERS)(source, folder)
    if isinstance(made, Path):
        parse_name(made.name)
    keywords: dict[str, str | int] = {}
    if source.random() < 0.1:
        keywords["size"] = source.choice(("3x3", "17x19", "1x1"))
        keywords["bit_depth"] = source.choice((8, 10, 16))
    if source.random() < 0.05:
        keywords["chroma_rows"] = "byte-rounded"
    if source.random() < 0.1:
        keywords["frames"] = source.choice(("0:1", "1:", "5:900"))
    began = time.perf_counter()
    try:
        with open_clip(made, **keywords) as clip:  # type: ignore[arg-type]
            read(clip, source)
        outcome = "read"
    except (ClipError, UsageError) as error:
        text = str(error)
        assert "\n" not in text, text
        assert len(text) > 20, text
        outcome = type(error).__name__
    taken = time.perf_counter() - began
    assert taken < SLOW_SECONDS, f"took {taken:.2f} s"
    return outcome


def fuzz(inputs: int, seed: int) -> Counter[str]:
    """Run `inputs` inputs and return how they ended; raises on the first finding, naming its seed."""
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(200):
            try_one(number, folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        for number in range(seed, seed + inputs):
            try:
                seen[try_one(number, folder)] += 1
            except Exception as error:
                raise AssertionError(f"input {number}: {type(error).__name__}: {error}") from error
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    assert grown < MEMORY_BYTES, f"memory grew by {grown} bytes"
    seen["memory grown, kB"] = grown // 1024
    return seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started = time.perf_counter()
    print(dict(fuzz(arguments.inputs, arguments.seed)), f"{time.perf_counter() - started:.0f} s")
