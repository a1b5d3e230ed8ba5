"""Makes the bundled sample clips by rule."""
