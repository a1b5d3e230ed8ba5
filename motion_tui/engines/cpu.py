"""What the CPU engines share, and which of them serves a feature: float_motion has engines of its own."""

from __future__ import annotations

from abc import abstractmethod

from motion_tui.core.frames import FramePair, Plane
from motion_tui.core.geometry import ChromaRule
from motion_tui.core.scores import PairSums
from motion_tui.core.spec import edition_rules
from motion_tui.engines.base import Engine, EngineConfig
from motion_tui.engines.planes import motion_planes


def open_oracle(config: EngineConfig) -> Engine:
    """Return the fast engine of the configuration's feature."""
    if config.options.feature == "float_motion":
        from motion_tui.engines.float_oracle import FloatOracle

        return FloatOracle(config)
    from motion_tui.engines.oracle import Oracle

    return Oracle(config)


def open_reference(config: EngineConfig) -> Engine:
    """Return the readable engine of the configuration's feature."""
    if config.options.feature == "float_motion":
        from motion_tui.engines.float_reference import FloatReference

        return FloatReference(config)
    from motion_tui.engines.reference import Reference

    return Reference(config)


CHROMA_WORDS: dict[ChromaRule, str] = {
    "plane": "chroma as the file has it, rounded up",
    "picture": "chroma as libvmaf's picture has it, rounded down",
    "as-420": "chroma cut to (w+1)/2 x (h+1)/2",
}


class CpuEngine(Engine):
    """An engine on this machine's processors; it keeps nothing between calls, so that threads may share it."""

    library: str
    """What the arithmetic is written with: "NumPy" or "numba"."""

    def __init__(self, config: EngineConfig, arithmetic: str) -> None:
        super().__init__(config)
        chroma = f", {CHROMA_WORDS[config.chroma_rule]}" if config.options.motion_add_uv else ""
        self.arithmetic = arithmetic + chroma

    @property
    def device(self) -> str:
        return f"CPU ({self.library})"

    def samples(self, pair: FramePair, plane: int) -> tuple[Plane, Plane]:
        """The previous and current samples that the feature reads, chroma cut as configured."""
        return motion_planes(pair, plane, self.config.chroma_rule)


class IntegerEngine(CpuEngine):
    """The integer features in one edition of libvmaf."""

    def __init__(self, config: EngineConfig) -> None:
        self.rules = edition_rules(config.options.feature, config.edition)
        super().__init__(config, f"{self.rules.arithmetic} (libvmaf {config.edition})")


class FloatEngine(CpuEngine):
    """float_motion, whose planes are divided by their own area one by one."""

    def __init__(self, config: EngineConfig) -> None:
        super().__init__(config, "float32, blur-first, reflect-101, sums in scalar order")

    def pair_sums(self, pair: FramePair) -> PairSums:
        scores = tuple(float(self.plane_score(pair, plane)) for plane in self.planes_read)
        return PairSums(scores, (1,) * len(scores))

    @abstractmethod
    def plane_score(self, pair: FramePair, plane: int) -> float:
        """Return the score of one plane, a float32's value."""
