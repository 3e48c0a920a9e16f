"""Questions made from a text, and the figures over their answers."""

import json
from pathlib import Path

import pytest

from glossator.document.sentence import sentences
from glossator.errors import UsageError
from glossator.library.evaluation import BLANK, Found, Question, questions_of, questions_of_file, rank_of, scores

ENGLISH = (
    "The lighthouse keeper polished the enormous lantern every evening before supper. "
    "Nobody in the village remembered when the previous keeper had vanished. "
    "A schooner carrying cinnamon and indigo foundered upon the northern shoals. "
    "The keeper rowed through mountainous waves and rescued eleven exhausted sailors."
)
CHINESE = (
    "灯塔看守人每天傍晚都要擦拭那盏巨大的灯。村里没有人记得前任看守人是什么时候失踪的。"
    "一艘满载肉桂和靛青的帆船在北边的浅滩触礁沉没了。"
)


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_questions_are_made_of_the_words_of_their_sentence(text: str, language: str) -> None:
    questions = questions_of("doc", text, sentences(text, language), limit=10)
    assert {q.kind for q in questions} == {"known_item", "cloze"}
    for question in questions:
        assert question.span is not None
        sentence = text[slice(*question.span)]
        assert all(part in sentence for part in question.query.replace(BLANK, " ").split())
        assert (BLANK in question.query) == (question.kind == "cloze")


def test_the_same_text_gives_the_same_questions() -> None:
    spans = sentences(ENGLISH, "en")
    assert questions_of("doc", ENGLISH, spans, limit=2) == questions_of("doc", ENGLISH, spans, limit=2)


def test_the_rank_is_that_of_the_first_hit_that_overlaps_the_sentence() -> None:
    question = Question(query="x", document="a", kind="cloze", span=(10, 20))
    hits = [Found("b", 10, 20), Found("a", 20, 30), Found("a", 0, 11)]
    assert rank_of(question, hits) == 3
    assert rank_of(question, hits[:2]) is None


def test_figures_count_first_ranks_and_reciprocal_ones() -> None:
    assert scores([1, 2, None, 8]).to_json() == {"queries": 4, "recall@1": 0.25, "recall@5": 0.5, "mrr": 0.4062}
    assert scores([]).to_json() == {"queries": 0, "recall@1": 0.0, "recall@5": 0.0, "mrr": 0.0}


def test_questions_of_a_file_name_their_line_when_they_are_none(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({"query": "who?", "doc": "a", "start": 1, "end": 5}) + "\n\n{}\n", "utf-8")
    with pytest.raises(UsageError, match="line 3"):
        questions_of_file(path, lambda doc: doc)
    path.write_text(json.dumps({"query": "who?", "doc": "a", "start": 1, "end": 5}) + "\n", "utf-8")
    (question,) = questions_of_file(path, lambda doc: doc + "1")
    assert question == Question(query="who?", document="a1", kind="file", span=(1, 5))
