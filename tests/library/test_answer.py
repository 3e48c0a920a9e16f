"""Choosing the sentences of an extractive answer."""

from glossator.library.answer import Sentence, asked, choose, declined, told

TEXTS = (
    "The keeper lit the lantern at dusk.",
    "Nobody knew why the harbour had been abandoned in 1870.",
    "A storm destroyed the pier, and the harbour was abandoned in 1870.",
    "Yes.",
    "She sold her boat for forty crowns.",
)


def even(term: str) -> float:
    """Weigh every term alike."""
    return float(bool(term))


def _sentences(texts: tuple[str, ...] = TEXTS, similarity: tuple[float, ...] | None = None) -> list[Sentence]:
    at = 0
    made = []
    for n, text in enumerate(texts):
        score = similarity[n] if similarity else None
        made.append(Sentence(document=1, start=at, end=at + len(text), text=text, passage=n // 2, similarity=score))
        at += len(text) + 1
    return made


def test_the_sentence_with_the_rare_words_of_the_question_comes_first() -> None:
    chosen = choose("For how many crowns did she sell the boat?", _sentences(), even)
    assert chosen[0].sentence.text == TEXTS[4]


def test_meaning_decides_where_words_do_not() -> None:
    chosen = choose("When was the port given up?", _sentences(similarity=(0.1, 0.3, 0.6, 0.0, 0.1)), even)
    assert chosen[0].sentence.text == TEXTS[2]


def test_sentences_that_say_the_same_are_given_once() -> None:
    twice = ("The harbour was abandoned in 1870.", "In 1870 the harbour was abandoned.")
    assert len(choose("When was the harbour abandoned?", _sentences(twice), even)) == 1


def test_an_answer_has_at_most_five_sentences() -> None:
    many = tuple(
        f"The harbour of {name} was abandoned then." for name in ("Ulm", "Bonn", "Kiel", "Rome", "York", "Bath", "Metz")
    )
    assert 1 <= len(choose("Which harbour was abandoned?", _sentences(many), even)) <= 5


def test_what_asks_is_no_subject() -> None:
    assert asked("请问孙悟空是谁？") == asked("孙悟空是")
    assert "什么" not in asked("石猴叫什么名字？")
    assert asked("Who is the keeper?") == asked("keeper")


def test_the_frame_speaks_the_language_of_the_question() -> None:
    assert told("What is it?", [("Book", "It is a book.")]) == "From Book:\n\n“It is a book.” [1]"
    assert "《书》" in told("这是什么？", [("书", "这是一本书。")])
    assert "没有找到" in declined("这是什么？", None)
    assert "page 12" in declined("What is it?", "Book: read up to page 12.")
