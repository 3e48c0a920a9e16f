"""Positions and passages after the canonical text changed."""

import itertools
import random
import re
from time import process_time

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from glossator.document.anchor import Span, map_position, reanchor, reanchor_span, surviving_share

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


# --- passages and their copies --------------------------------------------------------------------------------------

SAID = "“I cannot say,” he answered."
SCENE = "\n\n".join(
    f"The {w} guest came in from the garden. {SAID} Nobody had asked the {w} guest about the key number {n}."
    for n, w in enumerate(["first", "second", "third", "fourth"], 1)
)


def nth(text: str, words: str, n: int) -> int:
    return [m.start() for m in re.finditer(re.escape(words), text)][n]


@pytest.mark.parametrize("n", range(4))
def test_of_equal_sentences_each_keeps_its_own_place(n: int) -> None:
    start = nth(SCENE, SAID, n)
    new = "A prologue.\n\n" + SCENE.replace("“", '"').replace("”", '"')
    found = reanchor_span(start, start + len(SAID), SCENE, new)
    assert (found.state, found.start) == ("exact", start + len("A prologue.\n\n"))


@pytest.mark.parametrize("n", range(4))
def test_one_of_equal_sentences_that_was_taken_out_is_lost_and_the_others_are_not(n: int) -> None:
    start = nth(SCENE, SAID, n)
    new = SCENE[:start] + SCENE[start + len(SAID) + 1 :]
    spans = [Span(nth(SCENE, SAID, k), nth(SCENE, SAID, k) + len(SAID)) for k in range(4)]
    found = reanchor(spans, SCENE, new)
    assert [f.state for f in found] == ["lost" if k == n else "exact" for k in range(4)]
    assert [f.start for k, f in enumerate(found) if k != n] == [nth(new, SAID, k) for k in range(3)]


def test_a_sentence_put_elsewhere_without_its_surroundings_is_lost() -> None:
    quote = "The third story begins here, in the year 1903."
    start = at(OLD, quote)
    new = OLD.replace(quote + " ", "").replace("Chapter 1\n\n", f"Chapter 1\n\nA letter came. {quote} It was read. ")
    assert reanchor_span(start, start + len(quote), OLD, new).state == "lost"


def test_a_sentence_replaced_by_another_is_lost() -> None:
    quote = "The third story begins here, in the year 1903."
    start = at(OLD, quote)
    new = OLD.replace(quote, "Something else is said in this place by someone.")
    assert reanchor_span(start, start + len(quote), OLD, new).state == "lost"


def test_which_of_two_equal_neighbours_went_is_not_guessed() -> None:
    old = "One thing was said. Yes, of course. Yes, of course. Another thing was said then."
    new = old.replace("Yes, of course. ", "", 1)
    for n in range(2):
        start = nth(old, "Yes, of course.", n)
        assert reanchor_span(start, start + 15, old, new).state == "lost"


def test_text_put_before_a_passage_that_begins_alike_stays_outside_it() -> None:
    quote = "It was late when the third guest left."
    old = f"There was a dinner that evening. {quote} Nobody saw him go out into the rain."
    new = old.replace(quote, f"It rained the whole of that night. {quote}")
    found = reanchor_span(at(old, quote), at(old, quote) + len(quote), old, new)
    assert (found.state, new[found.start : found.end]) == ("exact", quote)


def test_text_put_into_a_passage_is_held_by_it() -> None:
    quote = "the year 1903. It goes on for a while"
    start = at(OLD, quote)
    new = OLD.replace("1903. It goes", "1903. Page 12. A running head. It goes")
    found = reanchor_span(start, start + len(quote), OLD, new)
    assert found.state == "moved"
    assert new[found.start : found.end] == "the year 1903. Page 12. A running head. It goes on for a while"


def test_a_passage_keeps_its_punctuation_in_whatever_typography() -> None:
    old = "Well. “No—never…” she said, and “left.” Then it was quiet."
    new = 'Well. "No-never..." she said, and "left." Then it was quiet.'
    for quote, now in (("“No—never…”", '"No-never..."'), ("“left.”", '"left."')):
        found = reanchor_span(at(old, quote), at(old, quote) + len(quote), old, new)
        assert (found.state, new[found.start : found.end]) == ("exact", now)


def test_a_mark_without_letters_is_found_between_its_neighbours() -> None:
    old, new = "He waited — and then left.", "So he waited — and then left."
    found = reanchor_span(10, 11, old, new)
    assert (found.state, new[found.start : found.end]) == ("exact", "—")
    assert reanchor_span(10, 11, old, "So he waited and then left.").state == "lost"


def test_chinese_passages_survive_traditional_characters_and_new_paragraphs() -> None:
    old = "悟空道：“我去也。”\n\n那大圣纵身跳上云头，径往东海而来。\n\n老龙王出宫迎接，问道：“上仙几时得道？”"
    new = "前言。\n\n悟空道：“我去也。”\n\n那大聖縱身跳上雲頭，徑往東海而來。\n\n老龍王出宮迎接，問道：“上仙幾時得道？”"
    start = at(old, "径往东海而来")
    found = reanchor_span(start, start + 6, old, new)
    assert (found.state, new[found.start : found.end]) == ("exact", "徑往東海而來")


def word(n: int) -> str:
    return "".join(random.Random(n).choices("abcdefghijklmnopqrstuvwxyz", k=7))


NUMBERS = st.lists(st.integers(5, 9), min_size=6, max_size=24)  # words in each sentence; no word occurs twice


@given(NUMBERS, st.data())
@settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_sentences_left_in_a_changed_text_are_at_their_place_and_the_others_lost(
    made: list[int], data: st.DataObject
) -> None:
    words = map(word, itertools.count())  # as unlike each other as words are
    sentences = [f"{' '.join(itertools.islice(words, many)).capitalize()}." for many in made]
    old = " ".join(sentences)
    gone = data.draw(st.sets(st.sampled_from(range(len(sentences))), max_size=len(sentences) // 3))
    came = data.draw(st.dictionaries(st.sampled_from(range(len(sentences))), st.integers(5, 9), max_size=6))
    new_sentences = []
    for n, sentence in enumerate(sentences):
        if n in came:
            new_sentences.append(f"{' '.join(itertools.islice(words, came[n])).capitalize()}.")
        if n not in gone:
            new_sentences.append(sentence)
    new = " ".join(new_sentences)
    spans = [Span(old.index(s), old.index(s) + len(s)) for s in sentences]
    for n, found in enumerate(reanchor(spans, old, new)):
        if n in gone:
            assert found.state == "lost"
        else:
            assert new[found.start : found.end] == sentences[n], found


def test_a_thousand_passages_of_a_long_text_are_carried_in_seconds() -> None:
    old = "\n\n".join(f"Paragraph {i} speaks of {i * 7919 % 10007} ships and of the sea." for i in range(20_000))
    spans = [Span(at(old, f"Paragraph {n} "), at(old, f"Paragraph {n} ") + 30) for n in range(0, 20_000, 20)]
    new = old.replace("999 ships", "1000 boats").replace("Paragraph 77", "Line 77")
    start = process_time()
    found = reanchor(spans, old, new)
    assert process_time() - start < 10
    assert sum(f.state == "lost" for f in found) < 20


def test_one_character_of_a_short_chinese_passage_may_change() -> None:
    old = "大王外面有一老人背着一角文书言是上天差来的天使有圣旨请你也。"
    new = old.replace("背", "揹")
    found = reanchor_span(at(old, "老人"), at(old, "老人") + 4, old, new)
    assert (found.state, new[found.start : found.end]) == ("moved", "老人揹着")
