"""Two sections side by side: what they have in common and what only one of them speaks of."""

from collections import Counter
from collections.abc import Sequence

from glossator.library.analysis.centrality import Weights, ranked, terms_of
from glossator.library.analysis.concepts import concepts
from glossator.library.analysis.names import Piece, names
from glossator.library.analysis.prose import Part, Sentence, parts
from glossator.library.analysis.values import Contrast, Point
from glossator.library.reader import Reader
from glossator.library.scoping import Scoped

TERMS, PAIRS = 12, 6
LOOKED_AT = 120  # sentences of each section that are compared
ALIKE = 0.3  # share of terms in common


def compare_sections(first: Scoped, second: Scoped, sections: tuple[int, int]) -> Contrast:
    """Return a section of one document beside a section of another, or of the same.

    Raises:
        NotFound: there is no such section, or it begins past the bound.
    """
    with first.reader.database.read():
        a, b = _read(first, sections[0]), _read(second, sections[1])
        terms_a, terms_b = _terms(a), _terms(b)
        shared = [t for t in terms_a if t in terms_b]
        only = tuple(tuple(t for t in x if t not in y)[:TERMS] for x, y in ((terms_a, terms_b), (terms_b, terms_a)))
        pairs = [
            (_point(first.reader, first.only.key, x), _point(second.reader, second.only.key, y))
            for x, y in _alike(_best(a), _best(b))
        ]
        return Contrast(
            titles=(_title(first, sections[0]), _title(second, sections[1])),
            shared=tuple(shared[:TERMS]),
            only=(only[0], only[1]),
            pairs=tuple(pairs),
            notice=first.notice or second.notice,
        )


def _read(shown: Scoped, section: int) -> list[Part]:
    key = shown.only.key
    return parts(shown.reader, shown.reader.open(key), shown.reader.section(key, section))


def _title(shown: Scoped, section: int) -> str:
    found = next((s for s in shown.reader.open(shown.only.key).sections if s.number == section), None)
    return found.title if found else ""


def _terms(read: Sequence[Part]) -> list[str]:
    """Return what a section speaks of, names and concepts, most often first."""
    pieces: list[Piece] = [piece for part in read for piece in part.pieces]
    found = names(pieces)
    named = {n.name.casefold() for n in found}
    counts = Counter(
        {n.name: n.count for n in (*found, *(c for c in concepts(pieces) if c.name.casefold() not in named))}
    )
    return [term for term, _ in counts.most_common(4 * TERMS)]


def _best(read: Sequence[Part]) -> list[Sentence]:
    weights = Weights(read)
    scored = [entry for n, part in enumerate(read) for entry in ranked(part, weights.of(n))]
    return [s for _, s in sorted(scored, key=lambda x: -x[0])[:LOOKED_AT]]


def _alike(a: Sequence[Sentence], b: Sequence[Sentence]) -> list[tuple[Sentence, Sentence]]:
    """Return the pairs of sentences that have most terms in common, each sentence once."""
    there = [(s, set(terms_of(s.text))) for s in b]
    scored = []
    for sentence in a:
        own = set(terms_of(sentence.text))
        for other, terms in there:
            share = len(own & terms) / (min(len(own), len(terms)) + 2)
            if share >= ALIKE:
                scored.append((share, sentence, other))
    pairs: list[tuple[Sentence, Sentence]] = []
    for _, x, y in sorted(scored, key=lambda s: (-s[0], s[1].start)):
        if len(pairs) < PAIRS and not any(x is p or y is q for p, q in pairs):
            pairs.append((x, y))
    return pairs


def _point(reader: Reader, key: int, sentence: Sentence) -> Point:
    text, locator = reader.excerpt(reader.open(key), sentence.start, sentence.end)
    return Point(text, locator)
