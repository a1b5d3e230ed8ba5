"""The loading of pictures: of several wishes the newest wins, and the neighbour is fetched when there is none."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from textual.message import Message

from motion_tui.core.errors import MotionError
from motion_tui.parity.session import Session
from motion_tui.tui import messages
from motion_tui.tui.state import PairRequest
from motion_tui.tui.work import load_pair


class Pictures:
    """Holds the newest wish; one thread at a time loads what is wished, until nothing is."""

    def __init__(self, post: Callable[[Message], None], *, prefetch: bool) -> None:
        self._post = post
        self._prefetches = prefetch
        self._lock = threading.Lock()
        self._wanted: PairRequest | None = None
        self._loading = False
        self.idle = threading.Event()
        """Set while no picture is wanted."""
        self.idle.set()

    def want(self, request: PairRequest) -> bool:
        """Take a wish; True where nobody is loading, so that the caller has to start a thread for `load_all`."""
        with self._lock:
            self._wanted = request
            self.idle.clear()
            if self._loading:
                return False
            self._loading = True
            return True

    def load_all(self, now: Callable[[], tuple[int, Session | None]]) -> None:
        """Load what is wished until nothing is; `now` gives the session and its number. Runs on a thread."""
        try:
            self._load_all(now)
        except BaseException:
            # What no handler expected is said by the screen; the next wish finds a loader that works.
            with self._lock:
                self._loading = False
                self.idle.set()
            raise

    def _load_all(self, now: Callable[[], tuple[int, Session | None]]) -> None:
        last = PairRequest(0, -1, 0, "H")
        while (request := self._take()) is not None:
            number, session = now()
            if session is None or request.session != number:
                continue
            self._load(session, request)
            step = 1 if request.frame >= last.frame else -1
            last = request
            if self._prefetches and self._wanted is None:
                self._prefetch(session, replace(request, frame=request.frame + step))

    def _take(self) -> PairRequest | None:
        with self._lock:
            request, self._wanted = self._wanted, None
            if request is None:
                self._loading = False
                self.idle.set()
            return request

    def _load(self, session: Session, request: PairRequest) -> None:
        try:
            self._post(messages.PairLoaded(load_pair(session, request)))
        except MotionError as error:
            self._post(messages.LoadFailed(request.session, str(error), request))

    def _prefetch(self, session: Session, request: PairRequest) -> None:
        """Compute the stages that are likely to be wanted next; whatever goes wrong shows when they are."""
        if request.frame in session.scored_frames:
            for engine in (session.oracle, session.twin):
                if self._wanted is None:
                    try:
                        session.stages(engine, request.frame, request.plane)
                    except MotionError:
                        return
