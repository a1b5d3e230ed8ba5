"""The two themes: quiet backgrounds, so that the heatmaps carry the colour."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="motion-dark",
    dark=True,
    primary="#6fb3e0",
    secondary="#4f7fa8",
    accent="#e3b565",
    foreground="#d8dde3",
    background="#0d1014",
    surface="#12161b",
    panel="#1c222a",
    success="#7cc48a",
    warning="#e0b050",
    error="#ef7d75",
    variables={
        "faint": "#8b96a3",
        "letterbox": "#2a313a",
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
        "footer-key-foreground": "#1d5f94",
        "block-cursor-text-style": "none",
    },
)
THEMES = (DARK, LIGHT)
