"""The options of libvmaf's motion features: names, aliases, defaults, ranges, and how they enter metric names.

Source: the option tables of libvmaf's `integer_motion.c`, `integer_motion_v2.c` and `float_motion.c`.
libvmaf ignores an option that it doesn't know; here an unknown one is refused with the nearest known name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from motion_tui.core.errors import UsageError
from motion_tui.core.spec import FEATURES, Feature
from motion_tui.core.text import nearest, parse_number

if TYPE_CHECKING:
    from typing_extensions import Self

OptionValue = bool | int | float
_INTEGER: tuple[Feature, ...] = ("motion", "motion_v2")
_FLOAT: tuple[Feature, ...] = ("float_motion",)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option as libvmaf declares it."""

    name: str
    alias: str
    default: OptionValue
    low: float = 0
    high: float = 1
    features: tuple[Feature, ...] = FEATURES
    in_name: bool = True
    """Whether a non-default value is appended to metric names."""
    help: str = ""

    def parse(self, value: object) -> OptionValue:
        """Return `value` (text or a number) in the option's own type; a UsageError says what is allowed.

        Numbers keep six significant digits: libvmaf prints them so (`%g`) on their way to a feature, and computes
        with what it reads back.
        """
        wrong = UsageError(f"option {self.name}={value}: expected {self.expects}")
        if isinstance(self.default, bool):
            words = {"true": True, "1": True, "false": False, "0": False}
            if str(value).lower() not in words:
                raise wrong
            return words[str(value).lower()]
        try:
            number = parse_number(str(value))
            number = int(str(value)) if isinstance(self.default, int) else float(f"{number:g}")
        except ValueError:
            raise wrong from None
        if not self.low <= number <= self.high:
            raise wrong
        return number

    @property
    def expects(self) -> str:
        """The allowed values in words."""
        if isinstance(self.default, bool):
            return "true or false"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {self.low:g} to {self.high:g}"


OPTIONS = {
    row.name: row
    for row in (
        OptionSpec("debug", "debug", False, in_name=False, help="also emit the plain motion score"),
        OptionSpec("motion_add_scale1", "mdc", False, features=_FLOAT, help="add the score at half size"),
        OptionSpec("motion_add_uv", "mau", False, help="add the scores of U and V"),
        OptionSpec("motion_blend_factor", "mbf", 1.0, 0, 1, help="weight of the score above the offset"),
        OptionSpec("motion_blend_offset", "mbo", 40.0, 0, 1000, help="where blending starts"),
        OptionSpec("motion_filter_size", "mfs", 5, 0, 9, features=_FLOAT, help="taps of the blur"),
        OptionSpec(
            "motion_five_frame_window",
            "mffw",
            False,
            features=_INTEGER,
            help="difference with the frame before the previous",
        ),
        OptionSpec("motion_force_zero", "force_0", False, help="every score is 0"),
        OptionSpec("motion_fps_weight", "mfw", 1.0, 0, 5, help="factor for the frame rate"),
        OptionSpec("motion_max_val", "mmxv", 10000.0, 0, 10000, help="cap of every score"),
        OptionSpec(
            "motion_moving_average", "mma", False, features=_INTEGER, help="average motion3 with the frame before"
        ),
    )
}
_BY_ALIAS = {row.alias: row for row in OPTIONS.values()}


def option_spec(feature: Feature, name: str) -> OptionSpec:
    """Return the option `name` (full or alias) of `feature`, or refuse it with the nearest known one."""
    known = [row.name for row in OPTIONS.values() if feature in row.features]
    row = OPTIONS.get(name) or _BY_ALIAS.get(name)
    if row is not None and row.name in known:
        return row
    if row is not None:
        raise UsageError(f"option {row.name} belongs to {' and '.join(row.features)}, not to {feature}: drop it")
    hint = nearest(name, known, (OPTIONS[k].alias for k in known))
    raise UsageError(f"unknown option '{name}' of {feature}: {hint}")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one run, every value set; build it with `Options.parse`."""

    feature: Feature = "motion"
    debug: bool = False
    motion_add_scale1: bool = False
    motion_add_uv: bool = False
    motion_blend_factor: float = 1.0
    motion_blend_offset: float = 40.0
    motion_filter_size: int = 5
    motion_five_frame_window: bool = False
    motion_force_zero: bool = False
    motion_fps_weight: float = 1.0
    motion_max_val: float = 10000.0
    motion_moving_average: bool = False
    given: tuple[str, ...] = field(default=(), compare=False)
    """Full names that the user set, in the options' own order."""

    @classmethod
    def parse(cls, feature: str, values: Mapping[str, object] | None = None) -> Self:
        """Check `values` (by full name or alias; text or numbers) for `feature`; UsageError otherwise."""
        if feature not in FEATURES:
            raise UsageError(f"unknown feature '{feature}': {nearest(feature, FEATURES)}")
        parsed: dict[str, Any] = {"debug": True} if feature == "float_motion" else {}
        given: set[str] = set()
        for name, value in (values or {}).items():
            row = option_spec(feature, name)
            if row.name in given:
                raise UsageError(f"option {row.name} is given twice (alias {row.alias}): give it once")
            given.add(row.name)
            parsed[row.name] = row.parse(value)
        return cls(feature=feature, given=tuple(sorted(given)), **parsed)

    @property
    def planes_read(self) -> tuple[int, ...]:
        """The planes that enter a score."""
        return (0, 1, 2) if self.motion_add_uv else (0,)

    @property
    def pair_distance(self) -> int:
        """How many frames apart a pair is: 1, or 2 with the five-frame window."""
        return 2 if self.motion_five_frame_window else 1

    def as_dict(self) -> dict[str, OptionValue]:
        """Every option of the feature with its value, by full name."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name in OPTIONS and self.feature in OPTIONS[f.name].features
        }

    @property
    def suffix(self) -> str:
        """What libvmaf appends to a metric name: `_<alias>` or `_<alias>_<value>` for each non-default option."""
        parts = []
        for name, value in self.as_dict().items():
            row = OPTIONS[name]
            if row.in_name and value != row.default:
                parts.append(f"_{row.alias}" if isinstance(value, bool) else f"_{row.alias}_{value:g}")
        return "".join(parts)
