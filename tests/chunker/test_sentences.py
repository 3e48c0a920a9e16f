"""Sentences: boundaries in English and Chinese, and what holds for any text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.document.sentence import LONGEST, sentences


def split(text: str, language: str | None = None) -> list[str]:
    return [text[a:b] for a, b in sentences(text, language)]


def test_abbreviations_initials_and_decimals_do_not_end_a_sentence() -> None:
    text = "Dr. Smith paid 3.14 dollars, e.g. for p. 5. J. R. R. Tolkien wrote. Mr. and Mrs. B. left."
    assert split(text, "en") == [
        "Dr. Smith paid 3.14 dollars, e.g. for p. 5.",
        "J. R. R. Tolkien wrote.",
        "Mr. and Mrs. B. left.",
    ]


def test_dialogue_keeps_the_closing_quotation_mark_with_its_sentence() -> None:
    assert split("“Is it?” he said. “Yes!” She left.", "en") == ["“Is it?” he said.", "“Yes!”", "She left."]


def test_chinese_sentences_end_at_their_marks_and_take_closing_quotation_marks_along() -> None:
    text = "宝玉听了，笑道：“好妹妹，你说的是。”黛玉道：“我不信！”说着，便走了。价格是3.14元。"
    assert split(text, "zh") == [
        "宝玉听了，笑道：“好妹妹，你说的是。”",
        "黛玉道：“我不信！”",
        "说着，便走了。",
        "价格是3.14元。",
    ]


def test_who_speaks_after_a_chinese_quotation_stays_with_it() -> None:
    assert split("“真的吗？”她问。他走了。", "zh") == ["“真的吗？”她问。", "他走了。"]


def test_dots_in_the_middle_of_a_chinese_sentence_do_not_end_it() -> None:
    assert split("他想……还是算了。行者道：“……”八戒笑了。", "zh") == ["他想……还是算了。", "行者道：“……”八戒笑了。"]


def test_chinese_text_is_recognised_without_a_language_and_under_a_wrong_one() -> None:
    for language in (None, "en", "zh-Hant"):
        assert len(split("天黑了。人走了。", language)) == 2


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2028", "\u2009"])
def test_wide_spaces_after_an_initial_are_survived(space: str) -> None:
    assert "".join(split(f"D.{space}Brown came.{space}He sat.", "en")).replace(space, "") == "D.Brown came.He sat."


def test_text_without_punctuation_is_divided_at_spaces() -> None:
    parts = split("word " * 3_000, "en")
    assert len(parts) > 1
    assert all(len(p) <= LONGEST and p.startswith("word") and p.endswith("word") for p in parts)


@given(
    st.text(st.sampled_from("ab .!?。！？…”“」\n\u3000\u00a0玉说：Dr.1é😀"), max_size=80),
    st.sampled_from(["en", "zh", "de", None]),
)
def test_sentences_cover_everything_but_white_space_in_order(text: str, language: str | None) -> None:
    at = 0
    for start, end in sentences(text, language):
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


def test_a_novel_is_split_in_well_under_two_seconds() -> None:
    paragraph = "“It was late,” said Mr. Hart, looking at p. 5. Nobody answered him, and the rain went on falling. "
    novel = [paragraph * 6] * 1_000
    began = time.perf_counter()
    assert sum(len(sentences(p, "en")) for p in novel) == 12_000
    assert time.perf_counter() - began < 5  # .4 s alone on a core; others may use it
