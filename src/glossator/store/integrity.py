"""What `doctor` asks of the library file: whether SQLite finds it whole, and whether its tables agree.

Each check returns what is wrong as short texts, nothing when all is well; none of them changes anything.
"""

from collections.abc import Callable, Iterator, Mapping

import apsw

from glossator.document.model import text_version
from glossator.store.content import full_text
from glossator.store.sql import rows

LISTED = 20  # findings told of one check


def damaged_pages(c: apsw.Connection) -> list[str]:
    """Return what SQLite's own check of the file finds: broken pages, indexes that miss rows."""
    # FTS5 checks what it holds in memory; a query makes it look whether another connection has written since
    rows(c, "select rowid from annotation_words where annotation_words match 'a' limit 1")
    return [text for (text,) in rows(c, "pragma integrity_check(20)") if text != "ok"]


def orphan_rows(c: apsw.Connection) -> list[str]:
    """Return rows that point at rows which are gone."""
    found = rows(c, 'select "table", count(*) from pragma_foreign_key_check group by 1')
    return [f"{count} rows of {table} belong to nothing" for table, count in found]


def wrong_texts(c: apsw.Connection) -> list[str]:
    """Return documents whose stored text is not the one that their positions count in."""
    found = [
        f"the text of “{title}” has {length} characters, not the {characters} it was stored with"
        for _, title, length, characters in _damaged_texts(c)
    ]
    return found[:LISTED]


def documents_with_wrong_text(c: apsw.Connection) -> list[int]:
    """Return the keys of the documents that `wrong_texts` names, all of them."""
    return [key for key, *_ in _damaged_texts(c)]


def _damaged_texts(c: apsw.Connection) -> Iterator[tuple[int, str, int, int]]:
    sql = "select d.key, d.title, t.characters, t.text_version from document d join content t on t.document = d.key"
    for key, title, characters, version in rows(c, sql):
        text = full_text(c, key)
        if len(text) != characters or text_version(text) != version:
            yield key, title, len(text), characters


def wrong_counts(c: apsw.Connection) -> list[str]:
    """Return documents without content, and those whose chunks or vectors are not as many as noted."""
    queries: Mapping[str, str] = {
        "“{}” has no content": "select title from document where key not in (select document from content)",
        "“{}” has other chunks than noted": (
            "select d.title from document d join content t on t.document = d.key where t.chunks <>"
            " (select count(*) from chunk x where x.document = d.key and x.id >= t.first_chunk"
            " and x.id < t.first_chunk + t.chunks) or exists (select 1 from chunk x where x.document = d.key"
            " and (x.id < t.first_chunk or x.id >= t.first_chunk + t.chunks))"
        ),
        "“{}” has chunks that are in no search index": (
            "select d.title from document d join content t on t.document = d.key where t.chunks > 0 and not exists"
            " (select 1 from lexical_segment s where s.first <= t.first_chunk"
            " and s.first + s.chunks >= t.first_chunk + t.chunks)"
        ),
        "“{}” is said to have all vectors, and lacks some": (
            "select d.title from document d join content t on t.document = d.key where t.vectors = 'ready' and exists"
            " (select 1 from chunk x where x.document = d.key and not exists (select 1 from vector v"
            " join embedder e on e.key = v.embedder where v.chunk = x.id and e.spec = t.embedder))"
        ),
    }
    return [words.format(title) for words, sql in queries.items() for (title,) in rows(c, sql)][:LISTED]


CHECKS: Mapping[str, Callable[[apsw.Connection], list[str]]] = {
    "file": damaged_pages,
    "rows": orphan_rows,
    "texts": wrong_texts,
    "counts": wrong_counts,
}
