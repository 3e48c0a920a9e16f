"""Names, stances and maps with a model: better where it is right, unharmed where it is wrong."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator.agent.improving import compare, outline, people
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.agent.readers import Reader

OPEN = Bound(uncapped=True)
STORY = """# The Mill

## One

Anna Berg kept the mill by the river. Anna Berg was the sister of the miller, who had gone away.
Old Tobias came to the mill each morning. Old Tobias sold flour in the town, and Anna Berg paid him well.

## Two

Miss Berg did not like the winter. Miss Berg wrote to her brother. Old Tobias carried the letters of Miss Berg.
Anna Berg and Old Tobias waited. The river rises in spring. The mill stood still.
"""


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[tuple[Library, str]]:
    page = tmp_path / "mill.md"
    page.write_text(STORY, "utf-8")
    other = tmp_path / "river.md"
    other.write_text("# River\n\nThe river never rises in spring. The river is long and cold.\n", "utf-8")
    with Library.open(tmp_path / "library", embedder="none") as library:
        doc = library.add([str(page), str(other)]).documents[0].id
        assert doc
        yield library, doc


def entries(text: str) -> dict[str, int]:
    return {m[2].strip(): int(m[1]) for m in re.finditer(r"^(\d+)\. (.+)$", text, re.MULTILINE)}


def test_names_of_one_person_become_one_and_each_is_told_from_the_text(mill: tuple[Library, str]) -> None:
    library, doc = mill

    def tells(_: str, text: str) -> str:
        said = []
        for name, n in entries(text).items():
            if "Tobias" in name:
                said.append(f"{n} | person | Old Tobias sold flour in the town. | -")
            elif "Berg" in name:
                said.append(f"{n} | person | Anna Berg is the queen of Spain and rides dragons. | -")
        return "\n".join(said)

    reader = Reader(tells)
    with reader.speaker() as speaker:
        found = people(library.scope([doc], bound=OPEN), speaker).to_json()
    by_name = {n["name"]: n for n in found["names"]}
    tobias = next(n for name, n in by_name.items() if "Tobias" in name)
    assert tobias["about"] == "Old Tobias sold flour in the town."
    text = library.text(doc, bound=OPEN).text
    place = tobias["about_locator"]
    assert "sold flour" in text[place["start"] : place["end"]]
    assert "dragons" not in str(found)
    assert found["model"] == "scripted:reader"
    assert found["usage"]["requests"] >= 1


def test_a_name_that_is_another_is_merged_and_one_that_is_none_goes(mill: tuple[Library, str]) -> None:
    library, doc = mill
    plain = library.analysis.people(doc, bound=OPEN)
    assert len(plain.names) >= 2

    def merges(*_: str) -> str:
        return "1 | person | - | -\n2 | person | - | 1\n3 | none | - | -"

    with Reader(merges).speaker() as speaker:
        found = people(library.scope([doc], bound=OPEN), speaker).found
    first = next(n for n in found.names if n.name == plain.names[0].name)  # type: ignore[union-attr]
    assert first.count == plain.names[0].count + plain.names[1].count
    assert plain.names[1].name in first.forms
    assert len(found.names) == len(plain.names) - min(2, len(plain.names) - 1)  # type: ignore[union-attr]


def test_the_stance_is_what_the_model_reads_and_what_is_unrelated_goes(mill: tuple[Library, str]) -> None:
    library, _ = mill
    claim = "The river rises in spring"
    plain = library.analysis.compare(claim, bound=OPEN)
    assert len(plain.passages) >= 2

    def judges(_: str, text: str) -> str:
        said = []
        for n, words in re.findall(r"^\[(\d+)\] (.+)$", text, re.MULTILINE):
            said.append(
                f"{n}: {'contradicts' if 'never' in words else 'supports' if 'rises' in words else 'unrelated'}"
            )
        return "\n".join(said)

    with Reader(judges).speaker() as speaker:
        found = compare(library.scope((), bound=OPEN), claim, speaker).to_json()
    stances = {p["stance"] for p in found["passages"]}
    assert stances == {"supports", "contradicts"}
    for passage in found["passages"]:
        assert passage["locator"]["quote"]["exact"] == passage["text"]


def test_key_sentences_get_short_titles_of_their_own_words_only(mill: tuple[Library, str]) -> None:
    library, doc = mill
    plain = [n for _, n in library.analysis.map(doc, bound=OPEN).root.walk() if n.is_point]
    assert plain

    def titles(_: str, text: str) -> str:
        lines = re.findall(r"^\[(\d+)\] (.+)$", text, re.MULTILINE)
        return "\n".join(
            f"{n} | {' '.join(words.split()[:4])}" if n == "1" else f"{n} | Dragons over Spain" for n, words in lines
        )

    with Reader(titles).speaker() as speaker:
        found = outline(library.scope([doc], bound=OPEN), speaker).found
    points = [n for _, n in found.root.walk() if n.is_point]  # type: ignore[union-attr]
    assert [p.locator for p in points] == [p.locator for p in plain]
    assert len(points[0].title.split()) == 4
    assert not any("Dragons" in p.title for p in points)


def test_broken_replies_leave_everything_as_it_is_without_a_model(mill: tuple[Library, str]) -> None:
    library, doc = mill
    with Reader(lambda *_: "I cannot do that, sorry").speaker() as speaker:
        shown = library.scope([doc], bound=OPEN)
        assert people(shown, speaker).found.to_json() == library.analysis.people(doc, bound=OPEN).to_json()
        assert outline(shown, speaker).found.to_json() == library.analysis.map(doc, bound=OPEN).to_json()


def test_at_a_limit_the_rest_stays_as_it_is_and_that_is_said(mill: tuple[Library, str]) -> None:
    library, doc = mill
    with Reader(lambda *_: "").speaker(tokens=1) as speaker:
        speaker.say("a", "b")
        found = people(library.scope([doc], bound=OPEN), speaker)
    assert found.stopped == "tokens"
    assert "limit of tokens" in (found.found.notice or "")
    assert len(found.found.names) == len(library.analysis.people(doc, bound=OPEN).names)  # type: ignore[union-attr]
