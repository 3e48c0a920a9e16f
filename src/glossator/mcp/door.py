"""How the tools reach a library: one interface, and the library opened in this process behind it.

All is synchronous and is called in a thread. A `Course` tells how far a call is, and whether its client still wants it.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from glossator.errors import NotFound, SourceError, UsageError

if TYPE_CHECKING:
    from glossator.agent.events import Event
    from glossator.choice import ModelChoice
    from glossator.library.library import Library
    from glossator.library.results import AddedDocument, IngestEvent

Json = dict[str, Any]


def _untold(done: float, total: float | None, message: str) -> None:  # noqa: ARG001
    return None


@dataclass(frozen=True, slots=True)
class Course:
    """One call on its way: `tell` reports progress (done, total, words), `stopped` is set when nobody waits any more.

    `on_stop` takes what ends the call at once.
    """

    tell: Callable[[float, float | None, str], None] = _untold
    stopped: threading.Event = field(default_factory=threading.Event)
    endings: list[Callable[[], None]] = field(default_factory=list)

    def on_stop(self, end: Callable[[], None]) -> None:
        """Have `end` called when the call is cancelled, now if it is already."""
        self.endings.append(end)
        if self.stopped.is_set():
            end()

    def stop(self) -> None:
        """Cancel the call."""
        self.stopped.set()
        for end in self.endings:
            end()


class Door(Protocol):
    """What the tools ask of a library. Every method raises `GlossatorError` subclasses only."""

    folder: Path
    model: str

    def exists(self) -> bool:
        """Tell whether the library is there."""

    def warm(self) -> None:
        """Load what a search needs, so that the first one does not wait for it."""

    def perform(self, operation: str, options: Json) -> Json:
        """Return the JSON of a reading command."""

    def ask(self, options: Json, course: Course) -> Json:
        """Return the JSON of `ask`."""

    def ingest(self, options: Json, course: Course) -> Json:
        """Bring in a `path`, `url` or `text`; return the entry of `add`."""

    def remove(self, document: str) -> Json:
        """Take a document out; return the JSON of `remove`."""

    def add_note(self, options: Json) -> Json:
        """Make a note; return its JSON."""


class Here:
    """The library, opened in this process when it is first asked for."""

    def __init__(
        self,
        folder: Path,
        *,
        embedder: str | None = None,
        choice: "ModelChoice | None" = None,
        folders: Sequence[Path] = (),
        up_to: str | None = None,
    ) -> None:
        """Take what the settings say: the library, the model that answers, the folders that files may come from.

        `up_to` "progress" bounds every call to what was read.
        """
        self.folder = folder
        self.model = "none" if choice is None else choice.spec
        self._choice = choice
        self._embedder = embedder
        self._folders = tuple(folders)
        self._bound: Json = {} if up_to is None else {"up_to": up_to}
        self._library: Library | None = None
        self._lock = threading.Lock()

    def exists(self) -> bool:
        """Tell whether there is a library in the folder."""
        from glossator.store.database import LIBRARY_FILE

        return (self.folder / LIBRARY_FILE).is_file()

    def library(self, *, create: bool = False) -> "Library":
        """Return the open library.

        Raises:
            NotFound: there is none, and `create` is False.
        """
        from glossator.library.library import Library

        with self._lock:
            if self._library is None:
                self._library = Library.open(self.folder, create=create, embedder=self._embedder)
            return self._library

    def close(self) -> None:
        """Release the library."""
        if self._library is not None:
            self._library.close()

    def warm(self) -> None:
        """Load what a search needs, so that the first one does not wait for it."""
        if self.exists():
            with self.library().database.read() as c:
                self.library().indexes().snapshot(c)

    def perform(self, operation: str, options: Json) -> Json:
        """Return the JSON of a reading command, under the bound of this server."""
        from glossator.library.batch import answer

        return answer(self.library(), operation, self.bounded(operation, options))

    def bounded(self, operation: str, options: Json) -> Json:
        """Return the options of a reading command with the bound of this server, where it takes one."""
        from glossator.library.batch import OPERATIONS

        known = OPERATIONS.get(operation, ((), None))[0]
        return options | (self._bound if "up_to" in known else {})

    def ask(self, options: Json, course: Course) -> Json:
        """Return an answer of the model that the settings choose, else the documents' own sentences."""
        if self._choice is None:
            return self.perform("ask", options)
        from glossator.agent.answering import Question, ask, asked
        from glossator.agent.run import Stop

        question = Question(
            text=options["question"],
            docs=options.get("doc") or (),
            collections=options.get("collection") or (),
            bound=self._limit(),
        )
        stop, told = Stop(), _Steps(course)
        course.on_stop(stop.set)
        return ask(self.library(), question, asked(self._choice), stop=stop, told=told.hear).to_json()

    def ingest(self, options: Json, course: Course) -> Json:
        """Bring in one source: a file of the allowed folders, a public page, or a text.

        Raises:
            UsageError: not exactly one of path, url and text; a path outside the folders.
            SourceError: it cannot be read, or its address is not a public one.
        """
        from glossator.agent.desk import Desk

        given = [name for name in ("path", "url", "text") if options.get(name) is not None]
        if len(given) != 1:
            raise UsageError("exactly one of path, url and text is needed", hint="name one source")
        desk = Desk(self.library(create=True), bound=self._limit())
        hooks: Any = {"progress": lambda event: _told(course, event), "cancel": course.stopped.is_set}
        if given == ["text"]:
            text = options["text"]
            if not text.strip():
                raise UsageError("the text is empty", hint="give the text to keep")
            added = desk.add_text(text, options.get("source") or _first_words(text), **hooks)
        else:
            added = desk.add(self._source(desk, options), **hooks)
        return _added(added)

    def remove(self, document: str) -> Json:
        """Take a document out of the library; its notes are kept."""
        return self.library().remove(document).to_json()

    def add_note(self, options: Json) -> Json:
        """Make a note at words of a document."""
        library = self.library()
        document, quote, body = options["document"], options["quote"], options.get("body") or ""
        return library.notes.add(document, quote=quote, body=body, bound=self._limit()).to_json()

    def _limit(self) -> Any:
        from glossator.library.results import Bound

        return Bound(**self._bound)

    def _source(self, desk: Any, options: Json) -> str:
        if options.get("url") is not None:
            url = str(options["url"]).strip()
            if not url.lower().startswith(("http://", "https://")):
                raise UsageError(f"{url!r} is no http or https address", hint="give a full address, or use path")
            return url
        from glossator.agent.reach import Reach, readable

        return str(readable(Reach(folders=self._folders), desk, str(options["path"])))


class _Steps:
    """Tells a client which steps the agent takes."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._done = 0

    def hear(self, event: "Event") -> None:
        """Report a tool that begins."""
        from glossator.agent.events import Opened
        from glossator.messages import Tool

        if isinstance(event, Opened) and isinstance(event.part, Tool):
            self._done += 1
            self._course.tell(float(self._done), None, event.part.name)


def _told(course: Course, event: "IngestEvent") -> None:
    course.tell(float(event.done), float(event.total) or None, f"{event.stage} {Path(event.file).name}")


def _added(added: "AddedDocument") -> Json:
    if added.status == "failed" or added.id is None:
        error = added.error or {}
        kind = NotFound if error.get("code") == "not_found" else SourceError
        raise kind(error.get("message", "it cannot be read"), hint=error.get("hint", "check the source"))
    return added.to_json()


def _first_words(text: str) -> str:
    return " ".join(text.split())[:60]
