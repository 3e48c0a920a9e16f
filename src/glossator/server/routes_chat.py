"""Asking: one answer (`ask`), and conversations as the AI SDK's UI stream, which any window may watch."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from glossator.errors import NotFound
from glossator.server import sse
from glossator.server.answers import answer, described, problems
from glossator.server.asking import Asking, Loose
from glossator.server.house import House
from glossator.server.options import Name, Options, Text
from glossator.server.routes_documents import Uncapped, UpTo, bound_of
from glossator.server.runs import Run
from glossator.server.watching import until_ended

Json = dict[str, Any]
Identifier = Annotated[str, Path(max_length=200)]
KEYS = ("answer", "abstained", "citations", "rejected", "steps", "session", "model", "usage", "stopped")
ONE: Json = {
    "answer": "“Wax is made by young bees.”",
    "abstained": False,
    "citations": [{"n": 1, "status": "verified", "quote": "Wax is made by young bees.", "document": {}, "locator": {}}],
    "rejected": [],
    "steps": [],
    "session": "s5m2",
    "model": "none",
    "usage": {"requests": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0},
    "stopped": None,
}
SENT: Json = {"round": 1, "host": "api.example.org", "remote": True, "bytes": 4_711, "requests": 1, "passages": []}
LEDGER: Json = {
    "session": "s5m2",
    "hosts": {"api.example.org": {"requests": 1, "bytes": 4_711, "passages": 0, "cost": 0.001}},
    "entries": [{**SENT, "input_tokens": 900, "output_tokens": 80, "cost": 0.001, "message": "m3", "model": "x:y"}],
}
UI = {"x-vercel-ai-ui-message-stream": "v1"}
DONE = b"data: [DONE]\n\n"
STREAM: dict[int | str, Json] = {
    200: {
        "description": "Chunks of the AI SDK's UI message stream, version 7; `data-answer` is the JSON of `ask`",
        "content": {sse.MEDIA_TYPE: {"schema": {"type": "string"}, "example": 'data: {"type": "start"}\n\n'}},
    }
}


class OneQuestion(Asking):
    """A question."""

    question: Text = Field(examples=["Who makes wax?"])
    session: Name | None = None


class Chat(Loose):
    """What the AI SDK sends (`id`, `messages`), or `message` alone; `session` goes on in one that is there."""

    id: Name | None = None
    messages: Annotated[list[Json], Field(max_length=10_000)] = Field(
        default=[], examples=[[{"role": "user", "parts": [{"type": "text", "text": "Who makes wax?"}]}]]
    )
    message: Text | Json | None = None
    session: Name | None = None

    def text(self) -> str:
        """Return the question: the text of the last message of the person."""
        said = self.message
        if said is None:
            said = next((m for m in reversed(self.messages) if m.get("role") == "user"), "")
        return said if isinstance(said, str) else text_of(said)


class Approval(Options):
    """What the person says to a question of the agent."""

    id: Name = Field(examples=["a1"])
    allow: bool


def text_of(message: Json) -> str:
    """Return the text of a message: its parts, or its content as a text or as parts."""
    content = message.get("parts") or message.get("content") or message.get("text") or ""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(p["text"]) for p in parts if isinstance(p, dict) and isinstance(p.get("text"), str))


def router(house: House) -> APIRouter:
    """Return the routes."""
    made = APIRouter(prefix="/api", tags=["chat"])
    _add_ask(made, house)
    _add_chat(made, house)
    _add_approval(made, house)
    _add_ledger(made, house)
    return made


def _add_ask(made: APIRouter, house: House) -> None:
    told: Json = {"response_class": Response, "responses": described(KEYS, ONE, errors=(404, 409, 424, 503))}

    @made.get("/ask", operation_id="ask", **told)
    async def ask(request: Request, given: Annotated[OneQuestion, Query()]) -> Response:
        """Answer a question with citations; it ends when its client goes."""
        return await _answered(house, request, given)

    @made.post("/ask", operation_id="ask_post", **told)
    async def ask_post(request: Request, given: Annotated[OneQuestion, Body()]) -> Response:
        """Answer a question with citations; it ends when its client goes."""
        return await _answered(house, request, given)


async def _answered(house: House, request: Request, given: OneQuestion) -> Response:
    run = await house.runs.begin(given.question, given, session=given.session)
    found = await until_ended(run, request)
    return answer(found)


def _add_chat(made: APIRouter, house: House) -> None:
    @made.post(
        "/chat",
        operation_id="chat",
        response_class=Response,
        responses={**STREAM, **problems(404, 409, 424, 503)},
    )
    async def chat(given: Annotated[Chat, Body()]) -> Response:
        """Ask in a conversation, and hear the answer as it comes. It goes on when the client does not."""
        run = await house.runs.begin(given.text(), given, session=given.session, chat=given.id, asks=True)
        return _stream(run, 0)

    @made.get(
        "/chat/{session}/stream",
        operation_id="chat_stream",
        response_class=Response,
        responses={**STREAM, 204: {"description": "No answer is in the making"}, **problems(404)},
    )
    async def stream(
        session: Identifier, last_event_id: Annotated[str | None, Header(max_length=20)] = None
    ) -> Response:
        """Hear the last answer of a conversation from its first chunk, or from after the one that was heard last."""
        run = house.runs.find(session)
        if run is None:
            await house.runs.session(session)  # says when there is none
            return Response(status_code=204)
        return _stream(run, sse.after(last_event_id))

    @made.post(
        "/chat/{session}/stop",
        operation_id="chat_stop",
        response_class=Response,
        responses=described(("session", "stopped"), {"session": "s5m2", "stopped": True}, errors=(404,)),
    )
    async def stop(session: Identifier) -> Response:
        """End the answer that is in the making; what there is of it stays in the session."""
        run = house.runs.find(session)
        if run is None:
            return answer({"session": await house.runs.session(session), "stopped": False})
        running = run.ended is None
        run.end()
        return answer({"session": run.session, "stopped": running})


def _add_approval(made: APIRouter, house: House) -> None:
    @made.post(
        "/chat/{session}/approve",
        operation_id="chat_approve",
        response_class=Response,
        responses=described(("session", "id", "allow"), {"session": "s5m2", "id": "a1", "allow": True}, errors=(404,)),
    )
    async def approve(session: Identifier, given: Annotated[Approval, Body()]) -> Response:
        """Say whether the agent may do what it asks in a chunk `data-approval`; in five minutes it is refused."""
        run = house.runs.find(session)
        if run is None:
            named = await house.runs.session(session)
            raise NotFound(f"no answer is in the making in session {named}", hint="ask again")
        run.approvals.answer(given.id, given.allow)
        return answer({"session": run.session, "id": given.id, "allow": given.allow})


def _add_ledger(made: APIRouter, house: House) -> None:
    @made.get(
        "/ledger",
        operation_id="ledger",
        response_class=Response,
        responses=described(("session", "hosts", "entries"), LEDGER, errors=(404, 409)),
    )
    def ledger(
        session: Annotated[Name, Query(examples=["s5m2"])],
        up_to: UpTo = None,
        uncapped: Uncapped = False,
        doc: Annotated[list[Name], Query(max_length=1_000)] = [],  # noqa: B006
    ) -> Response:
        """Return what was sent for the answers of a session: by host what left this machine, and every sending."""
        from glossator.agent.ledger import ledger_of

        shown = house.library.sessions.show(session, docs=doc, bound=bound_of(up_to, uncapped))
        return answer(ledger_of(shown).to_json())


def _stream(run: Run, start: int) -> Response:
    headers = {**UI, "x-glossator-session": run.session}
    return sse.response(sse.following(run.log, start, end=DONE), headers)
