"""Commands that ask: a question with or without a language model, and what tools there are."""

import argparse
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal

from glossator.choice import ModelChoice, Task, choose, proposal
from glossator.cli import asked as page
from glossator.cli import quoting
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, SCOPE, TAG, WORDS_ONLY, bound
from glossator.cli.page import printable
from glossator.cli.parser import Parser, spec, whole
from glossator.config import several
from glossator.errors import GlossatorError

if TYPE_CHECKING:
    from argparse import Namespace

    from glossator.agent.answering import Powers, Question
    from glossator.agent.context import Intent
    from glossator.agent.events import Event
    from glossator.agent.limits import Given
    from glossator.agent.run import Stop
    from glossator.library.findings import Answer as Found
    from glossator.library.library import Library

PERMISSIONS = ("files", "web", "shell", "system", "data")
INTERRUPTED = 130


def ask(call: Call) -> Answer | int:
    """Answer a question: with a language model when one is chosen, else in the documents' own sentences."""
    given = call.arguments
    question = " ".join(given.question)
    choice = choose(call.settings, _task(question, given), model=given.model, base_url=given.base_url)
    with call.library() as library:
        if choice is None:
            return _shown(call, _extract(library, given, question))
        return _with_model(call, library, choice, question)


def _task(question: str, given: "Namespace") -> Task:
    """Return what kind of work a question is; what needs no model imports nothing of the agent."""
    from glossator.choice import is_book

    return "book" if is_book(question) else "research" if given.research else "question"


def _extract(library: "Library", given: "Namespace", question: str) -> "Found":
    """Return an answer in the documents' own sentences; it is kept where a session is named."""
    from glossator.library.extracted import Extract, extracted

    asked = Extract(
        text=question,
        docs=given.doc,
        collections=given.collection,
        tags=given.tag,
        selection=given.selection,
        bound=bound(given, *given.doc),
    )
    return extracted(library, asked, session_of(library, given))


def _shown(call: Call, found: "Found") -> Answer | int:
    if not call.arguments.stream:
        return Answer(found, quoting.answer)
    from glossator.agent.stream import chunks_of

    for chunk in chunks_of(found):
        call.output.json(chunk)
    return 0


def _with_model(call: Call, library: "Library", choice: ModelChoice, text: str) -> Answer | int:
    from glossator.agent.answering import ask as ask_model
    from glossator.agent.answering import asked
    from glossator.agent.limits import task_of
    from glossator.agent.run import RunFailed, Stop

    given = call.arguments
    question = question_of(library, call, text)
    task = task_of(text, research=given.research)
    choice = choose(call.settings, task, model=given.model, base_url=given.base_url) or choice
    told, ended = _telling(call)
    stop = Stop()
    try:
        with stopping(stop):
            model = asked(choice)
            found = ask_model(library, question, model, powers=powers(call), stop=stop, told=told)
    except RunFailed as error:
        return _failed(call, error, ended)
    if given.stream:
        return INTERRUPTED if stop.asked else 0
    return Answer(_proposing(call, choice, found), page.answer, INTERRUPTED if stop.asked else 0)


def _telling(call: Call) -> "tuple[Callable[[Event], None], Callable[..., Any]]":
    """Return what is done with each event, and with the end of a run that failed."""
    if call.arguments.stream:
        from glossator.agent.stream import Chunks

        chunks = Chunks()

        def told(event: "Event") -> None:
            for chunk in chunks.of(event):
                call.output.json(chunk)

        def ended(answer: dict[str, Any], error: str) -> None:
            for chunk in chunks.end(answer, error=error):
                call.output.json(chunk)

        return told, ended
    from glossator.cli.live import Status

    return Status(call.output).tell, lambda *_: None


def _failed(call: Call, error: Any, ended: Callable[..., Any]) -> int:
    """Show what there is of an answer, and why there is no more."""
    failure = {"error": GlossatorError(error.message, hint=error.hint).to_json() | {"code": error.code}}
    shape = failure | error.answer.to_json()
    if call.arguments.stream:
        ended(shape, error.message)
    elif call.output.as_json:
        call.output.json(shape)
    else:
        call.output.page(page.answer(error.answer))
        call.output.complaint(error.message, error.hint)
    return 1


def _proposing(call: Call, choice: ModelChoice, found: "Found") -> "Found":
    """Return the answer with the remote model proposed where a model on this machine found nothing."""
    if not found.abstained or choice.remote or found.stopped:
        return found
    other = proposal(call.settings)
    if other is None or other.spec == choice.spec:
        return found
    said = (
        f"The model on this machine found no answer. `--model remote` asks {other.spec} at {other.host}, "
        "which sends passages there."
    )
    return replace(found, notice=said if found.notice is None else f"{found.notice} {said}")


def question_of(library: "Library", call: Call, text: str) -> "Question":
    """Return the question that the options describe."""
    from glossator.agent.answering import Question

    given = call.arguments
    return Question(
        text=text,
        docs=given.doc,
        collections=given.collection,
        tags=given.tag,
        bound=bound(given, *given.doc),
        selection=getattr(given, "selection", None),
        session=session_of(library, given),
        given=limits_given(call),
        way=way_of(call),
        research=getattr(given, "research", False),
    )


def way_of(call: Call) -> Literal["tools", "passages"]:
    """Return how a model is asked: it looks things up by itself, or is shown the likeliest passages."""
    value = next((s.value for s in call.settings.model if s.key.name == "model.way"), None)
    return "passages" if value == "passages" else "tools"


def session_of(library: "Library", given: "Namespace") -> str | None:
    """Return the session to go on in, or None for a new one.

    Raises:
        NotFound: there is no such session.
    """
    if given.session:
        from glossator.store.sessions import Page

        return library.sessions.show(given.session, page=Page(limit=0)).entry.id
    return library.sessions.latest() if given.go_on else None


def limits_given(call: Call) -> "Given":
    """Return the limits that settings and options set."""
    from glossator.agent.limits import Given

    settings = call.settings
    return Given(
        rounds=call.arguments.max_rounds or settings.limits_rounds,
        tokens=settings.limits_tokens,
        cost=settings.limits_cost,
        seconds=settings.limits_seconds,
    )


def powers(call: Call) -> "Powers":
    """Return what the agent's tools may do: what the settings and `--allow` permit, asking unless `--yes`."""
    from glossator.agent.answering import Powers
    from glossator.agent.reach import permitted, reach_of

    reach, problems = reach_of(call.settings, folders=(Path.cwd(),))
    for problem in problems:
        call.output.note(f"warning: {problem}")
    return Powers(
        allow=permitted(call.settings) | frozenset(call.arguments.allow or ()),
        approve=(lambda _: True) if call.arguments.yes else _asking(call),
        files=several(call.settings.tools_files),
        reach=reach,
    )


def _asking(call: Call) -> "Callable[[Intent], bool]":
    """Return a question to the person at the terminal; without one nothing is allowed."""
    import sys

    if not (call.output.interactive and sys.stdin.isatty()):
        return lambda _: False

    def approve(intent: "Intent") -> bool:
        call.output.err.write(f"\nThe agent wants to: {printable(str(intent))}\nAllow it? [y/N] ")
        call.output.err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "j", "o")

    return approve


@contextmanager
def stopping(stop: "Stop") -> Iterator[None]:
    """Let the first Ctrl-C end the run, and the second one the program."""

    def handle(signum: int, frame: FrameType | None) -> None:
        if stop.asked:
            signal.default_int_handler(signum, frame)
        stop.set()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def tools(call: Call) -> Answer:
    """List the agent's tools: what each does, and whether it can be used for such a question."""
    from glossator.agent.answering import Question, tools_shown

    given = call.arguments
    chosen = choose(call.settings) is not None
    question = Question(
        text="", docs=given.doc, collections=given.collection, tags=given.tag, bound=bound(given, *given.doc)
    )
    with call.library() as library:
        return Answer(tools_shown(library, question, powers=powers(call), model=chosen), page.tools)


def _selection(text: str) -> tuple[int, int]:
    start, _, end = text.partition(":")
    if not (start.isdecimal() and end.isdecimal() and int(start) < int(end)):
        raise argparse.ArgumentTypeError(f"{text!r} is not START:END")
    return int(start), int(end)


def _permissions(text: str) -> list[str]:
    names = several(text)
    for name in names:
        if name not in PERMISSIONS:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(PERMISSIONS)}")
    return names


POWERS = (
    spec(
        "--allow",
        type=_permissions,
        action="extend",
        metavar="WHAT",
        help="what tools may reach: files, web, shell, system, data; several with commas",
    ),
    spec("--yes", action="store_true", help="allow every step that would be asked about"),
)
MODEL = (
    spec(
        "--model",
        metavar="M",
        help="provider:model, `local`, `remote`, or `none`: verbatim sentences, no language model",
    ),
    spec("--base-url", metavar="URL", help="the address of the model's server, as its own client takes it"),
    spec("--max-rounds", type=whole(1, 1000), metavar="N", help="in how many rounds the model may call tools"),
)


def session_options(parser: Parser) -> None:
    """Add the options that name a session."""
    parser.exclusive(
        spec("--session", metavar="S", help="go on in this conversation"),
        spec("--continue", dest="go_on", action="store_true", help="go on in the last conversation"),
    )


def _ask(parser: Parser) -> None:
    parser.add(
        spec("question", nargs="+", metavar="QUESTION", help="any text"),
        *SCOPE,
        TAG,
        spec(
            "--selection",
            type=_selection,
            metavar="START:END",
            help="about these characters of the one document (--doc)",
        ),
        *MODEL,
    )
    session_options(parser)
    parser.add(
        *POWERS,
        spec("--research", action="store_true", help="take more rounds: plan, look things up, check"),
        spec("--stream", action="store_true", help="print what happens as it happens, one JSON chunk a line"),
        *BOUND,
        WORDS_ONLY,
    )


def _tools(parser: Parser) -> None:
    parser.add(*SCOPE, TAG, *POWERS, *BOUND)


COMMANDS: Sequence[Command] = (
    Command(name="ask", summary="Answer a question, with citations.", run=ask, options=_ask, free_text=True),
    Command(name="tools", summary="List the agent's tools.", run=tools, options=_tools),
)
