"""What happens in a run, as it happens: parts open, grow, change and close; at the end there is the answer.

Every surface lives on these: the terminal draws them, a stream turns them into chunks, a server keeps them for whoever
comes back. `id` names a part through its life; that of a tool is the id of its call.
"""

from dataclasses import dataclass

from glossator.library.findings import Answer, Citation
from glossator.messages import Citation as CitationPart
from glossator.messages import Part


@dataclass(frozen=True, slots=True)
class Began:
    """The run began, in a session."""

    session: str | None
    model: str


@dataclass(frozen=True, slots=True)
class Round:
    """The model is asked: for the first time, or after results."""

    number: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A part is there: a tool as soon as its name is known, a text or reasoning before its first words."""

    id: str
    part: Part


@dataclass(frozen=True, slots=True)
class Grew:
    """Words were added: to a text, to reasoning, to the arguments of a tool as they are written."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A part stands for what it was before: a tool that runs, or ended."""

    id: str
    part: Part


@dataclass(frozen=True, slots=True)
class Closed:
    """A text or reasoning is whole."""

    id: str
    part: Part


@dataclass(frozen=True, slots=True)
class Finished:
    """The run ended; nothing comes after it."""

    answer: Answer
    interrupted: bool = False


Event = Began | Round | Opened | Grew | Changed | Closed | Finished


def citation_part(citation: Citation) -> CitationPart:
    """Return a citation as a part of a message."""
    return CitationPart(
        n=citation.n,
        status=citation.status,
        quote=citation.quote,
        document=citation.document.to_json(),
        locator=citation.locator.to_json(),
    )
