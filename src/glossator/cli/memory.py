"""Commands for what the agent remembers: list it, remove it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, bound
from glossator.cli.page import Column, Element, Table, cell, line
from glossator.cli.parser import Parser, spec
from glossator.cli.show import notice

if TYPE_CHECKING:
    from glossator.library.memories import Forgotten, MemoryList


def memory_list(call: Call) -> Answer:
    """List what the agent remembers, the newest first."""
    docs = [] if call.arguments.doc is None else [call.arguments.doc]
    limit = bound(call.arguments, *docs)
    with call.library() as library:
        return Answer(library.memory.list(docs=docs, bound=limit), _listed)


def memory_remove(call: Call) -> Answer:
    """Remove what the agent remembers."""
    with call.library() as library:
        return Answer(library.memory.remove(call.arguments.memories), _removed)


def _listed(result: "MemoryList") -> Iterator[Element]:
    if result.memories:
        columns = (Column("ID"), Column("Kind"), Column("What", flexible=True), Column("About"), Column("Since"))
        rows = (
            (cell(m.id, "key"), cell(m.kind, "dim"), cell(m.text), cell(m.document and m.document[1]), cell(m.created))
            for m in result.memories
        )
        yield Table(columns, tuple(rows))
    else:
        yield line("Nothing is remembered.")
    yield from notice(result.notice)


def _removed(result: "Forgotten") -> Iterator[Element]:
    yield line("removed ", (", ".join(result.ids), "key"))


def _list(parser: Parser) -> None:
    parser.add(spec("--doc", metavar="DOC", help="the document that --up-to N counts in"), *BOUND)


MEMORIES = spec("memories", nargs="+", metavar="ID", help="the id of a memory, or its beginning")
COMMANDS = (
    Command(name="memory list", summary="List what the agent remembers.", run=memory_list, options=_list),
    Command(
        name="memory remove",
        summary="Remove what the agent remembers.",
        run=memory_remove,
        options=lambda p: p.add(MEMORIES),
    ),
)
