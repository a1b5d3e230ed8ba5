"""Writing clips: Y4M and tightly packed raw planes, frame by frame."""

from __future__ import annotations

from typing import BinaryIO

from motion_tui.clips.base import Clip
from motion_tui.core.frames import Frame
from motion_tui.core.geometry import Geometry


def y4m_header(geometry: Geometry) -> bytes:
    """Return the stream header: 25 frames a second, progressive, square samples."""
    chroma, bits = geometry.pixel_format, geometry.bit_depth
    if chroma == "400":
        colour = f"Cmono{bits if bits > 8 else ''}"
    elif bits > 8:
        colour = f"C{chroma}p{bits} XYSCSS={chroma}P{bits}"
    else:
        colour = f"C{chroma}"
    return f"YUV4MPEG2 W{geometry.width} H{geometry.height} F25:1 Ip A1:1 {colour}\n".encode()


def frame_bytes(frame: Frame) -> bytes:
    """Return a frame's planes, tightly packed, little-endian above 8 bits."""
    order = frame.geometry.dtype.newbyteorder("<")
    return b"".join(plane.astype(order, copy=False).tobytes() for plane in frame.planes)


def write_y4m(clip: Clip, stream: BinaryIO) -> None:
    """Write a clip as Y4M."""
    stream.write(y4m_header(clip.geometry))
    for frame in clip:
        stream.write(b"FRAME\n" + frame_bytes(frame))


def write_yuv(clip: Clip, stream: BinaryIO) -> None:
    """Write a clip as raw planes."""
    for frame in clip:
        stream.write(frame_bytes(frame))
