"""Queries: anything is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.search.query import Query, parse_query


@pytest.mark.parametrize(
    "text",
    ["don't use agents", "C++", "--error", "NEAR(x)", 'he said "and', "-5 degrees", "玉", "a-b", "'", "50%", "-word"],
)
def test_what_looks_like_syntax_elsewhere_is_plain_text(text: str) -> None:
    assert parse_query(text) == Query(text=text)


@pytest.mark.parametrize(
    "text", ['"red house" door', "“red house” door", "「red house」 door", "『red house』 door", "«red house» door"]
)
def test_a_phrase_stands_between_any_quotation_marks_and_is_searched_too(text: str) -> None:
    assert parse_query(text) == Query(text="red house door", phrases=("red house",))


def test_words_and_phrases_after_a_minus_are_excluded() -> None:
    assert parse_query('river -bridge -"old mill" x-ray') == Query(text="river x-ray", excluded=("old mill", "bridge"))
    assert parse_query("宝玉 -黛玉") == Query(text="宝玉", excluded=("黛玉",))


def test_only_exclusions_are_taken_as_words_to_find() -> None:
    assert parse_query("-bridge -mill") == Query(text="-bridge -mill")


def test_nothing_is_empty() -> None:
    assert parse_query(" \n ").empty
    assert not parse_query("?").empty


def test_phrases_are_compared_folded_and_by_whole_words() -> None:
    query = parse_query('"to be, or not"')
    assert query.accepts("To be — or NOT to be")
    assert not query.accepts("to become, or not")
    assert parse_query("「紅樓」").accepts("他在红楼里")
    assert not parse_query("「红楼」").accepts("红色的楼")
    assert parse_query('"C++"').accepts("written in C++.")
    assert not parse_query('"C++"').accepts("written in C.")


def test_a_phrase_of_any_script_without_spaces_is_found_inside_a_run() -> None:
    assert parse_query('"မြန်မာ"').accepts("သည်မြန်မာစာ")
    assert parse_query('"ខ្មែរ"').accepts("ភាសាខ្មែរល្អ")
    assert parse_query('"ไทย"').accepts("ภาษาไทยดี")


def test_excluded_words_are_compared_whole() -> None:
    assert parse_query("pets -cat").accepts("pets: cats")
    assert not parse_query("pets -cat").accepts("pets: a Cat")


@given(st.text(st.sampled_from("ab \"“”「」-+玉'«»\n?"), max_size=30))
def test_any_text_is_a_query_and_keeps_its_words(text: str) -> None:
    query = parse_query(text)
    assert query.empty == (not text.strip())
    kept = query.text + "".join(query.excluded)
    assert sorted(c for c in text if c.isalpha()) == sorted(c for c in kept if c.isalpha())
    assert isinstance(query.accepts("ab 玉"), bool)
