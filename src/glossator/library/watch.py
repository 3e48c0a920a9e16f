"""`watch`: folders whose files are added as they come, and noted as missing when they go.

When something happens below a folder, the folder is walked and compared with what is known of it, so that renames,
moved folders and lost events end the same way. A file is added once its size and time have stood still for a moment,
and once for each of its states: one that fails is told once, and tried again when it changes. What a browser or an
editor has under a temporary name is no file yet.

Limit: through symbolic links and on network folders changes may come without an event; they are seen by the walk that
happens every five minutes.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from glossator.errors import LibraryBusy, NotFound
from glossator.library import presence
from glossator.library.results import AddedDocument, AddResult, DocumentRef
from glossator.sources.files import SourceFile, walk
from glossator.store import documents as stored
from glossator.store.documents import StoredDocument

if TYPE_CHECKING:
    from glossator.library.library import Library

SETTLE = 1.0  # seconds that a file must stand still
TICK = 250  # milliseconds between two looks at files that are not still yet
WALK = 300.0  # seconds after which folders are walked without an event
REST = 3 * 3_600.0  # seconds between two calls of `rest`
TEMPORARY = (".part", ".partial", ".crdownload", ".download", ".opdownload", ".tmp", ".temp", ".swp", "~")
Stamp = tuple[int, int]  # size, time of the last change


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is watched, and what becomes of it."""

    folders: tuple[Path, ...]
    glob: str | None = None
    collection: str | None = None
    profile: Literal["auto", "book", "paper"] = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What was done: files that were added or failed, documents that went missing or came back."""

    added: AddResult
    missing: tuple[DocumentRef, ...] = ()
    back: tuple[DocumentRef, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `watch`."""
        missing, back = ([d.to_json() for d in found] for found in (self.missing, self.back))
        return self.added.to_json() | {"missing": missing, "back": back}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done, as it is told at once: a file that was added, or a document whose file went or came."""

    status: str
    name: str
    detail: str = ""


def watch(
    library: "Library",
    wanted: Wanted,
    *,
    stopped: Callable[[], bool],
    tell: Callable[[Event], None],
    rest: Callable[[bool], object] | None = None,
) -> Watched:
    """Follow the folders until `stopped`; return what was done.

    `rest` is called now and then while nothing moves, and told whether anything was added since it was called last.

    Raises:
        NotFound: one of them is no folder.
    """
    for folder in wanted.folders:
        if not folder.is_dir():
            raise NotFound(f"{folder}: no such folder", hint="check the spelling of the path")
    watching = _Watching(library, wanted, stopped, tell)
    rested, added = -REST, 0
    for happened in _ticks(wanted.folders, stopped):
        if happened:
            watching.look()
        watching.step()
        if rest is not None and watching.still and time.monotonic() - rested >= REST and not stopped():
            rest(watching.added > added)
            rested, added = time.monotonic(), watching.added
    return watching.done()


def temporary(name: str) -> bool:
    """Tell whether a file's name says that it is not finished, or nobody's document."""
    return name.startswith((".", "~$")) or name.lower().endswith(TEMPORARY)


def _ticks(folders: Sequence[Path], stopped: Callable[[], bool]) -> Iterator[bool]:
    """Yield several times a second whether folders are to be walked: at first, after an event, and now and then."""
    from watchfiles import watch as changes

    class Stop:
        def is_set(self) -> bool:
            return stopped()

    walked = -WALK
    following = changes(
        *folders,
        watch_filter=lambda _, path: not temporary(Path(path).name),
        debounce=TICK,
        step=50,
        rust_timeout=TICK,
        yield_on_timeout=True,
        raise_interrupt=False,
        stop_event=Stop(),
        ignore_permission_denied=True,
    )
    for changed in following:
        late = time.monotonic() - walked > WALK
        if changed or late:
            walked = time.monotonic()
        yield bool(changed) or late
        if stopped():
            return


class _Watching:
    """What is known of the folders, and what was done so far."""

    def __init__(
        self, library: "Library", wanted: Wanted, stopped: Callable[[], bool], tell: Callable[[Event], None]
    ) -> None:
        self._library, self._wanted, self._stopped, self._tell = library, wanted, stopped, tell
        self._known: dict[Path, Stamp] = {}  # as each file was when it was added, or failed
        self._moving: dict[Path, tuple[Stamp, float]] = {}  # and since when it is as it is
        self._unchecked = True  # something may be missing, or back
        self._absent = presence.missing(self._below())
        self._added: list[AddedDocument] = []
        self._missing: list[DocumentRef] = []
        self._back: list[DocumentRef] = []

    @property
    def still(self) -> bool:
        """Return whether every file that was seen is added."""
        return not self._moving

    @property
    def added(self) -> int:
        """Return how many documents were added or failed so far."""
        return len(self._added)

    def look(self) -> None:
        """Walk the folders, and note which files are new, changed or gone."""
        there: dict[Path, Stamp] = {}
        for found in walk([str(f) for f in self._wanted.folders if f.is_dir()], glob=self._wanted.glob):
            if isinstance(found, SourceFile) and not temporary(found.path.name) and (stamp := _stamp(found.path)):
                there[found.path] = stamp
        gone = self._known.keys() - there.keys()
        for path in gone:
            del self._known[path]
        self._unchecked = self._unchecked or bool(gone)
        now = time.monotonic()
        for path, stamp in there.items():
            if self._known.get(path) != stamp and path not in self._moving:
                self._moving[path] = (stamp, now)

    def step(self) -> None:
        """Add what stands still; when nothing moves any more, see what is missing."""
        still = []
        now = time.monotonic()
        for path, (before, since) in list(self._moving.items()):
            stamp = _stamp(path)
            if stamp is None:
                del self._moving[path]
                self._unchecked = True
            elif stamp != before:
                self._moving[path] = (stamp, now)
            elif now - since >= SETTLE:
                still.append(path)
        if still:
            self._add(still)
        if self._unchecked and not self._moving and not self._stopped():
            self._check()

    def done(self) -> Watched:
        """Return what was done so far."""
        return Watched(added=AddResult(tuple(self._added)), missing=tuple(self._missing), back=tuple(self._back))

    def _add(self, paths: Sequence[Path]) -> None:
        wanted = self._wanted
        result = self._library.add(
            list(map(str, paths)), collection=wanted.collection, profile=wanted.profile, cancel=self._stopped
        )
        self._unchecked = True  # a moved file came back under another name
        if result.interrupted:
            paths = ()
        for path in paths:
            self._known[path] = self._moving.pop(path)[0]
        for document in result.documents:
            gone = document.status == "failed" and _stamp(Path(document.source)) is None
            if document.status == "unchanged" or gone:
                continue
            if document.error is not None and document.error["code"] == LibraryBusy.code:
                self._known.pop(Path(document.source), None)  # to be tried again
            self._added.append(document)
            why = "" if document.error is None else document.error["message"]
            self._tell(Event(document.status, document.title or document.source, why))

    def _check(self) -> None:
        self._unchecked = False
        presence.check(self._library.database, self._below())
        documents = self._below()
        gone, back = presence.changes(self._absent, documents)
        self._absent = presence.missing(documents)
        for status, found, told in (("missing", gone, self._missing), ("back", back, self._back)):
            for document in found:
                told.append(DocumentRef(document.id, document.title, next(iter(document.sources), None)))
                self._tell(Event(status, document.title))

    def _below(self) -> list[StoredDocument]:
        """Return the documents of files in the folders that are there: of a disk that is not connected none is gone."""
        folders = [str(f) for f in self._wanted.folders if f.is_dir()]
        with self._library.database.read() as c:
            return [d for d in stored.list_documents(c) if any(presence.below(d, f) for f in folders)]


def _stamp(path: Path) -> Stamp | None:
    """Return size and time of a file; None where there is none, or nothing in it yet."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if found.st_size else None
