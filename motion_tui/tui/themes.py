"""The two themes: quiet backgrounds, so that the heatmaps carry the colour.

They are nearly grey, since terminals of 256 colours have fine steps of grey alone: a bluish one would be teal there.
`letterbox` is what is outside of a plane, apart from both the background and the colour of zero; `band` is behind
what is chosen or staged, `left-out` behind what is lost.
"""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="motion-dark",
    dark=True,
    primary="#6fb3e0",
    secondary="#4f7fa8",
    accent="#e3b565",
    foreground="#d8dde3",
    background="#0e1012",
    surface="#14171a",
    panel="#1e2226",
    success="#7cc48a",
    warning="#e0b050",
    error="#ef7d75",
    variables={
        "faint": "#8b96a3",
        "letterbox": "#303338",
        "band": "#1e3f74",
        "left-out": "#5f2326",
        "footer-key-foreground": "#6fb3e0",
        "block-cursor-text-style": "none",
    },
)
LIGHT = Theme(
    name="motion-light",
    dark=False,
    primary="#1d5f94",
    secondary="#3f7aa6",
    accent="#8a5a00",
    foreground="#20262c",
    background="#fbfbf9",
    surface="#f3f4f1",
    panel="#e4e7e3",
    success="#1f7a3d",
    warning="#9a6400",
    error="#b3261e",
    variables={
        "faint": "#5c6670",
        "letterbox": "#cdd2d0",
        "band": "#bcd3e6",
        "left-out": "#f2c6c2",
        "footer-key-foreground": "#1d5f94",
        "block-cursor-text-style": "none",
    },
)
THEMES = (DARK, LIGHT)
