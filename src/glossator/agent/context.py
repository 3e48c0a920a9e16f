"""What a tool is given: a reader clipped to the scope, what it may ask of the library, where the person reads."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from glossator.agent.desk import Desk
from glossator.agent.reach import Reach
from glossator.errors import Ambiguous, NotFound
from glossator.library.reader import Opened, Reader

if TYPE_CHECKING:
    from glossator.agent.ledger import Sending
    from glossator.document.locator import Locator
    from glossator.messages import Part

LISTED = 8  # documents in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingState:
    """Where the person is: the open document (its key), what is selected in it, the section and the position."""

    document: int | None = None
    selection: tuple[int, int] | None = None
    section: int | None = None
    position: int | None = None


class Passages:
    """The passages that a run has shown to its model, numbered in the order they came; one place keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._lock = threading.Lock()

    def number(self, document: int, start: int, end: int) -> int:
        """Return the number of a passage, a new one when it was not shown before."""
        with self._lock:
            return self._numbers.setdefault((document, start, end), len(self._numbers) + 1)

    def all(self) -> list[tuple[int, int, int]]:
        """Return document, start and end of all of them by number."""
        with self._lock:
            return list(self._numbers)


def _ignore(_: "Part") -> None:
    return None


def _unheard(_: "Sending") -> None:
    return None


@dataclass(frozen=True, slots=True)
class Intent:
    """What a tool would do, for a person to allow or not; as a text it is the call in words."""

    tool: str
    args: Mapping[str, Any]

    def __str__(self) -> str:
        told = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False, default=str)}" for k, v in self.args.items())
        return f"{self.tool}({told})"


def _refuse(_: Intent) -> bool:
    return False


def _go_on() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """What a tool may hold. Text comes from `reader` only, which shows nothing outside the scope of the run.

    `library` is the part of the façade that tools may use, every call under the bound of the run. `emit` shows a part
    (progress, a citation) at once, from any thread. `allow` holds what the person permitted (`files`, `web`, …),
    `approve` asks them, `reach` says which folders, addresses and skills there are. `told` hears of each request
    that leaves the program. `stopped` tells a long tool to give up.
    """

    reader: Reader
    library: Desk
    state: ReadingState = ReadingState()
    passages: Passages = field(default_factory=Passages)
    emit: "Callable[[Part], None]" = _ignore
    allow: frozenset[str] = frozenset()
    approve: Callable[[Intent], bool] = _refuse
    reach: Reach = field(default_factory=Reach)
    told: "Callable[[Sending], None]" = _unheard
    stopped: Callable[[], bool] = _go_on

    def open(self, name: str | None) -> Opened:
        """Return the document of the scope that a model means: by id or title; without a name the one that is open.

        Raises:
            NotFound: there is none, or the name fits several; the message lists those there are.
        """
        documents = self.reader.documents()
        if name is None:
            if self.state.document is not None:
                return self.reader.open(self.state.document)
            if len(documents) == 1:
                return self.reader.open(documents[0].key)
            raise Ambiguous("say which document", hint=_listed([(d.id, d.title) for d in documents]))
        wanted = name.strip().strip("《》“”\"'").casefold()
        for fits in (
            [d for d in documents if d.id == wanted],
            [d for d in documents if d.title.casefold() == wanted],
            [d for d in documents if len(wanted) >= 4 and d.id.startswith(wanted)],
            [d for d in documents if wanted and wanted in d.title.casefold()],
        ):
            if len(fits) == 1:
                return self.reader.open(fits[0].key)
            if fits:
                raise Ambiguous(f"{name!r} fits several", hint=_listed([(d.id, d.title) for d in fits]))
        raise NotFound(f"no document {name!r} is in the scope", hint=_listed([(d.id, d.title) for d in documents]))

    def passage(self, opened: Opened, start: int, end: int) -> str:
        """Return a passage as a model is shown it: numbered, with its place, fenced as data."""
        text, locator = self.reader.excerpt(opened, start, end)
        number = self.passages.number(opened.document.key, start, locator.end)
        return fenced(text, number=number, opened=opened, locator=locator)


def fenced(text: str, *, number: int, opened: Opened, locator: "Locator") -> str:
    """Return text between marks that say: this is data out of a document, and where it stands."""
    place = [f'document="{opened.document.id}"', f'title="{_attribute(opened.document.title)}"']
    if locator.section_path:
        place.append(f'section="{_attribute(" › ".join(locator.section_path))}"')
    if locator.page is not None:
        place.append(f'page="{locator.page}"')
    place.append(f'at="{locator.start}-{locator.end}"')
    inert = text.replace("</passage", "<\u200b/passage").replace("<passage", "<\u200bpassage")
    return f'<passage n="{number}" {" ".join(place)}>\n{inert}\n</passage>'


def _attribute(text: str) -> str:
    return " ".join(text.split()).replace('"', "'").replace("<", "‹").replace(">", "›")


def _listed(documents: Sequence[tuple[str, str]]) -> str:
    if not documents:
        return "there are no documents in the scope"
    more = f"; and {len(documents) - LISTED} more" if len(documents) > LISTED else ""
    return "; ".join(f"{identifier} “{title}”" for identifier, title in documents[:LISTED]) + more
