"""What a language model said to spans of documents: derived, and kept so that the same is not asked twice.

A reply is found by the fingerprint of all it was made from (model, instructions, words sent). It remembers up to where
the document was visible, and is used only where at least as much is visible now. Replies to an older text go when the
next one is kept.
"""

from dataclasses import dataclass

import apsw

from glossator.store.database import now
from glossator.store.sql import value


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """From what a reply was made: a fingerprint of it, the span of a document and its text, what was visible."""

    fingerprint: str
    document: int
    start: int
    end: int
    text_version: str
    bound: int
    model: str


def kept_reply(c: apsw.Connection, made: Made) -> str | None:
    """Return the reply that was kept for the same words, made when no more was visible; None when there is none."""
    found: str | None = value(
        c,
        "select text from reply where fingerprint = ? and bound <= ? and document = ? order by bound desc limit 1",
        (made.fingerprint, made.bound, made.document),
    )
    return found


def keep_reply(c: apsw.Connection, made: Made, text: str) -> None:
    """Keep a reply; those to other versions of the document's text are removed."""
    c.execute("delete from reply where document = ? and text_version <> ?", (made.document, made.text_version))
    c.execute(
        'insert or replace into reply(fingerprint, bound, document, start, "end", text_version, model, text, made)'
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            made.fingerprint,
            made.bound,
            made.document,
            made.start,
            made.end,
            made.text_version,
            made.model,
            text,
            now(),
        ),
    )


def count_replies(c: apsw.Connection, document: int) -> int:
    """Return how many replies are kept for a document."""
    return int(value(c, "select count(*) from reply where document = ?", (document,)))
