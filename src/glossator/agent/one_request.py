"""An answer from the likeliest passages: a small model judges them, replies about one, and is checked by code.

For small models, which quote well and call tools badly (`model.way = passages`). Whether anything is answered is
decided by what retrieval found and what the model says of it (`judging`); where no yes could change that, it is not
asked. Two requests of about a hundred tokens, answered by one word, and one for the reply.
"""

import logging
from dataclasses import dataclass
from typing import Any

from glossator.agent import json_path, judging
from glossator.agent.citations import CheckedAnswer
from glossator.agent.context import ToolContext
from glossator.agent.judging import Verdict
from glossator.agent.request import Requests
from glossator.agent.wall import Wall
from glossator.errors import ModelError
from glossator.library.answer import declined

log = logging.getLogger(__name__)

WITH_SCHEMA = ("openai-chat", "ollama")  # providers whose servers write by a schema, and tell probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What is put before the model: stretches of text, the likeliest first; none where nothing is worth asking about.

    `margin` is by how much they pass the bar of what is answered, before the model judges them.
    """

    passages: tuple[tuple[int, int, int], ...]
    texts: tuple[str, ...]
    margin: float
    summary: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What the model replied about a stretch of text (its rank); `rank` is None where none is worth an answer."""

    rank: int | None = None
    said: str = ""


def looked_up(context: ToolContext, question: str) -> Before:
    """Return the passages for a question as the model is shown them."""
    reader = context.reader
    found = json_path.retrieve(reader, question, json_path.LOOKED_AT)
    count = "1 passage" if len(found.passages) == 1 else f"{len(found.passages)} passages"
    passages = tuple(json_path.shown(reader, question, found.passages))
    margin = json_path.margin(reader, question, passages)
    if not judging.worth(margin, judging.SURE):
        summary = f"{count}, none of them to the point" if passages else "nothing"
        return Before(passages=(), texts=(), margin=margin, summary=summary)
    for passage in passages:
        context.passages.number(*passage)
    texts = tuple(reader.text(*p) for p in passages)
    return Before(passages=passages, texts=texts, margin=margin, summary=f"{count}, {len(texts)} shown")


async def asked(asks: Requests, before: Before, question: str, provider: str) -> Heard:
    """Let the model judge the likeliest stretches, and reply about the one that answers.

    Raises:
        ModelError: it cannot be had.
    """
    verdicts: list[Verdict] = []
    for rank, text in enumerate(before.texts[: judging.JUDGED]):
        verdicts.append(Verdict(rank, await _odds(asks, judging.request(question, text), provider)))
        if verdicts[-1].odds >= judging.SURE and judging.worth(before.margin, verdicts[-1].odds):
            break
    best = judging.answering(before.margin, verdicts)
    if best is None:
        return Heard()
    request = json_path.request(question, [before.texts[best.rank]])
    said, _ = await _either_way(asks, json_path.SYSTEM, request, settings_for(provider, 1))
    return Heard(best.rank, said)


async def _odds(asks: Requests, request: str, provider: str) -> float:
    """Return the log odds of a yes; a model whose first token is neither yes nor no may say more."""
    if provider in WITH_SCHEMA:
        odds = judging.verdict(*await _either_way(asks, judging.SYSTEM, request, judging.SETTINGS))
        if odds is not None:
            return odds
    said, _ = await asks.likely(judging.SYSTEM, request)
    odds = judging.verdict(said, {})
    return judging.NO if odds is None else odds


async def _either_way(asks: Requests, instructions: str, text: str, settings: Any) -> tuple[str, dict[str, float]]:
    """Return what the model says; a server that does not take the settings is asked without them."""
    try:
        return await asks.likely(instructions, text, settings)
    except ModelError:
        if settings is None:
            raise
        log.info("the server may not know %s; it is asked without", ", ".join(settings))
        return await asks.likely(instructions, text)


def settings_for(provider: str, passages: int) -> dict[str, Any] | None:
    """Return the settings that make a server write by the schema, or None where it may not know them."""
    if provider not in WITH_SCHEMA:
        return None
    form = {"name": "reply", "schema": json_path.schema(passages), "strict": True}
    return {"extra_body": {"response_format": {"type": "json_schema", "json_schema": form}}}


def answered(context: ToolContext, heard: Heard, before: Before, question: str) -> CheckedAnswer:
    """Return the reply as it may be shown, with other places to look at; one that nothing bears out is none."""
    reply = json_path.parse(heard.said) if heard.rank is not None else None
    wall = Wall(context.reader)
    found = None
    if reply is not None and heard.rank is not None:
        others = [p for rank, p in enumerate(before.passages) if rank != heard.rank][: json_path.BESIDE]
        found = json_path.check(
            reply,
            [before.passages[heard.rank]],
            context.reader,
            question=question,
            others=others,
            wall=wall if wall.active else None,
        )
    return found or CheckedAnswer(text=declined(question, None))
