import pytest

from glossator.errors import NotFound, UsageError
from glossator.store.collections import (
    add_members,
    collections_of,
    create_collection,
    get_collection,
    list_collections,
    members,
    remove_collection,
    remove_members,
)
from glossator.store.database import Database
from glossator.store.documents import list_documents, remove_document, replace_content
from glossator.store.progress import all_progress, get_progress, set_progress
from tests.store.made import add, document


def test_progress_is_kept_with_the_text_it_counts_in(database: Database) -> None:
    doc = document(["one", "two"])
    with database.write() as c:
        key = add(c, ["one", "two"])
        assert get_progress(c, key) is None
        set_progress(c, key, position=2, read_to=5)
        found = set_progress(c, key, position=3, read_to=8, finished=True)
        assert get_progress(c, key) == found
        assert all_progress(c) == {key: found}
        assert (found.position, found.read_to, found.finished) == (3, 8, True)
        assert found.text_version == doc.text_version


def test_progress_goes_with_its_document(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one"])
        set_progress(c, key, position=1, read_to=1)
        remove_document(c, key)
        assert all_progress(c) == {}


def test_progress_moves_to_the_same_words_of_a_changed_text(database: Database) -> None:
    paragraphs = [f"Paragraph number {i} says something of its own, {i * 37 % 101}." for i in range(40)]
    old, new = document(paragraphs), document(["A preface that was not there before.", *paragraphs])
    at = old.text.index("Paragraph number 20")
    with database.write() as c:
        key = add(c, paragraphs)
        set_progress(c, key, position=at, read_to=len(old.text))
        replace_content(c, key, new, sha256="e" * 64)
        found = get_progress(c, key)
    assert found is not None
    assert found.position == new.text.index("Paragraph number 20")
    assert found.read_to == len(new.text)
    assert found.text_version == new.text_version


def test_a_place_whose_words_are_gone_becomes_an_earlier_one(database: Database) -> None:
    paragraphs = [f"Paragraph number {i} says something of its own, {i * 37 % 101}." for i in range(40)]
    new = document(paragraphs[:10])
    with database.write() as c:
        key = add(c, paragraphs)
        text = document(paragraphs).text
        set_progress(c, key, position=text.index("Paragraph number 30"), read_to=text.index("Paragraph number 35"))
        replace_content(c, key, new, sha256="e" * 64)
        found = get_progress(c, key)
    assert found is not None
    assert found.position <= found.read_to <= len(new.text)


def test_collections_hold_documents_and_lose_them_with_their_removal(database: Database) -> None:
    with database.write() as c:
        first, second = add(c, ["a"]), add(c, ["b"])
        shelf = create_collection(c, " 书架 ", "what I read")
        assert create_collection(c, "书架").key == shelf.key
        assert add_members(c, shelf.key, [first, second, first]) == 2
        assert members(c, shelf.key) == (first, second)
        assert [d.key for d in list_documents(c, shelf.key)] == [first, second]
        assert collections_of(c) == {first: ("书架",), second: ("书架",)}
        remove_document(c, first)
        assert get_collection(c, "书架").documents == 1
        assert remove_members(c, shelf.key, [first, second]) == 1
        remove_collection(c, shelf.key)
        assert list_collections(c) == []
        assert [d.key for d in list_documents(c)] == [second]


def test_a_collection_that_is_not_there_is_told_with_those_that_are(database: Database) -> None:
    with database.write() as c:
        create_collection(c, "novels")
        with pytest.raises(NotFound, match="no collection 'novel'") as caught:
            get_collection(c, "novel")
        with pytest.raises(UsageError):
            create_collection(c, "  ")
    assert "novels" in caught.value.hint
