"""Where the blocks of a part stand in its XHTML: what a client needs to lead positions to the DOM and back."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glossator.document.cfi import steps_of
from glossator.document.model import Block, DomAnchor
from glossator.library.parts import part, span_of
from glossator.store import content

if TYPE_CHECKING:
    from glossator.library.scoping import Scoped
    from glossator.store.database import Database

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Places:
    """The blocks of a part, number `part` from 1, in the order of the canonical text."""

    part: int
    blocks: tuple[Block, ...]

    def to_json(self) -> Json:
        """Return the JSON of `places`.

        `steps` lead from the document element of the part to the block's, as CFI steps without ids ("" is the element
        itself). A run is where its characters begin, from the start of the block; CFI steps from the block's element
        to a text chunk; UTF-16 code units into the raw text of that chunk. A block without runs has no text in the DOM.
        """
        return {"part": self.part, "blocks": [_place(block) for block in self.blocks]}


def places_in(blocks: Iterable[Block], number: int) -> Places:
    """Return the places of those blocks that stand in part `number`, from 1."""
    here = (b for b in blocks if isinstance(b.anchor, DomAnchor) and b.anchor.spine == number - 1)
    return Places(number, tuple(b for b in here if b.start is not None))


def places_of(database: "Database", shown: "Scoped", number: int) -> Places:
    """Return the places of a part's blocks.

    Raises:
        NotFound: there is no such part, or a piece of it is hidden.
    """
    document = shown.only
    part(database, shown, number)
    span = span_of(database, document, number)
    if span is None:
        return Places(number, ())
    with database.read() as c:
        return places_in(content.blocks_between(c, document.key, *span), number)


def _place(block: Block) -> Json:
    anchor = block.anchor
    assert isinstance(anchor, DomAnchor)
    return {
        "start": block.start,
        "end": block.end,
        "kind": block.kind,
        "steps": steps_of(anchor),
        "runs": [[run.start, run.steps, run.offset] for run in anchor.runs],
    }
