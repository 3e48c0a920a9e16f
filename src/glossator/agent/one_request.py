"""An answer by one request: the likeliest passages are put before the model, its JSON reply is checked by code.

For small models, which quote well and call tools badly (`model.way = passages`). Whether the model is asked at all is
decided by what retrieval found.
"""

from dataclasses import dataclass
from typing import Any

from glossator.agent import json_path
from glossator.agent.citations import CheckedAnswer
from glossator.agent.context import ToolContext
from glossator.agent.wall import Wall
from glossator.library.answer import declined

WITH_SCHEMA = ("openai-chat", "ollama")  # providers whose servers write by a schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What is put before the model; `text` is empty where nothing found is worth asking about."""

    text: str
    passages: tuple[tuple[int, int, int], ...]
    summary: str


def looked_up(context: ToolContext, question: str) -> Before:
    """Return the passages for a question as the model is shown them."""
    reader = context.reader
    found = json_path.retrieve(reader, question, json_path.LOOKED_AT)
    count = "1 passage" if len(found.passages) == 1 else f"{len(found.passages)} passages"
    passages = tuple(json_path.shown(reader, question, found.passages))
    if not json_path.bears(reader, question, passages):
        return Before(text="", passages=(), summary=f"{count}, none of them to the point" if passages else "nothing")
    for passage in passages:
        context.passages.number(*passage)
    texts = [reader.text(*p) for p in passages]
    return Before(text=json_path.request(question, texts), passages=passages, summary=f"{count}, {len(texts)} shown")


def settings_for(provider: str, passages: int) -> dict[str, Any] | None:
    """Return the settings that make a server write by the schema, or None where it may not know them."""
    if provider not in WITH_SCHEMA:
        return None
    form = {"name": "reply", "schema": json_path.schema(passages), "strict": True}
    return {"extra_body": {"response_format": {"type": "json_schema", "json_schema": form}}}


def answered(context: ToolContext, said: str, before: Before, question: str) -> CheckedAnswer:
    """Return the reply as it may be shown; one that nothing bears out is none."""
    reply = json_path.parse(said)
    wall = Wall(context.reader)
    found = None
    if reply is not None:
        found = json_path.check(reply, before.passages, context.reader, wall=wall if wall.active else None)
    return found or CheckedAnswer(text=declined(question, None))
