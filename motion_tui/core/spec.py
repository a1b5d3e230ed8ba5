"""Facts of the integer motion arithmetic that the oracle, the models and the kernels share; no arithmetic."""

from __future__ import annotations

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
EDITIONS: tuple[Edition, ...] = ("3.2", "3.1")
CURRENT_EDITION: Edition = "3.2"
