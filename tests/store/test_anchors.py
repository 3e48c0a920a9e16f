"""Rows of anchors when documents change, come and go."""

import json
from itertools import count

import apsw

from glossator.store.annotations import AROUND, Anchoring, Annotation, anchors_of, insert_annotation, set_anchor
from glossator.store.database import Database
from glossator.store.documents import full_text, get_document, remove_document, replace_content
from glossator.store.editions import edition_of, editions
from glossator.store.sql import value
from tests.store.made import add, document

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
BOOK = [
    f"In the {w} year the harvest failed, and {n * 37 % 101} families left the valley for the coast by the {w} road."
    for n, w in enumerate(ORDINALS, 1)
]
OTHER = [f"A ship number {n} carries timber, tar and {n * 53 % 97} barrels of salt to the north." for n in range(12)]
_numbers = count(1)


def note(c: apsw.Connection, key: int, quote: str) -> int:
    text = full_text(c, key)
    start = text.index(quote)
    end = start + len(quote)
    version = get_document(c, key).text_version
    made = insert_annotation(
        c,
        Annotation(
            id=f"n-{next(_numbers):010}",
            home=edition_of(c, key),
            quote=quote,
            before=text[max(0, start - AROUND) : start],
            after=text[end : end + AROUND],
            locator={"start": start, "end": end, "text_version": version},
            created="2026-01-01T00:00:00Z",
            updated="2026-01-01T00:00:00Z",
        ),
    )
    place = Anchoring(state="exact", score=1.0, start=start, end=end, text_version=version)
    set_anchor(c, made, edition_of(c, key), place)
    return made


def words_at(c: apsw.Connection, made: int, key: int) -> str | None:
    place = anchors_of(c, made).get(edition_of(c, key))
    if place is None or place.start is None:
        return None
    assert place.text_version == get_document(c, key).text_version
    return full_text(c, key)[place.start : place.end]


def test_a_changed_text_carries_its_notes_and_says_which_are_lost(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        kept, gone = note(c, key, "the third year the harvest failed"), note(c, key, "by the fifth road")
        replace_content(c, key, document(["A preface.", *BOOK[:4], *BOOK[5:]]))
        edition = edition_of(c, key)
        assert words_at(c, kept, key) == "the third year the harvest failed"
        assert anchors_of(c, gone)[edition].state == "lost"


def test_a_lost_note_stands_again_when_its_words_come_back(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        made = note(c, key, "by the fifth road")
        replace_content(c, key, document([*BOOK[:4], *BOOK[5:]]))
        replace_content(c, key, document(["A preface.", *BOOK]))
        assert words_at(c, made, key) == "by the fifth road"


def test_a_note_survives_the_removal_and_return_of_its_file(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK, sha256="ab" * 32)
        made = note(c, key, "the third year")
        before = anchors_of(c, made)
        remove_document(c, key)
        (edition,) = editions(c).values()
        assert edition.document is None
        key = add(c, BOOK, sha256="ab" * 32)
        assert anchors_of(c, made) == before
        assert edition_of(c, key) == edition.key


def test_another_file_of_the_work_holds_the_notes_too_and_becomes_their_home(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        made = note(c, key, "the third year the harvest failed")
        twin = add(c, [p.upper() for p in BOOK], title="Twin")
        assert words_at(c, made, twin) == "THE THIRD YEAR THE HARVEST FAILED"
        remove_document(c, key)
        assert value(c, "select home from annotation where key = ?", (made,)) == edition_of(c, twin)


def test_after_a_removal_another_file_of_the_work_takes_the_notes(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        notes = [note(c, key, q) for q in ("the third year", "left the valley for the coast by the sixth road")]
        remove_document(c, key)
        twin = add(c, [" ".join(BOOK[n : n + 2]) for n in range(0, 10, 2)], title="Twin")
        assert [words_at(c, made, twin) for made in notes] == [
            "the third year",
            "left the valley for the coast by the sixth road",
        ]
        assert value(c, "select home from annotation where key = ?", (notes[0],)) == edition_of(c, twin)


def test_a_part_of_the_work_holds_the_notes_made_in_it_and_no_others(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        inside, outside = note(c, key, "by the third road"), note(c, key, "by the ninth road")
        part = add(c, BOOK[1:5], title="Part")
        assert words_at(c, inside, part) == "by the third road"
        assert edition_of(c, part) not in anchors_of(c, outside)


def test_another_work_gets_no_notes_and_no_edition(database: Database) -> None:
    with database.write() as c:
        made = note(c, add(c, BOOK), "by the third road")
        add(c, OTHER)
        assert len(anchors_of(c, made)) == 1
        assert len(editions(c)) == 1


def test_a_removed_text_leaves_its_notes_with_what_was_around_them_last(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        made = note(c, key, "by the third road")
        replace_content(c, key, document([p.replace("families", "households") for p in BOOK]))
        remove_document(c, key)
        assert "households left the valley" in value(c, "select before from annotation where key = ?", (made,))


def test_what_was_marked_is_never_rewritten(database: Database) -> None:
    with database.write() as c:
        key = add(c, BOOK)
        made = note(c, key, "the third year the harvest failed")
        replace_content(c, key, document([p.replace("harvest failed", "whole harvest failed") for p in BOOK]))
        assert words_at(c, made, key) == "the third year the whole harvest failed"
        assert anchors_of(c, made)[edition_of(c, key)].state == "moved"
        quote, locator = c.execute("select quote, locator from annotation where key = ?", (made,)).fetchone() or (
            "",
            "",
        )
        assert quote == "the third year the harvest failed"
        assert json.loads(str(locator))["start"] == "\n\n".join(BOOK).index(str(quote))
