"""Options that several commands share, and what they mean."""

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING, Literal

from glossator.cli.parser import spec
from glossator.errors import UsageError

if TYPE_CHECKING:
    from glossator.library.results import Bound


def _up_to(text: str) -> int | Literal["progress"]:
    if text == "progress":
        return "progress"
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither a position nor 'progress'")


DOC = spec("document", metavar="DOC", help="id, the beginning of an id, path, title, or the beginning of a title")
SCOPE = (
    spec("--doc", action="append", default=[], metavar="DOC", help="only in this document; repeat for several"),
    spec("--collection", action="append", default=[], metavar="C", help="only in this collection; repeat for several"),
)
TAG = spec("--tag", action="append", default=[], metavar="T", help="only documents with this tag; repeat for several")
BOUND = (
    spec(
        "--up-to",
        type=_up_to,
        metavar="N|progress",
        help="nothing past position N of the one document, or past where each was read",
    ),
    spec("--uncapped", action="store_true", help="also what unfinished books keep hidden"),
)
WORDS_ONLY = spec("--embedder", choices=("none",), help="none: by words only; documents keep the embedder they have")
EMBEDDER = spec(
    "--embedder", metavar="E", help="provider:model (see `glossator models`); none: words only; else by language"
)


def bound(given: Namespace, *documents: str) -> "Bound":
    """Return the bound that the options ask for, of a command that was given these documents.

    Raises:
        UsageError: a position, but not exactly one document to count it in.
    """
    from glossator.library.results import Bound

    if isinstance(given.up_to, int) and len(documents) != 1:
        raise UsageError("--up-to N needs exactly one document", hint="name it with --doc, or use --up-to progress")
    if given.uncapped and given.up_to is not None and given.up_to != "progress":
        raise UsageError("--up-to N and --uncapped exclude each other", hint="leave one of them out")
    return Bound(given.up_to, given.uncapped)
