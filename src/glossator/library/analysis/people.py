"""Who and what a document names: persons, places, other names; of a text that is about things, its concepts.

Only what may be shown is counted, so nothing here tells of what comes later. Known limit: one person under two names
that share no word is two entries, and kinds are guesses from the words around.
"""

from collections.abc import Sequence

from glossator.document.sentence import is_english
from glossator.library.analysis.concepts import concepts
from glossator.library.analysis.names import Name, names
from glossator.library.analysis.prose import pieces
from glossator.library.analysis.summary import tells_a_story
from glossator.library.analysis.values import Named, People
from glossator.library.scoping import Scoped

MOST = 100
LEAST = 2  # times that a name is met


def people(shown: Scoped) -> People:
    """Return the names of the one document of a scope, and its concepts where it tells no story."""
    reader, key = shown.reader, shown.only.key
    with reader.database.read():
        opened = reader.open(key)
        prose = pieces(reader, opened)
        found = [n for n in names(prose) if n.count >= LEAST]
        english = opened.document.language is None or is_english(opened.document.language)
        kept = found if tells_a_story(found) else _with_concepts(found, concepts(prose, english=english))
        shown_names = tuple(
            Named(n.name, n.kind, n.count, reader.locator(opened, *n.places[0]), n.forms) for n in kept[:MOST]
        )
        return People(document=opened.ref, names=shown_names, notice=shown.notice)


def _with_concepts(found: Sequence[Name], terms: Sequence[Name]) -> list[Name]:
    """Return concepts and names together, most frequent first, a word that is both as a name."""
    known = {n.name.casefold() for n in found if n.count >= LEAST}
    kept = [n for n in found if n.count >= LEAST] + [t for t in terms if t.name.casefold() not in known]
    return sorted(kept, key=lambda n: (-n.count, n.places[0]))
