"""Documents with pages: reading, previewing and marking progress by page."""

from pathlib import Path

import pytest

from glossator.errors import NotFound
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.parse.pdf.make import Page, Pdf, Text, column

OPEN = Bound(uncapped=True)
LINES = (
    ("The first page tells of a quarry in the hills, where grey", "stone was cut for the bridges of the county."),
    ("The second page tells of the ferry that crossed the river", "before any of those bridges had been built there."),
    ("The third page tells how the ferryman became a mason and", "built the last bridge across the water himself."),
)


@pytest.fixture
def paged(library: Library, tmp_path: Path) -> tuple[Library, str]:
    """Give a library with a paper of three pages, each with a running head, and its id."""
    pages = [
        Page([Text(60, 780, "HISTORY OF THE BRIDGES", 8), *column(60, 700, lines), Text(300, 20, str(n))])
        for n, lines in enumerate(LINES, 1)
    ]
    labels = "<< /Nums [0 << /S /r >> 1 << /S /D /St 1 >>] >>"
    path = Pdf(pages, info={"Title": "Bridges"}, labels=labels, language="en").write(tmp_path / "bridges.pdf")
    (added,) = library.add([str(path)]).documents
    assert (added.status, added.pages, added.format) == ("added", 3, "pdf")
    return library, added.id or ""


def test_a_page_is_read_by_number_and_by_printed_label(paged: tuple[Library, str]) -> None:
    library, doc = paged
    second = library.read(doc, page=2)
    words = " ".join(b.text for b in second.blocks)
    assert "ferry that crossed" in words
    assert "quarry" not in words
    body = [b for b in second.blocks if b.start is not None]
    assert body
    assert all(b.locator is not None and b.locator.page == 2 for b in body)
    assert all(b.locator is not None and b.locator.rects for b in body)
    assert library.read(doc, page_label="1").blocks == second.blocks
    assert "quarry" in " ".join(b.text for b in library.read(doc, page_label="i").blocks)
    for place in ({"page": 4}, {"page_label": "xiv"}):
        with pytest.raises(NotFound, match="no page"):
            library.read(doc, **place)


def test_running_heads_stand_outside_the_text_and_are_read_with_their_page(paged: tuple[Library, str]) -> None:
    library, doc = paged
    assert "HISTORY OF THE BRIDGES" not in library.text(doc).text
    running = [b for b in library.read(doc).blocks if b.kind == "running"]
    assert len(running) >= 3
    assert all(b.start is None and b.end is None and b.locator is None for b in running)
    assert "HISTORY OF THE BRIDGES" in (library.show(doc, preview=2).preview or (0, ""))[1]


def test_progress_goes_by_page_and_a_paper_hides_nothing_until_it_is_told_to(paged: tuple[Library, str]) -> None:
    library, doc = paged
    told = library.progress(doc, page=2)
    assert (told.page, told.spoilers) == (2, "show")
    assert "mason" in library.text(doc).text
    library.progress(doc, page=3, spoilers="hide")
    capped = library.text(doc)
    assert "mason" not in capped.text
    assert capped.notice is not None
    assert "read up to page 2" in capped.notice
    shown = library.show(doc, pages=True)
    assert [p.page for p in shown.pages] == [1, 2, 3]
    with pytest.raises(NotFound, match="after what was read"):
        library.read(doc, page=3)
    with pytest.raises(NotFound, match="after what was read"):
        library.show(doc, preview=3)
    assert "mason" in library.show(doc, preview=3, bound=OPEN).to_json()["preview"]["text"]


def test_the_words_of_a_citation_are_marked_on_the_page(paged: tuple[Library, str]) -> None:
    library, _ = paged
    citation = library.ask("Who built the last bridge across the water?").citations[0]
    assert citation.locator.page == 3
    assert citation.locator.rects
    assert {r.page for r in citation.locator.rects} == {3}
