"""Passages looked for in a text by their words and surroundings, the text they were in being gone."""

import pytest

from glossator.document.passage import Passage, find_passages
from glossator.document.sketch import sketch
from tests.library.books import unique_words

BOOK = unique_words(12, paragraphs=6).replace("#", "").replace("|", "")
REFRAIN = "And the river went on, as it always had."


def passage(text: str, quote: str, *, n: int = 0) -> Passage:
    start = -1
    for _ in range(n + 1):
        start = text.index(quote, start + 1)
    end = start + len(quote)
    return Passage(quote=quote, before=text[max(0, start - 256) : start], after=text[end : end + 256], at=start)


def words(start: int, count: int = 6) -> str:
    return " ".join(BOOK.split()[start : start + count])


def test_words_in_the_same_surroundings_are_exact_whatever_the_layout() -> None:
    new = "\n".join(" ".join(BOOK.split()[n : n + 9]) for n in range(0, len(BOOK.split()), 9))
    for start in (40, 400, 800):
        found = find_passages([passage(BOOK, words(start))], new)[0] if words(start) in BOOK else None
        if found:
            assert (found.state, new[found.start : found.end].split()) == ("exact", words(start).split())


def test_the_same_words_in_other_surroundings_are_not_the_passage() -> None:
    quote = words(300)
    new = unique_words(3)[::-1] + quote + ". Nothing of the rest is here."
    assert find_passages([passage(BOOK.replace("\n", " "), quote)], new)[0].state == "lost"


def refrains() -> str:
    parts = BOOK.split("\n\n")
    return "\n\n".join(f"{p}\n\n{REFRAIN}" if n % 5 == 2 else p for n, p in enumerate(parts) if p.strip())


def test_a_refrain_is_told_by_what_is_around_it() -> None:
    old = refrains()
    asked = [passage(old, REFRAIN, n=n) for n in range(old.count(REFRAIN))]
    new = old.replace("\n\n", "\n")
    starts = [p.start for p in find_passages(asked, new)]
    assert starts == [passage(new, REFRAIN, n=n).at for n in range(len(asked))]


def test_equal_passages_in_equal_surroundings_are_told_by_order_or_lost() -> None:
    verse = "\n".join(f"line {n} of the song that everybody sings" for n in range(12)) + "\n"
    old = f"{words(0, 40)}\n{verse}{words(60, 40)}\n{verse}{words(120, 40)}".replace("\n", " ")
    quote = "line 6 of the song"
    alone = find_passages([passage(old, quote, n=1)], old)[0]
    assert alone.state == "lost"
    known = [passage(old, words(70, 5)), passage(old, quote, n=1), passage(old, words(130, 5))]
    assert find_passages(known, old)[1].start == known[1].at


def test_a_short_text_is_looked_at_whole() -> None:
    found = find_passages([Passage(quote="石猴", before="产一石卵，化作一个", after="。")], "化作一个石猴。")
    assert [f.state for f in found] == ["moved"] or [f.state for f in found] == ["exact"]


@pytest.mark.parametrize("text", ["", "short", "一"])
def test_a_text_too_short_for_a_piece_has_an_empty_sketch(text: str) -> None:
    assert sketch(text).hashes == ()


def test_a_sketch_is_the_same_in_another_layout_and_shares_pieces_with_a_part() -> None:
    text = unique_words(40, paragraphs=8)
    assert sketch(text).hashes == sketch(text.replace(" ", "\n").upper()).hashes
    part = text[len(text) // 3 : len(text) // 2]
    whole, some = sketch(text), sketch(part)
    comparable = [h for h in some.hashes if h < whole.limit]
    assert comparable
    assert set(comparable) <= set(whole.hashes)
