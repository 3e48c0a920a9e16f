"""What catalogues and reference managers know of a work: one value for OPF, BibTeX and CSL-JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.document.model import clean

if TYPE_CHECKING:
    from glossator.library.exchange.incoming import Incoming

_LANGUAGES = {
    "american": "en-US",
    "british": "en-GB",
    "english": "en",
    "german": "de",
    "ngerman": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "portuguese": "pt",
    "russian": "ru",
    "japanese": "ja",
    "korean": "ko",
    "chinese": "zh",
    "arabic": "ar",
    "hebrew": "he",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A work as a catalogue describes it. `details` are further facts under the names of CSL.

    It is of the files that it names, of the book in `folder` (that of a `metadata.opf`), or of what its identifiers or
    its title say.
    """

    name: str  # for messages
    line: int | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    language: str | None = None
    published: str | None = None
    identifiers: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    folder: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


def references_of(found: "Incoming", path: Path) -> list[Reference]:
    """Return the works that a file describes.

    Raises:
        DamagedFile: it breaks off, or is malformed.
    """
    if found.kind == "opf":
        from glossator.library.exchange.opf import reference_of_opf

        return [reference_of_opf(found.text.encode(), path)]
    if found.kind == "bibtex":
        from glossator.library.exchange.bibtex_entries import entries_of
        from glossator.library.exchange.bibtex_reader import reference_of_entry

        return [reference_of_entry(e, path.parent) for e in entries_of(found.text, str(path))]
    from glossator.library.exchange.csl import reference_of_item

    return [reference_of_item(item, number, path.parent) for number, item in enumerate(found.data, 1)]


def language_of(text: str) -> str | None:
    """Return a language tag for a tag, or for the name that babel has for a language; None for what is neither."""
    from glossator.parse.epub_package import language_tag

    plain = text.strip()
    return _LANGUAGES.get(plain.lower()) or (language_tag(plain) if plain else None)


def identifiers_of(pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return identifiers in the forms that documents have them in; one of each scheme, the first."""
    from glossator.library.exchange.matching import identifier_key

    found: dict[str, str] = {}
    for scheme, value in pairs:
        plain = clean(value).strip()
        key = identifier_key(scheme, plain)
        if key:
            known, _, plain = key.partition(":")
            found.setdefault(known, plain)
        elif plain and scheme in ("url", "issn", "pmid", "arxiv", "uuid", "calibre", "asin", "amazon", "google"):
            found.setdefault(scheme, plain)
    return tuple(found.items())
