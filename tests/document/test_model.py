"""The document as values: laying out, sections, what a text may hold; errors as values too."""

import pytest

from glossator.document.codec import anchor_from_json, metadata_from_json, metadata_to_json
from glossator.document.model import (
    Block,
    Document,
    Metadata,
    Page,
    ParseReport,
    Section,
    body,
    clean,
    innermost,
    lay_out,
    text_version,
)
from glossator.errors import Ambiguous, Cancelled, GlossatorError, StoreError, from_json


def block(text: str, kind: str = "paragraph") -> Block:
    return Block(kind=kind, text=text, start=None, end=None)  # type: ignore[arg-type]


def section(number: int, start: int, end: int, level: int = 1) -> Section:
    return Section(number=number, level=level, title=str(number), path=(str(number),), start=start, end=end)


def test_blocks_are_joined_by_an_empty_line_and_know_their_places() -> None:
    text, placed = lay_out([block("Head", "running"), block("One"), block("two 𠮷"), block("7", "running"), block("")])
    assert text == "One\n\ntwo 𠮷\n\n"
    assert [(b.start, b.end) for b in placed] == [(None, None), (0, 3), (5, 10), (None, None), (12, 12)]
    assert all(text[start:end] == b.text for start, end, b in body(placed))
    assert len(list(body(placed))) == 3


def test_the_innermost_section_is_the_deepest_that_holds_a_position() -> None:
    sections = (section(1, 0, 50), section(2, 10, 30, level=2), section(3, 12, 20, level=3), section(4, 60, 90))
    found = [innermost(sections, p) for p in (0, 10, 15, 25, 40, 55, 60)]
    assert [s.number if s else None for s in found] == [1, 2, 3, 2, 1, None, 4]


def test_nul_and_lone_surrogates_are_removed_and_nothing_else() -> None:
    assert clean("a\0b\ud83d c\udc00") == "ab c"
    assert clean("e\u0301 \ufeff\u00ad") == "e\u0301 \ufeff\u00ad"


def test_equal_texts_have_equal_versions() -> None:
    assert text_version("a") == text_version("a")
    assert text_version("e\u0301") != text_version("é")


def test_only_paged_documents_are_papers() -> None:
    def document(pages: tuple[Page, ...]) -> Document:
        report = ParseReport(parser="x/1")
        return Document(
            metadata=Metadata(title="T"), format="pdf", text="", blocks=(), sections=(), report=report, pages=pages
        )

    assert document(()).profile == "book"
    assert document((Page(number=1, start=0, end=0),)).profile == "paper"


def test_metadata_comes_back_from_json() -> None:
    metadata = Metadata(title="T", authors=("A", "B"), language="zh-Hans", identifiers=(("doi", "10.1/x"),))
    assert metadata_from_json(metadata_to_json(metadata)) == metadata


def test_what_is_no_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match="not an anchor"):
        anchor_from_json(["other", 1])


@pytest.mark.parametrize("error", [Ambiguous("a", hint="b"), StoreError("c", hint="d"), Cancelled()])
def test_an_error_crosses_a_process_boundary(error: GlossatorError) -> None:
    back = from_json(error.to_json())
    assert type(back) is type(error)
    assert (back.message, back.hint) == (error.message, error.hint)


def test_an_error_of_an_unknown_kind_is_still_an_error_of_this_program() -> None:
    back = from_json({"code": "new_kind", "message": "m", "hint": "h"})
    assert type(back) is GlossatorError
    assert str(back) == "m"
