"""Full-text search over notes: what was marked, what was written to it, and its tags.

The words of a note are one row of an FTS5 table, made of the terms of `index.tokens`: Chinese in pairs of characters
and single ones, English stemmed lightly. They are derived from the note and written in the transaction that changes it;
a removed note's words go with it.

A query's words must all be in a note; where none has them all, notes with any of them are found. A phrase in quotation
marks must stand as it is in either case, and what is excluded must not. Limit: a phrase that runs from the quotation
into the body is found, too.
"""

from collections.abc import Sequence

import apsw

from glossator.errors import UsageError
from glossator.index.tokens import ASIDE, TOKENIZER, query_tokens, tokens
from glossator.store.annotations import tags_of
from glossator.store.content import dump
from glossator.store.noted import Filter, match_notes
from glossator.store.sql import rows, value

BATCH = 1_000  # notes whose words are made at once


def index_annotations(c: apsw.Connection, keys: Sequence[int]) -> None:
    """Write the words of some notes anew."""
    if keys:
        c.execute("insert or ignore into meta values ('note_tokens', ?)", (TOKENIZER,))
    for first in range(0, len(keys), BATCH):
        some = keys[first : first + BATCH]
        tags = tags_of(c, some)
        sql = "select a.key, a.quote, a.body from json_each(?) k cross join annotation a on a.key = k.value"
        found = rows(c, sql, (dump(list(some)),))
        c.executemany("delete from annotation_words where rowid = ?", ((key,) for key, _, _ in found))
        c.executemany(
            "insert into annotation_words(rowid, words) values (?,?)",
            ((key, _words("\n".join([quote, body, *tags.get(key, ())]))) for key, quote, body in found),
        )


def index_all_annotations(c: apsw.Connection) -> int:
    """Write the words of every note anew, as after a change of the tokens; return how many notes there are."""
    keys = [key for (key,) in rows(c, "select key from annotation order by key")]
    c.execute("insert into annotation_words(annotation_words) values ('delete-all')")
    c.execute("delete from meta where key = 'note_tokens'")
    index_annotations(c, keys)
    return len(keys)


def wrong_words(c: apsw.Connection) -> list[str]:
    """Return what is amiss with the words of notes; they can be made again."""
    found = []
    if value(c, "select value from meta where key = 'note_tokens'") not in (None, TOKENIZER):
        found.append("the words of notes were made by other rules")
    missing = value(c, "select count(*) from annotation where key not in (select id from annotation_words_docsize)")
    extra = value(c, "select count(*) from annotation_words_docsize where id not in (select key from annotation)")
    if missing or extra:
        found.append(f"{missing} notes cannot be found by their words, and {extra} are there without their note")
    return found


def search_notes(  # noqa: PLR0913  the query taken apart, and which part of the answer is wanted
    c: apsw.Connection,
    text: str,
    wanted: Filter,
    *,
    phrases: Sequence[str] = (),
    excluded: Sequence[str] = (),
    limit: int | None = None,
    offset: int = 0,
) -> tuple[list[int], int]:
    """Return the keys of the notes that fit a query, the best first, and how many there are.

    Raises:
        UsageError: the query holds no word.
    """
    terms = list(dict.fromkeys(query_tokens(text)))
    if not terms:
        raise UsageError(f"{text!r} holds no word to look for", hint="give a word of the note, its quotation or a tag")
    for joint in (" AND ", " OR ") if len(terms) > 1 else (" AND ",):
        match = "(" + joint.join(map(_quoted, terms)) + ")"
        match += "".join(f" AND {_phrase(phrase)}" for phrase in phrases)
        match += "".join(f" NOT {_phrase(phrase)}" for phrase in excluded)
        found, total = match_notes(c, match, wanted, limit=limit, offset=offset)
        if total:
            break
    return found, total


def _words(text: str) -> str:
    return " ".join(tokens(text))


def _phrase(text: str) -> str:
    """Return phrases of FTS5: the terms in their order; of Chinese the pairs, which come before the single ones."""
    groups: list[list[str]] = [[]]
    terms = tokens(text)
    pairs = any(len(term) > 1 and not term.startswith(ASIDE) for term in terms)
    for term in terms:
        if pairs and term.startswith(ASIDE) and not term[1:].isascii():
            groups.append([])
        else:
            groups[-1].append(term)
    return "(" + " AND ".join(_quoted(" ".join(group)) for group in groups if group) + ")"


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
