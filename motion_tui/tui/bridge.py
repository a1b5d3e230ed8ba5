"""The only place where threads meet widgets: requests go in on the UI thread, messages come out of the others.

Every answer carries the number of the session it belongs to, so that what comes late can be dropped. The background
scan waits between frames while a picture is wanted.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.dom import DOMNode
from textual.message import Message
from textual.worker import Worker, get_current_worker

from motion_tui.clips.base import Clip
from motion_tui.clips.yuv import GeometryNeeded
from motion_tui.core.errors import MotionError
from motion_tui.engines.base import Engine
from motion_tui.engines.registry import open_engine
from motion_tui.engines.twins import end_builds
from motion_tui.parity.session import Session
from motion_tui.tui import messages
from motion_tui.tui.pictures import Pictures
from motion_tui.tui.scan import Scan
from motion_tui.tui.state import PairRequest, SessionFacts, TwinChoice
from motion_tui.tui.summary import summarise
from motion_tui.tui.work import (
    AbsentTwin,
    ClipOpener,
    EarlyTwin,
    device_client,
    facts,
    list_devices,
    make_twin,
    refreshed,
    saves,
)

if TYPE_CHECKING:
    from motion_tui.engines.twins.client import Client

REPORT_SECONDS = 0.2
"""How often the background scan reports at most."""
PROGRESS_SECONDS = 0.1


@dataclass(frozen=True)
class Switches:
    """What runs unasked in the background; tests switch it off."""

    prefetch: bool = True
    scan: bool = True
    watch: bool = True


class Bridge:
    """Owns the session and the threads that work on it; every public method is called on the UI thread."""

    def __init__(self, owner: DOMNode, switches: Switches, early: EarlyTwin | None = None) -> None:
        self._owner = owner
        self._switches = switches
        self._early = early
        """The first session's twin, until that takes it."""
        self._session: Session | None = None
        self._number = 0
        self._lock = threading.Lock()
        self._wish = 0
        """Counts what was asked to be opened or chosen; -1 once all is closed. Only the newest wish is granted."""
        self._pictures = Pictures(self._post, prefetch=switches.prefetch)
        self._opening: Worker[None] | None = None
        self._lister: Client | None = None

    # Opening

    def open(self, sources: tuple[str, ...], opener: ClipOpener, choice: TwinChoice) -> None:
        """Open a clip and its engines; SessionOpened, OpenFailed or OpenCancelled follows."""
        self.cancel_open()
        wish = self._next_wish()
        self._opening = self._run("open", lambda: self._open(wish, sources, opener, choice))

    def cancel_open(self) -> bool:
        """Stop an opening that is under way; False where there is none."""
        if self._opening is None or self._opening.is_finished:
            return False
        self._opening.cancel()
        return True

    def choose(self, choice: TwinChoice) -> None:
        """Look at the same clip with other engines; SessionOpened follows."""
        session = self._session
        if session is not None:
            self.cancel_open()
            wish = self._next_wish()
            self._run("open", lambda: self._adopt(wish, session.clip, choice))

    def _next_wish(self) -> int:
        with self._lock:
            self._wish += 1
            return self._wish

    def _open(self, wish: int, sources: tuple[str, ...], opener: ClipOpener, choice: TwinChoice) -> None:
        worker = get_current_worker()
        reported = 0.0

        def progress(done: int, total: int) -> None:
            nonlocal reported
            if time.monotonic() - reported > PROGRESS_SECONDS:
                reported = time.monotonic()
                self._post(messages.OpenProgressed(done, total))

        try:
            clip = opener.open(sources, progress, lambda: worker.is_cancelled)
        except MotionError as error:
            if worker.is_cancelled:
                self._post(messages.OpenCancelled())
                return
            candidates = error.candidates if isinstance(error, GeometryNeeded) else None
            self._post(messages.OpenFailed(sources, str(error), candidates))
        else:
            if worker.is_cancelled:
                clip.close()
                self._post(messages.OpenCancelled())
            else:
                self._adopt(wish, clip, choice)

    def _adopt(self, wish: int, clip: Clip, choice: TwinChoice) -> None:
        """Make the engines, put the new session in place and close what it replaces."""
        twin = self._twin(choice)  # first, since its worker starts while the oracle is loaded
        try:
            oracle = open_engine("oracle", choice.config)
        except MotionError as error:
            twin.close()
            self._post(messages.OpenFailed((clip.name,), str(error)))
            return
        session = Session(clip, oracle, twin)
        with self._lock:
            granted = wish == self._wish
            if granted:
                before, self._session = self._session, session
                self._announce(session, choice)
            else:
                before = session  # a newer wish has overtaken this one
            kept = self._session
        if granted:
            self._start_watch(session, choice)
        if before is not None:
            before.close_engines()
            if kept is None or before.clip is not kept.clip:
                before.clip.close()

    def _twin(self, choice: TwinChoice) -> Engine:
        """Take the early twin, if it is the one wanted, or make one."""
        with self._lock:
            early, self._early = self._early, None
        if early is not None and early.choice == choice:
            return early.engine
        if early is not None:
            early.engine.close()
        return make_twin(choice)

    def _announce(self, session: Session, choice: TwinChoice) -> None:
        """Give the session a new number, and say so in the order of the numbers; needs the lock."""
        self._number += 1
        self._post(messages.SessionOpened(facts(self._number, session, choice)))

    # Pictures

    def show(self, request: PairRequest) -> None:
        """Ask for a picture; PairLoaded or LoadFailed follows, unless a newer wish overtakes this one."""
        if self._pictures.want(request):
            self._run("pair", lambda: self._pictures.load_all(self._now))

    def cancel_twin(self) -> bool:
        """End what the twin computes for a picture; False where nothing is being loaded."""
        if self._session is None or self._pictures.idle.is_set():
            return False
        self._session.twin.cancel()
        return True

    def _now(self) -> tuple[int, Session | None]:
        with self._lock:
            return self._number, self._session

    # The background scan

    def scan(self, known: SessionFacts) -> None:
        """Score the whole clip and compare all its stages, out of the way; ScanAdvanced follows, many times."""
        session = self._session
        if session is not None and self._switches.scan:
            self._run("scan", lambda: self._scan(session, known), exclusive=True)

    def _scan(self, session: Session, known: SessionFacts) -> None:
        worker = get_current_worker()
        number = known.session
        scan = Scan(session)
        pause, reported = REPORT_SECONDS, time.monotonic()

        def report() -> float:
            """Post what is known; returns the seconds to wait, so that reporting stays a small share of the work."""
            start = time.monotonic()
            now, snapshot = refreshed(known, session), scan.snapshot()
            self._post(messages.ScanAdvanced(now, snapshot, summarise(now, snapshot)))
            return max(REPORT_SECONDS, 10 * (time.monotonic() - start))

        try:
            for _ in scan.steps():
                while not self._pictures.idle.wait(0.05):
                    if worker.is_cancelled:
                        return
                if worker.is_cancelled or number != self._number:
                    return
                if time.monotonic() - reported > pause:
                    pause, reported = report(), time.monotonic()
            report()
        except MotionError as error:
            if number == self._number:
                self._post(messages.LoadFailed(number, str(error)))

    # A user's kernel

    def _start_watch(self, session: Session, choice: TwinChoice) -> None:
        path = choice.config.twin.kernel
        if path is not None and self._switches.watch:
            self._run("watch", lambda: self._watch(session, choice, path))

    def _watch(self, session: Session, choice: TwinChoice, path: Path) -> None:
        """Take the kernel anew whenever its file is saved, until the session is replaced."""
        worker = get_current_worker()
        for is_saved in saves(path):
            if worker.is_cancelled or session is not self._session:
                return
            if is_saved:
                self._renew(session, choice, path)

    def _renew(self, session: Session, choice: TwinChoice, path: Path) -> None:
        """Rebuild the twin; where it does not build, the one before goes on and the picture stays."""
        if isinstance(session.twin, AbsentTwin):
            self._adopt(self._next_wish(), session.clip, choice)
            return
        try:
            session.renew(session.twin, session.twin.reload)
        except MotionError as error:
            self._post(messages.TwinRejected(path, str(error)))
            return
        with self._lock:
            if session is self._session:
                self._post(messages.TwinReloaded(path))
                self._announce(session, choice)

    # Other work

    def export(self, request: PairRequest, folder: Path, overwrite: bool) -> None:
        """Write a snapshot of a picture; Exported or ExportFailed follows."""
        session = self._session
        if session is not None:
            self._run("export", lambda: self._export(session, request, folder, overwrite))

    def _export(self, session: Session, request: PairRequest, folder: Path, overwrite: bool) -> None:
        from motion_tui.export.bundle import write_bundle

        try:
            write_bundle(folder, session, request.frame, request.plane, request.stage, overwrite)
            self._post(messages.Exported(folder))
        except (MotionError, OSError) as error:
            self._post(messages.ExportFailed(str(error)))

    def list_devices(self) -> None:
        """Ask which SYCL devices there are; DevicesListed follows."""
        self._run("devices", self._list_devices, exclusive=True)

    def _list_devices(self) -> None:
        try:
            self._lister = device_client()
            self._post(messages.DevicesListed(list_devices(self._lister)))
        except MotionError as error:
            self._post(messages.DevicesListed((), str(error)))

    def close(self) -> None:
        """End all work; a twin that is computing is ended with its worker, a kernel's build with its compiler."""
        self._owner.workers.cancel_all()
        end_builds()
        with self._lock:
            session, self._session = self._session, None
            early, self._early = self._early, None
            self._number += 1
            self._wish = -1
        if early is not None:
            early.engine.close()
        if session is not None:
            session.close()
        if self._lister is not None:
            self._lister.close()

    def _run(self, group: str, work: Callable[[], None], *, exclusive: bool = False) -> Worker[None]:
        return self._owner.run_worker(work, thread=True, group=group, exclusive=exclusive, exit_on_error=False)

    def _post(self, message: Message) -> None:
        self._owner.post_message(message)
