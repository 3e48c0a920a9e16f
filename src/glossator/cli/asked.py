"""How answers of a language model, and the tools there are, look to a person."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from glossator.cli import quoting
from glossator.cli.page import Column, Element, Table, cell, line

if TYPE_CHECKING:
    from glossator.agent.answering import ToolList
    from glossator.library.findings import Answer, Usage


def answer(result: "Answer") -> Iterator[Element]:
    """Show the answer with its citations, and what was asked for it."""
    yield from quoting.answer(result)
    if result.model != "none":
        yield line()
        told = [result.model, spent(result.usage)]
        told += [f"conversation {result.session}"] if result.session else []
        yield line((" · ".join(told), "dim"))


def spent(usage: "Usage") -> str:
    """Return what a model was asked for, in words."""
    requests = f"{usage.requests} request{'' if usage.requests == 1 else 's'}"
    cost = "" if not usage.cost else f", {usage.cost:.4f} US dollars"
    return f"{requests}, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{cost}"


def tools(result: "ToolList") -> Iterator[Element]:
    """Show the tools by toolset: what each is for, or why it cannot be used."""
    columns = (Column("Toolset"), Column("Tool"), Column("What it does", flexible=True))
    rows = []
    for tool, why in result.tools:
        first = tool.description.partition("\n")[0]
        rows.append((cell(tool.toolset, "dim"), cell(tool.name, "key" if why is None else "dim"), cell(why or first)))
    yield Table(columns, tuple(rows))
    for problem in result.problems:
        yield line(("left out: ", "warn"), problem)
