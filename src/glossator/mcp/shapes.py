"""What the tools answer, as types: the output schemas of the server are made of them.

Keys are those of the commands' JSON. A locator leaves out what a model pays for and does not need: the quotation, which
stands beside it, and boxes on the page; it has a `link` to cite it by.
"""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Json = dict[str, Any]


class Ref(TypedDict):
    """A document beside a passage."""

    id: str
    title: str
    source: str | None


class Titled(TypedDict):
    """A document as a note names it: it may be gone."""

    id: str
    title: str


class Section(TypedDict):
    """A section: its number in the contents, its titles from the outermost inwards."""

    number: int
    path: list[str]


class Locator(TypedDict):
    """Where a passage stands: `[start, end)` in characters of the document's text, and the link that cites it."""

    document: str
    text_version: str
    start: int
    end: int
    section: Section | None
    page: int | None
    page_label: str | None
    cfi: str | None
    link: str


class Hit(TypedDict):
    """A passage, word for word."""

    rank: int
    text: str
    document: Ref
    locator: Locator


class Hits(TypedDict):
    """Passages, best first; `notice` says what was left out or cannot be searched."""

    hits: list[Hit]
    notice: str | None


class Ingested(TypedDict):
    """What became of a source: `message` says what changed."""

    message: str
    document: str
    title: str | None
    source: str
    status: Literal["added", "updated", "unchanged", "quarantined"]
    chunks: int
    vectors: str
    warnings: list[str]


class Source(TypedDict):
    """A document with where it came from."""

    id: str
    title: str
    source: str | None
    format: str
    status: str
    passages: int
    vectors: str


class Sources(TypedDict):
    """Documents by title; `total` is how many there are, `notice` says which are not listed."""

    sources: list[Source]
    total: int
    notice: str | None


class Vectors(TypedDict):
    """Of how many documents the vectors are ready, on their way, or not made."""

    ready: int
    pending: int
    none: int


class Status(TypedDict):
    """The state of the library; `model` answers `ask` ("none": the documents' own sentences)."""

    library: str
    exists: bool
    documents: int
    passages: int
    vectors: Vectors
    not_ready: list[str]
    model: str


class Deleted(TypedDict):
    """What is gone."""

    message: str
    removed: str
    title: str
    passages: int
    notes: str


class ReadText(TypedDict):
    """A part of a document, word for word; `next` is the position to read on from, null at the end."""

    id: str
    title: str
    text: str
    start: int | None
    end: int | None
    next: int | None
    notice: str | None


class Entry(TypedDict):
    """An entry of the contents; what is hidden has its number and level only."""

    number: int
    level: int
    title: str | None
    start: int | None
    end: int | None
    page: int | None


class Contents(TypedDict):
    """The contents of a document."""

    id: str
    title: str | None
    authors: list[str]
    language: str | None
    contents: list[Entry]
    notice: str | None


class Near(TypedDict):
    """Words that are alike."""

    document: str
    text: str
    score: float
    locator: Locator


class Located(TypedDict):
    """Where a quotation stands, and what was forgiven to find it; `near`: candidates when it was not found."""

    status: Literal["verified", "repaired", "not_found"]
    repairs: list[str]
    occurrences: int
    document: str | None
    locator: Locator | None
    near: list[Near]
    notice: str | None


class Note(TypedDict):
    """A note or highlight at words of a document; `locator` is null when they are not in it any more."""

    id: str
    document: Titled
    quote: str
    body: str
    color: str
    tags: list[str]
    state: str
    locator: Locator | None
    created: str
    updated: str


class Notes(TypedDict):
    """Notes, best first; `total` is how many fit."""

    notes: list[Note]
    total: int
    notice: str | None


class Citation(TypedDict):
    """A receipt: the source's own words, found where the locator says."""

    n: int
    status: str
    quote: str
    document: Ref
    locator: Locator


class Answer(TypedDict):
    """An answer with its receipts; `abstained`: nothing in the library answers."""

    answer: str
    abstained: bool
    citations: list[Citation]
    rejected: list[Json]
    session: str | None
    model: str
    stopped: str | None
    notice: NotRequired[str | None]


def locator(full: Json) -> Locator:
    """Return a locator as short as a model needs it."""
    return {
        "document": full["document"],
        "text_version": full["text_version"],
        "start": full["start"],
        "end": full["end"],
        "section": full.get("section"),
        "page": full.get("page"),
        "page_label": full.get("page_label"),
        "cfi": full.get("cfi"),
        "link": f"glossator://document/{full['document']}?start={full['start']}&end={full['end']}",
    }


def note(full: Json) -> Note:
    """Return a note as short as a model needs it."""
    return {
        "id": full["id"],
        "document": full["document"],
        "quote": full["quote"],
        "body": full["body"],
        "color": full["color"],
        "tags": full["tags"],
        "state": full["state"],
        "locator": None if full["locator"] is None else locator(full["locator"]),
        "created": full["created"],
        "updated": full["updated"],
    }
