"""Real books of the evaluation material, whole and broken."""

import json
from pathlib import Path

import pytest

from glossator.errors import GlossatorError
from glossator.parse import parse, read
from glossator.parse.blocks import document_of
from glossator.parse.publication import Reflowable
from tests.data_folder import DATA, needs_data
from tests.parse.pages import element_at, source_of

SMALL = 300_000  # bytes; the larger books are for the benchmark


@needs_data
def test_books_are_read_in_order_with_their_metadata_and_contents() -> None:
    assert DATA is not None
    folder = DATA / "parsing" / "epub"
    samples = found = 0
    for line in (DATA / "parsing" / "epub.expect.jsonl").read_text("utf-8").splitlines():
        expected = json.loads(line)
        path = folder / expected["file"]
        if path.stat().st_size > SMALL or not expected["opens"]:
            continue
        document = parse(path)
        assert document.metadata.title == expected["title"][0], path.name
        assert list(document.metadata.authors) == expected["creator"], path.name
        assert [[s.level, s.title] for s in document.sections[:15]] == expected["toc_first"], path.name
        text, at = " ".join(document.text.split()), 0
        for sample in expected["samples"]:
            place = text.find(" ".join(sample["text"].split()), at)
            samples, found, at = samples + 1, found + (place >= 0), max(place, at)
    assert found >= 0.99 * samples > 0


@needs_data
def test_broken_books_end_in_a_text_or_a_clear_error() -> None:
    assert DATA is not None
    broken = sorted((DATA / "parsing" / "epub" / "broken").glob("*.epub"))
    assert broken
    ends = {path.name: _end(path) for path in broken}
    assert all(ends.values()), ends
    assert sum(isinstance(end, str) for end in ends.values()) >= 18


def _end(path: Path) -> str | tuple[str, str] | None:
    """Return the text, or message and hint of an error that names the file."""
    try:
        return parse(path).text
    except GlossatorError as error:
        return (error.message, error.hint) if path.name in error.message and error.hint else None


@needs_data
@pytest.mark.parametrize("name", ["idpf-wasteland", "pandoc-formatting", "idpf-internallinks", "idpf-hefty-water"])
def test_every_block_of_real_books_leads_back_to_its_source(name: str) -> None:
    assert DATA is not None
    publication = read(Path(DATA / "parsing" / "epub" / f"{name}.epub"))
    assert isinstance(publication, Reflowable)
    for block in document_of(publication).blocks:
        root = publication.parts[block.anchor.spine].root  # type: ignore[union-attr]
        assert element_at(root, block.anchor.base.partition("!")[2]) is not None  # type: ignore[union-attr]
        if block.anchor.runs:  # type: ignore[union-attr]
            assert " ".join(source_of(block, root, 0, len(block.text)).split()) == " ".join(block.text.split())
