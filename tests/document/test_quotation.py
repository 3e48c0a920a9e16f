"""Quotations: what is found, what had to be repaired, and what is refused."""

from time import process_time

import pytest

from glossator.document.quotation import REPAIRS, Match, find_all, find_quotation, near_misses
from glossator.errors import UsageError

HOUND = (
    "Mr. Sherlock Holmes, who was usually very late in the mornings, save upon those not infrequent occasions when he "
    "was up all night, was seated at the breakfast table. I stood upon the hearth-rug and picked up the stick which "
    "our visitor had left behind him the night before. It was a fine, thick piece of wood, bulbous-headed, of the sort "
    "which is known as a “Penang lawyer.” Just under the head was a broad silver band nearly an inch across. There "
    "were 1,742 such sticks in London in 1889; he could not have found 12.5 of them—not one!"
)
STONE = (
    "却说那女娲氏炼石补天之时，于大荒山无稽崖炼成高十二丈、见方二十四丈大的顽石三万六千五百零一块。那娲皇只用了"
    "三万六千五百块，单单剩下一块未用，弃在青埂峰下。谁知此石自经锻炼之后，灵性已通，自去自来，可大可小。"
    "因见众石俱得补天，独自己无才不得入选，遂自怨自愧，日夜悲哀。一日正当嗟悼之际，俄见一僧一道远远而来。"
)


def repairs(text: str, quotation: str) -> tuple[str, ...] | None:
    match = find_quotation(text, quotation)
    return None if match is None else match.repairs


def test_a_quotation_with_straightened_quotes_is_repaired_and_addresses_the_original() -> None:
    match = find_quotation("She said “no” twice.", 'said "no"')
    assert match == Match(start=4, end=13, verdict="repaired", repairs=("quotes",))


def test_a_literal_quotation_is_verified_and_its_occurrences_counted() -> None:
    match = find_quotation("Rain. More rain, and rain again.", "rain", near=25)
    assert match == Match(start=21, end=25, verdict="verified", occurrences=2)


def test_white_space_around_a_quotation_does_not_count() -> None:
    match = find_quotation(HOUND, "  I stood upon the hearth-rug\n")
    assert match is not None
    assert match.verdict == "verified"


@pytest.mark.parametrize(
    ("source", "quotation", "needed"),
    [
        ("The End of It", "the end of it", ("case",)),
        ("cafe\u0301 noir", "café noir", ("unicode",)),
        ("an eﬃcient oﬃce", "an efficient office", ("ligatures",)),
        ("版本Ａ１２很好", "版本A12很好", ("width",)),
        ("他說這裡沒有人", "他说这里没有人", ("variants",)),
        ("he went -- slowly -- away", "he went — slowly — away", ("dashes",)),
        ("the first line\nand the next", "the first line and the next", ("spaces",)),
        ("an exam-\nple of this", "an example of this", ("hyphenation",)),
        ("an exam\u00adple of this", "an example of this", ("hyphenation",)),
        ("an example of this", "an exam- ple of this", ("hyphenation",)),
        ("Well… I never", "Well... I never", ("ellipsis",)),
        ("first, then second", "first then second", ("punctuation",)),
        ("走了。他又回来", "走了.他又回来", ("width",)),
        ("他用Python写程序", "他用 Python 写程序", ("spaces",)),
        ("『好』，他說", "“好”，他说", ("variants", "quotes")),
        ("We “DO” know—well", 'we "do" know -- well', ("case", "quotes", "dashes", "spaces")),
        ("zero\u200bwidth joined", "zerowidth joined", ("unicode",)),
    ],
)
def test_each_declared_repair_is_reported_and_no_other(source: str, quotation: str, needed: tuple[str, ...]) -> None:
    match = find_quotation(f"One. {source} two.", quotation)
    assert match == Match(start=5, end=5 + len(source), verdict="repaired", repairs=needed)
    assert set(needed) <= set(REPAIRS)


def test_the_end_of_a_quotation_may_be_the_quoting_sentences_own() -> None:
    assert repairs("It was late, and dark.", "It was late.") == ("punctuation",)
    assert find_quotation("It was late, and dark.", "It was late?") is None


def test_final_marks_that_the_source_has_are_part_of_the_match() -> None:
    text = "他说：“走吧。”于是走了。"
    match = find_quotation(text, '走吧."')
    assert match is not None
    assert text[match.start : match.end] == "走吧。”"


def test_a_quotation_with_an_ellipsis_spans_from_the_first_part_to_the_last() -> None:
    quotation = "I stood upon the hearth-rug … the stick which our visitor had left behind him [...] piece of wood"
    match = find_quotation(HOUND, quotation)
    assert match is not None
    assert match.repairs == ("ellipsis",)
    assert HOUND[match.start : match.end].startswith("I stood upon")
    assert HOUND[match.start : match.end].endswith("piece of wood")


def test_an_ellipsis_in_a_chinese_quotation_is_bridged() -> None:
    match = find_quotation(STONE, "谁知此石自经锻炼之后……因见众石俱得补天")
    assert match is not None
    assert match.repairs == ("ellipsis",)


def test_an_ellipsis_does_not_reach_across_the_book() -> None:
    text = f"It was the best of times. {'Filler follows here. ' * 60}It was the age of wisdom."
    assert find_quotation(text, "It was the best of times … It was the age of wisdom") is None


def test_an_ellipsis_may_not_hide_the_negation() -> None:
    assert find_quotation("I certainly do not believe a word of it.", "I certainly do … believe a word of it") is None
    assert find_quotation("我实在是不相信他说的这句话。", "我实在是……相信他说的这句话") is None


def test_parts_of_an_ellipsis_in_the_wrong_order_are_not_a_quotation() -> None:
    assert find_quotation(HOUND, "piece of wood, bulbous-headed … I stood upon the hearth-rug") is None


def test_an_ellipsis_at_the_ends_is_the_quoting_sentences() -> None:
    assert repairs(HOUND, "… picked up the stick which our visitor had left …") == ("ellipsis",)


@pytest.mark.parametrize(
    "quotation",
    [
        "I stood upon the hearth-rug and picked up the stikc which our visitor had left",
        "I stood upon the hearth-rug and picked up the stick which our vistor had left",
        "I stood upon the hearth-rug and picked up the stick which our visiitor had left",
        "I stood upon the hearth-rug and pixked up the stick which our visitor had left",
    ],
)
def test_one_slip_of_the_pen_in_eight_words_is_forgiven(quotation: str) -> None:
    match = find_quotation(HOUND, quotation)
    assert match is not None
    assert match.repairs == ("spelling",)
    assert HOUND[match.start : match.end] == (
        "I stood upon the hearth-rug and picked up the stick which our visitor had left"
    )


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("but", "bux"),
        ("not", "nxt"),
        ("to", "tk"),
        ("couldn’t", "xouldn’t"),
        ("Marilla", "xarilla"),
        ("never", "nevxr"),
    ],
)
def test_a_changed_letter_that_makes_no_word_is_a_slip_in_short_words_and_negations_too(
    word: str, written: str
) -> None:
    frame = "in the years that followed we heard that {} was what people talked about all through the winter"
    assert repairs(frame.format(word), frame.format(written)) == ("spelling",)


@pytest.mark.parametrize(
    ("word", "written"),
    [("but", "bt"), ("not", "noot"), ("not", "now"), ("I", "x"), ("DNA", "RNA"), ("him", "his"), ("der", "den")],
)
def test_a_short_word_neither_loses_nor_gains_a_letter_nor_becomes_another(word: str, written: str) -> None:
    frame = "in the years that followed we heard that {} was what people talked about all through the winter"
    assert find_quotation(frame.format(word), frame.format(written)) is None


def test_one_wrong_character_in_twenty_is_forgiven() -> None:
    assert repairs(STONE, "谁知此石自经锻练之后，灵性已通，自去自来，可大可小。") == ("spelling",)
    assert repairs(STONE, "谁知此石自经锻练之后，灵性已通。") is None


@pytest.mark.parametrize(
    "quotation",
    [
        # a changed, dropped or added negation
        "he could have found 12.5 of them",
        "he could now have found 12.5 of them",
        "who was usually not very late in the mornings",
        "因见众石俱得补天，独自己无才得入选，遂自怨自愧，日夜悲哀",
        "因见众石俱不得补天，独自己无才不得入选，遂自怨自愧，日夜悲哀",
        "单单剩下一块已用，弃在青埂峰下。谁知此石自经锻炼之后，灵性已通",
        # a changed number
        "There were 1,743 such sticks in London in 1889; he could not have found 12.5 of them",
        "There were 1742 such sticks in London",
        "There were 1,742 such sticks in London in 1898; he could not have found 12.5 of them",
        "he could not have found 125 of them",
        "炼成高十三丈、见方二十四丈大的顽石三万六千五百零一块。那娲皇只用了三万六千五百块",
        # another word or name
        "Mr. Sherlock Homes, who was usually very early in the mornings, save upon those occasions",
        "Mr. Mycroft Holmes, who was usually very late in the mornings, save upon those not infrequent occasions",
        "I stood upon the hearth-rug and picked up the stone which our visitor had left behind him",
        "I stood upon the hearth-rug and picked up the stick which her visitor had left behind him",
        "却说那盘古氏炼石补天之时，于大荒山无稽崖炼成高十二丈、见方二十四丈大的顽石",
        "因见众石俱得补天，独自己无才不得入选，遂自怨自愧，日夜欢喜。一日正当嗟悼之际",
        # words in another order, sentences spliced
        "who was very usually late in the mornings",
        "the stick which our visitor had left behind the night him before",
        "I stood upon the hearth-rug and picked up a fine, thick piece of wood",
        "谁知此石自经锻炼之后，因见众石俱得补天",
        # part of a word or number
        "infrequent occasion",
        "742 such sticks",
        "such sticks in London in 188",
        "千五百零一块",
        # punctuation that the source does not have
        "picked up the stick, which our visitor had left",
        "Was it a fine, thick piece of wood?",
    ],
)
def test_what_the_text_does_not_say_is_refused(quotation: str) -> None:
    assert find_quotation(HOUND + "\n\n" + STONE, quotation) is None


@pytest.mark.parametrize(
    ("source", "quotation"),
    [
        ("He was unable to walk.", "able to walk"),
        ("It was hopeless to wait.", "It was hope"),
        ("A non-violent man came.", "violent man came"),
        ("He can’t go there.", "He can"),
        ("They cannot go there.", "They can"),
        ("Only −5 degrees today.", "5 degrees today"),
        ("It cost 1.5 million then.", "5 million then"),
        ("10² metres of cable", "102 metres of cable"),
        ("½ of the people", "1/2 of the people"),
        ("add 3.5 and 4", "add 35 and 4"),
        ("from 1990–1995 only", "from 19901995 only"),
        ("see the any one here", "see the anyone here"),
        ("a dog-eared book", "a dog eared books"),
        ("走了三百里路", "百里路"),
        ("he is rarely here", "he is really here"),
    ],
)
def test_small_differences_that_change_the_sense_are_refused(source: str, quotation: str) -> None:
    assert find_quotation(source, quotation) is None


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("Iran", "Iraq"),  # names one letter apart
        ("Anna", "Anne"),
        ("houses", "house"),  # number
        ("loved", "loves"),  # tense
        ("could", "would"),
        ("horse", "house"),
        ("from", "form"),
        ("cat", "cot"),  # short words
        ("ever", "never"),
        ("moral", "amoral"),
        ("nitrate", "nitrite"),
        ("million", "billion"),
        ("sixth", "sixty"),
        ("that", "hat"),
    ],
)
def test_a_slip_that_makes_another_word_is_a_change_of_words(word: str, other: str) -> None:
    frame = "in the years that followed we heard that {} was what people talked about all through the winter"
    text = frame.format(word)
    if other == "amoral":
        text += ". His amoral brother agreed"  # a rare word, known from the text alone
    assert find_quotation(text, frame.format(other)) is None


def test_one_character_that_makes_another_word_of_the_text_is_a_change_of_words() -> None:
    text = STONE + "唐僧走了。沙僧来了。" * 6 + "却说唐僧骑上马往西天而去一路上饥餐渴饮夜住晓行"
    changed = "却说沙僧骑上马往西天而去一路上饥餐渴饮夜住晓行"
    assert find_quotation(text, changed) is None
    assert repairs(text, changed.replace("沙僧", "唐僧").replace("骑上", "齐上")) == ("spelling",)


def test_slips_too_close_together_are_refused() -> None:
    quotation = (
        "I stood upon the hearth-rug and pixked up the stikc which our visitor had left behind him the night before"
    )
    assert find_quotation(HOUND, quotation) is None


def test_a_short_quotation_is_exact_or_folded_never_misspelt() -> None:
    assert repairs(HOUND, "silver bnad") is None
    assert repairs(HOUND, "SILVER band") == ("case",)


def test_a_long_literal_quotation_may_be_cut_in_a_word() -> None:
    match = find_quotation(HOUND, "I stood upon the hearth-rug and picked up the stick which our visi")
    assert match is not None
    assert match.verdict == "verified"


def test_exact_occurrences_win_over_nearer_repaired_ones() -> None:
    text = "The DOOR opened. He left. The door opened."
    assert find_quotation(text, "The door opened", near=0) == Match(start=26, end=41, verdict="verified")


def test_among_equals_the_nearest_wins_else_the_first() -> None:
    text = "the “end” and the “end” and the “end”"
    nearest = find_quotation(text, 'the "end"', near=20)
    first = find_quotation(text, 'the "end"')
    assert (nearest, first) == (
        Match(start=14, end=23, verdict="repaired", repairs=("quotes",), occurrences=3),
        Match(start=0, end=9, verdict="repaired", repairs=("quotes",), occurrences=3),
    )


def test_all_occurrences_come_in_reading_order_up_to_the_limit() -> None:
    text = "Rain fell. RAIN fell. Rain  fell."
    assert [(m.start, m.verdict) for m in find_all(text, "Rain fell")] == [
        (0, "verified"),
        (11, "repaired"),
        (22, "repaired"),
    ]
    assert len(find_all(text, "Rain fell", limit=2)) == 2


def test_only_punctuation_is_found_literally() -> None:
    assert find_quotation("What?! he said", "?!") == Match(start=4, end=6, verdict="verified")
    assert find_quotation("What he said", "?!") is None


@pytest.mark.parametrize("nothing", ["", "  \n"])
def test_asking_for_nothing_is_an_error_with_a_hint(nothing: str) -> None:
    with pytest.raises(UsageError) as e:
        find_quotation("text", nothing)
    assert e.value.hint


def test_a_refused_quotation_has_near_misses_that_show_the_real_words() -> None:
    near = near_misses(HOUND, "picked up the stick which our visitor had not left behind him the night before")
    assert near
    assert "stick which our visitor had left behind him" in HOUND[near[0].start : near[0].end]
    assert 0.8 < near[0].score < 1
    assert near_misses(HOUND, "完全没有关系的一句话") == []


def test_a_short_text_has_no_match_and_no_error() -> None:
    assert find_quotation("", "anything at all") is None
    assert find_quotation("a", "a much longer quotation than the text, which has eight words") is None


def test_two_million_characters_are_searched_in_well_under_a_second() -> None:
    filler = "".join(f"Line {i} tells of the river and the {i % 97} boats upon it. " for i in range(40_000))
    text = filler + HOUND
    find_quotation(text, "warm it up")
    for quotation in (
        "i stood upon the hearth-rug and picked up the stick",
        "I stood upon the hearth-rug and picked up the stikc which our visitor had left",
        "There were 1,743 such sticks in London in 1889; he could not have found 12.5 of them",
    ):
        start = process_time()
        find_quotation(text, quotation)
        assert process_time() - start < 0.5
