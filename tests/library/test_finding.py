"""Searching, asking, locating, verifying and batches, through the façade."""

import json
from pathlib import Path

import pytest

from glossator.errors import Ambiguous, NotFound, UsageError
from glossator.library.library import Library
from glossator.library.results import Bound


def test_a_hit_names_its_document_its_section_and_its_exact_words(shelf: Library, island: str) -> None:
    result = shelf.search("letter sealed with green wax", k=1)
    (hit,) = result.hits
    assert hit.document.id == island
    assert hit.locator.section_path[-1] == "The Letter"
    assert hit.locator.quote is not None
    assert hit.text == hit.locator.quote.exact == shelf.text(island).text[hit.locator.start : hit.locator.end]
    assert hit.trace is None
    assert result.took_ms > 0


def test_an_explained_hit_shows_its_arms_and_the_filters(shelf: Library, island: str) -> None:
    shelf.shelves.add("Sea", [island])
    (hit,) = shelf.search("green wax", k=1, explain=True, collections=["Sea"]).hits
    assert hit.trace is not None
    assert hit.trace["arms"]["lexical"]["rank"] == 1
    assert hit.trace["filtered"] == {"document": None, "collection": ["Sea"]}


def test_filters_keep_other_documents_out_and_join(shelf: Library, island: str, stone: str) -> None:
    assert not shelf.search("石猴", docs=[island]).hits
    assert shelf.search("石猴", docs=[stone]).hits
    shelf.shelves.add("Sea", [island])
    assert not shelf.search("石猴", collections=["Sea"]).hits
    assert shelf.search("石猴", collections=["Sea"], docs=[stone]).hits


@pytest.mark.parametrize(("k", "words"), [(1, "at rank 2"), (5, "at rank 2")], ids=["below the cut", "already a hit"])
def test_why_not_tells_the_rank(shelf: Library, island: str, stone: str, k: int, words: str) -> None:
    shelf.edit(stone, title="Letters of green wax")
    result = shelf.search("石猴 green wax sealed letter Eleanor", k=k, why_not=stone)
    assert result.why_not is not None
    assert result.why_not["document"] == stone
    assert result.why_not["rank"] is not None
    assert words.split()[1] in result.why_not["reason"]
    assert island != stone


def test_why_not_tells_what_keeps_a_document_out(shelf: Library, island: str, stone: str) -> None:
    outside = shelf.search("wax", docs=[island], why_not=stone).why_not
    assert outside is not None
    assert "not among" in outside["reason"]
    silent = shelf.search("wax", why_not=stone).why_not
    assert silent is not None
    assert "no passage" in silent["reason"]
    shelf.progress(island, at=0)
    closed = shelf.search("wax", why_not=island).why_not
    assert closed is not None
    assert "not read yet" in closed["reason"]


def test_names_that_fit_nothing_or_several_say_what_there_is(shelf: Library, island: str, stone: str) -> None:
    with pytest.raises(NotFound) as missing:
        shelf.search("x", docs=["The Iland"])
    assert "The Island" in missing.value.hint
    shelf.edit(stone, title="The Isle")
    with pytest.raises(Ambiguous) as several:
        shelf.text("The Is")
    assert island in several.value.hint
    assert stone in several.value.hint
    with pytest.raises(NotFound, match="collection"):
        shelf.search("x", collections=["nowhere"])


@pytest.mark.parametrize(("options", "error"), [({"k": 0}, "-k 0"), ({"mode": "magic"}, "magic")])
def test_impossible_options_are_refused(shelf: Library, options: dict[str, object], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        shelf.search("x", **options)  # type: ignore[arg-type]


def test_an_answer_is_made_of_verbatim_sentences_with_receipts(shelf: Library, island: str) -> None:
    answer = shelf.ask("Who cut the anchor rope at midnight?")
    assert not answer.abstained
    assert 1 <= len(answer.citations) <= 5
    first = answer.citations[0]
    assert first.quote == "At midnight the pilot, Gregory Thorne, cut the anchor rope."
    assert (first.n, first.status, first.document.id) == (1, "verified", island)
    assert shelf.text(island).text[first.locator.start : first.locator.end] == first.quote
    assert "[1]" in answer.text
    assert first.quote in answer.text
    assert answer.to_json()["usage"] == {"requests": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}
    assert [s.tool for s in answer.steps] == ["search"]


def test_a_chinese_question_is_answered_in_chinese(shelf: Library, stone: str) -> None:
    answer = shelf.ask("石猴跳过瀑布，发现了什么？")
    assert answer.citations[0].document.id == stone
    assert "水帘洞" in answer.citations[0].quote
    assert "《石猴记》" in answer.text


@pytest.mark.parametrize("question", ["What is the capital of Portugal?", "谁写了红楼梦？", "xyzzy"])
def test_what_no_document_tells_is_not_answered(shelf: Library, question: str) -> None:
    answer = shelf.ask(question)
    assert answer.abstained
    assert answer.citations == ()
    assert answer.text


def test_a_selection_is_asked_alone(shelf: Library, island: str) -> None:
    text = shelf.text(island).text
    start, end = text.index("Under the third"), text.index("At midnight")
    answer = shelf.ask("Who cut the anchor rope?", docs=[island], selection=(start, end))
    assert answer.citations
    assert all(start <= c.locator.start and c.locator.end <= end for c in answer.citations)
    with pytest.raises(UsageError, match="exactly one document"):
        shelf.ask("Who?", selection=(0, 5))
    with pytest.raises(UsageError, match="no span"):
        shelf.ask("Who?", docs=[island], selection=(5, 10**6))


def test_an_empty_question_and_a_model_that_is_not_here_are_refused(shelf: Library) -> None:
    with pytest.raises(UsageError):
        shelf.ask("  ")
    with pytest.raises(UsageError, match="openai:x"):
        shelf.ask("Who?", model="openai:x")


def test_a_quotation_is_located_word_for_word_or_repaired(shelf: Library, island: str) -> None:
    exact = shelf.locate("the great storm of 1870")
    assert (exact.status, exact.repairs, exact.occurrences) == ("verified", (), 1)
    assert exact.locator is not None
    assert exact.locator.document == island
    repaired = shelf.locate("THE GREAT  STORM of 1870")
    assert repaired.status == "repaired"
    assert repaired.locator is not None
    assert repaired.locator.quote is not None
    assert repaired.locator.quote.exact == "the great storm of 1870"


def test_what_stands_nowhere_has_near_candidates_and_no_place(shelf: Library) -> None:
    found = shelf.locate("Under the fifth stair Eleanor found a letter sealed with blue wax")
    assert (found.status, found.document, found.locator, found.occurrences) == ("not_found", None, None, 0)
    assert 1 <= len(found.near) <= 3
    assert "third stair" in found.near[0].text
    with pytest.raises(UsageError):
        shelf.locate(" ")


def test_near_candidates_and_the_words_around_stop_at_the_bound(shelf: Library, island: str) -> None:
    text = shelf.text(island).text
    cap = text.index("sealed with")
    near = shelf.locate("Under the third stair Eleanor found a letter sealed with green wax", docs=[island],
                        bound=Bound(up_to=cap))  # fmt: skip
    assert near.status == "not_found"
    assert "sealed" not in json.dumps(near.to_json())
    found = shelf.locate("Eleanor found a letter", docs=[island], bound=Bound(up_to=cap))
    assert found.locator is not None
    assert found.locator.quote is not None
    assert found.locator.quote.suffix == " "


def test_a_file_is_verified_quotation_by_quotation(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    def link(doc: str) -> str:
        return f"[1](glossator://document/{doc}?start=0&end=10&sha=00)"

    notes = tmp_path / "notes.md"
    notes.write_text(
        f"“Captain Marlowe counted eleven sailors on the deck.” {link(island)}\n\n"
        f"“captain marlowe counted eleven sailors” {link(island)}\n\n"
        f"“Captain Marlowe counted eleven sailors” {link(stone)}\n\n"
        f"“Captain Marlowe counted twelve sailors on deck” {link(island)}\n\n"
        f"“Captain Marlowe counted eleven sailors” {link('zzzzzzzz')}\n\n"
        "“Do not trust the pilot.”\n",
        "utf-8",
    )
    result = shelf.verify(notes)
    assert [q.status for q in result.quotations] == [
        "verified",
        "repaired",
        "misattributed",
        "not_found",
        "document_missing",
        "verified",
    ]
    assert not result.ok
    assert result.quotations[2].claimed == stone
    assert result.quotations[2].document is not None
    assert result.quotations[2].document.id == island


def test_an_answer_verifies_until_its_document_changes(shelf: Library, island: str, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(shelf.ask("Who cut the anchor rope?").to_json(), ensure_ascii=False), "utf-8")
    assert shelf.verify(answer).ok
    assert len(shelf.verify(answer).quotations) == len(json.loads(answer.read_text("utf-8"))["citations"])
    shelf.remove(island)
    assert {q.status for q in shelf.verify(answer).quotations} == {"document_missing"}


def test_a_batch_answers_line_by_line_and_keeps_errors_to_their_line(shelf: Library, island: str) -> None:
    lines = [
        json.dumps({"id": 7, "op": "search", "query": "green wax", "k": 1}),
        "",
        "not json",
        json.dumps({"id": "b", "op": "read", "doc": island, "section": 2}),
        json.dumps({"op": "read", "doc": island, "sektion": 2}),
        json.dumps({"id": 9, "op": "remove", "doc": island}),
        json.dumps({"id": 10, "op": "ask", "question": "Who cut the rope?", "doc": [island], "selection": "0:50"}),
        json.dumps({"id": 11, "op": "text", "doc": island, "up_to": 10}),
        json.dumps({"id": 12, "op": "search", "query": "x", "k": "many"}),
    ]
    answers = [a.to_json() for a in shelf.batch(lines)]
    assert [a["id"] for a in answers] == [7, None, "b", None, 9, 10, 11, 12]
    assert [("result" in a) for a in answers] == [True, False, True, False, False, True, True, False]
    assert answers[0]["result"] == shelf.search("green wax", k=1).to_json() | {
        "took_ms": answers[0]["result"]["took_ms"]
    }
    assert "sektion" in answers[3]["error"]["message"]
    assert answers[6]["result"]["text"] == "The Island"


def test_questions_made_of_the_documents_are_found_again(shelf: Library, island: str) -> None:
    figures = shelf.evaluate().to_json()
    assert figures["recall@5"] >= 0.9
    assert set(figures["by"]) == {"document", "format", "language", "kind"}
    assert figures["by"]["document"][island]["queries"] > 0
    empty = shelf.evaluate(collections=[shelf.shelves.create("none").collections[0].name])
    assert empty.to_json()["queries"] == 0
    assert empty.notice is not None


def test_sections_positions_and_whole_documents_are_read(shelf: Library, island: str) -> None:
    whole = shelf.read(island)
    text = shelf.text(island).text
    assert all(b.start is not None and text[b.start : b.end] == b.text for b in whole.blocks)
    section = shelf.read(island, section=3)
    assert section.blocks[0].text == "The Letter"
    assert section.blocks[-1].text.startswith("She hid it")
    around = shelf.read(island, at=text.index("She hid"), context=1)
    assert [b.text.split()[0] for b in around.blocks] == ["Under", "She", "The"]
    alone = shelf.read(island, at=text.index("She hid") - 1, context=0)
    assert len(alone.blocks) == 1
    assert "quote" not in whole.to_json()["blocks"][0]["locator"]
    with pytest.raises(UsageError, match="two places"):
        shelf.read(island, section=1, at=0)
    with pytest.raises(NotFound, match="no page 1"):
        shelf.read(island, page=1)


def test_collections_are_made_filled_and_emptied(shelf: Library, island: str, stone: str) -> None:
    shelf.shelves.create("Sea", "stories of the sea")
    assert shelf.shelves.add("Sea", [island, stone]).collections[0].documents == 2
    assert shelf.shelves.remove("Sea", [stone]).collections[0].documents == 1
    assert shelf.shelves.collections().to_json() == {
        "collections": [{"name": "Sea", "description": "stories of the sea", "documents": 1}]
    }
    shelf.shelves.remove("Sea")
    assert shelf.shelves.collections().collections == ()
    assert len(shelf.documents().documents) == 2


def test_a_table_keeps_its_rows_and_is_cut_with_its_text(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    path.write_text("# Ships\n\n| ship | crew |\n|---|---|\n| Swan | 11 |\n| Heron | 14 |\n", "utf-8")
    (added,) = library.add([str(path)]).documents
    doc = added.id or ""
    table = library.read(doc).blocks[-1]
    assert table.kind == "table"
    assert table.rows == (("ship", "crew"), ("Swan", "11"), ("Heron", "14"))
    cap = library.text(doc).text.index("Heron")
    cut = library.read(doc, bound=Bound(up_to=cap)).to_json()["blocks"][-1]
    assert "Heron" not in json.dumps(cut)
    assert cut["rows"][:2] == [["ship", "crew"], ["Swan", "11"]]
