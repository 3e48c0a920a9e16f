"""Sentences that code adds to an answer, and what it takes from those that a model wrote."""

import pytest

from glossator.agent.wording import abstains, language_in_words


@pytest.mark.parametrize(
    "text",
    [
        "I found no answer.",
        "I'm sorry, but I could not find anything about that.",
        "The provided passages do not contain information about this.",
        "There is no mention of it in the documents.",
        "Unfortunately, the text doesn’t say.",
        "Based on the passages, I cannot determine who it was.",
        "未找到答案。",
        "书中没有提到这一点。",
        "很抱歉，我没有找到相关内容。",
        "根据现有资料，无法回答这个问题。",
    ],
)
def test_an_answer_that_begins_by_saying_that_there_is_none_abstains(text: str) -> None:
    assert abstains(text)


@pytest.mark.parametrize(
    "text",
    [
        "Elinor found no answer in the letter.",
        "The book says that nothing was found.",
        "没有人知道她是谁。",
        "从前有一个人，没有找到钥匙。",
    ],
)
def test_a_story_in_which_nothing_is_found_is_an_answer(text: str) -> None:
    assert not abstains(text)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the lamps burn?", "Les lampes de la maison brûlaient de l’huile et elles sont dans le port."),
        ("What did the lamps burn?", "第一批灯烧鲸油。"),
        ("灯烧什么？", "The first lamps burned whale oil and they needed trimming."),
        (
            "Was verbrannten die Lampen in dem Haus, und wer war es?",
            "It was the oil of a whale that they had in the lamps.",
        ),
    ],
)
def test_an_answer_in_another_language_says_so(question: str, answer: str) -> None:
    assert language_in_words(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the lamps burn?", "It was whale oil: “第一批灯烧鲸油，每四小时修剪一次灯芯，看守人白天睡觉”"),
        ("灯烧什么？", "鲸油：“The first lamps burned whale oil and needed trimming every four hours.”"),
        ("谁发现了信？", "Gregory Thorne."),
        ("What?", "Whale oil."),
        ("What does 仙石 mean?", "It is the stone of the immortals and it stands on the mountain."),
    ],
)
def test_quotations_and_names_of_another_language_are_none(question: str, answer: str) -> None:
    assert language_in_words(question, answer) is None
