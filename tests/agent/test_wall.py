"""What the reader has not met leaves nowhere, even when the model knows the book by heart."""

from collections.abc import Iterator

import pytest

from glossator.agent.citations import check
from glossator.agent.wall import Wall
from glossator.library.analysis.first_seen import first_seen
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

OPEN = Bound(uncapped=True)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("wall")
    with Library.open(folder / "library", embedder="none") as library:
        library.add([str(books.island(folder)), str(books.stone(folder))])
        yield library


def wall_of(library: Library, doc: str, before: str) -> Wall:
    shown = library.scope([doc], bound=Bound(up_to=library.text(doc, bound=OPEN).text.index(before)))
    return Wall(shown.reader, notice=shown.notice)


@pytest.fixture
def island(shelf: Library) -> Wall:
    return wall_of(shelf, "The Island", "The Betrayal")


@pytest.fixture
def stone(shelf: Library) -> Wall:
    return wall_of(shelf, "石猴记", "第二回")


@pytest.mark.parametrize(
    "sentence",
    [
        "Gregory Thorne cuts the anchor rope.",
        "The traitor is gregory thorne.",
        "The traitor is T-h-o-r-n-e.",
        "The traitor is T h o r n e, mark him.",
        "In the end the pilot betrays them all.",
        "He cuts the rope at midnight.",
        "There is no twist in the ending.",
        "Nobody dies in this book.",
        "Everyone perished at the end.",
        "The pilot drowned.",
        "叛徒是领航员格雷戈里。",
        "艾琳娜最后被领航员背叛了。",
    ],
)
def test_what_comes_later_is_held(island: Wall, sentence: str) -> None:
    held = island.hold(sentence)
    assert held is not None
    assert "horne" not in held.shown.casefold()
    assert "h o r n e" not in held.shown
    assert "betray" not in held.shown


@pytest.mark.parametrize(
    "sentence",
    [
        "Captain Marlowe counted eleven sailors on the deck.",
        "Eleanor found a letter sealed with green wax under the third stair.",
        "Photosynthesis turns light into sugar.",
        "I cannot tell you more than that.",
        "You have read about half of it.",
    ],
)
def test_what_was_read_and_what_is_about_something_else_passes(island: Wall, sentence: str) -> None:
    assert island.hold(sentence) is None


def test_a_name_not_met_is_masked_in_a_sentence_that_is_borne_out(island: Wall) -> None:
    held = island.hold(
        "Captain Marlowe counted eleven sailors on the deck, and Thorne was on the island at dawn.", cited=True
    )
    assert held is not None
    assert "Thorne" not in held.shown
    assert "Marlowe" in held.shown


def test_a_receipt_does_not_carry_a_secret_along(island: Wall) -> None:
    quoted = "“Under the third stair Eleanor found a letter sealed with green wax.” [1]"
    assert island.hold(f"She is betrayed at midnight and reads aloud to the survivors, for {quoted}", cited=True)
    assert island.hold(f"Eleanor finds it: {quoted}", cited=True) is None


def test_chinese_names_are_held(stone: Wall) -> None:
    for sentence in ("石猴跳过瀑布，发现了水帘洞。", "后来他自称美猴王。", "水帘洞里有一座铁板桥。"):
        held = stone.hold(sentence)
        assert held is not None
        assert not {"水帘洞", "美猴王", "铁板桥"} & {held.shown[i : i + 3] for i in range(len(held.shown))}
    assert stone.hold("花果山上有一块仙石，内育仙胞。") is None
    assert stone.hold("A stone on the mountain of flowers bore him.") is not None, "nothing here bears it out"


@pytest.mark.parametrize("apart", [" ", "-", "·"])
def test_a_chinese_name_is_held_with_its_characters_set_apart(stone: Wall, apart: str) -> None:
    assert stone.hold(f"答案：{apart.join('美猴王')}。") is not None


@pytest.mark.parametrize(
    "question",
    [
        "Is there a twist?",
        "在后面有反转吗",
        "后面有反转吗？",
        "结局是什么？",
        "How does the story end?",
        "What happens next?",
    ],
)
def test_a_question_about_what_comes_later_is_declined(island: Wall, question: str) -> None:
    declined = island.declines(question)
    assert declined is not None
    assert "64%" in declined
    assert "Thorne" not in declined


@pytest.mark.parametrize("question", ["Who wrote the letter?", "What did Eleanor find?", "石猴是从哪里来的？"])
def test_other_questions_are_not(island: Wall, question: str) -> None:
    assert island.declines(question) is None


def test_without_a_bound_there_is_no_wall(shelf: Library) -> None:
    wall = Wall(shelf.scope((), bound=OPEN).reader)
    assert not wall.active
    assert wall.hold("Gregory Thorne cuts the anchor rope.") is None
    assert wall.declines("Is there a twist?") is None


def test_a_whole_answer_keeps_what_may_be_said_and_names_the_bound(shelf: Library, island: Wall) -> None:
    text = shelf.text("The Island", bound=OPEN).text
    reader = shelf.scope(["The Island"], bound=Bound(up_to=text.index("The Betrayal"))).reader
    answer = "Eleanor found a letter sealed with green wax. Later Gregory Thorne cuts the rope and the schooner breaks."
    found = check(answer, reader, wall=island)
    assert found.text.startswith("Eleanor found a letter sealed with green wax.")
    assert "Thorne" not in found.text
    assert "schooner breaks" not in found.text
    assert "The Island: read up to 64%" in found.text


def test_a_rejected_quotation_is_masked_too(shelf: Library, island: Wall) -> None:
    text = shelf.text("The Island", bound=OPEN).text
    reader = shelf.scope(["The Island"], bound=Bound(up_to=text.index("The Betrayal"))).reader
    found = check("“I am Thorne, the master of all these silent waters.”", reader, wall=island)
    assert "Thorne" not in repr(found)


def test_a_word_that_was_met_in_small_letters_is_no_secret_at_the_beginning_of_a_sentence() -> None:
    text = "The snow fell all day. Anna slept.\n\nThen Snow came to the door, and Anna let Snow in, for Snow was cold."
    seen = first_seen(text)
    cap = text.index("Then")
    assert seen.later("Snow fell all day.", cap) == []
    assert seen.later("She met Snow there.", cap) == [(8, 12)]
