"""The tools of the server: each a call of the library, its answer made short, its errors in words for the model."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from glossator.errors import GlossatorError
from glossator.mcp import answers, shapes
from glossator.mcp.door import Course, Door

T = TypeVar("T")
Call = Context[Any, Any]

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
NOTES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
ASKS = ToolAnnotations(read_only_hint=True, idempotent_hint=False, open_world_hint=False)
DELETES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
LARGE = {"anthropic/maxResultSizeChars": 120_000}

DOCUMENT = Field(description="id, title, path, or the beginning of an id or title")
OPTIONAL_DOCUMENT = Field(description="only in this document: id, title, path, or the beginning of an id or title")
COLLECTION = Field(description="only in this collection")


async def rag_retrieve(
    query: Annotated[str, Field(min_length=1, description='any language; "…" is a phrase, -word excludes')],
    ctx: Call,
    document: Annotated[str | None, OPTIONAL_DOCUMENT] = None,
    collection: Annotated[str | None, COLLECTION] = None,
    limit: Annotated[int, Field(ge=1, le=20, description="how many passages")] = 5,
) -> shapes.Hits:
    """Search the person's own library by words and meaning; returns passages word for word with their places.

    Use when a question may be about what they have read, or about one of their documents; ask with the words of
    the question. Use `read` to see more around a hit. Not for code of the project at hand, nor for general
    knowledge. No hit means that the library has nothing about it: say so instead of guessing.
    """
    options = _given(query=query, doc=_many(document), collection=_many(collection), k=limit)
    return await called(ctx, lambda _: answers.hits(door_of(ctx).perform("search", options)))


async def ask(
    question: Annotated[str, Field(min_length=1)],
    ctx: Call,
    document: Annotated[str | None, OPTIONAL_DOCUMENT] = None,
    collection: Annotated[str | None, COLLECTION] = None,
) -> shapes.Answer:
    """Answer a question from the library alone, each citation checked against the text; it abstains when it cannot.

    Use when the person wants what their documents say, with receipts, rather than passages to work with. With a
    language model configured it may take a minute; else the answer is made of the documents' own sentences. For
    passages use `rag_retrieve`, which is faster.
    """
    options = _given(question=question, doc=_many(document), collection=_many(collection))
    return await called(ctx, lambda course: answers.answer(door_of(ctx).ask(options, course)))


async def locate(
    quote: Annotated[str, Field(min_length=1, description="the words, without quotation marks around them")],
    ctx: Call,
    document: Annotated[str | None, OPTIONAL_DOCUMENT] = None,
) -> shapes.Located:
    """Check a quotation: where it stands, word for word (`verified`) or after declared repairs (`repaired`).

    Use before you quote from memory, and when the person asks where a sentence is from. A paraphrase is
    `not_found`; `near` shows what is alike.
    """
    options = _given(quote=quote, doc=_many(document))
    return await called(ctx, lambda _: answers.located(door_of(ctx).perform("locate", options)))


async def notes_search(
    query: Annotated[str, Field(min_length=1, description="words of the note or of what it marks")],
    ctx: Call,
) -> shapes.Notes:
    """Search the person's notes and highlights by words. Use for "my notes", "what I marked", "what I thought"."""
    options = {"query": query, "limit": answers.NOTES}
    return await called(ctx, lambda _: answers.notes(door_of(ctx).perform("note list", options)))


async def read(
    document: Annotated[str, DOCUMENT],
    ctx: Call,
    section: Annotated[int | None, Field(ge=1, description="number in `contents`")] = None,
    at: Annotated[int | None, Field(ge=0, description="a position, such as `start` of a hit, or `next`")] = None,
    page: Annotated[int | None, Field(ge=1, description="page of a PDF, from 1")] = None,
) -> shapes.ReadText:
    """Read a document word for word: a section, a page, or from a position on; else its beginning.

    Use to see what stands around a passage, or to read a chapter before you speak about it. A long part comes in
    pieces: give `next` as `at` to go on. Give at most one of section, at and page.
    """
    places = _given(section=section, at=at, page=page)
    return await called(ctx, lambda _: answers.text(door_of(ctx), document, places))


async def contents(document: Annotated[str, DOCUMENT], ctx: Call) -> shapes.Contents:
    """List the sections of a document with number, title and place. Use before `read` to find the right chapter."""
    return await called(ctx, lambda _: answers.contents(door_of(ctx).perform("show", {"doc": document})))


async def rag_status(ctx: Call) -> shapes.Status:
    """Tell the state of the library: documents, passages, vectors. Use when nothing is found."""
    return await called(ctx, lambda _: answers.status(door_of(ctx)))


async def rag_list_sources(ctx: Call, collection: Annotated[str | None, COLLECTION] = None) -> shapes.Sources:
    """List the documents with the file or address each came from. Use to see what there is, and before deleting."""
    return await called(ctx, lambda _: answers.sources(door_of(ctx), collection))


async def rag_ingest(
    ctx: Call,
    path: Annotated[str | None, Field(description="a file, in a folder that the person's settings allow")] = None,
    url: Annotated[str | None, Field(description="a public web page, http or https")] = None,
    text: Annotated[str | None, Field(description="the text itself, Markdown or plain")] = None,
    source: Annotated[str | None, Field(description="what the text is called")] = None,
) -> shapes.Ingested:
    """Bring one file, public web page or text into the library, so that it is found from now on.

    Use only when the person asks to keep or add something. Give exactly one of path, url and text. What is there
    already is skipped (`unchanged`); the answer says what changed. Files outside the allowed folders and addresses
    of this machine or its network are refused.
    """
    options = _given(path=path, url=url, text=text, source=source)
    return await called(ctx, lambda course: answers.ingested(door_of(ctx).ingest(options, course)))


async def rag_delete_source(
    source: Annotated[str, Field(min_length=1, description="id, title, file or address, as listed")],
    ctx: Call,
) -> shapes.Deleted:
    """Take a document out of the library with its index. Use only when the person asks for exactly that.

    The file it came from is never touched, and notes about it are kept. See `rag_list_sources` first.
    """
    return await called(ctx, lambda _: answers.deleted(door_of(ctx), source))


async def note_add(
    document: Annotated[str, DOCUMENT],
    quote: Annotated[str, Field(min_length=1, description="words of the document that the note is about")],
    ctx: Call,
    body: Annotated[str | None, Field(description="the note, Markdown; none: a highlight")] = None,
) -> shapes.Note:
    """Make a note at words of a document, or highlight them. Use when the person asks to note or mark something."""
    options = _given(document=document, quote=quote, body=body)
    return await called(ctx, lambda _: shapes.note(door_of(ctx).add_note(options)))


async def prompt_context(
    prompt: Annotated[str, Field(description="the prompt as the person wrote it")], ctx: Call
) -> str:
    """Answer a UserPromptSubmit hook of kind `mcp_tool`: what goes beside a prompt, or nothing.

    Use it in a host's hook only; a model searches with `rag_retrieve`.
    """

    def work(_: Course) -> str:
        door = door_of(ctx)
        found = door.perform("consult", {"prompt": prompt}) if door.exists() else {}
        return answers.beside(found)

    return await called(ctx, work)


TOOLS: tuple[tuple[Callable[..., Any], ToolAnnotations, dict[str, Any] | None], ...] = (
    (rag_retrieve, READS, LARGE),
    (ask, ASKS, LARGE),
    (locate, READS, None),
    (notes_search, READS, None),
    (read, READS, LARGE),
    (contents, READS, None),
    (rag_status, READS, None),
    (rag_list_sources, READS, None),
    (rag_ingest, WRITES, None),
    (rag_delete_source, DELETES, None),
    (note_add, NOTES, None),
)


def door_of(ctx: Call) -> Door:
    """Return the library that a call is about."""
    return cast(Door, getattr(ctx.mcp_server, "door"))  # noqa: B009  the server's own class is above this module


async def called(ctx: Call, work: Callable[[Course], T]) -> T:
    """Return what `work` returns, run in a thread; its errors as words for the model, its end when nobody waits."""
    loop = asyncio.get_running_loop()

    def tell(done: float, total: float | None, message: str) -> None:
        if not loop.is_closed():
            asyncio.run_coroutine_threadsafe(ctx.report_progress(done, total, message), loop)

    try:
        return await in_thread(work, Course(tell))
    except GlossatorError as error:
        raise ToolError(f"{error.message} ({error.hint})" if error.hint else error.message) from error


async def in_thread(work: Callable[[Course], T], course: Course) -> T:
    """Return what `work` returns, run in a thread that is given up, and told so, when the call is cancelled."""
    try:
        return await anyio.to_thread.run_sync(work, course, abandon_on_cancel=True)
    except BaseException:
        course.stop()
        raise


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _many(name: str | None) -> list[str] | None:
    return None if name is None else [name]
