"""Conversations of a library: kept whole, shown as far as the reader may see.

A message remembers what it can have been made from (`Reach`). Under a bound smaller than that it is left out, and with
it what would tell of it: it is counted nowhere, and where it is the first one, the session's title goes with it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import apsw

from glossator.library.bounds import cap_of, check_bound
from glossator.library.conversations import SessionEntry, SessionExport, SessionList, SessionRemoved, SessionView
from glossator.library.results import Bound
from glossator.library.scoping import the_document
from glossator.messages import WHOLE, Limit, Message, Part, Reach, Role, text_of
from glossator.store import documents as stored_documents
from glossator.store import sessions as stored
from glossator.store.progress import all_progress
from glossator.store.sessions import ALL, Page, StoredSession

if TYPE_CHECKING:
    from glossator.store.database import Database

Format = Literal["json", "markdown"]
DEFAULT = Bound()
TITLE = 80  # characters of the first words that become a title
LEFT_OUT = "Messages made from parts that are hidden now are left out; --uncapped shows them."


class Sessions:
    """The conversations of a library."""

    def __init__(self, database: "Database") -> None:
        """Take the library's open file."""
        self.database = database

    def start(self, title: str = "", *, metadata: Mapping[str, Any] | None = None) -> SessionEntry:
        """Begin a session; without a title it gets the first words that a person says in it."""
        with self.database.write() as c:
            return _entry(stored.insert_session(c, title.strip(), metadata), 0, named=True)

    def append(
        self,
        session: str,
        parts: Sequence[Part],
        *,
        role: Role,
        reach: Reach = WHOLE,
        metadata: Mapping[str, Any] | None = None,
    ) -> Message:
        """Write a message at the end of a session; return it with its id. What is returned is on the disk.

        `reach` is what it can have been made from: `messages.NOTHING` where no document had a part in it.

        Raises:
            NotFound: there is no such session.
        """
        with self.database.write() as c:
            found = stored.get_session(c, session)
            message = stored.append_message(c, found.key, role=role, parts=parts, reach=reach, metadata=metadata)
            if not found.title and role == "user":
                stored.set_title(c, found.key, _titled(text_of(parts)))
            return message

    def extend(self, message: str, parts: Sequence[Part]) -> Message:
        """Add parts to a message as they come; return it.

        Raises:
            NotFound: there is no such message.
        """
        with self.database.write() as c:
            return stored.extend_message(c, message, parts)

    def list(self, *, docs: Sequence[str] = (), bound: Bound = DEFAULT) -> SessionList:
        """Return all sessions, the one that was used last first; `docs` as in `show`."""
        with self.database.read() as c:
            present = limits(c, bound, docs)
            shown: dict[int, int] = {}
            first: dict[int, bool] = {}
            for key, reach, count, _ in stored.reaches_of(c):
                seen = reach.within(present)
                first.setdefault(key, seen)
                shown[key] = shown.get(key, 0) + (count if seen else 0)
            found = stored.list_sessions(c)
        return SessionList(tuple(_entry(s, shown.get(s.key, 0), named=first.get(s.key, True)) for s in found))

    def show(self, session: str, *, page: Page = ALL, docs: Sequence[str] = (), bound: Bound = DEFAULT) -> SessionView:
        """Return a session with its messages, or a page of them; `docs` names the document of a position as bound.

        Raises:
            NotFound: there is no such session, document, or message that the page ends before.
            UsageError: a position as bound without exactly one document.
        """
        with self.database.read() as c:
            present = limits(c, bound, docs)
            found = stored.get_session(c, session)
            reaches = [(reach.within(present), count) for _, reach, count, _ in stored.reaches_of(c, found.key)]
            messages = stored.messages_of(c, found.key, page)
        visible = tuple(m for m in messages if m.reach.within(present))
        entry = _entry(found, sum(n for seen, n in reaches if seen), named=not reaches or reaches[0][0])
        return SessionView(entry, visible, None if all(seen for seen, _ in reaches) else LEFT_OUT)

    def latest(self) -> str | None:
        """Return the id of the session that was used last, or None."""
        with self.database.read() as c:
            return next((s.id for s in stored.list_sessions(c)), None)

    def remove(self, session: str) -> SessionRemoved:
        """Remove a session with its messages.

        Raises:
            NotFound: there is no such session.
        """
        with self.database.write() as c:
            found = stored.get_session(c, session)
            stored.remove_session(c, found.key)
        return SessionRemoved(found.id)

    def export(
        self,
        session: str,
        output: Path | None = None,
        *,
        form: Format = "json",
        force: bool = False,
        docs: Sequence[str] = (),
        bound: Bound = DEFAULT,
    ) -> SessionExport:
        """Write a session to a file, whole or not at all, or return it; `form` says how.

        Raises:
            NotFound: there is no such session.
            StoreError: the file is there already and `force` is not given, or it cannot be written.
        """
        import json

        from glossator.library.writing import write_text

        view = self.show(session, docs=docs, bound=bound)
        content = json.dumps(view.to_json(), ensure_ascii=False, indent=2) + "\n"
        if form == "markdown":
            content = view.to_markdown()
        if output is not None:
            write_text(output, content, force=force)
        return SessionExport(None if output is None else str(output.absolute()), len(view.messages), content)


def limits(c: apsw.Connection, bound: Bound, docs: Sequence[str] = ()) -> dict[str, Limit]:
    """Return the documents of the library of which something is hidden under the bound, by id, and from where on.

    A position as bound holds for the one document of `docs`; all others keep their default.

    Raises:
        UsageError: a position as bound without exactly one document.
        NotFound: a name in `docs` that is not there.
    """
    check_bound(bound, len(docs) if docs else None)
    everywhere = Bound() if isinstance(bound.up_to, int) else bound
    special = {the_document(c, name).key for name in docs} if isinstance(bound.up_to, int) else set()
    progress = all_progress(c)
    by_progress = everywhere.up_to == "progress"
    cappable = stored_documents.list_documents(c) if by_progress else stored_documents.list_unfinished(c)
    cappable += [stored_documents.get_document(c, key) for key in special - {d.key for d in cappable}]
    found: dict[str, Limit] = {}
    for document in cappable:
        here = bound if document.key in special else everywhere
        cap = cap_of(document, progress.get(document.key), here)
        if cap is not None:
            found[document.id] = Limit(end=cap, text_version=document.text_version)
    return found


def reach_of(documents: Sequence[str] | None, limited: Mapping[str, Limit]) -> Reach:
    """Return the reach of what is made from these documents (ids; None: from any) under such limits."""
    kept = limited if documents is None else {d: limited[d] for d in documents if d in limited}
    return Reach(documents=None if documents is None else tuple(documents), limits=dict(kept))


def reach_under(database: "Database", documents: Sequence[str] | None, bound: Bound) -> Reach:
    """Return the reach of what is made now from these documents (ids; None: from any) under a bound.

    Raises: as `limits`.
    """
    with database.read() as c:
        return reach_of(documents, limits(c, bound, documents or ()))


def _entry(session: StoredSession, messages: int, *, named: bool) -> SessionEntry:
    return SessionEntry(
        id=session.id,
        title=session.title if named else None,
        created=session.created,
        updated=session.updated,
        messages=messages,
    )


def _titled(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= TITLE else words[: TITLE - 1].rstrip() + "…"
