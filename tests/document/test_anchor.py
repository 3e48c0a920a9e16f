"""Positions and passages after the canonical text changed."""

from time import process_time

import pytest

from glossator.document.anchor import map_position, reanchor_span, surviving_share

OLD = "\n\n".join(
    f"Chapter {n}\n\nThe {w} story begins here, in the year {1900 + n}. It goes on for a while, and then it ends."
    for n, w in enumerate(["first", "second", "third", "fourth", "fifth"], 1)
)


def at(text: str, words: str) -> int:
    return text.index(words)


def test_every_position_of_an_unchanged_text_stays() -> None:
    assert [map_position(p, OLD, OLD) for p in range(len(OLD) + 1)] == list(range(len(OLD) + 1))


def test_white_space_hyphens_and_unicode_form_do_not_move_a_place() -> None:
    new = OLD.replace("story begins", "story\nbegins").replace("while", "whi\u00adle").replace("fifth", "ﬁfth")
    for words in ("Chapter 2", "begins here, in the year 1903", "ends."):
        assert map_position(at(OLD, words), OLD, new) == at(new, words[:9]) or words.startswith("begins")
    assert new[map_position(at(OLD, "begins here, in the year 1903"), OLD, new) :].startswith("begins here")


def test_text_added_before_moves_a_position_and_text_added_behind_does_not() -> None:
    new = "A preface that is new.\n\n" + OLD + "\n\nAn afterword."
    place = at(OLD, "Chapter 3") + 4
    assert map_position(place, OLD, new) == place + len("A preface that is new.\n\n")
    assert map_position(len(OLD), OLD, new) == len("A preface that is new.\n\n") + len(OLD)


def test_new_text_just_before_a_position_stays_behind_it() -> None:
    place = at(OLD, "Chapter 3")
    new = OLD[:place] + "Chapter 2b\n\nNobody has read this.\n\n" + OLD[place:]
    assert map_position(place, OLD, new) == place


def test_a_lost_position_becomes_the_nearest_earlier_one() -> None:
    gone = OLD[at(OLD, "The third") : at(OLD, "Chapter 4")]
    new = OLD.replace(gone, "")
    place = at(OLD, "The third") + 30
    assert new[: map_position(place, OLD, new)].rstrip().endswith("Chapter 3")


@pytest.mark.parametrize("position", [0, 7, len(OLD)])
def test_in_a_wholly_different_text_everything_is_lost(position: int) -> None:
    assert map_position(position, OLD, "完全不同的另一本书") == 0


def test_a_passage_in_common_text_is_exact() -> None:
    start = at(OLD, "in the year 1903")
    new = "New.\n\n" + OLD.replace("Chapter 1", "Chapter One")
    found = reanchor_span(start, start + 16, OLD, new)
    assert (found.state, new[found.start : found.end]) == ("exact", "in the year 1903")


def test_an_edited_passage_is_moved_and_scored() -> None:
    start = at(OLD, "The third story")
    end = at(OLD, "Chapter 4") - 2
    new = OLD.replace("1903. It goes on", "1903. Some say it goes on")
    found = reanchor_span(start, end, OLD, new)
    assert found.state == "moved"
    assert 0.8 < found.score < 1
    assert new[found.start : found.end].startswith("The third story")
    assert new[found.start : found.end].endswith("it ends.")


def test_a_passage_that_changed_places_is_found_by_its_words() -> None:
    sections = OLD.split("Chapter ")
    new = "Chapter ".join([sections[0], sections[4], *sections[1:4], sections[5]])
    start = at(OLD, "The first story begins here, in the year 1901.")
    found = reanchor_span(start, start + 46, OLD, new)
    assert new[found.start : found.end] == "The first story begins here, in the year 1901."


def test_a_passage_that_is_gone_is_lost_even_where_its_words_stand_elsewhere() -> None:
    start = at(OLD, "It goes on for a while, and then it ends.\n\nChapter 4")
    new = "Once more. It goes on for a while, and then it ends. Full stop. Nothing else of it is left at all."
    assert reanchor_span(start, start + 41, OLD, new).state == "lost"


def test_the_surviving_share_is_that_of_the_old_text() -> None:
    assert surviving_share(OLD, OLD) == 1
    assert surviving_share(OLD, "Something new.\n\n" + OLD) == 1
    assert surviving_share(OLD, "完全不同的另一本书") == 0
    assert surviving_share("", "anything") == 1
    assert 0.3 < surviving_share(OLD, OLD[: len(OLD) // 2]) < 0.6


def test_paragraphs_in_another_order_survive() -> None:
    paragraphs = OLD.split("\n\n")
    assert surviving_share(OLD, "\n\n".join(reversed(paragraphs))) > 0.9


def test_a_long_text_is_compared_in_seconds() -> None:
    old = "\n\n".join(f"Paragraph {i} speaks of {i * 7919 % 10007} ships and the sea." for i in range(20_000))
    new = old.replace("999 ships", "1000 boats").replace("\n\n", "\n")
    start = process_time()
    place = at(old, "Paragraph 15000")
    assert new[map_position(place, old, new) :].startswith("Paragraph 15000 ")
    assert process_time() - start < 5
