"""The cheap path for small models: what they reply is read generously and believed only as far as the passage goes."""

from collections.abc import Iterator

import pytest

from glossator.agent.json_path import PASSAGES, Reply, check, margin, parse, request, retrieve, schema, shown
from glossator.agent.judging import SURE, Verdict, answering, verdict, worth
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

OPEN = Bound(uncapped=True)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("json")
    with Library.open(folder / "library", embedder="none") as library:
        library.add([str(books.island(folder)), str(books.stone(folder))])
        yield library


@pytest.mark.parametrize(
    "text",
    [
        '{"passage": 1, "quote": "q", "answer": "a"}',
        'Sure!\n```json\n{"passage": 1, "quote": "q", "answer": "a"}\n```',
        '{"passage": "1", "quote": "q", "answer": "a"} and more',
    ],
)
def test_a_reply_is_found_in_what_a_model_writes(text: str) -> None:
    assert parse(text) == Reply(1, "q", "a")


@pytest.mark.parametrize(
    "text", ["", "I think so.", '{"passage": "one"}', "[1, 2]", '{"passage": true}', '{"passage": 1']
)
def test_what_is_no_reply_is_none(text: str) -> None:
    assert parse(text) is None


def test_the_schema_knows_how_many_passages_there_are() -> None:
    assert schema(2)["properties"]["passage"]["maximum"] == 2
    assert schema(PASSAGES)["required"] == ["passage", "quote", "answer"]


def test_passages_are_numbered_and_on_one_line_each() -> None:
    assert request(" Who? ", ["a\nb", "c"]) == "[1] a b\n[2] c\n\nQuestion: Who?"


@pytest.mark.parametrize(
    ("question", "worth_it"),
    [
        ("What did Eleanor find under the third stair?", True),
        ("What happened because Eleanor found the letter under the third stair?", True),
        ("How do enzymes lower activation energy?", False),
        ("What did Eleanor do with the elephant in Vienna?", False),
        ("酶怎样降低反应的活化能？", False),
    ],
)
def test_only_a_question_that_is_held_by_what_was_found_is_asked(shelf: Library, question: str, worth_it: bool) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = shown(reader, question, retrieve(reader, question).passages)
    assert worth(margin(reader, question, passages), SURE) is worth_it
    assert not worth(margin(reader, question, []), SURE)


@pytest.mark.parametrize(
    ("likely", "said", "sign"),
    [
        ({"Yes": 0.9, "yes": 0.05, "No": 0.04}, "Yes", 1),
        ({" no": 0.6, "Yes": 0.3}, "no", -1),
        ({"Well": 0.9}, "No.", -1),
        ({}, "Yes, it can.", 1),
        ({}, "是的", 1),
        ({"No": 0.0}, "No, it says nothing of that.", -1),
    ],
)
def test_a_verdict_is_read_from_probabilities_where_there_are_any(
    likely: dict[str, float], said: str, sign: int
) -> None:
    odds = verdict(said, likely)
    assert odds is not None
    assert odds * sign > 0


def test_what_is_neither_yes_nor_no_is_no_verdict() -> None:
    assert verdict("Well", {"Well": 0.9}) is None
    assert verdict("", {}) is None


def test_a_sure_yes_lifts_what_was_found_and_a_no_keeps_silent() -> None:
    assert answering(-0.1, [Verdict(0, -1.0), Verdict(1, 2.0)]) == Verdict(1, 2.0)
    assert answering(0.1, [Verdict(0, -2.0), Verdict(1, -1.5)]) is None
    assert answering(-0.4, [Verdict(0, SURE)]) is None
    assert answering(1.0, []) is None


def test_a_small_model_is_shown_whole_sentences_around_the_likeliest_and_not_much(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    question = "What did Eleanor find under the third stair?"
    found = retrieve(reader, question).passages
    windows = shown(reader, question, found)
    assert 0 < len(windows) <= PASSAGES
    assert "letter sealed with green wax" in reader.text(*windows[0])
    assert all(any(d == k and a <= s and e <= b for k, a, b in found) for d, s, e in windows)
    assert all(a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for n, a in enumerate(windows) for b in windows[:n])


def test_a_good_reply_is_shown_with_its_receipt(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    found = check(Reply(1, "Eleanor found a letter sealed with green wax", "A letter."), passages, reader)
    assert found is not None
    assert found.text == "A letter. “Eleanor found a letter sealed with green wax” [1]"
    assert found.citations[0].status == "verified"


def test_an_invented_quotation_gives_way_to_the_sentence_that_bears_the_answer_out(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    found = check(Reply(1, "Eleanor found a golden crown", "Eleanor found a letter sealed with wax."), passages, reader)
    assert found is not None
    assert "crown" not in found.text
    assert found.citations[0].quote.startswith("Under the third stair")


def test_a_reply_that_nothing_bears_out_is_none(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    assert check(Reply(1, "the moon is made of cheese", "Cheese of the moon."), passages, reader) is None
    assert check(Reply(0, "", ""), passages, reader) is None
    assert check(Reply(9, "x", "y"), passages, reader) is None


def test_a_number_that_the_passage_does_not_have_is_not_passed_on(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    passages = retrieve(reader, "What did Eleanor find under the third stair?", PASSAGES).passages
    found = check(Reply(1, "a letter sealed with green wax", "It was found in 1999."), passages, reader)
    assert found is not None
    assert "1999" not in found.text


def test_without_a_quotation_the_nearest_sentence_is_shown_and_the_models_words_are_not(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    question = "What did Eleanor find under the third stair?"
    passages = shown(reader, question, retrieve(reader, question).passages)
    found = check(Reply(1, "a crown", "A crown of gold."), passages[:1], reader, question=question)
    assert found is not None
    assert "crown" not in found.text
    assert "third stair" in found.citations[0].quote


def test_other_places_stand_beside_the_answer_with_receipts_of_their_own(shelf: Library) -> None:
    reader = shelf.scope((), bound=OPEN).reader
    question = "What did Eleanor find under the third stair?"
    first, *others = shown(reader, question, retrieve(reader, question).passages)
    reply = Reply(1, "Eleanor found a letter sealed with green wax", "A letter.")
    found = check(reply, [first], reader, question=question, others=others)
    assert found is not None
    assert found.text.startswith("A letter. “Eleanor found a letter sealed with green wax” [1]")
    assert "See also: " in found.text
    assert len(found.citations) == 1 + len(others)
    assert all(c.status == "verified" for c in found.citations)
