"""`motion-tui export CLIP --frame N --out DIR`: a snapshot bundle of one frame."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from motion_tui.cli import diagnostics
from motion_tui.cli.clip_flags import ClipFlags
from motion_tui.cli.output_flags import require_outputs
from motion_tui.cli.paths import Named
from motion_tui.cli.run_flags import RunFlags, TwinFlags, require_twin
from motion_tui.cli.whole import Whole
from motion_tui.core.errors import UsageError
from motion_tui.engines.registry import open_engine
from motion_tui.export.files import STDOUT
from motion_tui.parity.session import Session


def export(
    clip: Annotated[list[str], Parameter(help="A clip, or the image files of one, in order.")],
    /,
    *,
    frame: Annotated[Whole, Parameter(help="The current frame of the pair, counted from 0; frame 0 has no pair.")],
    out: Annotated[Named, Parameter(help="Folder to make.")],
    plane: Annotated[Whole, Parameter(help="Plane of the picture: 0 Y, 1 U, 2 V.")] = 0,
    stage: Annotated[Literal["D", "V", "H"], Parameter(help="Stage of the picture.")] = "H",
    force: Annotated[bool, Parameter(negative="", help="Replace what is there under that name.")] = False,
    against: TwinFlags | None = None,
    flags: ClipFlags | None = None,
    run: RunFlags | None = None,
) -> int:
    """Write one frame's comparison as a folder: panes.png, stages.npz, pair.npz (the samples) and report.json."""
    if str(out) == STDOUT:
        raise UsageError("--out -: a bundle is a folder, stdout cannot hold one")
    config, named = (run or RunFlags()).config, against or TwinFlags()
    require_outputs(force, inputs=(*clip, *named.inputs, config.twin.kernel), out=out)
    require_twin(config.twin, named.engine)
    with (flags or ClipFlags()).open(clip) as opened:
        if not 0 <= plane < len(opened.geometry.plane_names):
            raise UsageError(f"--plane {plane}: the clip has planes {', '.join(opened.geometry.plane_names)} (0 is Y)")
        opened.geometry.require_motion((plane, *config.options.planes_read))
        diagnostics.warn_of(opened)
        with open_engine("oracle", config) as oracle, named.open(config) as twin:
            from motion_tui.export.bundle import write_bundle

            write_bundle(out, Session(opened, oracle, twin), frame, plane, stage, force)
    diagnostics.say(f"wrote {out}: panes.png, stages.npz, pair.npz, report.json")
    return diagnostics.PARITY
