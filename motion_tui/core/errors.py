"""Every error that this project raises on purpose.

    MotionError
    ├── UsageError (ValueError)       an unknown or impossible option, feature, engine or flag      exit 2
    ├── ClipError (ValueError)        a clip that cannot be read                                    exit 2
    ├── LogError (ValueError)         a score log or plane dump that cannot be read                 exit 2
    ├── ExportError (OSError)         an output that cannot be written                              exit 2
    ├── NothingCompared               no frame, a missing metric, an unequal number of frames       exit 3
    └── TwinError (RuntimeError)      the twin failed: crashed, hung, wrote out of bounds           exit 4
        └── DeviceError               there is no device, or not the one that was asked for         exit 4

The text of an error is one line that names the thing, the place in it, and what to do next. The exit
codes live in `motion_tui.cli.diagnostics`.
"""

from motion_tui.core.text import printable


class MotionError(Exception):
    """Root of the project's own errors; its text is one line for a person to read, whatever a file's name holds."""

    def __str__(self) -> str:
        return printable(super().__str__())


class UsageError(MotionError, ValueError):
    """An unknown or impossible option, feature, engine or flag."""


class ClipError(MotionError, ValueError):
    """A clip that cannot be read: the text names the file, the byte or the tag, and what to do."""


class LogError(MotionError, ValueError):
    """A score log or a plane dump that cannot be read."""


class ExportError(MotionError, OSError):
    """An output that cannot be written, or that exists and was not asked to be overwritten."""


class NothingCompared(MotionError):
    """There was nothing to compare, so there is no verdict: never a pass."""


class TwinError(MotionError, RuntimeError):
    """A twin failed where it ran: it crashed, hung, or wrote outside its buffers."""


class DeviceError(TwinError):
    """There is no SYCL device, or not the one that was asked for."""
