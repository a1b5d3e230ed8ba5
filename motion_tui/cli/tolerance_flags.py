"""The three flags that say how far apart two scores may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Group, Parameter

from motion_tui.cli.whole import MaybeWhole
from motion_tui.parity.verdict import Tolerance, chosen_tolerance

TOLERANCE_GROUP = Group("Tolerance", sort_key=35)


@Parameter(name="*", group=TOLERANCE_GROUP)
@dataclass(frozen=True)
class ToleranceFlags:
    """At most one of them is given."""

    exact: Annotated[bool, Parameter(negative="", help="Every score and every sample equal.")] = False
    places: Annotated[MaybeWhole, Parameter(help="|a - b| <= 0.5 * 10^-N; 4 is the field's gate.")] = None
    tolerance: Annotated[float | None, Parameter(help="|a - b| <= X.")] = None

    @property
    def chosen(self) -> Tolerance | None:
        """The tolerance asked for; None where none is."""
        return chosen_tolerance(self.exact, self.places, self.tolerance)
