"""Detectors: what a stored clip's bytes say against the geometry they are read with. They warn and never convert.

Up to eight frames are looked at, four short stripes of luma rows in each, so that a clip of any length costs the
same few hundred kilobytes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from motion_tui.clips.layout import Bytes
from motion_tui.clips.stored import StoredClip

PAIRS = 4
STRIPES = 4
STRIPE_BYTES = 16384
ALIKE = 24
"""Two unrelated bytes are 85 apart in the mean; neighbouring samples of a picture far less."""
FEW = 64
"""Fewer samples than this say nothing."""


def stripes(clip: StoredClip, frame: int) -> Bytes:
    """Return the bytes of a few luma rows spread over a frame, without padding, end to end."""
    luma = clip.layout.regions[0]
    rows = max(1, min(STRIPE_BYTES // luma.stride, luma.extent.height))
    start = clip.frame_offset(frame)
    parts = []
    for stripe in range(STRIPES):
        first = min(luma.extent.height * (2 * stripe + 1) // (2 * STRIPES), luma.extent.height - rows)
        data = clip.file.read(start + first * luma.stride, rows * luma.stride)
        whole = data[: len(data) // luma.stride * luma.stride].reshape(-1, luma.stride)
        parts.append(whole[:, : luma.row_bytes].reshape(-1))
    return np.concatenate(parts)


def detect(clip: StoredClip) -> list[str]:
    """Return warnings about a clip's samples and frames; empty where nothing is odd.

    A video's samples are what its decoder says they are, so of these only the frames are looked at.
    """
    if not len(clip):
        return []
    last = len(clip) - 1
    starts = sorted({last * k // PAIRS for k in range(PAIRS)}) if last else [0]
    seen = [(stripes(clip, at), stripes(clip, at + 1)) if last else (stripes(clip, 0),) * 2 for at in starts]
    warnings = []
    if clip.container != "video":
        warnings += samples_warnings(clip, np.concatenate([first for first, _ in seen]))
    equal = sum(np.array_equal(first, second) for first, second in seen)
    if last >= 2 and equal * 2 > len(seen):
        warnings.append(
            f"mostly duplicate frames, it seems: the luma rows that were looked at are equal in {equal} of {len(seen)} "
            "neighbouring pairs; motion is 0 where whole frames are"
        )
    return warnings


def samples_warnings(clip: StoredClip, data: Bytes) -> list[str]:
    """Return what is odd about the luma bytes `data` under the clip's depth, byte order and alignment."""
    depth = clip.geometry.bit_depth
    if depth == 8:
        return narrow_warnings(data)
    little, big = data.view("<u2"), data.view(">u2")
    words, swapped = (little, big) if clip.layout.endian == "little" else (big, little)
    if words.size < FEW or not words.any():
        return []
    other = "big" if clip.layout.endian == "little" else "little"
    low = (1 << (16 - depth)) - 1
    if clip.layout.align == "msb":
        if (words & low).any():
            return [f"read as MSB-aligned, but the low {16 - depth} bits are not zero: see --align lsb or --endian"]
        return []
    peak = clip.geometry.peak
    over = np.count_nonzero(words > peak) / words.size
    if over and depth < 16:
        if not (words & low).any():
            return [
                f"the low {16 - depth} bits are zero everywhere: it looks MSB-aligned (P010); --align msb reads it so"
            ]
        if not (swapped > peak).any():
            return [
                f"{over:.0%} of the samples are above {peak}: it looks {other}-endian; --endian {other} reads it so"
            ]
        if over > 0.5 and halves_apart(data) < ALIKE:
            return [f"{over:.0%} of the samples are above {peak}: it looks like 8-bit samples; --bits 8 reads it so"]
        needed = int(words.max()).bit_length()
        return [f"{over:.0%} of the samples are above {peak}: {needed} bits are needed; see --bits and --endian"]
    if roughness(swapped) * 4 < roughness(words):
        return [f"the picture is far smoother with its bytes swapped: it looks {other}-endian; see --endian {other}"]
    for narrower in (10, 12):
        unused = (1 << (16 - narrower)) - 1
        # With eight unused bits it is 8-bit material scaled to 16, which is read rightly.
        if depth == 16 and not (words & unused).any() and (words & 0xFF).any():
            return [
                f"the low {16 - narrower} bits are always zero: it looks like MSB-aligned {narrower}-bit (P0{narrower})"
            ]
        if depth - narrower >= 4 and (1 << narrower) // 2 < int(words.max()) < 1 << narrower:
            return [f"no sample is above {(1 << narrower) - 1}: it looks like {narrower}-bit; see --bits {narrower}"]
    return []


def narrow_warnings(data: Bytes) -> list[str]:
    """Return a warning where 8-bit samples look like halves of 16-bit words."""
    even, odd = data[0 : len(data) // 2 * 2 : 2], data[1::2]
    if even.size < FEW:
        return []
    for low, high, endian in ((even, odd, "little"), (odd, even, "big")):
        top = int(high.max())
        if top <= 0x0F and int(low.max()) > 0xBF and int(low.min()) < 0x40 and len(np.unique(low)) > 16:
            bits = 8 + max(1, top.bit_length())
            return [
                f"every other byte is {top} or less: it looks like {endian}-endian 16-bit words; "
                f"see --bits {bits} --endian {endian}"
            ]
    return []


def roughness(words: NDArray[np.uint16]) -> float:
    """Return the mean step between neighbouring words against their spread: near 1 for noise, small for a picture.

    Against the spread, since 8-bit samples shifted up to 16 bits have small words when their bytes are swapped.
    """
    steps = np.abs(np.diff(words.astype(np.int32)))
    return float(steps.mean() / (words.std() or 1.0))


def halves_apart(data: Bytes) -> float:
    """Return the mean difference of a word's two bytes: small where they are neighbouring 8-bit samples."""
    return float(np.abs(data[::2].astype(np.int16) - data[1::2]).mean())
