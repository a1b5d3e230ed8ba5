"""The program: its commands, each imported when it is called, and what an error is to the shell."""

from __future__ import annotations

import difflib
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.cli.run_flags import RunFlags, TwinFlags
from motion_tui.core.errors import MotionError, UsageError

DEBUG = "MOTION_TUI_DEBUG"
COMMANDS = {
    "score": ("motion_tui.cli.score:score", "Score a clip frame by frame."),
    "check": ("motion_tui.cli.check:check", "Compare a twin, a log or planes with the oracle: the parity gate."),
    "export": ("motion_tui.cli.export:export", "Write one frame's comparison as a folder."),
    "diff-logs": ("motion_tui.cli.diff_logs:diff_logs", "Compare two vmaf logs, metric by metric."),
    "geometry": ("motion_tui.cli.geometry:geometry", "Planes, byte offsets and the chroma conventions of a clip."),
    "fixture": ("motion_tui.cli.fixture:fixture", "Write a synthetic clip to a file."),
    "devices": ("motion_tui.cli.devices:devices", "List the SYCL devices, with the string that --device takes."),
    "kernels": ("motion_tui.cli.kernels:app", "List, build and verify the twins' kernels."),
    "bench": ("motion_tui.cli.bench:bench", "Time the kernels at a size."),
    "serve": ("motion_tui.cli.serve:serve", "Show the terminal UI in a browser."),
}
"""Commands: where each is, imported when it is called, and what it does."""


def make_app(tokens: Sequence[str]) -> App:
    """Make the program; the one-line words go to the list of commands alone, a command's own help is its docstring."""
    app = App(
        name="motion-tui",
        help="See where a GPU twin of VMAF's motion feature departs from its CPU reference, and why.",
        version_flags=(),
        default_parameter=Parameter(show_default=_default_words),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
    )
    called = tokens[0] if tokens else ""
    for name, (target, words) in COMMANDS.items():
        app.command(target, name=name, help=None if name == called else words)
    app.default(show)
    return app


def _default_words(value: object) -> str | None:
    """What the help says of a default; nothing where that is nothing."""
    if value is None or value is False or value == ():
        return None
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def show(
    clip: Annotated[list[str] | None, Parameter(help="A clip, or the image files of one; none: the sample.")] = None,
    /,
    *,
    version: Annotated[bool, Parameter(negative="", help="Print the version; with --json all there is to it.")] = False,
    json: Annotated[bool, Parameter(negative="", help="With --version: JSON.")] = False,
    color: Annotated[
        Literal["auto", "truecolor", "256", "16", "none"], Parameter(help="Colours that the terminal has.")
    ] = "auto",
    against: TwinFlags | None = None,
    flags: ClipFlags | None = None,
    run: RunFlags | None = None,
) -> int:
    """Open the terminal UI on a clip."""
    if version:
        from motion_tui.cli.version import print_version

        return print_version(json)
    config, named = (run or RunFlags()).config, against or TwinFlags()
    _require_clip_name(clip or [])
    _require_terminal()
    from motion_tui.tui.state import TwinChoice
    from motion_tui.tui.work import EarlyTwin

    choice = TwinChoice(named.twin, named.scores, named.planes, config)
    gc.disable()  # until the screen is up: collections are a tenth of the time to the first picture
    early = EarlyTwin.make(choice)
    from motion_tui.tui.app import run as run_app  # last: Textual takes a while, and the twin's worker uses it

    return run_app(clip or [], clip_flags=flags or ClipFlags(), choice=choice, early=early, color=color)


def _require_clip_name(clip: list[str]) -> None:
    """Refuse a mistyped command before a screen opens on it."""
    near = difflib.get_close_matches(clip[0], COMMANDS, n=1, cutoff=0.7) if clip else []
    if near and not Path(clip[0]).exists():
        raise UsageError(f"'{clip[0]}' is neither a clip nor a command: did you mean {near[0]}?")


def _require_terminal() -> None:
    """Refuse to draw where nobody looks; textual-serve names a driver of its own and has no terminal."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws on stderr
    if not all(stream.isatty() for stream in streams) and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("the terminal UI needs a terminal on all of stdin, stdout and stderr: else use check or score")


def main(tokens: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    diagnostics.open_streams()
    sys.exit(_run(sys.argv[1:] if tokens is None else tokens))


def _run(tokens: Sequence[str]) -> int:
    try:
        code = make_app(tokens)(tokens)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except CycloptsError as error:
        diagnostics.say(f"{_one_line(str(error))} (motion-tui --help, motion-tui COMMAND --help)")
        return diagnostics.BAD_INPUT
    except MotionError as error:
        _trace()
        diagnostics.say(_one_line(str(error)))
        return diagnostics.exit_code(error)
    except KeyboardInterrupt:
        diagnostics.say("interrupted")
        return diagnostics.INTERRUPTED
    except BrokenPipeError:
        diagnostics.drop_stdout()
        return diagnostics.BROKEN_PIPE
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # Rich's way where the reader of its help has gone
            return diagnostics.BROKEN_PIPE
        raise
    except Exception as error:
        _trace()
        if isinstance(error, OSError) and error.errno in diagnostics.NO_ROOM:
            diagnostics.say(f"{error.filename or 'stdout'}: cannot be written: {error.strerror}")
            diagnostics.drop_stdout()
            return diagnostics.BAD_INPUT
        place = traceback.extract_tb(error.__traceback__)[-1]
        diagnostics.say(
            f"a bug, please report it: {type(error).__name__}: {_one_line(str(error))} "
            f"({Path(place.filename).name}:{place.lineno}; {DEBUG}=1 shows the whole trace)"
        )
        return diagnostics.BUG


def _trace() -> None:
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        traceback.print_exc()


def _one_line(text: str) -> str:
    return " ".join(text.split())
