"""What is said of documents without a model: in their own words, with places, and nothing past a bound."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import NotFound, UsageError
from glossator.library.analysis import han_names, latin_names
from glossator.library.analysis.arguments import role_of
from glossator.library.analysis.compare import stance_of
from glossator.library.analysis.concepts import concepts
from glossator.library.analysis.drawing import svg, width_of, wrapped
from glossator.library.analysis.outline import markdown
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

OPEN = Bound(uncapped=True)

HARBOUR = """# The Harbour Master

## One

Captain Aldous Reeve came to Port Sorrel in the spring, and the whole harbour watched him tie up his boat. "I have come
to stay," said Reeve to nobody. Old Mrs. Tamsin Hobb kept the inn, and she gave him the small room over the kitchen.

Reeve walked along the quay every morning and counted the boats that had come home. Mrs. Hobb said that he counted the
drowned as well. In Port Sorrel nobody asked what a man had lost before he came there.

## Two

A storm took the light at Gannet Point in the autumn, and Reeve rowed out alone to hang a lantern on the broken tower.
Mrs. Hobb waited for him on the quay all night. "He is a fool," said Mrs. Hobb, "but he is our fool now."

When the lantern burned at Gannet Point the boats found their way, and Reeve slept for two days in the small room.

## Three

In the winter the company sent Silas Crane to close the harbour. Crane measured the quay and wrote numbers in a book.
Reeve showed Crane the lantern, and Crane looked at it for a long time without a word.

"The harbour stays open," said Crane at last. Mrs. Hobb gave Crane the room beside the kitchen, and he never left it.
"""

BEES = """# Bees

## Foraging

Honeybees carry 40 milligrams of nectar on each flight. Bees do not fly in heavy rain. The waggle dance tells where
the flowers stand. We found that the waggle dance is longer when the flowers are far away.

## Winter

The colony lives on honey in winter, because no flowers bloom. Therefore a beekeeper must leave enough honey there.
For example, a strong colony needs fifteen kilograms. The waggle dance stops in winter.
"""


def harbour(library: Library, folder: Path) -> str:
    path = folder / "harbour.md"
    path.write_text(HARBOUR, "utf-8")
    return library.add([str(path)]).documents[0].id or ""


def bees(library: Library, folder: Path) -> str:
    path = folder / "bees.md"
    path.write_text(BEES, "utf-8")
    return library.add([str(path)]).documents[0].id or ""


def strings(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def test_every_point_of_a_summary_stands_in_the_text_at_its_place(library: Library, tmp_path: Path) -> None:
    doc = harbour(library, tmp_path)
    text = library.text(doc, bound=OPEN).text
    found = library.analysis.summary(doc, bound=OPEN)
    assert [c.title for c in found.chapters] == ["One", "Two", "Three"]
    assert all(text[p.locator.start : p.locator.end] == p.text for p in found.points)
    assert all(f"[{n}]" in found.text for n in range(1, len(found.points) + 1))
    assert found.coverage.share == pytest.approx(1.0, abs=0.1)


def test_a_summary_names_who_is_in_a_chapter_and_where(library: Library, tmp_path: Path) -> None:
    one = library.analysis.summary(harbour(library, tmp_path), bound=OPEN).chapters[0]
    assert any("Reeve" in name for name in one.who)
    assert any("Hobb" in name for name in one.who)


def test_the_story_so_far_ends_where_the_reading_did(library: Library, tmp_path: Path) -> None:
    doc = harbour(library, tmp_path)
    text = library.text(doc, bound=OPEN).text
    cap = text.index("In the winter the company")
    found = library.analysis.summary(doc, bound=Bound(up_to=cap))
    assert "Crane" not in strings(found.to_json())
    assert "Three" not in found.text
    assert found.stopped is not None
    assert found.stopped.endswith("two days in the small room.")
    assert (cap, len(text)) in found.coverage.missing or found.coverage.missing[-1][1] == len(text)
    assert found.notice


def test_a_section_is_summed_up_alone(library: Library, tmp_path: Path) -> None:
    doc = harbour(library, tmp_path)
    numbers = {e.title: e.number for e in library.show(doc, bound=OPEN).contents}
    found = library.analysis.summary(doc, section=numbers["Two"], bound=OPEN)
    assert "Gannet Point" in found.text
    assert "Crane" not in found.text
    with pytest.raises(NotFound):
        library.analysis.summary(doc, section=99, bound=OPEN)


def test_people_are_counted_under_their_fullest_name_from_their_first_place(library: Library, tmp_path: Path) -> None:
    doc = harbour(library, tmp_path)
    text = library.text(doc, bound=OPEN).text
    found = {n.name: n for n in library.analysis.people(doc, bound=OPEN).names}
    reeve = next(n for name, n in found.items() if "Reeve" in name)
    assert reeve.kind == "person"
    assert reeve.count == text.count("Reeve")
    assert reeve.first.start == text.index("Captain Aldous Reeve")
    assert found["Port Sorrel"].kind == "place"


def test_chinese_names_are_found_without_a_list(shelf: Library, stone: str) -> None:
    text = shelf.text(stone, bound=OPEN).text
    assert "水帘洞" in text
    assert han_names.could_name("水帘洞")
    assert not han_names.could_name("这个")
    assert not han_names.could_name("说道")


def test_chinese_speakers_are_persons() -> None:
    said = (
        "。".join(f"悟空{how}道：“走吧{n}”" for n, how in enumerate(["笑", "忙", "喝", "又", ""]))
        + "。悟空去了。悟空来了。"
    )
    found = {n.name: n.kind for n in han_names.names([(0, said)])}
    assert found.get("悟空") == "person"


def test_a_capital_at_the_beginning_of_a_sentence_makes_no_name() -> None:
    text = "Nobody came. Nobody spoke to Anna. Then nobody left. Snow fell on Anna. The snow stayed."
    assert [n.name for n in latin_names.names([(0, text)])] == ["Anna"]


def test_a_text_about_things_has_concepts(library: Library, tmp_path: Path) -> None:
    found = library.analysis.people(bees(library, tmp_path), bound=OPEN)
    assert ("waggle dance", "concept", 3) in [(n.name.lower(), n.kind, n.count) for n in found.names]
    assert concepts([(0, "the and of it")]) == []


@pytest.mark.parametrize(
    ("claim", "sentence", "stance"),
    [
        ("Bees do not fly in heavy rain.", "Bees do not fly in heavy rain.", "supports"),
        ("Bees fly in heavy rain.", "Bees do not fly in heavy rain.", "contradicts"),
        ("Honeybees carry 90 milligrams of nectar.", "Honeybees carry 40 milligrams of nectar.", "contradicts"),
        ("Prices rise in the winter months.", "Prices fall in the winter months.", "contradicts"),
        ("Bees fly in heavy rain.", "Do bees fly in heavy rain?", "mentions"),
        ("Bees fly in heavy rain.", "Perhaps bees fly in heavy rain.", "mentions"),
        ("金箍棒重八千斤", "这金箍棒重一万三千五百斤。", "contradicts"),
        ("石猴怕水", "石猴不怕水。", "contradicts"),
        ("石猴怕水", "石猴怕水。", "supports"),
    ],
)
def test_a_stance_is_taken_where_the_words_are_sure(claim: str, sentence: str, stance: str) -> None:
    assert stance_of(claim, sentence, 0.95) == stance


def test_a_passage_that_says_half_of_a_claim_mentions_it() -> None:
    assert stance_of("Bees do not fly in heavy rain.", "Rain fell on the bees.", 0.5) == "mentions"


def test_documents_stand_side_by_side(library: Library, tmp_path: Path) -> None:
    doc = bees(library, tmp_path)
    other = tmp_path / "other.md"
    other.write_text("# Rain\n\nOn the coast bees fly in heavy rain, as every farmer there knows.\n", "utf-8")
    library.add([str(other)])
    found = library.analysis.compare("Bees fly in heavy rain.", bound=OPEN)
    stances = {p.document.title: p.stance for p in found.passages}
    assert stances["Bees"] == "contradicts"
    assert stances["Rain"] == "supports"
    text = library.text(doc, bound=OPEN).text
    first = next(p for p in found.passages if p.document.title == "Bees")
    assert text[first.locator.start : first.locator.end] == first.text


def test_no_claim_is_an_error(library: Library) -> None:
    with pytest.raises(UsageError):
        library.analysis.compare("  ")


def test_a_map_holds_the_contents_and_points_below_them(library: Library, tmp_path: Path) -> None:
    found = library.analysis.map(harbour(library, tmp_path), bound=OPEN)
    titles = [node.title for depth, node in found.root.walk() if not node.is_point]
    assert titles == ["The Harbour Master", "One", "Two", "Three"]
    points = [node for _, node in found.root.walk() if node.is_point]
    assert points
    assert all(p.locator.quote and p.title.rstrip(" …")[:20] in " ".join(p.locator.quote.exact.split()) for p in points)
    assert markdown(found).startswith("# The Harbour Master\n")
    assert "  - *" in markdown(found)


def test_a_map_is_drawn_as_sound_xml_in_which_nothing_overlaps(library: Library, tmp_path: Path) -> None:
    drawn = svg(library.analysis.map(harbour(library, tmp_path), bound=OPEN))
    tree = ElementTree.fromstring(drawn)
    boxes = [
        tuple(float(r.attrib[k]) for k in ("x", "y", "width", "height"))
        for r in tree.iter("{http://www.w3.org/2000/svg}rect")
        if "rx" in r.attrib
    ]
    assert len(boxes) > 4
    for n, (x, y, w, h) in enumerate(boxes):
        for a, b, c, d in boxes[n + 1 :]:
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y


def test_a_title_with_markup_stays_text_in_a_picture(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "bad.md"
    path.write_text('# A &lt;script&gt; & a "quote"\n\n## One\n\nA sentence stands here, long enough to read alone.\n')
    library.add([str(path)])
    doc = library.documents().documents[0].id
    drawn = svg(library.analysis.map(doc, bound=OPEN))
    assert "<script>" not in drawn
    ElementTree.fromstring(drawn)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=120))
def test_wrapping_loses_no_word_and_keeps_the_width(text: str) -> None:
    lines = wrapped(" ".join(text.split()), 120.0)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line) <= 200.0 or len(line) == 1 for line in lines)


def test_the_parts_of_an_argument_are_told_by_their_words(library: Library, tmp_path: Path) -> None:
    assert role_of("Therefore a beekeeper must leave enough honey.") == "conclusion"
    assert role_of("The colony lives on honey, because no flowers bloom.") == "reason"
    assert role_of("例如，一个蜂群需要十五公斤。") == "evidence"
    assert role_of("However, it rained.") == "contrast"
    assert role_of("The hive is brown.") is None
    steps = library.analysis.arguments(bees(library, tmp_path), bound=OPEN).steps
    assert {"conclusion", "reason", "evidence"} <= {s.role for s in steps}


def test_memorable_sentences_are_the_texts_own(library: Library, tmp_path: Path) -> None:
    doc = harbour(library, tmp_path)
    text = library.text(doc, bound=OPEN).text
    found = library.analysis.quotations(doc, 3, bound=OPEN)
    assert 0 < len(found.points) <= 3
    assert all(p.text in text for p in found.points)


def test_two_sections_side_by_side(library: Library, tmp_path: Path) -> None:
    doc = bees(library, tmp_path)
    numbers = {e.title: e.number for e in library.show(doc, bound=OPEN).contents}
    found = library.analysis.compare_sections((doc, numbers["Foraging"]), (doc, numbers["Winter"]), bound=OPEN)
    assert found.titles == ("Foraging", "Winter")
    assert found.to_json()["sections"] == ["Foraging", "Winter"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0.02, 0.98))
def test_no_analysis_tells_a_word_past_the_bound(made: tuple[Library, str], share: float) -> None:
    library, doc = made
    text = library.text(doc, bound=OPEN).text
    cap = max(1, int(share * len(text)))
    hidden = {w.casefold() for w in text[cap:].replace("|", " ").replace("#", " ").split()}
    hidden -= {w.casefold() for w in text[:cap].split()}
    hidden.discard(text[cap:].split()[0].casefold() if text[cap:].split() else "")
    bound = Bound(up_to=cap)
    analysis = library.analysis
    out = [
        analysis.summary(doc, bound=bound).to_json(),
        analysis.people(doc, bound=bound).to_json(),
        analysis.map(doc, bound=bound).to_json(),
        analysis.arguments(doc, bound=bound).to_json(),
        analysis.quotations(doc, bound=bound).to_json(),
        analysis.compare(text[cap : cap + 80] or "a", docs=[doc], bound=bound).to_json(),
    ]
    told = {w.casefold().strip(".,|…") for w in strings(out).replace("\\n", " ").replace('"', " ").split()}
    assert not {w.strip(".,") for w in hidden if len(w) > 3} & told


@pytest.fixture
def made(library: Library, tmp_path: Path) -> tuple[Library, str]:
    path = tmp_path / "words.md"
    path.write_text("# Words\n\n" + books.unique_words(4), "utf-8")
    return library, library.add([str(path)]).documents[0].id or ""
