"""How passages, answers and receipts look to a person: the words, and beside them always the place they come from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from glossator.cli.marking import marked
from glossator.cli.page import Column, Element, Span, Style, Table, cell, line
from glossator.cli.show import notice

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.library.findings import Answer, CheckedQuotation, Hit, Located, SearchResult, Verification
    from glossator.library.results import DocumentRef
    from glossator.library.upkeep import Evaluation, Scores

VERDICTS: dict[str, Style] = {
    "verified": "good",
    "repaired": "good",
    "misattributed": "warn",
    "not_found": "bad",
    "document_missing": "bad",
    "out_of_scope": "warn",
}


def search(result: "SearchResult") -> Iterator[Element]:
    """Show hits: where each stands, and its text with the asked words marked."""
    for hit in result.hits:
        yield line((f"{hit.rank}. ", "key"), *place(hit.document, hit.locator))
        yield line(*marked(hit.text, result.query), indent=3)
        yield from _trace(hit)
        yield line()
    if not result.hits:
        yield line("No passage fits.")
    if result.why_not:
        yield line(("why not: ", "title"), str(result.why_not["reason"]))
    yield from notice(result.notice)


def _trace(hit: "Hit") -> Iterator[Element]:
    if hit.trace is None:
        return
    parts = []
    lexical, vectors = hit.trace["arms"].get("lexical"), hit.trace["arms"].get("vector") or []
    if lexical:
        parts.append(f"words: rank {lexical['rank']}, {lexical['score']:.3f}")
    parts += [f"{v['model']}: rank {v['rank']}, {v['score']:.3f}" for v in vectors]
    if hit.trace.get("fusion"):
        parts.append(f"{hit.trace['fusion']['method']}: {hit.trace['fusion']['score']:.4f}")
    yield line((" · ".join(parts), "dim"), indent=3)


def answer(result: "Answer") -> Iterator[Element]:
    """Show the answer, then each citation with its sentence, its place and its verdict."""
    yield line((result.text, "warn" if result.abstained else "plain"))
    if result.citations:
        yield line()
        yield line(("Citations", "title"))
    for citation in result.citations:
        verdict: Span = (citation.status, VERDICTS[citation.status])
        yield line((f"[{citation.n}] ", "key"), verdict, "  ", *place(citation.document, citation.locator))
        yield line(citation.quote, indent=4)
    for quote, status in result.rejected:
        yield line(("withheld, ", "warn"), (status.replace("_", " "), VERDICTS.get(status, "bad")), f": “{quote}”")
    if result.notice and result.notice not in result.text:
        yield from notice(result.notice)


def located(result: "Located") -> Iterator[Element]:
    """Show where a quotation stands, what had to be repaired, and what comes near when it was not found."""
    verdict: Span = (result.status.replace("_", " "), VERDICTS[result.status])
    if result.document is None or result.locator is None:
        yield line(verdict)
        for near in result.near:
            yield line((f"near, {near.score:.0%}: ", "dim"), f"“{near.text}”", indent=2)
            yield line(*place(near.document, near.locator), indent=2)
    else:
        times = f" · {result.occurrences} times, the first:" if result.occurrences > 1 else ""
        repairs = f" ({', '.join(result.repairs)})" if result.repairs else ""
        yield line(verdict, repairs, times)
        if result.locator.quote:
            yield line(f"“{result.locator.quote.exact}”", indent=2)
        yield line(*place(result.document, result.locator), indent=2)
    yield from notice(result.notice)


def verification(result: "Verification") -> Iterator[Element]:
    """Show the verdict on each quotation, and a line of counts."""
    counts: dict[str, int] = {}
    for quotation in result.quotations:
        counts[quotation.status] = counts.get(quotation.status, 0) + 1
        yield from _checked(quotation)
    total = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in counts.items()) or "no quotations"
    yield line((total, "title"))
    yield from notice(result.notice)


def _checked(quotation: "CheckedQuotation") -> Iterator[Element]:
    yield line((f"{quotation.status.replace('_', ' '):<17}", VERDICTS[quotation.status]), f"“{quotation.quote}”")
    if quotation.document and quotation.locator:
        yield line(*place(quotation.document, quotation.locator), indent=17)
    elif quotation.claimed:
        yield line((f"claimed of {quotation.claimed}", "dim"), indent=17)


def evaluation(result: "Evaluation") -> Iterator[Element]:
    """Show the figures overall and by each facet."""
    rows = [_scores("all", "", result.total)]
    for facet, values in result.by.items():
        rows += [_scores(facet if i == 0 else "", value, scores) for i, (value, scores) in enumerate(values.items())]
    columns = (
        Column("By"),
        Column("Value", flexible=True),
        Column("Questions", right=True),
        Column("Recall@1", right=True),
        Column("Recall@5", right=True),
        Column("MRR", right=True),
    )
    yield Table(columns, tuple(rows))
    yield from notice(result.notice)


def _scores(facet: str, value: str, scores: "Scores") -> tuple[Span, ...]:
    figures = (scores.recall_1, scores.recall_5, scores.mrr)
    return (cell(facet, "title"), cell(value), cell(scores.queries), *(cell(f"{f:.3f}") for f in figures))


def place(document: "DocumentRef", locator: "Locator") -> tuple[Span, ...]:
    """Return title, section path, page and position, in the words that other commands take."""
    parts: list[Span] = [(document.title, "title")]
    path = locator.section_path[1:] if locator.section_path[:1] == (document.title,) else locator.section_path
    parts += [(f" › {title}", "plain") for title in path]
    if locator.page is not None:
        printed = locator.page_label
        label = f" (printed {printed})" if printed and printed != str(locator.page) else ""
        parts.append((f" · page {locator.page}{label}", "plain"))
    parts.append((f"  {document.id}:{locator.start}-{locator.end}", "dim"))
    return tuple(parts)
