"""The words of notes: what finds them, and that they follow the notes."""

from pathlib import Path

import apsw
import pytest

from glossator.index.annotations import index_all_annotations, index_annotations, search_notes
from glossator.store.annotations import Annotation, insert_annotation, remove_annotations, update_annotation
from glossator.store.database import Database, open_database
from glossator.store.links import Link, all_links, set_link
from glossator.store.noted import Filter, find_notes


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = open_database(tmp_path)
    with made.write() as c:
        c.execute(
            "insert into edition(id, sha256, format, title, authors, identifiers)"
            " values ('aaaa', 'ff', 'epub', 'Gone', '[]', '{}')"
        )
    return made


def add(c: apsw.Connection, quote: str, body: str = "", *, tags: tuple[str, ...] = (), day: int = 1) -> int:
    time = f"2026-01-{day:02}T00:00:00Z"
    count = len(c.execute("select 1 from annotation").fetchall())
    note = Annotation(id=f"n-{count:010}", home=1, quote=quote, body=body, tags=tags, created=time, updated=time)
    key = insert_annotation(c, note)
    index_annotations(c, [key])
    return key


def test_all_words_are_asked_for_and_any_of_them_only_where_none_has_all(database: Database) -> None:
    with database.write() as c:
        one, two = add(c, "red sails at dawn"), add(c, "red lanterns")
        assert search_notes(c, "red sails", Filter()) == ([one], 1)
        assert set(search_notes(c, "sails lanterns", Filter())[0]) == {one, two}


def test_phrases_must_stand_as_they_are_and_what_is_excluded_must_not(database: Database) -> None:
    with database.write() as c:
        one, two = add(c, "to be or not to be"), add(c, "be not afraid to be")
        assert search_notes(c, "be", Filter(), phrases=["not to be"]) == ([one], 1)
        assert search_notes(c, "be", Filter(), excluded=["afraid"]) == ([one], 1)
        assert search_notes(c, "afraid", Filter()) == ([two], 1)


@pytest.mark.parametrize("query", ["玉", "黛", "黛玉", "林黛玉"])
def test_chinese_is_found_by_a_character_and_by_a_word(database: Database, query: str) -> None:
    with database.write() as c:
        one = add(c, "林黛玉")
        add(c, "宝钗")
        assert search_notes(c, query, Filter()) == ([one], 1)


def test_a_chinese_phrase_stands_in_one_piece(database: Database) -> None:
    with database.write() as c:
        one = add(c, "花果山水帘洞")
        add(c, "水帘洞在花果山")
        assert search_notes(c, "花果山水帘洞", Filter(), phrases=["花果山水帘洞"]) == ([one], 1)


def test_equally_good_notes_come_newest_first_and_in_pages(database: Database) -> None:
    with database.write() as c:
        keys = [add(c, "whale", day=day) for day in (3, 1, 2)]
        expected = [keys[0], keys[2], keys[1]]
        assert search_notes(c, "whale", Filter()) == (expected, 3)
        pages = [search_notes(c, "whale", Filter(), limit=1, offset=n) for n in range(4)]
        assert pages == [([expected[0]], 3), ([expected[1]], 3), ([expected[2]], 3), ([], 3)]


def test_filters_hold_in_a_search(database: Database) -> None:
    with database.write() as c:
        one, _ = add(c, "whale", tags=("sea", "big")), add(c, "whale", tags=("sea",))
        assert search_notes(c, "whale", Filter(tags=("big", "sea"))) == ([one], 1)
        assert search_notes(c, "whale", Filter(states=("exact",))) == ([], 0)
        assert search_notes(c, "whale", Filter(colors=("red",))) == ([], 0)


def test_words_go_with_the_note_and_can_be_made_again(database: Database) -> None:
    with database.write() as c:
        one, two = add(c, "alpha"), add(c, "beta")
        remove_annotations(c, [one], at=None)
        assert search_notes(c, "alpha", Filter()) == ([], 0)
        update_annotation(c, two, body="gamma")
        assert search_notes(c, "gamma", Filter()) == ([], 0)
        assert index_all_annotations(c) == 1
        assert search_notes(c, "gamma", Filter()) == ([two], 1)


def test_a_removed_note_takes_its_links_along(database: Database) -> None:
    with database.write() as c:
        one, two = add(c, "alpha"), add(c, "beta")
        set_link(c, Link(one, two, "supports", "2026-01-01T00:00:00Z"))
        remove_annotations(c, [two], at="2026-01-02T00:00:00Z")
        assert all_links(c) == []
        assert find_notes(c, Filter()) == ([one], 1)
        assert c.execute("select id from annotation_removed").fetchall() == [("n-0000000001",)]
