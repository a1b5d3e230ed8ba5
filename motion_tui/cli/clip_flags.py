"""The flags that every command with a clip argument shares, and how they become an open clip.

A command takes `flags: ClipFlags | None = None` as a keyword-only parameter; cyclopts flattens the fields into
`--size`, `--format` and the rest. `(flags or ClipFlags()).open([clip])` then opens what the user named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any

from cyclopts import Group, Parameter

from motion_tui.cli.whole import MaybeWhole
from motion_tui.clips.base import Clip
from motion_tui.clips.layout import Align, ChromaRows, Endian, Order
from motion_tui.clips.registry import open_clip
from motion_tui.clips.request import Images, Progress, Request, make_request

CLIP_GROUP = Group("Clip", sort_key=10)


@Parameter(name="*", group=CLIP_GROUP)
@dataclass(frozen=True)
class ClipFlags:
    """What a raw file does not say of itself; every value given here outranks a side-car and the file's name."""

    size: Annotated[str | None, Parameter(help="Luma size WxH of a raw file.")] = None
    format: Annotated[
        str | None, Parameter(help="Pixel format of a raw file: 400, 420, 422, 444, 440, 411, 410 or an FFmpeg name.")
    ] = None
    bits: Annotated[MaybeWhole, Parameter(help="Bits a sample, 8 to 16; above 8 a sample takes two bytes.")] = None
    endian: Annotated[Endian | None, Parameter(help="Byte order above 8 bits.")] = None
    stride: Annotated[MaybeWhole, Parameter(help="Bytes from one luma row to the next; chroma follows.")] = None
    order: Annotated[
        Order | None,
        Parameter(help="Chroma planes: U V, V U, interleaved UV, interleaved VU (at any subsampling)."),
    ] = None
    align: Annotated[
        Align | None,
        Parameter(help="Where the bits lie in a 16-bit word: msb (P010, P012) is shifted down on reading."),
    ] = None
    plane_padding: Annotated[MaybeWhole, Parameter(help="Bytes left over after every plane of a raw file.")] = None
    chroma_rows: Annotated[
        ChromaRows | None,
        Parameter(help="byte-rounded: the short chroma rows that some writers emit at odd widths above 8 bits."),
    ] = None
    frames: Annotated[str | None, Parameter(help="Frames A:B, from A up to but not B, counted from 0.")] = None
    images: Annotated[Images | None, Parameter(help="What to read from colour images: rgb is planes R, G, B.")] = None
    convert: Annotated[
        str | None, Parameter(help="FFmpeg pixel format to convert a video to; without it nothing is converted.")
    ] = None

    def request(self) -> Request:
        """Return the flags, checked, for a reader that is called directly."""
        return make_request(**self._keywords())

    def open(
        self, sources: Sequence[str], progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
    ) -> Clip:
        """Open the clip that `sources` name: one argument, or several image files.

        `progress(done, total)` is called while a video is spooled (`cancelled` is polled too) or a Y4M file indexed.
        """
        source = list(sources) if len(sources) != 1 else sources[0]
        return open_clip(source, **self._keywords(), progress=progress, cancelled=cancelled)

    def _keywords(self) -> dict[str, Any]:
        """The flags under the names that `open_clip` has for them."""
        renamed = {"format": "pixel_format", "bits": "bit_depth"}
        return {renamed.get(item.name, item.name): getattr(self, item.name) for item in fields(self)}
