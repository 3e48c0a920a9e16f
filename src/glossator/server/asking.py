"""From the body of a request to a question: its text, its documents, its bound, the model that answers."""

import logging
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Field

from glossator.choice import ModelChoice, choose
from glossator.config import Settings, several
from glossator.errors import UsageError
from glossator.library.results import Bound
from glossator.library.scoping import Scoped
from glossator.server.options import Name, Names, Options, Place

if TYPE_CHECKING:
    from glossator.agent.answering import Powers, Question
    from glossator.library.library import Library

Json = dict[str, Any]
log = logging.getLogger(__name__)


class Asking(Options):
    """What a question may say besides its text."""

    doc: Names | Name | None = Field(default=None, examples=["Bees"])
    collection: Names | Name | None = None
    tag: Names | Name | None = None
    up_to: Place | Literal["progress"] | Annotated[str, Field(pattern=r"^([0-9]{1,15}|progress)$")] | None = None
    uncapped: bool = False
    selection: (
        Annotated[str, Field(pattern=r"^[0-9]{1,15}:[0-9]{1,15}$")]
        | Annotated[list[Place], Field(min_length=2, max_length=2)]
        | None
    ) = None
    position: Place | None = None
    model: Annotated[str, Field(max_length=200)] | None = Field(default=None, examples=["none"])
    research: bool = False
    max_rounds: Annotated[int, Field(ge=1, le=1_000)] | None = None

    def bound(self) -> Bound:
        """Return the bound."""
        up_to = self.up_to
        number = isinstance(up_to, int) or (isinstance(up_to, str) and up_to.isdecimal())
        return Bound(int(str(up_to)) if number else "progress" if up_to else None, self.uncapped)

    def span(self) -> tuple[int, int] | None:
        """Return the selection."""
        given = self.selection.split(":") if isinstance(self.selection, str) else self.selection
        return None if given is None else (int(given[0]), int(given[1]))

    def names(self) -> dict[str, tuple[str, ...]]:
        """Return documents, collections and tags."""
        return {"docs": listed(self.doc), "collections": listed(self.collection), "tags": listed(self.tag)}


class Loose(Asking):
    """The same for clients that send more than we know."""

    model_config = ConfigDict(extra="ignore")


def listed(names: list[str] | str | None) -> tuple[str, ...]:
    """Return names as a tuple."""
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)


def checked(library: "Library", text: str, given: Asking) -> Scoped:
    """Return what a question may see; what cannot be asked is refused before anything is begun.

    Raises:
        UsageError: nothing is asked, or of no place that there is.
        NotFound: no such document, collection or tag.
    """
    if not text.strip():
        raise UsageError("nothing is asked", hint="give a question")
    names = given.names()
    shown = library.scope(names["docs"], names["collections"], tags=names["tags"], bound=given.bound())
    if (span := given.span()) is not None:
        if len(shown.named or ()) != 1:
            raise UsageError("a selection needs exactly one document", hint="name it as doc")
        if not 0 <= span[0] < span[1] <= shown.only.characters:
            raise UsageError(f"{span[0]}:{span[1]} is no span of it", hint=f"positions run to {shown.only.characters}")
    return shown


def model_of(settings: Settings, given: Asking) -> ModelChoice | None:
    """Return the model that answers, or None: the documents' own sentences.

    Raises:
        ModelError: there is no such model.
    """
    return choose(settings, "research" if given.research else "question", model=given.model)


def question_of(settings: Settings, text: str, given: Asking, session: str) -> "Question":
    """Return the question as the agent takes it."""
    from glossator.agent.answering import Question
    from glossator.agent.limits import Given

    names = given.names()
    limits = Given(
        rounds=given.max_rounds or settings.limits_rounds,
        tokens=settings.limits_tokens,
        cost=settings.limits_cost,
        seconds=settings.limits_seconds,
    )
    return Question(
        text=text,
        docs=names["docs"],
        collections=names["collections"],
        tags=names["tags"],
        bound=given.bound(),
        selection=given.span(),
        position=given.position,
        session=session,
        given=limits,
        way="passages" if _way(settings) == "passages" else "tools",
        research=given.research,
    )


def _way(settings: Settings) -> object:
    return next((s.value for s in settings.model if s.key.name == "model.way"), None)


def powers_of(settings: Settings) -> "Powers":
    """Return what tools may do: what the settings permit, and of that nothing that would have to be asked about.

    Raises:
        UsageError: a setting that tools need is wrong.
    """
    from glossator.agent.answering import Powers
    from glossator.agent.reach import permitted, reach_of

    reach, problems = reach_of(settings)
    for problem in problems:
        log.warning("%s", problem)
    return Powers(allow=permitted(settings), files=several(settings.tools_files), reach=reach)
