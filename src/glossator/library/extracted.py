"""An answer in the documents' own sentences as part of a conversation: asked, kept, and told with its session."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from glossator.library.results import Bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from glossator.library.findings import Answer
    from glossator.library.library import Library

DEFAULT = Bound()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """What is asked, of which documents, under which bound."""

    text: str
    docs: "Sequence[str]" = ()
    collections: "Sequence[str]" = ()
    tags: "Sequence[str]" = ()
    selection: tuple[int, int] | None = None
    bound: Bound = DEFAULT


def extracted(library: "Library", asked: Extract, session: str | None) -> "Answer":
    """Return the answer; where a session is named, question and answer are kept there.

    Raises: as `Library.ask`, `Library.sessions.append`.
    """
    from glossator.library.sessions import reach_under
    from glossator.messages import Citation, Part, Record, Text

    found = library.ask(
        asked.text,
        docs=asked.docs,
        collections=asked.collections,
        tags=asked.tags,
        selection=asked.selection,
        bound=asked.bound,
    )
    if session is None:
        return found
    named = library.scope(asked.docs, asked.collections, tags=asked.tags, bound=asked.bound).named
    reach = reach_under(library.database, None if named is None else [d.id for d in named], asked.bound)
    said = library.sessions.append(session, [Text(asked.text)], role="user", reach=reach)
    parts: list[Part] = [Text(found.text)]
    parts += [
        Citation(n=c.n, status=c.status, quote=c.quote, document=c.document.to_json(), locator=c.locator.to_json())
        for c in found.citations
    ]
    parts.append(Record({"model": found.model, "abstained": found.abstained, "notice": found.notice}))
    library.sessions.append(session, parts, role="assistant", reach=reach, metadata={"question": said.id})
    return replace(found, session=session)
