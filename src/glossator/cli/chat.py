"""A conversation at the terminal: questions, answers as they come, and commands that begin with a slash.

Ctrl-C ends the answer that is being written, not the program; Ctrl-D or /quit ends that. What is said is kept as a
session, so `chat --continue` goes on where this one ended.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from glossator.choice import ModelChoice, choose
from glossator.cli import asked, quoting
from glossator.cli.asking import MODEL, POWERS, limits_given, powers, session_of, session_options, stopping, way_of
from glossator.cli.command import Call, Command
from glossator.cli.options import BOUND, SCOPE, TAG, bound
from glossator.cli.page import Element, line
from glossator.cli.parser import Parser
from glossator.errors import GlossatorError, NotFound, UsageError

if TYPE_CHECKING:
    from glossator.agent.answering import Asked, Question
    from glossator.library.findings import Answer
    from glossator.library.library import Library

PROMPT = "› "
HISTORY = 1_000  # lines that are remembered
AROUND = 300  # characters shown on each side of a citation


def chat(call: Call) -> int:
    """Talk with the library until the person ends it."""
    if call.output.as_json:
        raise UsageError("chat has no JSON", hint="`ask --json`, `ask --stream` and `session show --json` have")
    with call.library() as library:
        talk = Chat(call, library)
        talk.greet()
        with _Remembering(call):
            while (said := _read(call)) is not None:
                if not talk.hear(said):
                    break
        talk.part()
    return 0


class Chat:
    """One conversation: what is open, which model answers, in which session."""

    def __init__(self, call: Call, library: "Library") -> None:
        self._call = call
        self._library = library
        self._choice = choose(call.settings, model=call.arguments.model, base_url=call.arguments.base_url)
        self._model: Asked | None = None
        self._loading = Lock()
        self._session = session_of(library, call.arguments)
        self._docs: list[str] = list(call.arguments.doc)
        self._reasoning = False
        self._thoughts: list[str] = []
        self._last: Answer | None = None

    def greet(self) -> None:
        """Say which model answers, about what, and how to get help."""
        who = "your documents' own sentences (no model is chosen)" if self._choice is None else self._choice.spec
        about = ", ".join(f"“{d}”" for d in self._docs) or "the whole library"
        self._say(line((f"{who} · {about} · /help lists the commands", "dim")))
        if self._choice is not None:
            Thread(target=self._warm, daemon=True).start()

    def _warm(self) -> None:
        """Load what asking needs while the first question is written; what is wrong is told when it is asked."""
        with suppress(GlossatorError, ModuleNotFoundError):
            self._asked()

    def part(self) -> None:
        """Say how to come back."""
        if self._session:
            self._say(line((f"glossator chat --session {self._session} goes on from here", "dim")))

    def hear(self, said: str) -> bool:
        """Take a line; return whether the conversation goes on."""
        said = said.strip()
        if not said:
            return True
        try:
            if said.startswith("/"):
                return self._command(said)
            self._ask(said)
        except GlossatorError as error:
            self._call.output.complaint(error.message, error.hint)
        return True

    def _ask(self, text: str) -> None:
        if self._choice is None:
            self._extract(text)
            return
        from glossator.agent.answering import ask
        from glossator.agent.run import RunFailed, Stop
        from glossator.cli.live import Live

        live = Live(self._call.output, reasoning=self._reasoning)
        stop = Stop()
        try:
            with stopping(stop):
                question = self._question(text)
                answer = ask(
                    self._library, question, self._asked(), powers=powers(self._call), stop=stop, told=live.tell
                )
        except RunFailed as error:
            self._session = error.answer.session or self._session
            raise
        finally:
            self._thoughts = live.thoughts
        self._session, self._last = answer.session, answer
        self._after(answer, stopped=stop.asked)

    def _after(self, answer: "Answer", *, stopped: bool) -> None:
        """Show what follows the text of an answer: where its citations lead, and what it took."""
        if stopped:
            self._say(line(("stopped", "warn")))
        for citation in answer.citations:
            where = quoting.place(citation.document, citation.locator)
            self._say(line((f"[{citation.n}] ", "key"), (citation.status, "good"), "  ", *where))
        self._say(line((asked.spent(answer.usage), "dim")))

    def _extract(self, text: str) -> None:
        from glossator.library.extracted import Extract, extracted

        given = self._call.arguments
        question = Extract(
            text=text,
            docs=self._docs,
            collections=given.collection,
            tags=given.tag,
            bound=bound(given, *self._docs),
        )
        answer = extracted(self._library, question, self._session or self._library.sessions.start().id)
        self._session, self._last = answer.session, answer
        self._call.output.page(quoting.answer(answer))

    def _question(self, text: str) -> "Question":
        from glossator.agent.answering import Question

        given = self._call.arguments
        return Question(
            text=text,
            docs=self._docs,
            collections=given.collection,
            tags=given.tag,
            bound=bound(given, *self._docs),
            session=self._session,
            given=limits_given(self._call),
            way=way_of(self._call),
        )

    def _asked(self) -> "Asked":
        from glossator.agent.answering import asked as ready

        with self._loading:
            if self._model is None:
                if self._choice is None:
                    raise UsageError("no model is chosen", hint="/model provider:model chooses one")
                self._model = ready(self._choice)
            return self._model

    # -- commands

    def _command(self, said: str) -> bool:
        name, _, rest = said[1:].partition(" ")
        if name in ("quit", "exit", "q"):
            return False
        command = _COMMANDS.get(name)
        if command is None:
            raise UsageError(f"there is no command /{name}", hint="/help lists them")
        command[1](self, rest.strip())
        return True

    def help(self, _: str) -> None:
        """List the commands."""
        for name, (told, _function) in _COMMANDS.items():
            self._say(line((f"/{name:<11}", "key"), told))
        self._say(line(("/quit       ", "key"), "end the conversation; it is kept"))

    def open(self, rest: str) -> None:
        """Ask about this document only."""
        if not rest:
            raise UsageError("/open needs a document", hint="its title, id, or the beginning of one")
        shown = self._library.show(self._library.identify(rest))
        self._docs = [shown.entry.id]
        self._say(line("open: ", (shown.metadata.title, "title")))

    def close(self, _: str) -> None:
        """Ask about the whole library again."""
        self._docs = []
        self._say(line("the whole library"))

    def new(self, _: str) -> None:
        """Begin a new conversation."""
        self._session, self._last = None, None
        self._say(line("a new conversation"))

    def session(self, rest: str) -> None:
        """Go on in another conversation, or list them."""
        if rest:
            self._session = self._library.sessions.show(rest).entry.id
            self._say(line(f"conversation {self._session}"))
            return
        for entry in self._library.sessions.list().sessions[:20]:
            here = "*" if entry.id == self._session else " "
            self._say(line(here, (f"{entry.id} ", "key"), entry.title or "…", (f"  {entry.updated}", "dim")))

    def history(self, _: str) -> None:
        """Show what was said so far."""
        if self._session is None:
            self._say(line("nothing was said yet"))
            return
        limit = bound(self._call.arguments, *self._docs)
        for message in self._library.sessions.show(self._session, docs=self._docs, bound=limit).messages:
            self._say(line((f"{message.role}: ", "title"), message.text))

    def model(self, rest: str) -> None:
        """Choose another model, or say which it is."""
        if rest:
            self._choice = choose(self._call.settings, model=rest, base_url=self._call.arguments.base_url)
            self._model = None
        self._say(line(_named(self._choice)))

    def tools(self, _: str) -> None:
        """List the tools."""
        from glossator.agent.answering import tools_shown

        question = replace(self._question("?"), session=None)
        found = tools_shown(self._library, question, powers=powers(self._call), model=self._choice is not None)
        self._call.output.page(asked.tools(found))

    def reasoning(self, rest: str) -> None:
        """Unfold what the model thought last; on and off show it from now on, or fold it."""
        if rest in ("on", "off"):
            self._reasoning = rest == "on"
            self._say(line(f"reasoning is {'shown' if self._reasoning else 'folded'}"))
        elif rest:
            raise UsageError(f"/reasoning {rest}?", hint="/reasoning, /reasoning on, /reasoning off")
        else:
            self._say(*(line((thought, "dim")) for thought in self._thoughts or ["it did not think aloud"]))

    def cite(self, rest: str) -> None:
        """Show the passage of a citation with its surroundings."""
        citations = {str(c.n): c for c in self._last.citations} if self._last else {}
        if rest not in citations:
            raise NotFound(f"there is no citation {rest!r}", hint="its number stands in brackets in the last answer")
        citation = citations[rest]
        limit = bound(self._call.arguments, *([citation.document.id] if self._docs else []))
        text = self._library.text(citation.document.id, bound=limit).text
        start, end = citation.locator.start, citation.locator.end
        before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
        self._say(line(*quoting.place(citation.document, citation.locator)))
        self._say(line("… ", before, (text[start:end], "mark"), after, " …", indent=2))

    def _say(self, *elements: Element) -> None:
        self._call.output.page(elements)


_COMMANDS: Mapping[str, tuple[str, Callable[[Chat, str], Any]]] = {
    "help": ("list the commands", Chat.help),
    "open": ("DOC: ask about this document only", Chat.open),
    "close": ("ask about the whole library again", Chat.close),
    "cite": ("N: show the passage that [N] of the last answer leads to", Chat.cite),
    "reasoning": ("unfold what the model thought; on, off: from now on", Chat.reasoning),
    "tools": ("list the tools, and why some cannot be used", Chat.tools),
    "model": ("M: choose another model; alone: say which it is", Chat.model),
    "new": ("begin a new conversation", Chat.new),
    "session": ("S: go on in another conversation; alone: list them", Chat.session),
    "history": ("show what was said so far", Chat.history),
}


def _named(choice: ModelChoice | None) -> str:
    return "no model: the documents' own sentences" if choice is None else f"{choice.spec} at {choice.host}"


def _read(call: Call) -> str | None:
    """Return the next line, or None at the end; Ctrl-C drops the line that is being written."""
    interactive = sys.stdin.isatty() and call.output.out.isatty()
    while True:
        try:
            if interactive:
                return input(PROMPT)
            text = sys.stdin.readline()
            return text.rstrip("\n") if text else None
        except KeyboardInterrupt:
            call.output.out.write("\n")
        except EOFError:
            call.output.out.write("\n")
            return None


class _Remembering:
    """Keep the lines of a person in a file of the library, for the arrow keys."""

    def __init__(self, call: Call) -> None:
        self._path = call.settings.library / "chat-history"
        self._on = sys.stdin.isatty() and call.output.out.isatty()

    def __enter__(self) -> None:
        if not self._on:
            return
        try:
            import readline
        except ImportError:  # Windows
            self._on = False
            return
        if self._path.exists():
            readline.read_history_file(self._path)

    def __exit__(self, *_: object) -> None:
        if not self._on:
            return
        import readline

        readline.set_history_length(HISTORY)
        try:
            readline.write_history_file(self._path)
            self._path.chmod(0o600)
        except OSError as error:
            sys.stderr.write(f"the history could not be kept: {error.strerror}\n")


def _chat(parser: Parser) -> None:
    parser.add(*SCOPE, TAG, *MODEL)
    session_options(parser)
    parser.add(*POWERS, *BOUND)


COMMANDS = (Command(name="chat", summary="Talk with your library.", run=chat, options=_chat),)
