from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.document.model import (
    Block,
    Document,
    DomAnchor,
    Line,
    Metadata,
    Page,
    PageAnchor,
    ParseReport,
    TextRun,
    lay_out,
)
from glossator.store.content import PART, blocks_between, full_text, pages, running_blocks, sections, text_slice
from glossator.store.database import Database
from glossator.store.documents import get_document, insert_document
from tests.store.made import document, library


def paged() -> Document:
    line = Line(start=0, end=2, page=1, box=(1.0, 2.0, 3.0, 4.0), edges=(1.0, 2.0, 3.0))
    text, blocks = lay_out(
        [
            Block(kind="heading", text="Hi", start=None, end=None, level=1, anchor=PageAnchor((line,))),
            Block(kind="running", text="page 1", start=None, end=None, page=1),
            Block(kind="table", text="a\tb\nc\td", start=None, end=None, rows=(("a", "b"), ("c", "d"))),
            Block(
                kind="paragraph",
                text="😀é 𠀀",
                start=None,
                end=None,
                anchor=DomAnchor(2, "/6/4!/4/2", (TextRun(0, "/1", 3),)),
            ),
        ]
    )
    page = Page(
        number=1,
        start=0,
        end=len(text),
        label="iv",
        width=595.0,
        height=842.0,
        rotation=90,
        confidence=0.5,
        reasons=("dark",),
        status="quarantined",
    )
    return Document(
        metadata=Metadata(title="Paged"),
        format="pdf",
        text=text,
        blocks=blocks,
        sections=(),
        pages=(page,),
        report=ParseReport(parser="test"),
    )


def test_blocks_sections_and_pages_come_back_as_they_were(database: Database) -> None:
    doc = paged()
    with database.write() as c:
        key = insert_document(c, doc, sha256="a" * 64)
        in_text = tuple(b for b in doc.blocks if b.start is not None)
        assert tuple(blocks_between(c, key, 0, len(doc.text))) == in_text
        assert running_blocks(c, key) == [doc.blocks[1]]
        assert pages(c, key) == doc.pages
        assert get_document(c, key).page_count == 1
        other = document(["x", "y"])
        assert sections(c, insert_document(c, other, sha256="b" * 64)) == other.sections


def test_blocks_between_are_those_that_overlap(database: Database) -> None:
    doc = document(["0123456789"] * 5)  # at 0, 12, 24, 36, 48
    with database.write() as c:
        key = insert_document(c, doc, sha256="a" * 64)

        def starts(start: int, end: int) -> list[int | None]:
            return [b.start for b in blocks_between(c, key, start, end)]

        assert starts(0, 10) == [0]
        assert starts(9, 13) == [0, 12]
        assert starts(12, 12) == [12]
        assert starts(15, 15) == [12]
        assert starts(10, 12) == []  # the break between two
        assert starts(20, 40) == [12, 24, 36]
        assert starts(58, 99) == []


def test_an_empty_document_is_stored(database: Database) -> None:
    with database.write() as c:
        key = insert_document(c, document([]), sha256="a" * 64, status="quarantined")
        assert full_text(c, key) == ""
        assert text_slice(c, key, 0, 10) == ""
        assert blocks_between(c, key, 0, 10) == []


LENGTHS = (0, 1, PART - 1, PART, PART + 1, 2 * PART, 3 * PART + 5)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, dict[int, tuple[int, str]]]]:
    """Stored texts of several lengths: key and text by length."""
    made = library(tmp_path_factory.mktemp("texts"))
    stored = {}
    with made.write() as c:
        for n in LENGTHS:
            text = "".join("ab😀𠀀é"[i % 5] for i in range(n))
            stored[n] = insert_document(c, replace(document([]), text=text), sha256=f"{n:064x}"), text
    yield made, stored
    made.close()


@settings(max_examples=100, deadline=None)
@given(n=st.sampled_from(LENGTHS), start=st.integers(-5, 3 * PART + 10), size=st.integers(-3, 2 * PART))
def test_a_slice_of_the_stored_text_is_the_slice_of_the_text(
    texts: tuple[Database, dict[int, tuple[int, str]]], n: int, start: int, size: int
) -> None:
    database, stored = texts
    key, text = stored[n]
    with database.read() as c:
        assert text_slice(c, key, start, start + size) == text[max(start, 0) : max(start + size, 0)]
        assert full_text(c, key) == text


def test_only_the_parts_that_are_needed_are_read(database: Database) -> None:
    doc = document(["x" * 50_000])
    with database.write() as c:
        key = insert_document(c, doc, sha256="a" * 64)
        c.execute("update part set text = 'y' || substr(text, 2) where number <> 3")
        assert text_slice(c, key, 3 * PART, 4 * PART) == "x" * PART
