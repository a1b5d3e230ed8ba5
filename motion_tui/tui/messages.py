"""Every message from the background threads to the screen, named for what happened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from motion_tui.core.geometry import Geometry
from motion_tui.tui.state import PairPicture, PairRequest, ScanSnapshot, SessionFacts
from motion_tui.tui.summary import Summary


@dataclass
class OpenProgressed(Message, bubble=False):
    """A clip is being read in: `done` of `total` bytes or frames."""

    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        """Newer progress replaces older progress."""
        return isinstance(message, OpenProgressed)


@dataclass
class SessionOpened(Message, bubble=False):
    """A clip and its engines are ready, or other engines look at the same clip."""

    facts: SessionFacts


@dataclass
class OpenFailed(Message, bubble=False):
    """A clip could not be opened; `sources` is what was asked for."""

    sources: tuple[str, ...]
    reason: str
    candidates: tuple[Geometry, ...] | None = None
    """Geometries that a raw file may have, where a person has to say which; None where that is not the matter."""


@dataclass
class OpenCancelled(Message, bubble=False):
    """The user stopped the loading of a clip."""


@dataclass
class PairLoaded(Message, bubble=False):
    """The planes of a frame are there."""

    picture: PairPicture

    def can_replace(self, message: Message) -> bool:
        """Only the newest picture is worth drawing."""
        return isinstance(message, PairLoaded)


@dataclass
class LoadFailed(Message, bubble=False):
    """The planes of a frame could not be had at all (the clip itself failed)."""

    session: int
    reason: str
    request: PairRequest | None = None
    """The picture that there will not be; None where the scan failed."""


@dataclass
class ScanAdvanced(Message, bubble=False):
    """The background scan knows more."""

    facts: SessionFacts
    snapshot: ScanSnapshot
    summary: Summary

    def can_replace(self, message: Message) -> bool:
        """Snapshots are cumulative."""
        return isinstance(message, ScanAdvanced)


@dataclass
class TwinReloaded(Message, bubble=False):
    """A user's kernel was rebuilt and runs."""

    path: Path


@dataclass
class TwinRejected(Message, bubble=False):
    """A user's kernel was saved and does not build; the one before it goes on."""

    path: Path
    reason: str


@dataclass
class Exported(Message, bubble=False):
    """A snapshot was written."""

    path: Path


@dataclass
class ExportFailed(Message, bubble=False):
    """A snapshot could not be written."""

    reason: str


@dataclass
class DevicesListed(Message, bubble=False):
    """The SYCL devices of this machine, each the exact string to pass back and its name; or why there are none."""

    devices: tuple[tuple[str, str], ...]
    reason: str = ""
