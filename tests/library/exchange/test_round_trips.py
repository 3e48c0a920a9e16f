"""Our JSON and W3C annotations: out, in elsewhere, and out again as the same bytes; and two libraries made one."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import DamagedFile, GlossatorError, UnsupportedFormat
from glossator.library.exchange import native, webanno
from glossator.library.exchange.merge import later
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.store.portable import Facts, File, Link, Note, Portable, Reached, Removal, Standing
from tests.library import books

ALL = Bound(uncapped=True)
BODY = 'She said "no" 🙂👩🏽‍🚀\n\nעברית, العربية, *Markdown* <!-- & --> 引号「」 e\u0301'
Format = Literal["json", "w3c"]


@contextmanager
def opened(folder: Path, *documents: Path) -> Iterator[Library]:
    with Library.open(folder, embedder="none") as library:
        if documents:
            library.add([str(d) for d in documents])
        yield library


def annotate(shelf: Library, island: str, stone: str) -> tuple[str, str]:
    """Make three notes with all there is to a note; return the ids of two that are linked."""
    a = shelf.notes.add(island, quote="A lantern burned in the tower", body=BODY, tags=["sea", "光"], color="blue")
    b = shelf.notes.add(stone, quote="名曰傲来国", body="国名")
    shelf.notes.add(island, quote="the pilot", occurrence=2, color="red")
    shelf.notes.link(a.id, b.id, relation="contradicts")
    return a.id, b.id


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "sources"
    folder.mkdir()
    return books.island(folder), books.stone(folder)


def export(library: Library, format: Format = "json") -> str:
    content = library.exchange.export(format, bound=ALL).content
    assert content is not None
    return content


@pytest.mark.parametrize("format", ["json", "w3c"])
@pytest.mark.parametrize("present", [True, False], ids=["documents here", "documents not here"])
def test_an_export_imported_and_exported_again_is_the_same_bytes(
    shelf: Library, island: str, stone: str, sources: tuple[Path, Path], tmp_path: Path, format: Format, present: bool
) -> None:
    annotate(shelf, island, stone)
    shelf.progress(island, section=2)
    shelf.edit(stone, title="石猴")
    shelf.shelves.add("Sea", [island])
    shelf.shelves.tag("to read", [stone])
    first = export(shelf, format)
    path = tmp_path / "notes.json"
    path.write_text(first, "utf-8")
    with opened(tmp_path / "other", *(sources if present else ())) as other:
        result = other.exchange.load(path)
        assert (result.notes.added, result.links) == (3, 1)
        assert export(other, format) == first
        again = other.exchange.load(path)
        assert (again.notes.added, again.notes.updated, again.notes.unchanged, again.links) == (0, 0, 3, 0)
        assert export(other, format) == first


def test_an_import_into_the_library_it_came_from_changes_nothing(
    shelf: Library, island: str, stone: str, tmp_path: Path
) -> None:
    annotate(shelf, island, stone)
    first = export(shelf)
    path = tmp_path / "notes.json"
    path.write_text(first, "utf-8")
    result = shelf.exchange.load(path)
    assert (result.notes.unchanged, result.documents[1], result.problems) == (3, 2, ())
    assert export(shelf) == first


def test_what_an_import_says_of_a_missing_file_is_there_once_the_file_is_added(
    shelf: Library, island: str, stone: str, sources: tuple[Path, Path], tmp_path: Path
) -> None:
    annotate(shelf, island, stone)
    shelf.progress(island, section=3)
    shelf.edit(island, title="Die Insel")
    first = export(shelf)
    (tmp_path / "n.json").write_text(first, "utf-8")
    with opened(tmp_path / "other") as other:
        result = other.exchange.load(tmp_path / "n.json")
        assert [p.message.partition(" ")[0] for p in result.problems] == ["“Die", "“石猴记”"]
        assert {n.state for n in other.notes.list(bound=ALL).notes} == {"lost"}
        other.add([str(s) for s in sources])
        assert {n.state for n in other.notes.list(bound=ALL).notes} == {"exact"}
        assert other.progress("Die Insel").to_json() == shelf.progress(island).to_json()
        assert export(other) == first


def test_the_later_change_of_a_note_wins_on_both_sides(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    a, _ = annotate(shelf, island, stone)
    path = tmp_path / "n.json"
    data = json.loads(export(shelf))
    note = next(n for n in data["notes"] if n["id"] == a)
    note.update(body="written later", tags=["later"], updated="2999-01-01T00:00:00Z")
    path.write_text(json.dumps(data), "utf-8")
    assert shelf.exchange.load(path).notes.updated == 1
    shown = shelf.notes.show(a)
    assert (shown.body, shown.tags, shown.state) == ("written later", ("later",), "exact")
    assert [n.id for n in shelf.notes.list(query="later").notes] == [a]
    note.update(body="written before", updated="2000-01-01T00:00:00Z")
    path.write_text(json.dumps(data), "utf-8")
    assert shelf.exchange.load(path).notes.updated == 0
    assert shelf.notes.show(a).body == "written later"


def test_a_removed_note_does_not_come_back_and_its_removal_is_passed_on(
    shelf: Library, island: str, stone: str, sources: tuple[Path, Path], tmp_path: Path
) -> None:
    a, b = annotate(shelf, island, stone)
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(export(shelf), "utf-8")
    with opened(tmp_path / "other", *sources) as other:
        other.exchange.load(before)
        shelf.notes.remove(a)
        shelf.exchange.load(before)
        assert a not in {n.id for n in shelf.notes.list().notes}
        after.write_text(export(shelf), "utf-8")
        assert other.exchange.load(after).notes.removed == 1
        assert {n.id for n in other.notes.list().notes} == {n.id for n in shelf.notes.list().notes}
        assert other.notes.show(b).links == ()


def test_progress_of_two_machines_becomes_one(
    shelf: Library, island: str, sources: tuple[Path, Path], tmp_path: Path
) -> None:
    shelf.progress(island, section=2)
    (tmp_path / "n.json").write_text(export(shelf), "utf-8")
    with opened(tmp_path / "other", *sources) as other:
        far = other.progress(island, section=4).to_json()["read_to"]
        other.exchange.load(tmp_path / "n.json")
        assert other.progress(island).to_json()["read_to"] == far


def test_the_later_position_wins_and_what_was_read_does_not_shrink() -> None:
    old = Reached(position=90, read_to=90, finished=False, updated="2026-01-01T00:00:00Z", text_version="v", words="w")
    new = replace(old, position=10, read_to=20, updated="2026-02-01T00:00:00Z")
    assert later(old, new) == later(new, old) == replace(new, read_to=90)
    assert later(old, new, ["2026-01-15T00:00:00Z"]) == new  # begun anew in between
    assert later(old, new, ["2025-01-15T00:00:00Z"]).read_to == 90


def test_a_note_is_placed_by_its_words_where_the_text_is_another(shelf: Library, island: str, tmp_path: Path) -> None:
    note = shelf.notes.add(island, quote="sealed with green wax")
    (tmp_path / "n.json").write_text(export(shelf), "utf-8")
    changed = tmp_path / "x"
    changed.mkdir()
    path = books.island(changed, "A foreword.\n\n" + books.ISLAND.replace("storm", "gale"))
    with opened(tmp_path / "other", path) as other:
        other.edit("The Island", authors=["Ann Author"])
        data = json.loads((tmp_path / "n.json").read_text("utf-8"))
        data["documents"][0]["authors"] = ["Ann Author"]
        (tmp_path / "n.json").write_text(json.dumps(data), "utf-8")
        other.exchange.load(tmp_path / "n.json")
        found = other.notes.list(docs=["The Island"]).notes
        assert [(n.id, n.state, n.locator and n.locator.quote and n.locator.quote.exact) for n in found] == [
            (note.id, "moved" if found[0].state == "moved" else "exact", "sealed with green wax")
        ]


def test_a_place_that_does_not_hold_the_words_is_not_believed(shelf: Library, island: str, tmp_path: Path) -> None:
    note = shelf.notes.add(island, quote="sealed with green wax")
    data = json.loads(export(shelf))
    for anchor in data["notes"][0]["anchors"]:
        anchor.update(start=1, end=5)
    data["notes"][0]["updated"] = "2999-01-01T00:00:00Z"
    data["notes"][0]["body"] = "x"
    (tmp_path / "n.json").write_text(json.dumps(data), "utf-8")
    shelf.exchange.load(tmp_path / "n.json")
    assert shelf.notes.show(note.id).locator == note.locator


def test_an_export_tells_nothing_past_the_bound(shelf: Library, island: str, stone: str) -> None:
    annotate(shelf, island, stone)
    shelf.notes.add(island, quote="Under the third stair Eleanor found a letter")
    shelf.progress(island, section=2)
    read_to = shelf.progress(island).to_json()["read_to"]
    text = shelf.text(island, bound=ALL).text
    shelf.notes.add(island, span=(read_to - 6, read_to), bound=ALL)
    hidden = text[read_to : read_to + 20]
    for format in ("json", "w3c", "markdown", "csv", "bibtex"):
        made = shelf.exchange.export(format)  # type: ignore[arg-type]
        assert made.content is not None
        assert hidden not in made.content
        assert "Under the third stair" not in made.content
        assert made.notice is not None
        assert made.notes == 2


def test_a_bound_before_the_place_read_to_hides_the_words_there(shelf: Library, island: str) -> None:
    place = shelf.progress(island, section=2).to_json()["read_to"]
    words = shelf.text(island, bound=ALL).text[max(0, place - 20) : place]
    whole = shelf.exchange.export("json", docs=[island], bound=ALL).content or ""
    assert json.dumps(words, ensure_ascii=False)[1:-1] in whole
    made = shelf.exchange.export("json", docs=[island], bound=Bound(place - 5)).content or ""
    assert json.loads(made)["documents"][0]["progress"]["words"] == ""


def test_an_export_of_one_document_is_whole_in_itself(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    annotate(shelf, island, stone)
    made = shelf.exchange.export("json", docs=[stone])
    data = json.loads(made.content or "")
    assert len(data["notes"]) == 1
    assert data["links"] == []
    assert "1 links to notes outside this export" in (made.notice or "")
    (tmp_path / "n.json").write_text(made.content or "", "utf-8")
    with opened(tmp_path / "other") as other:
        assert other.exchange.load(tmp_path / "n.json").notes.added == 1


# --- W3C ------------------------------------------------------------------------------------------------------------


def test_web_annotations_are_made_as_the_standard_says(shelf: Library, island: str, stone: str) -> None:
    annotate(shelf, island, stone)
    page = json.loads(export(shelf, "w3c"))
    assert page["@context"][0] == "http://www.w3.org/ns/anno.jsonld"
    assert page["type"] == "AnnotationPage"
    assert len({x["id"] for x in page["items"]}) == 4
    for item in page["items"]:
        assert item["type"] == "Annotation"
        assert item["id"].startswith("urn:")
        assert item["motivation"] in ("highlighting", "commenting", "linking")
        if item["motivation"] == "linking":
            assert item["body"].startswith("urn:glossator:note:")
            continue
        for body in item.get("body", []):
            assert body["type"] == "TextualBody"
            assert body["purpose"] in ("commenting", "tagging")
        target = item["target"]
        assert target["type"] == "SpecificResource"
        assert target["source"]["id"].startswith("urn:sha256:")
        kinds = [s["type"] for s in target["selector"]]
        assert {"TextQuoteSelector", "TextPositionSelector"} <= set(kinds)
        assert f".{target['styleClass']} " in item["stylesheet"]["value"]


def test_what_another_program_changed_in_our_annotations_counts(shelf: Library, island: str, tmp_path: Path) -> None:
    note = shelf.notes.add(island, quote="sealed with green wax", body="old")
    page = json.loads(export(shelf, "w3c"))
    page["items"][0]["body"][0]["value"] = "new"
    page["items"][0]["target"]["styleClass"] = "green"
    page["items"][0]["modified"] = "2999-01-01T00:00:00Z"
    (tmp_path / "w.json").write_text(json.dumps(page), "utf-8")
    assert shelf.exchange.load(tmp_path / "w.json").notes.updated == 1
    assert (shelf.notes.show(note.id).body, shelf.notes.show(note.id).color) == ("new", "green")


def test_a_time_with_an_offset_is_compared_in_utc(shelf: Library, island: str, tmp_path: Path) -> None:
    note = shelf.notes.add(island, quote="green wax")
    page = json.loads(shelf.exchange.export("w3c").content or "")
    page["items"][0].update(modified="2999-01-01T01:00:00.5+02:00")
    page["items"][0]["target"]["styleClass"] = "red"
    (tmp_path / "w.jsonld").write_text(json.dumps(page), "utf-8")
    shelf.exchange.load(tmp_path / "w.jsonld")
    assert shelf.notes.show(note.id).updated == "2998-12-31T23:00:00Z"


@pytest.mark.usefixtures("island")
def test_a_source_may_be_a_title(shelf: Library, tmp_path: Path) -> None:
    item = foreign("sealed with green wax", source="The Island", id="urn:x:1")
    (tmp_path / "w.jsonld").write_text(json.dumps([item]), "utf-8")
    assert shelf.exchange.load(tmp_path / "w.jsonld").notes.added == 1


def foreign(quote: str, **more: Any) -> dict[str, Any]:
    selector = {"type": "TextQuoteSelector", "exact": quote, "prefix": more.pop("prefix", "")}
    target = {"source": more.pop("source", "file:///books/island.md"), "selector": [selector]}
    return {"type": "Annotation", "id": f"https://annotations.test/{abs(hash(quote))}", "target": target, **more}


def test_annotations_of_other_programs_are_found_by_their_words(shelf: Library, island: str, tmp_path: Path) -> None:
    items = [
        foreign("sealed with green wax", bodyValue="a seal", created="2020-05-05T12:00:00+02:00"),
        foreign("The schooner", prefix="anchor rope. "),
        foreign("The schooner", id="urn:x:1"),
        foreign("words that stand nowhere in it"),
        foreign("sealed with", source="https://nowhere.test/page", id="urn:x:2"),
    ]
    collection = {"type": "AnnotationCollection", "first": {"type": "AnnotationPage", "items": items}}
    (tmp_path / "w.jsonld").write_text(json.dumps(collection), "utf-8")
    result = shelf.exchange.load(tmp_path / "w.jsonld")
    assert (result.notes.added, result.notes.failed) == (2, 3)
    said = " / ".join(p.message for p in result.problems)
    assert "stands 2 times" in said
    assert "is not in" in said
    assert "no document here is called “https://nowhere.test/page”" in said
    notes = shelf.notes.list(docs=[island]).notes
    assert [(n.quote, n.body, n.origin) for n in notes] == [
        ("sealed with green wax", "a seal", "w3c"),
        ("The schooner", "", "w3c"),
    ]
    assert notes[0].created == "2020-05-05T10:00:00Z"
    assert notes[1].locator is not None
    assert shelf.text(island).text[: notes[1].locator.start].endswith("anchor rope. ")
    assert shelf.exchange.load(tmp_path / "w.jsonld").notes.unchanged == 2


def test_an_export_of_hypothesis_is_read(shelf: Library, island: str, tmp_path: Path) -> None:
    row = {
        "id": "abc",
        "uri": "urn:x-pdf:1",
        "document": {"title": ["The Island"]},
        "text": "why?",
        "tags": ["sea", "sea"],
        "created": "2021-01-01T00:00:00.123456+00:00",
        "target": [{"source": "urn:x-pdf:1", "selector": [{"type": "TextQuoteSelector", "exact": "the great storm"}]}],
    }
    (tmp_path / "h.json").write_text(json.dumps({"total": 1, "rows": [row]}), "utf-8")
    assert shelf.exchange.load(tmp_path / "h.json").notes.added == 1
    (note,) = shelf.notes.list(docs=[island]).notes
    assert (note.quote, note.body, note.tags) == ("the great storm", "why?", ("sea",))


# --- broken files ---------------------------------------------------------------------------------------------------


def test_a_file_that_breaks_off_changes_nothing(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    annotate(shelf, island, stone)
    for format in ("json", "w3c"):
        whole = export(shelf, format)  # type: ignore[arg-type]
        with opened(tmp_path / f"other {format}") as other:
            for share in (0.2, 0.5, 0.9, 0.999):
                path = tmp_path / "cut.json"
                path.write_text(whole[: int(len(whole) * share)], "utf-8")
                with pytest.raises(DamagedFile, match="breaks off"):
                    other.exchange.load(path)
            assert other.notes.list().total == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["notes"][1].pop("quote"), "'quote'"),
        (lambda d: d["notes"][1].update(color="pink"), "'color'"),
        (lambda d: d["notes"][1].update(created="yesterday"), "'created'"),
        (lambda d: d["notes"][1].update(created="2026-13-45T10:00:00Z"), "'created'"),
        (lambda d: d["notes"][1].update(id="n-1](x) ^n-2"), "'id'"),
        (lambda d: d["links"][0].update(target="../x"), "'target'"),
        (lambda d: d["notes"][1]["anchors"][0].update(start=9, end=3), "'end'"),
        (lambda d: d["notes"][1]["document"].update(sha256="0" * 64), "in a file it does not name"),
        (lambda d: d["links"][0].update(relation="likes"), "'relation'"),
        (lambda d: d.update(version=99), "version 99"),
        (lambda d: d.update(notes={}), "'notes'"),
        (lambda d: d["documents"][0].update(edited={"id": "x"}), "'edited'"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_is_changed(
    shelf: Library, island: str, stone: str, tmp_path: Path, change: Any, said: str
) -> None:
    annotate(shelf, island, stone)
    data = json.loads(export(shelf))
    change(data)
    (tmp_path / "n.json").write_text(json.dumps(data), "utf-8")
    with opened(tmp_path / "other") as other:
        with pytest.raises(DamagedFile, match=said):
            other.exchange.load(tmp_path / "n.json")
        assert other.notes.list().total == 0


@pytest.mark.parametrize("content", [b"", b"just words", b"{}", b"[]", b'{"a": 1}', b"<html></html>", b"\x00\x01\x02"])
def test_a_file_of_another_kind_is_refused(library: Library, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "f").write_bytes(content)
    with pytest.raises(GlossatorError, match=str(tmp_path)):
        library.exchange.load(tmp_path / "f")


def test_a_link_to_a_note_that_is_not_there_is_told(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    a, b = annotate(shelf, island, stone)
    data = json.loads(export(shelf))
    data["notes"] = [n for n in data["notes"] if n["id"] != b]
    (tmp_path / "n.json").write_text(json.dumps(data), "utf-8")
    with opened(tmp_path / "other") as other:
        result = other.exchange.load(tmp_path / "n.json")
        assert any(b in p.message for p in result.problems)
        assert other.notes.show(a).links == ()


def test_an_error_in_the_middle_of_a_merge_leaves_nothing(
    shelf: Library, island: str, stone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    annotate(shelf, island, stone)
    (tmp_path / "n.json").write_text(export(shelf), "utf-8")

    def fail(*_: object) -> None:
        raise UnsupportedFormat("the disk is gone", hint="")

    with opened(tmp_path / "other") as other:
        monkeypatch.setattr("glossator.store.merging.write_anchors", fail)
        with pytest.raises(UnsupportedFormat):
            other.exchange.load(tmp_path / "n.json")
        assert other.notes.list().total == 0
        assert other.exchange.export("json").notes == 0


# --- the formats as functions ---------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
ids = st.from_regex(r"n-[0-9a-z]{4,9}", fullmatch=True)
hashes = st.integers(0, 3).map(lambda n: f"{n:064x}")
times = st.datetimes().map(lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0"))


def notes(shas: list[str]) -> st.SearchStrategy[Note]:
    standing = st.builds(
        Standing,
        sha256=st.sampled_from(shas),
        state=st.just("moved"),
        score=st.floats(0, 1),
        start=st.integers(0, 99),
        end=st.integers(100, 200),
        text_version=words,
    )
    return st.builds(
        Note,
        id=ids,
        home=st.sampled_from(shas),
        quote=words,
        before=words,
        after=words,
        locator=st.dictionaries(words, words, max_size=2),
        body=words,
        color=st.sampled_from(["yellow", "green", "blue", "red", "purple"]),
        tags=st.lists(words, max_size=3).map(tuple),
        origin=words,
        details=st.dictionaries(words, words, max_size=2),
        created=times,
        updated=times,
        standings=st.lists(standing, max_size=2).map(tuple),
    )


@st.composite
def portables(draw: st.DrawFn) -> Portable:
    shas = sorted(draw(st.sets(hashes, min_size=1)))
    files = [File(sha256=s, format="epub", title=draw(words), authors=(draw(words),)) for s in shas]
    found = draw(st.lists(notes(shas), max_size=3))
    link = st.builds(Link, source=ids, target=ids, relation=st.sampled_from(["related", "supports"]), created=times)
    return Portable(
        documents=tuple(Facts(file=f, tags=tuple(draw(st.lists(words, max_size=2)))) for f in files),
        collections=((draw(words), draw(words)),),
        notes=tuple(found),
        links=tuple(draw(st.lists(link, max_size=2))),
        removed=(Removal(draw(ids), draw(times)),),
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(portables())
def test_our_json_holds_everything(portable: Portable) -> None:
    assert native.from_data(json.loads(native.to_text(portable)), "f") == portable


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(portables())
def test_web_annotations_hold_every_note_and_link(portable: Portable) -> None:
    back = webanno.from_data(json.loads(webanno.to_text(portable)), "f")
    expected = tuple(n if n.body else replace(n, body="") for n in portable.notes)
    assert (back.notes, back.links) == (expected, portable.links)


def test_a_copy_of_the_library_exports_the_same(shelf: Library, island: str, stone: str, tmp_path: Path) -> None:
    annotate(shelf, island, stone)
    first = export(shelf)
    shelf.close()
    shutil.copytree(shelf.database.folder, tmp_path / "copy")
    with opened(tmp_path / "copy") as copy:
        assert export(copy) == first
