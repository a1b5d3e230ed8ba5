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

FLOAT_TAPS = (0.054488685, 0.244201342, 0.402619947, 0.244201342, 0.054488685)
"""The blur's taps in float_motion, to be rounded to float32."""
FLOAT_OFFSET = -128.0
"""What float_motion adds to a sample once it is on the 8-bit scale."""


def float_taps(size: int) -> tuple[float, ...]:
    """Return the taps of `motion_filter_size`: three for 3, a lone one for 1, and for any other size the five."""
    if size == 3:
        return (0.166378498, 0.667243004, 0.166378498)
    return (0.0, 0.0, 1.0, 0.0, 0.0) if size == 1 else FLOAT_TAPS


Stage = Literal["D", "V", "H"]
STAGES: tuple[Stage, ...] = ("D", "V", "H")
STAGE_UNITS: dict[Stage, str] = {"D": "code values", "V": "1/256 code values", "H": "1/256 code values"}
"""Units of the integer features' stages; those of float_motion are code values on the 8-bit scale."""


def stage_unit(stage: Stage, *, is_float: bool) -> str:
    """Return the unit of a stage's values: float_motion computes in code values of 8 bits throughout."""
    return "8-bit code values" if is_float else STAGE_UNITS[stage]


Feature = Literal["motion", "motion_v2", "float_motion"]
FEATURES: tuple[Feature, ...] = ("motion", "motion_v2", "float_motion")
Edition = Literal["3.2", "3.1", "3.0"]
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


CURRENT_RULES = EditionRules(blur_first=False, repeat_far=False, float32_normalisation=False)
OLDER_RULES = EditionRules(blur_first=True, repeat_far=True, float32_normalisation=True)
EDITIONS: tuple[Edition, ...] = ("3.2", "3.1", "3.0")


def edition_rules(feature: Feature, edition: Edition) -> EditionRules:
    """Return the rules of an integer feature; `motion_v2` had the current ones from its first release on."""
    return OLDER_RULES if feature == "motion" and edition != CURRENT_EDITION else CURRENT_RULES
