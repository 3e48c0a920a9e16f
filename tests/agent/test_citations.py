"""What an answer quotes is checked before it is shown: the verdict, the place, and what is left of the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator.agent.citations import CheckedAnswer, Checker, check
from glossator.agent.marks import is_slight, quotations
from glossator.agent.release import Release
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

OPEN = Bound(uncapped=True)
LETTER = "Under the third stair Eleanor found a letter sealed with green wax."


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("citations")
    with Library.open(folder / "library", embedder="none") as library:
        library.add([str(books.island(folder)), str(books.stone(folder))])
        yield library


def checked(
    library: Library, answer: str, *docs: str, passages: tuple[tuple[int, int, int], ...] = ()
) -> CheckedAnswer:
    reader = library.scope(docs, bound=OPEN).reader
    return check(answer, reader, elsewhere=library.scope((), bound=OPEN).reader, passages=passages)


def test_the_sources_own_words_are_verified_and_numbered(shelf: Library) -> None:
    found = checked(shelf, f"She found it: “{LETTER}”")
    assert found.text == f"She found it: “{LETTER}” [1]"
    (citation,) = found.citations
    assert (citation.status, citation.quote, citation.n) == ("verified", LETTER, 1)
    text = shelf.text("The Island", bound=OPEN).text
    assert text[citation.locator.start : citation.locator.end] == LETTER


def test_a_repaired_quotation_is_shown_in_the_sources_words(shelf: Library) -> None:
    found = checked(shelf, '"under the third stair Eleanor found a letter sealed with green wax"')
    assert found.citations[0].status == "repaired"
    assert found.citations[0].quote == LETTER.rstrip(".")
    assert LETTER.rstrip(".") in found.text
    assert '"under' not in found.text


def test_what_an_ellipsis_leaves_out_stays_left_out(shelf: Library) -> None:
    found = checked(shelf, "“Under the third stair Eleanor found … sealed with green wax”")
    assert found.text == "“Under the third stair Eleanor found … sealed with green wax” [1]"
    assert found.citations[0].quote == LETTER.rstrip(".")


@pytest.mark.parametrize(
    ("opens", "closes"), [("<q>", "</q>"), ("<blockquote>", "</blockquote>"), ("&quot;", "&quot;"), ("``", "''")]
)
def test_the_marks_of_html_and_tex_are_quotation_marks(shelf: Library, opens: str, closes: str) -> None:
    found = checked(shelf, f"Thus: {opens}{LETTER}{closes}")
    assert found.text == f"Thus: {opens}{LETTER}{closes} [1]"
    found = checked(shelf, f"Thus: {opens}The captain loved his parrot. He fed it.{closes} So.")
    assert ([s for _, s in found.rejected], found.citations) == (["not_found"], ())
    assert "parrot" not in found.text


@pytest.mark.parametrize("mark", ['"', "“", "「", "«"])
def test_a_quotation_that_is_never_closed_is_checked_to_the_end_of_its_paragraph(shelf: Library, mark: str) -> None:
    found = checked(shelf, f"It says {mark}The captain loved his parrot. He fed it\n\nThat is all.")
    assert [s for _, s in found.rejected] == ["not_found"]
    assert "parrot" not in found.text
    assert "That is all." in found.text
    assert checked(shelf, f"It says {mark}{LETTER[:-1]} [7]").text == f"It says {mark}{LETTER[:-1]} [1]"


@pytest.mark.parametrize(
    "text", ['A 5" nail is long enough for any of them.', "She said “no", '`print("one two three` is code.']
)
def test_inches_words_and_code_are_not_left_open(shelf: Library, text: str) -> None:
    assert checked(shelf, text).text == text


@pytest.mark.parametrize("marks", ["“”", '""', "‘’", "«»", "「」", "''", "„“"])
def test_an_invented_quotation_is_withheld_in_any_marks(shelf: Library, marks: str) -> None:
    words = "The captain loved his grey parrot dearly"
    found = checked(shelf, f"It says {marks[0]}{words}{marks[1]} and more.")
    assert words not in found.text
    assert "not found in the text" in found.text
    assert found.rejected == ((words, "not_found"),)
    assert not found.citations


def test_an_answer_in_chinese_says_so_in_chinese(shelf: Library) -> None:
    found = checked(shelf, "石猴自称「美猴王」，又说“石猴打死了东海龙王”。")
    assert "未核实" in found.text
    assert "石猴打死了东海龙王" not in found.text
    assert [c.quote for c in found.citations] == ["美猴王"]


def test_one_changed_word_makes_it_no_quotation(shelf: Library) -> None:
    found = checked(shelf, "“Under the third stair Eleanor burned a letter sealed with green wax.”")
    assert found.rejected[0][1] == "not_found"


def test_another_documents_words_are_misattributed(shelf: Library) -> None:
    found = checked(shelf, "“众猴拜他为王，石猴自称美猴王。”", "The Island")
    assert [c.status for c in found.citations] == ["misattributed"]
    assert found.citations[0].document.title == "石猴记"
    assert "石猴记" in found.text


def test_the_document_named_in_the_sentence_is_the_one_claimed(shelf: Library) -> None:
    assert (
        checked(shelf, "In The Island it says “众猴拜他为王，石猴自称美猴王。”").citations[0].status == "misattributed"
    )
    assert checked(shelf, "《石猴记》写道：“众猴拜他为王，石猴自称美猴王。”").citations[0].status == "verified"


def test_a_term_between_marks_is_a_citation_only_when_it_is_found(shelf: Library) -> None:
    found = checked(shelf, "The so-called “happy ending” never comes; “shoals” do.")
    assert found.text == "The so-called “happy ending” never comes; “shoals” [1] do."
    assert not found.rejected


def test_a_term_that_claims_a_passage_and_is_not_found_is_withheld(shelf: Library) -> None:
    assert checked(shelf, "It is called “happy ending” [1].").rejected == (("happy ending", "not_found"),)


def test_block_quotations_are_checked_too(shelf: Library) -> None:
    good = checked(shelf, "> She hid it in her glove and said\n> nothing to anybody.\n")
    assert good.text == "> She hid it in her glove and said nothing to anybody. [1]"
    bad = checked(shelf, "> She threw it into the fire and laughed at everybody.\n")
    assert "fire" not in bad.text


def test_apostrophes_and_code_are_no_quotations() -> None:
    assert quotations("It isn't the boys' fault, nor the girls' one. `'a b c d e'`:\n```\n\"x y z w\"\n```") == []


def test_words_set_apart_are_slight() -> None:
    assert is_slight("happy ending")
    assert is_slight("大闹天宫")
    assert not is_slight("a very happy ending")
    assert not is_slight("石猴打死龙王")


def test_a_quotation_inside_the_models_own_marks_is_kept_without_them(shelf: Library) -> None:
    found = checked(shelf, f"“As the narrator puts it: ‘{LETTER}’ and nothing more”")
    assert found.text == f"As the narrator puts it: ‘{LETTER}’ [1] and nothing more"


def test_the_same_place_keeps_its_number(shelf: Library) -> None:
    found = checked(shelf, f"“{LETTER}” And again: “{LETTER}”")
    assert found.text.count("[1]") == 2
    assert len(found.citations) == 1


def test_a_claim_with_a_passages_number_gets_the_sentence_that_bears_it_out(shelf: Library) -> None:
    text = shelf.text("The Island", bound=OPEN).text
    key = shelf.scope(["The Island"], bound=OPEN).only.key
    start = text.index("Under the third")
    passages = ((key, start, start + 220),)
    found = checked(shelf, "Eleanor finds a sealed letter [1]. The moon is cheese [1]. More [7].", passages=passages)
    assert found.text == "Eleanor finds a sealed letter [1]. The moon is cheese. More."
    assert found.citations[0].quote == LETTER


def test_numbers_of_arrays_and_links_are_no_markers(shelf: Library) -> None:
    assert checked(shelf, "See a[1] and [2](http://x.y).").text == "See a[1] and [2](http://x.y)."


def test_what_was_withheld_is_said_at_the_end(shelf: Library) -> None:
    answer = "“No such sentence stands anywhere here.” And “another one that is made up too.”"
    assert checked(shelf, answer).text.endswith("2 quotations were withheld: they were not found in the text.")


def test_words_past_the_bound_leave_nowhere(shelf: Library) -> None:
    text = shelf.text("The Island", bound=OPEN).text
    shown = shelf.scope(["The Island"], bound=Bound(up_to=text.index("The Betrayal")))
    elsewhere = shelf.scope((), bound=OPEN).reader
    found = check("“At midnight the pilot, Gregory Thorne, cut the anchor rope.”", shown.reader, elsewhere=elsewhere)
    assert found.rejected[0][1] == "out_of_scope"
    assert "Thorne" not in found.text + repr(found.rejected) + repr(found.citations)


def test_a_streamed_answer_is_checked_like_a_whole_one(shelf: Library) -> None:
    answer = f"She found it. “{LETTER}” It says “an invented sentence of some length.” The end."
    reader = shelf.scope((), bound=OPEN).reader
    checker = Checker(reader)
    release = Release(checker)
    pieces = [c.text for i in range(0, len(answer), 3) for c in release.feed(answer[i : i + 3])]
    pieces += [c.text for c in release.finish()]
    assert "".join(pieces) + "\n\n" + checker.closing() == check(answer, reader).text


def test_an_empty_library_withholds_everything(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", embedder="none") as library:
        found = check("“Nothing of this was ever read here.”", library.scope((), bound=OPEN).reader)
    assert found.rejected
    assert not found.citations
