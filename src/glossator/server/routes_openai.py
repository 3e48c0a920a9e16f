"""The library as a model for any client of the OpenAI chat interface: `/v1/models`, `/v1/chat/completions`.

The last message of the person is the question, what came before it is a conversation that is kept only for the answer.
Receipts stand under `citations`, and as a list of sources at the end of the text, so that every client shows them.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response

from glossator.errors import UsageError
from glossator.messages import Text as TextPart
from glossator.server import sse
from glossator.server.answers import answer, described
from glossator.server.asking import Loose
from glossator.server.house import House
from glossator.server.options import Name
from glossator.server.routes_chat import text_of
from glossator.server.runs import Run
from glossator.server.watching import until_ended, while_heard

Json = dict[str, Any]
MODEL = "glossator"
DONE = b"data: [DONE]\n\n"
QUOTED = 200  # characters of a quotation in the list of sources
MODELS: Json = {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}]}
COMPLETION: Json = {
    "id": "chatcmpl-r1",
    "object": "chat.completion",
    "created": 1_767_323_045,
    "model": MODEL,
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "“Wax is made by young bees.”"},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    "citations": [],
}


class StreamOptions(Loose):
    """Whether the last chunk tells the usage."""

    include_usage: bool = False


class Completion(Loose):
    """A request of that interface. `model` is `glossator`, or `glossator/COLLECTION`; other names mean the former.

    Parameters of sampling are taken and have no effect.
    """

    model: Annotated[str, Field(max_length=1_000)] | None = Field(default=MODEL, examples=[MODEL])
    messages: Annotated[list[Json], Field(min_length=1, max_length=10_000)] = Field(
        examples=[[{"role": "user", "content": "Who makes wax?"}]]
    )
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    user: Name | None = None


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/v1", tags=["openai"])

    @made.get(
        "/models",
        operation_id="v1_models",
        response_class=Response,
        responses=described(("object", "data"), MODELS),
    )
    def models() -> Response:
        """Return the models: the library, and each of its collections."""
        names = [MODEL, *(f"{MODEL}/{c.name}" for c in house.library.shelves.collections().collections)]
        shape = {"object": "model", "created": 0, "owned_by": MODEL}
        return answer({"object": "list", "data": [{"id": name, **shape} for name in names]})

    responses = described(tuple(COMPLETION), COMPLETION, errors=(404, 409, 424, 503))
    responses[200]["content"][sse.MEDIA_TYPE] = {"schema": {"type": "string"}}

    @made.post("/chat/completions", operation_id="v1_completions", response_class=Response, responses=responses)
    async def completions(request: Request, given: Annotated[Completion, Body()]) -> Response:
        """Answer the last message from the library, whole or as chunks. The run ends when its client goes."""
        run = await _begin(house, given)
        if given.stream:
            usage = given.stream_options is not None and given.stream_options.include_usage
            return sse.response(_chunks(house, run, given.model or MODEL, usage=usage))
        try:
            found = await until_ended(run, request)
        finally:
            await _drop(house, run)
        return answer(_completion(found, run, given.model or MODEL))

    return made


async def _begin(house: House, given: Completion) -> Run:
    said = [(str(m.get("role")), text_of(m)) for m in given.messages]
    last = next((n for n in range(len(said) - 1, -1, -1) if said[n][0] == "user"), None)
    if last is None or not said[last][1].strip():
        raise UsageError("messages: no message of the user says anything", hint="end with one that asks")
    asked = given.model_copy(update={"model": None})
    name = given.model or MODEL
    if name.startswith(f"{MODEL}/"):
        asked = asked.model_copy(update={"collection": [name.removeprefix(f"{MODEL}/")]})
    session = await house.runs.session(None)
    try:
        await _tell(house, session, said[:last])
        return await house.runs.begin(said[last][1], asked, session=session)
    except BaseException:
        await _remove(house, session)
        raise


async def _tell(house: House, session: str, said: Sequence[tuple[str, str]]) -> None:
    """Write what was said before into the session."""

    def tell() -> None:
        question: str | None = None
        for role, text in said:
            if not text.strip():
                continue
            if role == "assistant" and question is not None:
                told = {"question": question}
                house.library.sessions.append(session, [TextPart(text)], role="assistant", metadata=told)
                question = None
            elif role in ("user", "system", "developer"):
                question = house.library.sessions.append(session, [TextPart(text)], role="user").id

    await asyncio.to_thread(tell)


async def _drop(house: House, run: Run) -> None:
    """Remove the session of a run when the run has ended: its client keeps the conversation."""
    if run.task is not None:
        await asyncio.wait({run.task}, timeout=10)
    house.runs.forget(run.session)
    await _remove(house, run.session)


async def _remove(house: House, session: str) -> None:
    await asyncio.to_thread(house.library.sessions.remove, session)


def _completion(found: Json, run: Run, model: str) -> Json:
    usage = _usage(found)
    content = found["answer"] + _sources(found)
    message = {"role": "assistant", "content": content, "refusal": None, "annotations": []}
    return {
        "id": f"chatcmpl-{run.id}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(found)}],
        "usage": usage,
        "citations": found["citations"],
    }


async def _chunks(house: House, run: Run, model: str, *, usage: bool) -> AsyncIterator[bytes]:
    """Yield the answer as chunks of that interface."""
    made = int(time.time())

    def chunk(choices: list[Json], **more: Any) -> bytes:
        shape = {"id": f"chatcmpl-{run.id}", "object": "chat.completion.chunk", "created": made, "model": model}
        return sse.event({**shape, "choices": choices, **more})

    def delta(what: Json, reason: str | None = None, **more: Any) -> bytes:
        return chunk([{"index": 0, "delta": what, "logprobs": None, "finish_reason": reason}], **more)

    try:
        yield delta({"role": "assistant", "content": ""})
        async for part in while_heard(run):
            if part["type"] == "text-delta":
                yield delta({"content": part["delta"]})
            elif part["type"] == "error" and run.answer is None:
                yield sse.event({"error": {"message": part["errorText"], "type": "model", "code": "model"}})
        if run.answer is not None:
            if sources := _sources(run.answer):
                yield delta({"content": sources})
            yield delta({}, _reason(run.answer), citations=run.answer["citations"])
            if usage:
                yield chunk([], usage=_usage(run.answer))
    finally:
        await _drop(house, run)
    yield DONE  # after it, nothing of the run is left


def _reason(found: Json) -> str:
    return "length" if found["stopped"] else "stop"


def _usage(found: Json) -> Json:
    asked, said = found["usage"]["input_tokens"] or 0, found["usage"]["output_tokens"] or 0
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def _sources(found: Json) -> str:
    """Return the receipts as lines of text: number, quotation, title, and where it stands."""
    lines = []
    for citation in found["citations"]:
        locator = citation["locator"]
        path = (locator.get("section") or {}).get("path") or []
        where = [citation["document"]["title"], *path[-1:]] + ([f"p. {locator['page']}"] if locator.get("page") else [])
        quote = " ".join(citation["quote"].split())
        quote = quote if len(quote) <= QUOTED else quote[: QUOTED - 1] + "…"
        lines.append(f"[{citation['n']}] “{quote}” ({', '.join(where)})")
    return "\n\nSources:\n" + "\n".join(lines) if lines else ""
