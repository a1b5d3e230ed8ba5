"""Colour tables: from a level of a heatmap to a colour, in every colour system a terminal may have."""

from __future__ import annotations

from typing import Literal

ColourSystem = Literal["truecolor", "256", "16", "none"]
Mode = Literal["diverging", "magnitude"]
Scale = Literal["linear", "log"]

DIVERGING: tuple[str, ...] = ("berlin", "vik")
"""Signed palettes: `berlin` has a dark zero (dark themes), `vik` a light one (light themes)."""
SEQUENTIAL: tuple[str, ...] = ("viridis", "cividis", "batlow")
"""Palettes of magnitudes, all monotone in lightness."""
