"""Nothing past the bound comes out of any door; what is hidden is said once, in words."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import GlossatorError, NotFound, UsageError
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

OPEN = Bound(uncapped=True)
WORD = re.compile(r"[a-z]{4,}", re.IGNORECASE)


@pytest.fixture(scope="module")
def unique(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Give a library whose one document holds no word twice, its id, and its text."""
    folder = tmp_path_factory.mktemp("unique")
    path = folder / "unique.md"
    path.write_text(books.unique_words(6), "utf-8")
    library = Library.open(folder / "library", embedder="none")
    (added,) = library.add([str(path)]).documents
    return library, added.id, library.text(added.id or "", bound=OPEN).text


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_command_shows_a_word_past_a_random_cap(unique: Any, data: st.DataObject) -> None:
    library, doc, text = unique
    cap = data.draw(st.integers(0, len(text)))
    hidden = set(words(text[cap:])) - set(words(text[:cap]))
    later = text[max(0, cap - 20) : cap + 60]
    bound = Bound(up_to=cap)
    for call in (
        lambda: library.show(doc, pages=True, bound=bound),
        lambda: library.text(doc, bound=bound),
        lambda: library.read(doc, bound=bound),
        lambda: library.read(doc, at=min(max(0, cap - 1), len(text) - 1), context=3, bound=bound),
        lambda: library.read(doc, at=min(cap, len(text) - 1), bound=bound),
        *(lambda n=n: library.read(doc, section=n, bound=bound) for n in range(1, 8)),
        lambda: library.search(later, docs=[doc], k=20, explain=True, why_not=doc, bound=bound),
        lambda: library.search(text[cap : cap + 40], docs=[doc], mode="lexical", bound=bound),
        lambda: library.ask(later or "what", docs=[doc], bound=bound),
        lambda: library.locate(later or "what", docs=[doc], bound=bound),
    ):
        shown = set(words(printed(call)))
        assert not shown & hidden, (cap, sorted(shown & hidden))


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return [w.lower() for w in WORD.findall(text)]


def printed(call: Any) -> str:
    """Return what a call prints without the caller's own words, its error where it has one."""
    try:
        shape = call().to_json()
    except GlossatorError as error:
        return f"{error.message} {error.hint}"
    for step in shape.get("steps", []):
        del step["args"]
    return json.dumps(shape, ensure_ascii=False)


def test_an_unfinished_book_hides_what_was_not_read_until_it_is_lifted(shelf: Library) -> None:
    book = shelf.documents().documents[0].id
    text = shelf.text(book).text
    cap = text.index("The Letter")
    assert shelf.progress(book, at=cap).spoilers == "hide"
    capped = shelf.text(book)
    assert capped.text == text[:cap]
    assert capped.notice is not None
    assert "read up to" in capped.notice
    assert not shelf.search("Gregory Thorne").hits
    assert shelf.search("Gregory Thorne", bound=OPEN).hits
    assert shelf.locate("Gregory Thorne").status == "not_found"
    assert shelf.locate("Gregory Thorne", bound=OPEN).status == "verified"
    assert shelf.ask("Who cut the anchor rope?").abstained
    assert not shelf.ask("Who cut the anchor rope?", bound=OPEN).abstained


def test_finishing_or_showing_spoilers_opens_the_book(shelf: Library) -> None:
    book = shelf.documents().documents[0].id
    whole = shelf.text(book).text
    shelf.progress(book, section=2)
    assert len(shelf.text(book).text) < len(whole)
    shelf.progress(book, spoilers="show")
    assert shelf.text(book).text == whole
    shelf.progress(book, spoilers="hide", finished=True)
    assert shelf.text(book).text == whole
    shelf.progress(book, restart=True)
    assert shelf.text(book).text == ""


def test_up_to_progress_closes_books_without_progress(shelf: Library) -> None:
    first, second = (d.id for d in shelf.documents().documents)
    shelf.progress(first, section=3)
    bound = Bound(up_to="progress")
    assert shelf.text(first, bound=bound).text
    assert shelf.text(second, bound=bound).text == ""
    assert shelf.text(second, bound=Bound(up_to="progress", uncapped=True)).text
    hits = shelf.search("石猴", bound=bound)
    assert not hits.hits
    assert hits.notice is not None


@pytest.mark.parametrize("docs", [[], ["both"]], ids=["whole library", "two documents"])
def test_a_position_as_bound_needs_exactly_one_document(shelf: Library, docs: list[str]) -> None:
    names = [d.id for d in shelf.documents().documents] if docs else []
    with pytest.raises(UsageError, match="exactly one document"):
        shelf.search("island", docs=names, bound=Bound(up_to=10))


def test_later_entries_of_the_contents_keep_their_number_only(shelf: Library) -> None:
    book = next(d.id for d in shelf.documents().documents if d.title == "The Island")
    full = shelf.show(book, bound=OPEN).contents
    letter = next(e for e in full if e.title == "The Letter")
    text = shelf.text(book, bound=OPEN).text
    capped = shelf.show(book, bound=Bound(up_to=text.index("She hid"))).to_json()["contents"]
    assert [e["number"] for e in capped] == [e.number for e in full]
    crossed = capped[letter.number - 1]
    assert (crossed["title"], crossed["start"], crossed["end"]) == ("The Letter", letter.start, None)
    assert capped[letter.number] == {
        "number": letter.number + 1,
        "level": full[letter.number].level,
        "title": None,
        "start": None,
        "end": None,
        "page": None,
    }


def test_a_heading_that_the_cap_cuts_does_not_give_its_title_away(shelf: Library) -> None:
    book = next(d.id for d in shelf.documents().documents if d.title == "The Island")
    text = shelf.text(book, bound=OPEN).text
    cap = text.index("The Letter") + 4
    shown = shelf.show(book, bound=Bound(up_to=cap)).to_json()
    assert "Letter" not in json.dumps(shown)
    blocks = shelf.read(book, bound=Bound(up_to=cap)).to_json()["blocks"]
    assert blocks[-1]["text"] == "The "
    assert "Letter" not in json.dumps(blocks)


def test_what_is_asked_for_past_the_bound_is_refused_in_words(shelf: Library) -> None:
    book = next(d.id for d in shelf.documents().documents if d.title == "The Island")
    for place in ({"section": 4}, {"at": 500}):
        with pytest.raises(NotFound, match="after what was read") as error:
            shelf.read(book, bound=Bound(up_to=60), **place)
        assert "--uncapped" in error.value.hint


def test_progress_moves_both_places_and_refuses_what_is_out_of_range(shelf: Library) -> None:
    book = next(d.id for d in shelf.documents().documents if d.title == "The Island")
    before = shelf.progress(book, section=3).to_json()
    assert before["position"] == before["read_to"] == shelf.show(book, bound=OPEN).contents[2].start
    assert before["section"] == 3
    for place in ({"at": 10**9}, {"at": -1}, {"page": 1}, {"section": 99}):
        with pytest.raises(NotFound):
            shelf.progress(book, **place)
    with pytest.raises(UsageError, match="several places"):
        shelf.progress(book, at=1, section=1)
    with pytest.raises(NotFound, match="is outside"):
        shelf.read(book, at=10**9, bound=OPEN)
    assert shelf.progress(book).to_json() == before


def test_a_page_is_named_in_the_notice_where_there_are_pages(tmp_path: Path) -> None:
    from glossator.document.model import Page
    from glossator.library.bounds import notice_of

    pages = [Page(number=n, start=n * 10 - 10, end=n * 10) for n in (1, 2, 3)]
    with Library.open(tmp_path / "library", embedder="none") as library:
        library.add([str(books.island(tmp_path))])
        (document,) = library.scope([], bound=OPEN).documents
    assert "read up to page 2" in (notice_of([document], {document.key: 20}, {document.key: pages}) or "")
    assert notice_of([document], {}, {}) is None
