"""A session: one clip, the oracle, and one twin, frame by frame on demand; what the screen and the commands share."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from motion_tui.clips.base import Clip
from motion_tui.core.scores import PairSums, Scores, clip_metrics
from motion_tui.engines.base import Engine, EngineConfig, Stages
from motion_tui.parity.residue import StagePair

CACHE_BYTES = 400 << 20
"""Stage planes that are kept, those being computed included: two pairs at 3840x2160, what is seen and what is next."""
Progress = Callable[[int, int], None]
"""Called with (frames done, frames in all), from the thread that computes."""


def score_clip(clip: Clip, engine: Engine, progress: Progress | None = None) -> Scores:
    """Score a whole clip with one engine."""
    options = engine.config.options
    clip.geometry.require_motion(engine.planes_read)
    sums: list[PairSums] = []
    for index in range(options.pair_distance, len(clip)):
        sums.append(engine.pair_sums(clip.pair(index, options.pair_distance)))
        if progress:
            progress(index + 1, len(clip))
    return assemble(sums, len(clip), engine)


def assemble(sums: list[PairSums], frames: int, engine: Engine) -> Scores:
    """Turn an engine's pair sums into the metrics of a clip (or of the part of it known so far)."""
    config = engine.config
    metrics = clip_metrics(sums, frames, config.options, config.edition, engine.score_rules)
    return Scores(config.options.feature, config.edition, engine.name, engine.device, config.options, metrics)


class Session:
    """One clip seen by the oracle and one twin.

    Methods may be called from several threads; each engine is used by one at a time.
    """

    def __init__(self, clip: Clip, oracle: Engine, twin: Engine) -> None:
        self.clip = clip
        self.oracle = oracle
        self.twin = twin
        self._locks = {id(oracle): threading.Lock(), id(twin): threading.Lock()}
        self._generation = 0
        """Counts renewals; part of every key, so that a result from before one is never taken for a new one."""
        self._sums: dict[tuple[int, int, int], PairSums] = {}
        self._stages: OrderedDict[tuple[int, int, int, int], Stages] = OrderedDict()
        self._computing = 0
        """How many stages are being computed that will be kept."""
        self._cache_lock = threading.Lock()

    @property
    def config(self) -> EngineConfig:
        """What both engines were made with."""
        return self.oracle.config

    @property
    def distance(self) -> int:
        """How many frames apart a pair is."""
        return self.config.options.pair_distance

    @property
    def scored_frames(self) -> range:
        """The frames that have a pair."""
        return range(min(self.distance, len(self.clip)), len(self.clip))

    def pair_sums(self, engine: Engine, frame: int) -> PairSums:
        """Return what the pair of `frame` adds up to on `engine`; computed once."""
        key = (self._generation, id(engine), frame)
        if key not in self._sums:
            with self._locks[id(engine)]:
                if key not in self._sums:
                    self._sums[key] = engine.pair_sums(self.clip.pair(frame, self.distance))
        return self._sums[key]

    def stage_pair(self, frame: int, plane: int = 0) -> StagePair:
        """Return both engines' stages of one plane of `frame`'s pair; recent ones are kept."""
        oracle, twin = self.stages_of_both(frame, plane)
        return StagePair(frame, plane, oracle, twin())

    def stages_of_both(self, frame: int, plane: int = 0) -> tuple[Stages, Callable[[], Stages]]:
        """Return the oracle's stages, and what gives the twin's or raises why there are none.

        Both are computed by then, at the same time: the oracle on this program's processors, a twin on its device.
        """
        with ThreadPoolExecutor(1, "motion-twin") as beside:
            twin = beside.submit(self.stages, self.twin, frame, plane)
            return self.stages(self.oracle, frame, plane), twin.result

    def stages(self, engine: Engine, frame: int, plane: int = 0, *, keep: bool = True) -> Stages:
        """Return one engine's stages of one plane of `frame`'s pair; `keep` False leaves the recent ones alone."""
        key = (self._generation, id(engine), frame, plane)
        with self._cache_lock:
            if key in self._stages:
                self._stages.move_to_end(key)
                return self._stages[key]
        if not keep:
            return self._compute(engine, frame, plane)
        with self._cache_lock:
            self._computing += 1
            self._make_room()
        try:
            stages = self._compute(engine, frame, plane)
            with self._cache_lock:
                self._stages[key] = stages
        finally:
            with self._cache_lock:
                self._computing -= 1
        return stages

    def _compute(self, engine: Engine, frame: int, plane: int) -> Stages:
        with self._locks[id(engine)]:
            return engine.stages(self.clip.pair(frame, self.distance), plane)

    def _make_room(self) -> None:
        """Drop what was used longest ago, so that what is being computed fits in, if it is as large as the largest.

        Both of a pair always fit. Needs the lock.
        """
        sizes = [kept.nbytes for kept in self._stages.values()]
        while sizes and len(sizes) + self._computing > 2 and sum(sizes) + self._computing * max(sizes) > CACHE_BYTES:
            self._stages.popitem(last=False)
            del sizes[0]

    def renew(self, engine: Engine, change: Callable[[], None]) -> None:
        """Run `change` (a user's kernel taken anew) alone on `engine`; what was computed before is not reused."""
        with self._locks[id(engine)]:
            change()
            self._generation += 1

    def scores(self, engine: Engine, progress: Progress | None = None) -> Scores:
        """Score the whole clip with one of the two engines; pairs already summed are not summed again."""
        recorded = engine.recorded_scores()
        if recorded is not None:
            return recorded
        self.clip.geometry.require_motion(engine.planes_read)
        sums = []
        for frame in self.scored_frames:
            sums.append(self.pair_sums(engine, frame))
            if progress:
                progress(frame + 1, len(self.clip))
        return assemble(sums, len(self.clip), engine)

    def close_engines(self) -> None:
        """Close both engines, and leave the clip to whoever looks at it next."""
        self.oracle.close()
        self.twin.close()

    def close(self) -> None:
        """Close both engines and the clip."""
        self.close_engines()
        self.clip.close()
