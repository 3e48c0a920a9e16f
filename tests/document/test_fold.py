"""Folding: what is content, and where it came from."""

import unicodedata

import pytest

from glossator.document.fold import fold, fold_for_index, is_content, simplify

MIXED = "The ﬁne “Café”, e\u0301tude—Ａ１ 漢字、x² ½ ① 10% ǅ ß İ 한글 \u1100\u1161 ☺"


def test_content_has_letters_digits_marks_and_symbols_only() -> None:
    assert fold("“Well-known”, she said: 3.5 % & more…").text == "wellknownshesaid35%&more"


def test_every_folded_character_knows_its_source() -> None:
    folded = fold("ﬁ a\nB")
    assert folded.text == "fiab"
    assert folded.offsets.tolist() == [0, 0, 2, 4, 5]
    assert (folded.source_start(1), folded.source_end(2)) == (0, 1)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("café", "cafe\u0301"),
        ("ệ", "e\u0302\u0323"),
        ("ﬀ ﬁ ﬂ", "ff fi fl"),
        ("Ａ１％", "a1%"),
        ("臺灣漢字", "台湾汉字"),
        ("Straße", "STRASSE"),
        ("한", "\u1112\u1161\u11ab"),
        ("〜", "～"),
    ],
)
def test_spellings_of_the_same_have_the_same_content(a: str, b: str) -> None:
    assert fold(a).text == fold(b).text


@pytest.mark.parametrize(("a", "b"), [("x²", "x2"), ("½", "12"), ("①", "1"), ("é", "e"), ("5%", "5"), ("Ⅳ", "V")])
def test_what_says_something_else_has_other_content(a: str, b: str) -> None:
    assert fold(a).text != fold(b).text


def test_a_fold_does_only_what_it_is_asked_for() -> None:
    assert fold("ﬁ Ａ é 漢 B", frozenset()).text == "ﬁＡé漢B"
    assert fold("ﬁ Ａ é 漢 B", frozenset(["case"])).text == "ﬁａé漢b"
    assert fold("ﬁ Ａ é 漢 B", frozenset(["ligatures", "variants"])).text == "fiＡé汉B"


def test_long_and_short_texts_are_folded_alike() -> None:
    short = fold(MIXED)
    long = fold(MIXED * 100)
    assert long.text == short.text * 100
    n = len(short.text)
    assert long.offsets[:n].tolist() == short.offsets[:n].tolist()
    assert long.offsets[n : 2 * n].tolist() == [o + len(MIXED) for o in short.offsets[:n].tolist()]


def test_index_terms_unite_forms_width_case_variants_and_apostrophes() -> None:
    assert fold_for_index("Ｄon’t ﬁnd 臺灣 Cafe\u0301") == "don't find 台湾 café"
    assert fold_for_index("PLAIN Don't") == "plain don't"


def test_simplifying_keeps_the_length() -> None:
    text = "後來𪜎的臺灣 with ASCII"
    assert len(simplify(text)) == len(text)
    assert simplify("後來") == "后来"


@pytest.mark.parametrize("c", ["−", "─", "`", "ʼ", "\ufe0f", "\u200b", "\u00ad", "—", "「", "_", "\x07"])
def test_dashes_quotes_and_invisible_characters_are_no_content(c: str) -> None:
    assert not is_content(c), unicodedata.name(c, repr(c))
