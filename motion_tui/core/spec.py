"""Facts of the integer motion arithmetic that the oracle, the models and the kernels share; no arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TAPS = (3571, 16004, 26386, 16004, 3571)
"""The blur's taps; their sum is 65536."""
RADIUS = 2
H_SHIFT = 16
"""The horizontal sum is rounded by `2**15` and shifted right by 16; the vertical by `2**(bpc-1)` and bpc."""
UNITS_PER_CODE = 256
"""V and H are in 1/256 code values, on the 8-bit scale whatever the depth."""

Stage = Literal["D", "V", "H"]
STAGES: tuple[Stage, ...] = ("D", "V", "H")
STAGE_UNITS: dict[Stage, str] = {"D": "code values", "V": "1/256 code values", "H": "1/256 code values"}

Feature = Literal["motion", "motion_v2", "float_motion"]
FEATURES: tuple[Feature, ...] = ("motion", "motion_v2", "float_motion")
Edition = Literal["3.2", "3.1"]
CURRENT_EDITION: Edition = "3.2"


@dataclass(frozen=True, slots=True)
class EditionRules:
    """What a release of libvmaf does differently in the integer feature."""

    blur_first: bool
    """Each frame is blurred before the difference, so that rounding acts on frames."""
    repeat_far: bool
    """The bottom and right borders mirror as `2n-1-i`: the border sample is repeated there, and only there."""
    float32_normalisation: bool
    """SAD over 256 and over the area in float32; minimum of neighbours before the weight."""

    @property
    def arithmetic(self) -> str:
        """The rules in words, for every output."""
        order = "blur-first" if self.blur_first else "diff-first"
        border = "far edge repeated" if self.repeat_far else "reflect-101"
        return f"{order}, {border}, 64-bit sums, {'float32' if self.float32_normalisation else 'float64'} scores"


EDITION_RULES: dict[Edition, EditionRules] = {
    "3.2": EditionRules(blur_first=False, repeat_far=False, float32_normalisation=False),
    "3.1": EditionRules(blur_first=True, repeat_far=True, float32_normalisation=True),
}
EDITIONS: tuple[Edition, ...] = tuple(EDITION_RULES)
