"""Asking a model about a library: from a question and a choice of model to a job, and to its answer.

    with Library.open(folder) as library:
        answer = ask(library, Question(text="Who hid the letter?"), model=build(choice), choice=choice)

The façade of the library knows nothing of models; surfaces call this.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from glossator.agent.citations import Checker
from glossator.agent.context import Intent, ReadingState, ToolContext
from glossator.agent.conversation import Conversation
from glossator.agent.desk import Desk
from glossator.agent.events import Closed, Event, Finished, Grew, Opened
from glossator.agent.ledger import Wire
from glossator.agent.limits import NOTHING_GIVEN, Given, limits_of, task_of
from glossator.agent.prompt import prompt
from glossator.agent.reach import Reach
from glossator.agent.registry import Tool, collected
from glossator.agent.run import Job, Stop, run
from glossator.agent.tools.memory import in_prompt
from glossator.agent.toolsets import MOST, Embed, chosen, facts_of, registered
from glossator.agent.wall import Wall
from glossator.choice import ModelChoice
from glossator.errors import GlossatorError, UsageError
from glossator.library.findings import Answer
from glossator.library.results import Bound
from glossator.library.sessions import reach_under
from glossator.messages import Text

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from glossator.library.library import Library
    from glossator.library.scoping import Scoped

NO_BOUND = Bound()
NOWHERE = ReadingState()
HINT = " What comes later is hidden"  # a model is not told how the bound is lifted

log = logging.getLogger(__name__)
_DESCRIBED: dict[tuple[str, str], list[float]] = {}  # vectors of tools' descriptions, by embedder; they take seconds


def _refuse(_: Intent) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, of which documents, under which bound, in which session (None: a new one)."""

    text: str
    docs: Sequence[str] = ()
    collections: Sequence[str] = ()
    tags: Sequence[str] = ()
    bound: Bound = NO_BOUND
    selection: tuple[int, int] | None = None
    position: int | None = None
    session: str | None = None
    given: Given = NOTHING_GIVEN
    way: Literal["tools", "passages"] = "tools"
    research: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Powers:
    """What a run may do besides reading: what the person permitted and how far, whom it asks, whose tools it has."""

    allow: frozenset[str] = frozenset()
    approve: Callable[[Intent], bool] = _refuse
    files: Sequence[str] = ()
    reach: Reach = field(default_factory=Reach)


READING_ONLY = Powers()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A model that can be asked, under its name; `wire` counts what is sent to it."""

    model: "Model"
    name: str
    remote: bool = False
    provider: str = ""
    wire: Wire = field(default_factory=Wire)


def asked(choice: ModelChoice, **options: Any) -> Asked:
    """Return the model of a choice, ready to be asked; options are those of `models.build`.

    Raises:
        ModelError: the packages for language models are not installed.
    """
    from glossator.agent.models import build

    wire = Wire()
    model = build(choice, sent=wire.told, **options)
    return Asked(model=model, name=choice.spec, remote=choice.remote, provider=choice.provider, wire=wire)


def ask(
    library: "Library",
    question: Question,
    model: Asked,
    *,
    powers: Powers = READING_ONLY,
    stop: Stop | None = None,
    told: Callable[[Event], None] | None = None,
) -> Answer:
    """Return the answer to a question; `told` hears of each event as it happens.

    Raises:
        RunFailed: the model could not be asked to the end; it holds what there is.
        GlossatorError: the question cannot be asked so: no such document, session, bound.
    """

    async def to_the_end() -> Answer:
        try:
            async for event in answering(library, question, model, powers=powers, stop=stop):
                if told is not None:
                    told(event)
                if isinstance(event, Finished):
                    answer = event.answer
            return answer
        finally:
            if close := getattr(model.model, "close", None):
                await close()

    return asyncio.run(to_the_end())


async def answering(
    library: "Library",
    question: Question,
    model: Asked,
    *,
    powers: Powers = READING_ONLY,
    stop: Stop | None = None,
) -> AsyncGenerator[Event, None]:
    """Yield what happens while a question is answered; the last event is `Finished`.

    Raises: as `ask`.
    """
    if begin := getattr(model.model, "begin", None):
        begin()
    job, declined = await asyncio.to_thread(_job, library, question, model, powers, stop or Stop())
    if declined is not None:
        for event in await asyncio.to_thread(_declined, job, declined):
            yield event
        return
    async for event in run(job):
        yield event


def _job(library: "Library", question: Question, model: Asked, powers: Powers, stop: Stop) -> tuple[Job, str | None]:
    """Return the job that answers a question, and the answer where none is to be looked for."""
    if not question.text.strip():
        raise UsageError("nothing is asked", hint="give a question")
    shown = library.scope(question.docs, question.collections, tags=question.tags, bound=question.bound)
    context = replace(_context(library, question, shown, powers), told=model.wire.told)
    context.reach.known.add(question.text)
    conversation = _conversation(library, question, shown)
    kept = conversation.earlier_tools()
    found, problems = collected(powers.files, powers.reach.skills)
    for problem in problems:
        log.warning("a tool is left out: %s", problem)
    available = registered(found.values(), facts_of(context))
    embed = _embed(shown, question.text) if len(available) > MOST else None
    tools = chosen(available, question.text, kept=kept, embed=embed)
    wall = Wall(shown.reader, notice=shown.notice)
    hidden = None if shown.notice is None else shown.notice.partition(HINT)[0]
    checker = Checker(shown.reader, elsewhere=_elsewhere(library, question), passages=context.passages.all, wall=wall)
    job = Job(
        question=question.text,
        context=context,
        tools={t.name: t for t in tools},
        others={t.name: t for t in available},
        prompt=prompt(
            context,
            tools,
            question.text,
            hidden=hidden if wall.active else None,
            remembered=in_prompt(context, question.text),
        ),
        model=model.model,
        name=model.name,
        conversation=conversation,
        limits=limits_of(task_of(question.text, research=question.research), question.given),
        check=checker,
        closing=checker.closing,
        mask=wall.masked if wall.active else None,
        hidden=shown.notice,
        wire=model.wire,
        costs=model.remote,
        keeps_tools=model.provider == "anthropic",
        provider=model.provider,
        way=question.way,
        research=question.research,
        stop=stop,
    )
    return job, wall.declines(question.text)


def _context(library: "Library", question: Question, shown: "Scoped", powers: Powers) -> ToolContext:
    named = shown.named or ()
    document = named[0] if len(named) == 1 else None
    if question.selection is not None:
        if document is None:
            raise UsageError("a selection needs exactly one document", hint="name it with --doc")
        start, end = question.selection
        if not 0 <= start < end <= document.characters:
            raise UsageError(
                f"{start}:{end} is no span of “{document.title}”",
                hint=f"positions run from 0 to {document.characters}",
            )
    state = NOWHERE
    if document is not None:
        state = ReadingState(document=document.key, selection=question.selection, position=question.position)
    return ToolContext(
        reader=shown.reader,
        library=Desk(library, docs=[d.id for d in named], bound=question.bound),
        state=state,
        allow=powers.allow,
        approve=powers.approve,
        reach=powers.reach,
    )


def _conversation(library: "Library", question: Question, shown: "Scoped") -> Conversation:
    """Return the place of the question in its session, which is begun when there is none."""
    session = question.session
    if session is None:
        session = library.sessions.start().id
    docs = [d.id for d in shown.named or ()]
    reach = reach_under(library.database, None if shown.named is None else docs, question.bound)
    return Conversation(library, session, docs=docs, bound=question.bound, reach=reach)


def _elsewhere(library: "Library", question: Question) -> Any:
    """Return a reader of the whole library, where a question is about a part of it."""
    if not (question.docs or question.collections or question.tags):
        return None
    everywhere = NO_BOUND if isinstance(question.bound.up_to, int) else question.bound
    return library.scope((), bound=everywhere).reader


def _embed(shown: "Scoped", text: str) -> Embed | None:
    """Return what turns a request and the tools' descriptions into vectors, where an embedder is at hand."""
    from glossator.agent.prompt import is_chinese
    from glossator.embed import choose

    try:
        spec = choose("zh" if is_chinese(text) else "en")
        if spec is None or shown.reader.means.embedder is None:
            return None
        embedder = shown.reader.embedder(spec)

        def embed(texts: Sequence[str]) -> list[list[float]]:
            new = [t for t in texts[1:] if (spec, t) not in _DESCRIBED]
            if new:
                _DESCRIBED.update(zip(((spec, t) for t in new), embedder.embed_passages(new).tolist(), strict=True))
            return [embedder.embed_query(texts[0]).tolist(), *(_DESCRIBED[spec, t] for t in texts[1:])]

        return embed
    except GlossatorError as error:
        log.info("tools are chosen by words only: %s", error.message)
        return None


def _declined(job: Job, text: str) -> list[Event]:
    """Store and return an answer that no model was asked for."""
    job.conversation.ask(job.question)
    job.conversation.keep([Text(text)])
    answer = Answer(text=text, abstained=True, session=job.conversation.session, model=job.name, notice=job.hidden)
    return [Opened("declined", Text("")), Grew("declined", text), Closed("declined", Text(text)), Finished(answer)]


def tools_shown(library: "Library", question: Question, *, powers: Powers = READING_ONLY, model: bool) -> "ToolList":
    """Return every tool with whether it could be used for such a question, and why not."""
    from glossator.agent.toolsets import why_not

    shown = library.scope(question.docs, question.collections, tags=question.tags, bound=question.bound)
    facts = facts_of(_context(library, question, shown, powers), model=model)
    found, problems = collected(powers.files, powers.reach.skills)
    return ToolList(tuple((t, why_not(t, facts)) for t in found.values()), tuple(problems))


@dataclass(frozen=True, slots=True)
class ToolList:
    """All tools, each with why it cannot be used now, or None; and what went wrong with a person's own."""

    tools: tuple[tuple[Tool, str | None], ...]
    problems: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `tools`."""
        shape: dict[str, Any] = {
            "tools": [
                {
                    "name": t.name,
                    "toolset": t.toolset,
                    "description": t.description,
                    "parameters": t.parameters,
                    "available": why is None,
                    "why_not": why,
                }
                for t, why in self.tools
            ]
        }
        return shape | {"problems": list(self.problems)} if self.problems else shape
