"""The options of the reading commands as models: the table of `library.batch` with the types that OpenAPI shows."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

LARGEST = 2**53 - 1  # what JSON numbers hold exactly
NEEDED = ("query", "question", "quote", "claim", "file", "note", "session", "target")
WITH_DOCUMENT = ("show", "text", "read", "summary", "people", "map", "progress")
Place = Annotated[int, Field(ge=0, le=LARGEST)]
Count = Annotated[int, Field(ge=1, le=LARGEST)]
Name = Annotated[str, Field(max_length=4_096)]
Text = Annotated[str, Field(max_length=1_000_000)]
Names = Annotated[list[Name], Field(max_length=1_000)]
OPTIONS: Mapping[str, tuple[Any, str]] = {
    "doc": (Name, "A document: id, the beginning of one, path, title, or the beginning of one."),
    "docs": (Names | Name, "Only in these documents."),
    "collection": (Name, "Only in this collection."),
    "collections": (Names | Name, "Only in these collections."),
    "tag": (Names | Name, "Only documents or notes with one of these tags."),
    "state": (Names | Name, "Only notes in these states: exact, moved, lost."),
    "color": (Names | Name, "Only notes of these colours."),
    "up_to": (
        Place | Literal["progress"] | Annotated[str, Field(pattern=r"^([0-9]{1,15}|progress)$")],
        "Nothing past this position of the one document, or past where each was read.",
    ),
    "uncapped": (bool, "Also what unfinished books keep hidden."),
    "k": (Annotated[int, Field(ge=1, le=1_000)], "How many passages."),
    "limit": (Annotated[int, Field(ge=0, le=100_000)], "How many at most."),
    "offset": (Place, "How many to leave out first."),
    "context": (Annotated[int, Field(ge=0, le=1_000)], "How many blocks on each side."),
    "section": (Count, "Entry of the contents, from 1."),
    "page": (Count, "Physical page, from 1."),
    "preview": (Count, "The raw text of this page, too."),
    "at": (Place, "A position."),
    "mode": (Literal["hybrid", "lexical", "vector"], "By words, by meaning, or both."),
    "model": (Name, "provider:model, `local`, `remote`, or `none`."),
    "format": (Name, "markdown, json, w3c, csv or bibtex."),
    "selection": (
        Annotated[str, Field(pattern=r"^[0-9]{1,15}:[0-9]{1,15}$")]
        | Annotated[list[Place], Field(min_length=2, max_length=2)],
        "START:END in the one document.",
    ),
    "target": (Text | dict[str, Any], "A document, a note, or a locator."),
    "query": (Text, "What to look for; “…” is a phrase, -word leaves out."),
    "question": (Text, "Any text."),
    "quote": (Text, "A quotation."),
    "claim": (Text, "A sentence to hold against the documents."),
}
_EXAMPLES: Mapping[str, Any] = {
    "query": "who hid the letter",
    "question": "Who hid the letter?",
    "quote": "The letter lay behind the clock.",
    "claim": "Bees sleep at night.",
    "doc": "Bees",
    "k": 5,
    "up_to": "progress",
    "target": "Bees",
}


class Options(BaseModel):
    """Options by name; one that is not known is refused."""

    model_config = ConfigDict(extra="forbid")


def model_of(operation: str, options: Mapping[str, type]) -> type[Options]:
    """Return the model of an operation's options."""
    fields: dict[str, Any] = {}
    for name, kind in options.items():
        told, about = _told(name, kind)
        needed = name in NEEDED and not (operation == "note list" and name == "query")
        needed = needed or (name == "doc" and operation in WITH_DOCUMENT)
        examples = [_EXAMPLES[name]] if name in _EXAMPLES else None
        fields[name] = (
            (told, Field(description=about, examples=examples))
            if needed
            else (told | None, Field(default=None, description=about, examples=examples))
        )
    title = "".join(word.title() for word in operation.split()) + "Options"
    return create_model(title, __base__=Options, **fields)


def _told(name: str, kind: type) -> tuple[Any, str]:
    if kind is object and name in ("doc", "collection"):
        return OPTIONS[f"{name}s"]
    if name in OPTIONS:
        found, about = OPTIONS[name]
        return (Name, about) if kind is str and name == "tag" else (found, about)
    return (bool if kind is bool else Place if kind is int else Name), name.replace("_", " ").capitalize() + "."
