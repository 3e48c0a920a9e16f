"""Reading positions, collections, tags, sessions, memories: what a person keeps besides notes."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import Field
from starlette.responses import Response

from glossator.server.answers import answer, described
from glossator.server.house import House
from glossator.server.options import LARGEST, Count, Name, Options, Place, Text
from glossator.server.routes_documents import Uncapped, UpTo, bound_of

Json = dict[str, Any]
Identifier = Annotated[str, Path(max_length=1_000)]
Docs = Annotated[list[Name], Field(max_length=1_000)]
PROGRESS = ("document", "position", "read_to", "fraction", "section", "page", "finished", "spoilers", "updated")
PLACE: Json = {"document": "d4k7q2", "position": 120, "read_to": 120, "fraction": 0.1, "section": 2, "page": None}
PLACE |= {"finished": False, "spoilers": "hide", "updated": "2026-01-02T03:04:05Z"}
PROGRESS_TOLD = described(PROGRESS, PLACE, errors=(404, 409, 503))
COLLECTIONS = described(
    ("collections",), {"collections": [{"name": "Bees", "description": None, "documents": 2}]}, errors=(404, 409, 503)
)
TAGS = described(("tags",), {"tags": [{"name": "wax", "documents": 1}]}, errors=(404, 409, 503))


class NewPlace(Options):
    """One place, or none: then the progress is told. `view` moves the position as a reader's view does."""

    doc: Name = Field(examples=["Bees"])
    at: Place | None = None
    page: Count | None = None
    section: Count | None = Field(default=None, examples=[2])
    view: Place | None = None
    finished: bool = False
    restart: bool = False
    spoilers: Literal["hide", "show"] | None = None


class NewCollection(Options):
    """A collection, and documents to put into it."""

    name: Annotated[str, Field(min_length=1, max_length=1_000)] = Field(examples=["Bees"])
    description: Text | None = None
    docs: Docs = Field(default=[])


class Documents(Options):
    """Documents by any of their names."""

    docs: Docs = Field(examples=[["d4k7q2"]])


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api")
    _add_progress(made, house)
    _add_collections(made, house)
    _add_tags(made, house)
    _add_sessions(made, house)
    return made


def _add_progress(made: APIRouter, house: House) -> None:
    library = house.library

    @made.get("/progress", tags=["reading"], operation_id="progress", response_class=Response, responses=PROGRESS_TOLD)
    def progress(doc: Annotated[Name, Query(examples=["Bees"])]) -> Response:
        """Return the reading position of a document."""
        return answer(library.progress(doc).to_json())

    @made.post(
        "/progress", tags=["reading"], operation_id="set_progress", response_class=Response, responses=PROGRESS_TOLD
    )
    @made.put(
        "/progress", tags=["reading"], operation_id="put_progress", response_class=Response, responses=PROGRESS_TOLD
    )
    def set_progress(given: Annotated[NewPlace, Body()]) -> Response:
        """Set the reading position of a document, and return it."""
        options = given.model_dump(exclude={"doc", "view"})
        if given.view is not None:
            library.view(given.doc, given.view)
        return answer(library.progress(given.doc, **options).to_json())


def _add_collections(made: APIRouter, house: House) -> None:
    shelves = house.library.shelves
    told: Json = {"tags": ["shelves"], "response_class": Response, "responses": COLLECTIONS}

    @made.get("/collections", operation_id="collections", **told)
    def collections() -> Response:
        """Return all collections."""
        return answer(shelves.collections().to_json())

    @made.post("/collections", operation_id="create_collection", **told)
    def create(given: Annotated[NewCollection, Body()]) -> Response:
        """Make a collection, or give one that is there a description and documents."""
        made_ = shelves.create(given.name, given.description)
        return answer((shelves.add(given.name, given.docs) if given.docs else made_).to_json())

    @made.post("/collections/{name}/documents", operation_id="collect", **told)
    def collect(name: Identifier, given: Annotated[Documents, Body()]) -> Response:
        """Put documents into a collection."""
        return answer(shelves.add(name, given.docs).to_json())

    @made.delete("/collections/{name}", operation_id="remove_collection", **told)
    def remove(name: Identifier) -> Response:
        """Remove a collection; its documents stay."""
        return answer(shelves.remove(name).to_json())

    @made.delete("/collections/{name}/documents/{document}", operation_id="uncollect", **told)
    def uncollect(name: Identifier, document: Identifier) -> Response:
        """Take a document out of a collection."""
        return answer(shelves.remove(name, [document]).to_json())


def _add_tags(made: APIRouter, house: House) -> None:
    shelves = house.library.shelves
    told: Json = {"tags": ["shelves"], "response_class": Response, "responses": TAGS}

    @made.get("/tags", operation_id="tags", **told)
    def tags() -> Response:
        """Return the tags of documents."""
        return answer(shelves.tags().to_json())

    @made.post("/tags/{name}/documents", operation_id="tag", **told)
    def tag(name: Identifier, given: Annotated[Documents, Body()]) -> Response:
        """Give documents a tag."""
        return answer(shelves.tag(name, given.docs).to_json())

    @made.delete("/tags/{name}", operation_id="untag_all", **told)
    def untag_all(name: Identifier) -> Response:
        """Take a tag from all documents."""
        return answer(shelves.untag(name).to_json())

    @made.delete("/tags/{name}/documents/{document}", operation_id="untag", **told)
    def untag(name: Identifier, document: Identifier) -> Response:
        """Take a tag from a document."""
        return answer(shelves.untag(name, [document]).to_json())


def _add_sessions(made: APIRouter, house: House) -> None:
    sessions = house.library.sessions
    entry: Json = {"id": "s5m2", "title": "Bees", "created": "2026-01-02T03:04:05Z", "updated": "2026-01-02T03:04:05Z"}
    whole = described((*entry, "messages"), {**entry, "messages": []}, errors=(404, 409))

    @made.get(
        "/sessions",
        tags=["chat"],
        operation_id="sessions",
        response_class=Response,
        responses=described(("sessions",), {"sessions": [{**entry, "messages": 4}]}),
    )
    def listed(
        up_to: UpTo = None,
        uncapped: Uncapped = False,
        doc: Annotated[list[Name], Query(max_length=1_000)] = [],  # noqa: B006
    ) -> Response:
        """Return sessions, the one that was used last first."""
        return answer(sessions.list(docs=doc, bound=bound_of(up_to, uncapped)).to_json())

    @made.get("/sessions/{session}", tags=["chat"], operation_id="session", response_class=Response, responses=whole)
    def show(
        session: Identifier,
        limit: Annotated[int | None, Query(ge=0, le=LARGEST)] = None,
        before: Annotated[Name | None, Query()] = None,
        up_to: UpTo = None,
        uncapped: Uncapped = False,
        doc: Annotated[list[Name], Query(max_length=1_000)] = [],  # noqa: B006
    ) -> Response:
        """Return a session with its messages, or the last `limit` of them before a message."""
        from glossator.store.sessions import Page

        page = Page(limit=limit, before=before)
        return answer(sessions.show(session, page=page, docs=doc, bound=bound_of(up_to, uncapped)).to_json())

    @made.delete(
        "/sessions/{session}",
        tags=["chat"],
        operation_id="remove_session",
        response_class=Response,
        responses=described(("removed",), {"removed": "s5m2"}, errors=(404, 409, 503)),
    )
    def remove(session: Identifier) -> Response:
        """Remove a session with its messages."""
        return answer(sessions.remove(session).to_json())
