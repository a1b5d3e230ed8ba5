"""Pure drawing: arrays and records in, levels, glyphs and segments out; no widget, no app, no I/O."""
