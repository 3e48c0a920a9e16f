"""`library.memory`: what the agent keeps in mind across sessions, as the person may see, and remove, it.

A memory remembers what it can have been made from, as a message does. Under a smaller bound it is left out, so that
what was kept while a whole book was open tells nothing once the book is hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.library.results import Bound, Json, with_notice
from glossator.library.scoping import the_document
from glossator.library.sessions import limits
from glossator.messages import WHOLE, Reach
from glossator.store import memory as stored
from glossator.store.memory import Kind

if TYPE_CHECKING:
    from glossator.store.database import Database

DEFAULT = Bound()
LEFT_OUT = "What was remembered from parts that are hidden now is left out; --uncapped shows it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A fact or a preference; `document` is id and title of what it is about, if one. `hidden`: by the bound."""

    id: str
    kind: Kind
    text: str
    document: tuple[str, str] | None
    created: str
    updated: str
    hidden: bool = False

    def to_json(self) -> Json:
        """Return the entry of `memories`."""
        about = None if self.document is None else {"id": self.document[0], "title": self.document[1]}
        return {
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "document": about,
            "created": self.created,
            "updated": self.updated,
        }


@dataclass(frozen=True, slots=True)
class MemoryList:
    """Memories, the newest first."""

    memories: tuple[Remembered, ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `memory list`."""
        return with_notice({"memories": [m.to_json() for m in self.memories]}, self.notice)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Memories that are gone."""

    ids: tuple[str, ...]

    def to_json(self) -> Json:
        """Return the JSON of `memory remove`."""
        return {"removed": list(self.ids)}


class Memories:
    """The memories of a library."""

    def __init__(self, database: "Database") -> None:
        """Take the library's open file."""
        self.database = database

    def keep(self, text: str, *, kind: Kind = "fact", doc: str | None = None, reach: Reach = WHOLE) -> Remembered:
        """Remember something; `reach` is what it can have been made from, `doc` what it is about. Return it.

        Raises:
            NotFound: no such document.
            UsageError: nothing to remember, or too much.
        """
        with self.database.write() as c:
            about = None if doc is None else the_document(c, doc).key
            return _told(stored.keep_memory(c, text, kind=kind, reach=reach, document=about), hidden=False)

    def list(self, *, docs: Sequence[str] = (), bound: Bound = DEFAULT) -> MemoryList:
        """Return what is remembered, without what a bound hides; `docs` as in `library.sessions.show`.

        Raises:
            UsageError: a position as bound without exactly one document.
        """
        found = self.all(docs=docs, bound=bound)
        hidden = any(m.hidden for m in found)
        return MemoryList(tuple(m for m in found if not m.hidden), LEFT_OUT if hidden else None)

    def all(self, *, docs: Sequence[str] = (), bound: Bound = DEFAULT) -> tuple[Remembered, ...]:
        """Return all there is, each with whether the bound hides it: for callers that check words themselves."""
        with self.database.read() as c:
            present = limits(c, bound, docs)
            return tuple(_told(m, hidden=not m.reach.within(present)) for m in stored.list_memories(c))

    def remove(self, names: Sequence[str]) -> Forgotten:
        """Remove memories by id; all of them or, when one is not there, none.

        Raises:
            NotFound: there is no such memory.
        """
        with self.database.write() as c:
            found = [stored.get_memory(c, name) for name in names]
            for memory in found:
                stored.remove_memory(c, memory.key)
        return Forgotten(tuple(dict.fromkeys(m.id for m in found)))


def _told(memory: stored.Memory, *, hidden: bool) -> Remembered:
    return Remembered(
        id=memory.id,
        kind=memory.kind,
        text=memory.text,
        document=memory.document,
        created=memory.created,
        updated=memory.updated,
        hidden=hidden,
    )
