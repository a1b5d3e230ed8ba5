"""Exporters: one file a format, written atomically, never overwriting unasked."""
