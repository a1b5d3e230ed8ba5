"""The colour tables that come with the program: 33 anchors each, straight lines between.

Baked in rather than asked from a library, since its import would cost an eighth of a second at every start.
33 anchors stay within 6 of 255 of the full tables. Sources: `berlin`, `vik` and `batlow` are Fabio Crameri's
Scientific colour maps (MIT), `viridis` is by Nathaniel Smith and Stéfan van der Walt (CC0), `cividis` by Jamie Nuñez,
Christopher Anderton and Ryan Renslow (BSD-3-Clause).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["diverging", "sequential"]


@dataclass(frozen=True, slots=True)
class Palette:
    """A named run of colours, `anchors` as six hexadecimal digits each, evenly spaced from lowest to highest."""

    name: str
    kind: Kind
    anchors: str
    numbers: tuple[int, ...]
    """The same run in xterm's 256 colours: distinct numbers, zero in the middle of a diverging palette."""


PALETTES = {
    row.name: row
    for row in (
        Palette(
            "berlin",
            "diverging",
            "9eb0ff8caef679abed65a7e2519fd34194c13685ad2e76992868862259731d4b61"
            "183d4f14303e11242e111a20121214190c09220c022b0e013510004112014d1602"
            "5b1d086c27117d341e8e422e9e513fae6051be6f63ce7f76df8f89f09f9cffadad",
            (147, 111, 74, 68, 31, 25, 24, 18, 17, 233, 52, 88, 124, 131, 167, 174, 210, 217, 224),
        ),
        Palette(
            "vik",
            "diverging",
            "001261021f69022b710237790344810551890c5e921c6d9c307da6488db2619ebd"
            "7aaec894bed2adcdddc6dbe6dee6e9ece5e0eed9cde9cab8e2baa2dbaa8dd59b79"
            "cf8c66c97e53c27041bc622fb2511da33e0d912d06811f06731406650907590008",
            (17, 18, 24, 25, 31, 67, 74, 110, 153, 254, 223, 180, 173, 137, 131, 130, 94, 88, 52),
        ),
        Palette(
            "viridis",
            "sequential",
            "440154470d6048186a482374472d7b4537814240863e49893b528b375b8d33638d"
            "2f6b8e2c728e297a8e26828e23898e21918c1f988b1fa08822a78528ae8032b67a"
            "3fbc734ec36b5ec96270cf5784d44b98d83eaddc30c2df23d8e219ece51bfde725",
            (53, 54, 60, 30, 36, 72, 78, 113, 149, 185, 220, 226),
        ),
        Palette(
            "cividis",
            "sequential",
            "00224e00285b002e6a0533711a386f273e6e32436d3b496c434e6c4b546c535a6d"
            "5a5f6e61656f686a716f70737676767d7c788482798c8878938e789b9476a39a74"
            "aba072b4a76fbcae6cc4b468cdbb63d5c25edec958e7d150f0d846f9e03afee838",
            (17, 23, 59, 242, 244, 102, 144, 179, 185, 221, 227),
        ),
        Palette(
            "batlow",
            "sequential",
            "01195908255b0d315d0f3b5f114360134b611752621b59622260612b655e356a59"
            "416f534d734d5a7745677b3e747e3882823191862da18a2bb18d2fc09036cf9340"
            "dd954de9995cf29d6df9a380fca993fdafa5fdb4b6fdbac7fcc0d8fbc6eafaccfa",
            (17, 23, 65, 101, 136, 173, 215, 217, 224),
        ),
    )
}
"""Diverging ones are safe for the colour-blind, sequential ones monotone in lightness."""
