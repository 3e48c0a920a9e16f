"""Commands for models: what there is, and the keys of providers."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from glossator.cli import show
from glossator.cli.command import Answer, Call, Command
from glossator.cli.page import Column, Element, Span, Table, cell, line
from glossator.cli.parser import Parser, spec
from glossator.errors import UsageError

if TYPE_CHECKING:
    from glossator.agent.keys import Kept
    from glossator.library.upkeep import ModelList

LONGEST_KEY = 4096


def models(call: Call) -> Answer:
    """List the embedders and the language models that can be used here."""
    from glossator.agent.listing import language_models
    from glossator.embed import available
    from glossator.library.upkeep import ModelList

    return Answer(ModelList(tuple(available()), language_models(call.settings)), _models)


def set_key(call: Call) -> Answer:
    """Keep a provider's key, read from the terminal without showing it, or from stdin."""
    from glossator.agent.keys import store

    return Answer(store(call.arguments.provider, _read_key(call.arguments.provider)), _kept)


def remove_key(call: Call) -> Answer:
    """Remove a provider's key from where it is kept."""
    from glossator.agent.keys import forget

    return Answer(forget(call.arguments.provider), _removed)


def _read_key(provider: str) -> str:
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass(f"Key for {provider} (it is not shown): ")
    given = sys.stdin.readline(LONGEST_KEY)
    if not given.strip():
        raise UsageError("no key came from stdin", hint=f"`glossator config set-key {provider} < FILE`, or a terminal")
    return given


_PLACES: Mapping[str | None, str] = {
    "keyring": "the system's keyring",
    "file": "a file that only you can read",
    None: "nowhere",
}


def _kept(result: "Kept") -> Iterator[Element]:
    yield line(f"The key {result.variable} is kept in {_PLACES[result.place]}.")


def _removed(result: "Kept") -> Iterator[Element]:
    if result.place is None:
        yield line(f"No key {result.variable} was kept.")
    else:
        yield line(f"The key {result.variable} is removed from {_PLACES[result.place]}.")


def _models(result: "ModelList") -> Iterator[Element]:
    yield from show.models(result)
    columns = (
        Column("Language model"),
        Column("Role"),
        Column("Here"),
        Column("Sends"),
        Column("Key"),
        Column("Note", flexible=True),
    )
    yield line()
    yield Table(columns, tuple(_model(model) for model in result.models))
    if not any(model["role"] == "in use" for model in result.models):
        yield line(("No language model is used: answers are verbatim sentences, with receipts.", "dim"))


def _model(facts: Mapping[str, Any]) -> tuple[Span, ...]:
    note = "; ".join(str(facts[k]) for k in ("what", "hint") if facts.get(k))
    return (
        cell(facts["name"], "title"),
        cell(facts["role"]),
        cell("yes", "good") if facts["installed"] else cell("no", "warn"),
        cell("yes" if facts["network"] else "no"),
        cell(facts["key"]),
        cell(note, "dim"),
    )


def _provider(parser: Parser) -> None:
    parser.add(spec("provider", metavar="PROVIDER", help="openai, openai-chat, anthropic or deepseek"))


COMMANDS = (
    Command(name="models", summary="List embedding and language models, and what they need.", run=models),
    Command(
        name="config set-key",
        summary="Keep a provider's key: asked for unseen, or from stdin.",
        run=set_key,
        options=_provider,
    ),
    Command(
        name="config remove-key",
        summary="Remove a provider's key from where it is kept.",
        run=remove_key,
        options=_provider,
    ),
)
