"""Commands that find, answer and check."""

from typing import TYPE_CHECKING

from glossator.cli import quoting
from glossator.cli.command import Answer, Call, Command
from glossator.cli.options import BOUND, SCOPE, TAG, WORDS_ONLY, bound
from glossator.cli.parser import Parser, spec, whole
from glossator.errors import GlossatorError, UsageError

if TYPE_CHECKING:
    from glossator.search.rewrite import Say


def search(call: Call) -> Answer:
    """Find passages by words and by meaning."""
    given = call.arguments
    with call.library() as library:
        result = library.search(
            " ".join(given.query),
            docs=given.doc,
            collections=given.collection,
            tags=given.tag,
            k=given.k or call.settings.search_k,
            mode=given.mode or call.settings.search_mode,
            explain=given.explain,
            why_not=given.why_not,
            rewrite=given.rewrite,
            say=_rewriter(call),
            bound=bound(given, *given.doc),
        )
    return Answer(result, quoting.search)


def _rewriter(call: Call) -> "Say | None":
    """Return the language model that rewrites a query, where that is asked for and one is chosen."""
    given = call.arguments
    if given.rewrite == "none":
        return None
    from glossator.choice import choose

    choice = choose(call.settings, "rewrite", model=given.model, base_url=given.base_url)
    if choice is None:
        return None
    from glossator.agent.speaking import rewriter

    return rewriter(choice)


def locate(call: Call) -> Answer:
    """Find where a quotation stands."""
    given = call.arguments
    with call.library() as library:
        result = library.locate(" ".join(given.quote), docs=given.doc, bound=bound(given, *given.doc))
    return Answer(result, quoting.located)


def verify(call: Call) -> Answer | int:
    """Check every quotation of a file against the library; exit 1 when one does not hold."""
    from glossator.cli.failure import Unverified

    given = call.arguments
    limit = bound(given)
    try:
        with call.library() as library:
            result = library.verify(given.file, bound=limit)
    except UsageError:
        raise
    except GlossatorError as error:
        if not given.json:
            raise
        call.output.json(Unverified(error).to_json())
        return 1
    return Answer(result, quoting.verification, 0 if result.ok else 1)


def evaluate(call: Call) -> Answer:
    """Measure retrieval on questions made from the documents themselves, or on those of a file."""
    given = call.arguments
    with call.library() as library:
        result = library.evaluate(given.doc, given.collection, given.queries)
    return Answer(result, quoting.evaluation)


def _search(parser: Parser) -> None:
    parser.add(
        spec("query", nargs="+", metavar="QUERY", help='any text; "…" is a phrase, -word excludes'),
        *SCOPE,
        TAG,
        spec("-k", type=whole(1, 1000), metavar="N", help="how many passages (default 10)"),
        spec(
            "--mode",
            choices=("hybrid", "lexical", "vector"),
            help="by words and meaning (hybrid, the default), by words, by meaning",
        ),
        spec(
            "--rewrite",
            choices=("none", "expansion", "hyde", "multi_query"),
            default="none",
            help="let a language model widen the query first: by other words, a passage that would answer it, or "
            "other ways to ask",
        ),
        spec("--model", metavar="M", help="provider:model, `local` or `remote`, for --rewrite"),
        spec("--base-url", metavar="URL", help="the address of the model's server, as its own client takes it"),
        spec("--explain", action="store_true", help="how each hit got its rank"),
        spec("--why-not", metavar="DOC", help="what kept this document out of the hits"),
        *BOUND,
        WORDS_ONLY,
    )


def _locate(parser: Parser) -> None:
    parser.add(spec("quote", nargs="+", metavar="QUOTE", help="the words to find"), SCOPE[0], *BOUND)


def _verify(parser: Parser) -> None:
    parser.add(spec("file", metavar="FILE", help="Markdown, JSON, or any text with quotations"), *BOUND)


def _eval(parser: Parser) -> None:
    from pathlib import Path

    parser.add(
        *SCOPE,
        spec("--queries", type=Path, metavar="FILE", help="JSON Lines of questions and their places, instead of ours"),
        WORDS_ONLY,
    )


COMMANDS = (
    Command(name="search", summary="Find passages by words and meaning.", run=search, options=_search, free_text=True),
    Command(name="locate", summary="Find where a quotation stands.", run=locate, options=_locate, free_text=True),
    Command(name="verify", summary="Check the quotations of a file.", run=verify, options=_verify),
    Command(name="eval", summary="Measure how well your own documents are found.", run=evaluate, options=_eval),
)
