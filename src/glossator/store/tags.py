"""Tags: short names that a person gives to documents and to notes. A tag that nothing has any longer is gone."""

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from glossator.document.model import clean
from glossator.errors import NotFound, UsageError
from glossator.store.sql import rows, value


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag of documents; `documents` is how many have it."""

    key: int
    name: str
    documents: int


def tag_name(name: str) -> str:
    """Return the name as it is kept: on one line, without white space around it.

    Raises:
        UsageError: nothing is left.
    """
    kept = " ".join(clean(name).split())
    if not kept:
        raise UsageError("a tag needs a name", hint="give one that is not empty")
    return kept


def ensure_tag(c: apsw.Connection, name: str) -> int:
    """Return the key of the tag of that name, made when it is not there.

    Raises:
        UsageError: the name is empty.
    """
    kept = tag_name(name)
    c.execute("insert into tag(name) values (?) on conflict(name) do nothing", (kept,))
    return int(value(c, "select key from tag where name = ?", (kept,)))


def list_tags(c: apsw.Connection) -> list[Tag]:
    """Return the tags of documents, by name."""
    found = rows(
        c,
        "select t.key, t.name, count(*) from tag t join document_tag d on d.tag = t.key group by t.key order by t.name",
    )
    return [Tag(key=key, name=name, documents=documents) for key, name, documents in found]


def get_tag(c: apsw.Connection, name: str) -> Tag:
    """Return a tag of documents by its name.

    Raises:
        NotFound: no document has it; the hint lists those there are.
    """
    there = list_tags(c)
    for tag in there:
        if tag.name == tag_name(name):
            return tag
    names = ", ".join(t.name for t in there[:20]) or "none yet; `glossator tag add NAME DOC` gives one"
    raise NotFound(f"no document has the tag {name!r}", hint=f"tags: {names}")


def tag_documents(c: apsw.Connection, tag: int, documents: Iterable[int]) -> None:
    """Give documents (keys) a tag."""
    c.executemany("insert or ignore into document_tag(document, tag) values (?,?)", ((d, tag) for d in documents))


def untag_documents(c: apsw.Connection, tag: int, documents: Iterable[int] | None = None) -> None:
    """Take a tag from documents (keys; None: from all); notes keep it."""
    if documents is None:
        c.execute("delete from document_tag where tag = ?", (tag,))
    else:
        c.executemany("delete from document_tag where tag = ? and document = ?", ((tag, d) for d in documents))
    drop_unused(c)


def drop_unused(c: apsw.Connection) -> None:
    """Remove the tags that neither a document nor a note has."""
    c.execute(
        "delete from tag where key not in (select tag from document_tag)"
        " and key not in (select tag from annotation_tag)"
    )


def tags_of(c: apsw.Connection) -> dict[int, tuple[str, ...]]:
    """Return the tags of every document that has some, by document key, each document's by name."""
    found: dict[int, list[str]] = {}
    sql = "select d.document, t.name from document_tag d join tag t on t.key = d.tag order by t.name"
    for document, name in rows(c, sql):
        found.setdefault(document, []).append(name)
    return {document: tuple(names) for document, names in found.items()}


def tagged(c: apsw.Connection, tag: int) -> frozenset[int]:
    """Return the keys of the documents that have a tag."""
    return frozenset(key for (key,) in rows(c, "select document from document_tag where tag = ?", (tag,)))
