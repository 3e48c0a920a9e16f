"""Notes and highlights: made, found, changed, attached, linked."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import Field
from starlette.responses import Response

from glossator.library.results import Bound
from glossator.server.answers import answer, described
from glossator.server.house import House
from glossator.server.options import LARGEST, Name, Options, Place, Text
from glossator.server.routes_documents import Uncapped, UpTo, bound_of

Json = dict[str, Any]
Color = Literal["yellow", "green", "blue", "red", "purple"]
State = Literal["exact", "moved", "lost"]
Relation = Literal["related", "supports", "contradicts"]
Span = Annotated[list[Place], Field(min_length=2, max_length=2)]
Identifier = Annotated[str, Path(max_length=200)]
Tags = Annotated[list[Name], Field(max_length=100)]
KEYS = ("id", "document", "quote", "body", "color", "tags", "locator", "state", "links", "created", "updated")
ONE: Json = {
    "id": "n3f8k2qz",
    "document": {"id": "d4k7q2", "title": "Bees"},
    "quote": "Wax is made by young bees.",
    "body": "compare with chapter 3",
    "color": "yellow",
    "tags": ["wax"],
    "locator": {"document": "d4k7q2", "start": 120, "end": 146},
    "state": "exact",
    "links": [],
    "created": "2026-01-02T03:04:05Z",
    "updated": "2026-01-02T03:04:05Z",
}
DESCRIBED = described(KEYS, ONE, errors=(404, 409, 503))


class Limited(Options):
    """What may be seen."""

    up_to: Place | Literal["progress"] | None = None
    uncapped: bool = False

    def bound(self) -> Bound:
        """Return the bound."""
        return Bound(self.up_to, self.uncapped)


class NewNote(Limited):
    """A note at a quotation, at a span, or about a whole document."""

    doc: Name = Field(examples=["Bees"])
    quote: Text | None = Field(default=None, examples=["Wax is made by young bees."])
    occurrence: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    span: Span | None = None
    body: Text = ""
    color: Color = "yellow"
    tags: Tags = Field(default=[])


class Changed(Limited):
    """What is to be changed of a note; what is left out stays, `tags` replaces all of them."""

    body: Text | None = None
    color: Color | None = None
    tags: Tags | None = None


class Attached(Limited):
    """Where a note stands."""

    doc: Name | None = None
    quote: Text | None = None
    occurrence: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    span: Span | None = None


class Linked(Limited):
    """The other end of a link."""

    note: Name
    relation: Relation = "related"


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api/notes", tags=["notes"])
    _add_lists(made, house)
    _add_one(made, house)
    _add_links(made, house)
    return made


def _add_lists(made: APIRouter, house: House) -> None:
    notes = house.library.notes

    @made.get(
        "",
        operation_id="notes",
        response_class=Response,
        responses=described(("notes", "total"), {"notes": [ONE], "total": 1}, errors=(404, 409)),
    )
    def listed(
        doc: Annotated[list[Name], Query(max_length=1_000)] = [],  # noqa: B006  FastAPI copies it
        collection: Annotated[list[Name], Query(max_length=1_000)] = [],  # noqa: B006
        tag: Annotated[list[Name], Query(max_length=1_000)] = [],  # noqa: B006
        state: Annotated[list[State], Query()] = [],  # noqa: B006
        color: Annotated[list[Color], Query()] = [],  # noqa: B006
        query: Annotated[Name | None, Query()] = None,
        limit: Annotated[int, Query(ge=0, le=10_000)] = 1_000,
        offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Return notes: of one document in reading order, else the newest first; with a query the best first."""
        found = notes.list(
            docs=doc,
            collections=collection,
            tags=tag,
            states=state,
            colors=color,
            query=query,
            limit=limit,
            offset=offset,
            bound=bound_of(up_to, uncapped),
        )
        return answer(found.to_json())

    @made.post(
        "",
        operation_id="add_note",
        status_code=201,
        response_class=Response,
        responses=described(KEYS, ONE, status=201, errors=(404, 409, 503)),
    )
    def add(given: Annotated[NewNote, Body()]) -> Response:
        """Make a note."""
        options = given.model_dump(exclude={"doc", "span", "up_to", "uncapped"})
        return answer(notes.add(given.doc, **options, span=_span(given.span), bound=given.bound()).to_json(), 201)


def _add_one(made: APIRouter, house: House) -> None:
    notes = house.library.notes

    @made.get("/{note}", operation_id="note", response_class=Response, responses=DESCRIBED)
    def show(note: Identifier, up_to: UpTo = None, uncapped: Uncapped = False) -> Response:
        """Return a note with its links, each with the words at its other end."""
        return answer(notes.show(note, bound=bound_of(up_to, uncapped)).to_json())

    @made.patch("/{note}", operation_id="edit_note", response_class=Response, responses=DESCRIBED)
    def edit(note: Identifier, given: Annotated[Changed, Body()]) -> Response:
        """Change a note."""
        options = given.model_dump(include={"body", "color", "tags"})
        return answer(notes.edit(note, **options, bound=given.bound()).to_json())

    @made.delete(
        "/{note}",
        operation_id="remove_note",
        response_class=Response,
        responses=described(("removed",), {"removed": "n3f8k2qz"}, errors=(404, 409, 503)),
    )
    def remove(note: Identifier, up_to: UpTo = None, uncapped: Uncapped = False) -> Response:
        """Remove a note with its links; return it as it was."""
        return answer(notes.remove(note, bound=bound_of(up_to, uncapped)).to_json())

    @made.post("/{note}/attach", operation_id="attach_note", response_class=Response, responses=DESCRIBED)
    def attach(note: Identifier, given: Annotated[Attached, Body()]) -> Response:
        """Say where a note stands."""
        options = given.model_dump(include={"doc", "quote", "occurrence"})
        return answer(notes.attach(note, **options, span=_span(given.span), bound=given.bound()).to_json())


def _add_links(made: APIRouter, house: House) -> None:
    notes = house.library.notes

    @made.post("/{note}/links", operation_id="link_notes", response_class=Response, responses=DESCRIBED)
    def link(note: Identifier, given: Annotated[Linked, Body()]) -> Response:
        """Link a note to another one."""
        return answer(notes.link(note, given.note, relation=given.relation, bound=given.bound()).to_json())

    @made.delete("/{note}/links/{other}", operation_id="unlink_notes", response_class=Response, responses=DESCRIBED)
    def unlink(
        note: Identifier,
        other: Identifier,
        relation: Annotated[Relation | None, Query()] = None,
        up_to: UpTo = None,
        uncapped: Uncapped = False,
    ) -> Response:
        """Remove the links between two notes."""
        return answer(notes.unlink(note, other, relation=relation, bound=bound_of(up_to, uncapped)).to_json())


def _span(given: list[int] | None) -> tuple[int, int] | None:
    return None if given is None else (given[0], given[1])
