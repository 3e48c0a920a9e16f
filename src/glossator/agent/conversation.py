"""A run's place in a session: what was said before, read again each round; what is said now, kept as it comes.

The question is stored before the model is asked, each round when its results are there: whatever ends the process, the
session holds whole rounds only. Two runs in one session do not disturb each other; each sees what was complete when it
began.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from glossator.agent.history import model_messages
from glossator.library.results import Bound
from glossator.messages import WHOLE, Message, Part, Reach, Text

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from glossator.library.library import Library


class Conversation:
    """One question of a session, and its answer."""

    def __init__(
        self, library: "Library", session: str, *, docs: Sequence[str] = (), bound: Bound, reach: Reach = WHOLE
    ) -> None:
        """Go on in `session`; `reach` is what the answer can be made from under `bound`."""
        self.session = session
        self._library = library
        self._docs, self._bound, self._reach = tuple(docs), bound, reach
        self._question: str | None = None
        self._answer: str | None = None
        self._exact: list[ModelMessage] = []

    def ask(self, question: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Store the question."""
        parts = [Text(question)]
        said = self._library.sessions.append(
            self.session, parts, role="user", reach=self._reach, metadata=dict(metadata or {})
        )
        self._question = said.id

    def keep(self, parts: Sequence[Part], exact: "Sequence[ModelMessage]" = ()) -> None:
        """Store what came in a round; `exact` is the same as the provider said it, for the rest of this run."""
        if self._question is None:  # it could not be stored, so there is nothing to answer
            return
        self._exact += exact
        if self._answer is None:
            answer = self._library.sessions.append(
                self.session, parts, role="assistant", reach=self._reach, metadata={"question": self._question}
            )
            self._answer = answer.id
        elif parts:
            self._library.sessions.extend(self._answer, parts)

    def messages(self) -> "list[ModelMessage]":
        """Return the conversation as a model is sent it, read from the session, this run's part last."""
        exact = {self._answer: self._exact} if self._answer and self._exact else {}
        return model_messages(self.stored(), exact=exact)

    def stored(self) -> list[Message]:
        """Return the messages so far, each answer after its question, this run's last."""
        shown = self._library.sessions.show(self.session, docs=self._docs, bound=self._bound).messages
        return in_order(shown, last=self._question)

    def earlier_tools(self) -> list[str]:
        """Return the tools that the session was given before, in the order they came."""
        names: list[str] = []
        for message in self._library.sessions.show(self.session, docs=self._docs, bound=self._bound).messages:
            names += [n for n in message.metadata.get("tools", ()) if n not in names]
        return names


def in_order(messages: Sequence[Message], *, last: str | None) -> list[Message]:
    """Return messages with each answer after its question; the question `last` ends them, with its answer.

    What came after that question began, from another process, is left out.
    """
    answers: dict[str, list[Message]] = {}
    for message in messages:
        question = message.metadata.get("question")
        if isinstance(question, str):
            answers.setdefault(question, []).append(message)
    found: list[Message] = []
    for message in messages:
        if isinstance(message.metadata.get("question"), str):
            continue
        found += [message, *answers.get(message.id, ())]
        if message.id == last:
            break
    return found
