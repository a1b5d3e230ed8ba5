"""Makes a SPIR-V module the same in every build: plain names in place of the compiler's, which hold a counter.

Only names change; the words of the code are left as they are. Layout of a module: SPIR-V specification,
section 2.3 (a header of five words, then instructions, each `word count << 16 | opcode` and its operands).
"""

from __future__ import annotations

import struct

HEADER_WORDS = 5
OP_NAME, OP_ENTRY_POINT, OP_DECORATE = 5, 15, 71
LINKAGE_ATTRIBUTES = 41
EXPORT = 0
NAME_AT = 3
"""Where the literal string starts, in words, in an entry point and in a linkage decoration."""


def instructions(words: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Split a module's words into instructions, the header left out."""
    found, at = [], HEADER_WORDS
    while at < len(words):
        length = words[at] >> 16
        found.append(words[at : at + length])
        at += length
    return found


def to_words(code: bytes) -> tuple[int, ...]:
    """Return a little-endian module's words."""
    return struct.unpack(f"<{len(code) // 4}I", code)


def opcode(instruction: tuple[int, ...]) -> int:
    """Return an instruction's opcode."""
    return instruction[0] & 0xFFFF


def rename(code: bytes, entry: str) -> bytes:
    """Return the module with its kernel called `entry`, exported symbols numbered, and debug names removed."""
    words = to_words(code)
    renamed: dict[bytes, str] = {}
    body: list[int] = []
    for instruction in instructions(words):
        operation = opcode(instruction)
        if operation == OP_NAME:
            continue
        exported = operation == OP_DECORATE and instruction[2] == LINKAGE_ATTRIBUTES and instruction[-1] == EXPORT
        if operation == OP_ENTRY_POINT or exported:
            old, rest = _string(instruction[NAME_AT:])
            new = entry if operation == OP_ENTRY_POINT else renamed.setdefault(old, f"{entry}_{len(renamed)}")
            operands = (*instruction[1:NAME_AT], *_encode(new), *rest)
            instruction = ((len(operands) + 1) << 16 | operation, *operands)
        body.extend(instruction)
    return struct.pack(f"<{HEADER_WORDS + len(body)}I", *words[:HEADER_WORDS], *body)


def _string(words: tuple[int, ...]) -> tuple[bytes, tuple[int, ...]]:
    """Return the literal string at the start of `words`, and the words after it."""
    raw = struct.pack(f"<{len(words)}I", *words)
    end = raw.index(b"\0")
    return raw[:end], words[end // 4 + 1 :]


def _encode(text: str) -> tuple[int, ...]:
    raw = text.encode() + b"\0"
    return to_words(raw + b"\0" * (-len(raw) % 4))
