import pytest

from glossator.index.tokens import ASIDE, counted, query_tokens, stem, tokens


def finds(query: str, text: str) -> bool:
    """Whether a passage holds one of the terms that the query asks for."""
    return bool(set(query_tokens(query)) & set(tokens(text)))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("玉", "林黛玉来了"),
        ("黛玉", "林黛玉来了"),
        ("臺灣", "在台湾"),
        ("ＡＢＣ", "abc"),
        ("don't", "they dont"),
        ("don’t", "I don't know"),
        ("homme", "l'homme"),
        ("l'homme", "un homme"),
        ("Alice", "Alice's cat"),
        ("1000", "1,000 men"),
        ("1,000", "1000 men"),
        ("3.14", "about 3.14."),
        ("C++", "written in C++, they say"),
        ("C++17", "the C++ standard"),
        ("c#", "C# is not C"),
        (".NET", "on .NET 8"),
        ("NET", "on .NET 8"),
        ("stories", "a story"),
        ("running", "they run"),
        ("wonder", "won\u00adder"),
        ("STRASSE", "Straße"),
        ("to be or not to be", "To be, or not to be: that is the question"),
        ("the", "what the law says"),
        ("--error", "an error: see below"),
        ("NEAR(x)", "near by"),
        ('"unterminated', "an unterminated quotation"),
        ("ภาษา", "พูดภาษาไทย"),
        ("हिन्दी", "यह हिन्दी है"),
        ("한국", "한국어를 배운다"),
    ],
)
def test_a_query_finds_what_its_words_mean(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("C++", "vitamin C"),
        ("C", "written in C++"),
        ("黛玉", "玉黛"),
        ("the error", "the law"),  # stop words are not asked for beside others
        ("黛玉", "玉"),
        ("is this 黛玉", "is this it"),
        ("2.0", "in 2001"),
        ("net", "network"),
        ("business", "busy"),
    ],
)
def test_a_query_does_not_find_what_only_looks_alike(query: str, text: str) -> None:
    assert not finds(query, text)


def test_text_without_words_has_no_terms() -> None:
    assert tokens("… — ?! \n\t ") == query_tokens("’ 。") == []


def test_what_stands_aside_counts_nothing() -> None:
    assert counted(tokens("黛玉")) == 1
    assert counted(tokens("the cat and the dog")) == 2
    assert query_tokens("the") == [ASIDE + "the"]
    assert query_tokens("the cat") == ["cat"]


def test_a_lone_character_is_asked_for_and_one_in_a_word_is_not() -> None:
    assert query_tokens("玉 黛玉") == [ASIDE + "玉", "黛玉"]


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("caresses", "caress"),
        ("ponies", "pony"),
        ("class", "class"),
        ("boxes", "box"),
        ("churches", "church"),
        ("hopping", "hop"),
        ("hoping", "hop"),
        ("falling", "fall"),
        ("agreement", "agre"),
        ("organization", "organis"),
        ("organisations", "organis"),
        ("organizing", "organis"),
        ("relations", "relat"),
        ("nations", "nation"),
        ("sing", "sing"),
        ("thing", "thing"),
        ("bus", "bus"),
        ("virus", "virus"),
        ("quickly", "quick"),
        ("42s", "42s"),
        ("naïves", "naïves"),
    ],
)
def test_stems_are_what_they_were(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed
