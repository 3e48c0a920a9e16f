"""Notes through the façade: made at words, found, changed, linked, and hidden where their document is."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import Ambiguous, NotFound, UsageError
from glossator.library.library import Library
from glossator.library.results import Bound
from tests.library import books

PILOT = "Do not trust the pilot"
ALL = Bound(uncapped=True)


def test_a_note_is_made_at_the_words_and_found_again(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote=PILOT, body="**Why?**", color="red", tags=["pilot", "warning"])
    shown = shelf.notes.show(made.id)
    assert (shown.quote, shown.body, shown.color, shown.tags) == (PILOT, "**Why?**", "red", ("pilot", "warning"))
    assert (shown.state, shown.score, shown.origin, shown.document.id) == ("exact", 1.0, "person", island)
    assert shown.locator is not None
    assert shown.locator.quote is not None
    assert shown.locator.quote.exact == PILOT == shelf.text(island).text[shown.locator.start : shown.locator.end]
    assert shown.locator.section_path == ("The Island", "The Letter")


def test_the_quotation_kept_is_the_source_s_own(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote="began  with the words: “Do not trust")
    assert made.quote == 'began with the words: "Do not trust'
    assert set(made.repairs) == {"quotes", "spaces"}


def test_of_several_occurrences_the_first_is_taken_and_their_number_told(shelf: Library, stone: str) -> None:
    first = shelf.notes.add(stone, quote="石猴")
    third = shelf.notes.add(stone, quote="石猴", occurrence=3)
    text = shelf.text(stone).text
    assert (first.occurrence, first.occurrences) == (1, text.count("石猴"))
    assert first.locator is not None
    assert third.locator is not None
    assert first.locator.start == text.find("石猴")
    assert text[: third.locator.start].count("石猴") == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(st.data())
def test_a_span_gives_back_its_own_words(shelf: Library, data: st.DataObject) -> None:
    text = shelf.text("The Island").text
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)).filter(lambda e: text[start:e].strip()))
    made = shelf.notes.add("The Island", span=(start, end))
    assert made.quote == text[start:end]
    assert made.locator is not None
    assert (made.locator.start, made.locator.end) == (start, end)
    assert shelf.notes.show(made.id).locator == made.locator


def test_words_that_are_not_there_are_refused_with_what_comes_near(shelf: Library, island: str) -> None:
    with pytest.raises(NotFound, match="does not hold") as raised:
        shelf.notes.add(island, quote="Under the third stair Elinor discovered a sealed letter")
    assert "Eleanor found a letter sealed" in raised.value.hint
    assert shelf.notes.list().total == 0


@pytest.mark.parametrize("span", [(0, 10_000), (9_000, 10_000)])
def test_a_span_outside_the_text_is_refused(shelf: Library, island: str, span: tuple[int, int]) -> None:
    with pytest.raises(NotFound, match="outside"):
        shelf.notes.add(island, span=span)


@pytest.mark.parametrize("span", [(5, 5), (9, 3), (10, 11)])
def test_a_span_that_holds_nothing_is_refused(shelf: Library, island: str, span: tuple[int, int]) -> None:
    with pytest.raises(UsageError, match="holds nothing"):
        shelf.notes.add(island, span=span)


def test_wrong_calls_are_refused_and_change_nothing(shelf: Library, island: str) -> None:
    with pytest.raises(UsageError, match="quotation or at a span"):
        shelf.notes.add(island)
    with pytest.raises(UsageError, match="quotation or at a span"):
        shelf.notes.add(island, quote=PILOT, span=(0, 3))
    with pytest.raises(UsageError, match="empty"):
        shelf.notes.add(island, quote="  ")
    with pytest.raises(UsageError, match="colour"):
        shelf.notes.add(island, quote=PILOT, color="pink")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="tag"):
        shelf.notes.add(island, quote=PILOT, tags=[" "])
    with pytest.raises(NotFound, match="no occurrence 7"):
        shelf.notes.add(island, quote=PILOT, occurrence=7)
    assert shelf.notes.list().total == 0


# --- lists ----------------------------------------------------------------------------------------------------------


def test_a_document_s_notes_come_in_reading_order_and_filters_narrow_them(shelf: Library, island: str) -> None:
    late = shelf.notes.add(island, quote="cut the anchor rope", tags=["ship", "crime"])
    early = shelf.notes.add(island, quote="counted eleven sailors", tags=["ship"], color="blue")
    notes = shelf.notes

    def ids(**options: object) -> list[str]:
        return [n.id for n in notes.list(**options).notes]  # type: ignore[arg-type]

    assert ids(docs=[island]) == [early.id, late.id]
    assert ids(docs=[island], tags=["ship", "crime"]) == [late.id]
    assert ids(colors=["blue"]) == [early.id]
    assert ids(colors=["blue", "yellow"], docs=[island], limit=1, offset=1) == [late.id]
    assert ids(states=["lost"]) == []
    assert ids(states=["exact", "lost"], docs=[island]) == [early.id, late.id]
    assert notes.list(docs=[island], limit=1).total == 2
    with pytest.raises(UsageError, match="state"):
        ids(states=["gone"])


def test_a_collection_narrows_to_the_notes_of_its_documents(shelf: Library, island: str, stone: str) -> None:
    shelf.shelves.add("sea", [island])
    mine = shelf.notes.add(island, quote=PILOT)
    shelf.notes.add(stone, quote="水帘洞")
    assert [n.id for n in shelf.notes.list(collections=["sea"]).notes] == [mine.id]
    assert shelf.notes.list(docs=[island, stone]).total == 2


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("pilot", "pilot"),
        ("PILOTS", "pilot"),
        ("suspicious", "pilot"),
        ("crime scene", "pilot"),
        ("水帘洞", "cave"),
        ("洞", "cave"),
        ("水簾洞", "cave"),
        ('"not trust"', "pilot"),
        ("waterfall", "cave"),
    ],
)
def test_quotation_body_and_tags_are_searched_in_both_languages(
    shelf: Library, island: str, stone: str, query: str, found: str
) -> None:
    made = {
        "pilot": shelf.notes.add(island, quote=PILOT, body="Suspicious from the start.", tags=["crime scene"]).id,
        "cave": shelf.notes.add(stone, quote="名叫水帘洞", body="behind the waterfall").id,
    }
    assert [n.id for n in shelf.notes.list(query=query).notes] == [made[found]]


def test_the_words_follow_what_is_changed_and_removed(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote=PILOT, body="alpha")
    shelf.notes.edit(made.id, body="omega", tags=["beta"])
    assert shelf.notes.list(query="alpha").total == 0
    assert shelf.notes.list(query="omega").total == shelf.notes.list(query="beta").total == 1
    shelf.notes.remove(made.id)
    assert shelf.notes.list(query="omega").total == 0


def test_a_query_without_a_word_is_refused(shelf: Library) -> None:
    with pytest.raises(UsageError, match="no word"):
        shelf.notes.list(query="?!")


# --- changes --------------------------------------------------------------------------------------------------------


def test_an_edit_changes_what_is_given_only(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote=PILOT, body="one", tags=["a"])
    changed = shelf.notes.edit(made.id, color="green")
    assert (changed.body, changed.color, changed.tags) == ("one", "green", ("a",))
    assert shelf.notes.edit(made.id, body="", tags=[]).to_json()["kind"] == "highlight"
    assert shelf.notes.show(made.id).tags == ()


def test_a_note_is_named_by_the_beginning_of_its_id(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote=PILOT)
    assert shelf.notes.show(made.id[:-2]).id == made.id
    with pytest.raises(NotFound, match="no note"):
        shelf.notes.show("n-")
    with pytest.raises(NotFound, match="no note"):
        shelf.notes.show("n-*?*?*?")


def test_a_removed_note_is_gone_with_its_links(shelf: Library, island: str) -> None:
    one, two = shelf.notes.add(island, quote=PILOT), shelf.notes.add(island, quote="green wax")
    shelf.notes.link(one.id, two.id)
    assert shelf.notes.remove(one.id).to_json()["removed"] == one.id
    assert shelf.notes.show(two.id).links == ()
    with pytest.raises(NotFound):
        shelf.notes.show(one.id)


def test_a_lost_note_is_attached_where_a_person_says(shelf: Library, island: str, tmp_path: Path) -> None:
    made = shelf.notes.add(island, quote=PILOT, body="keep me")
    source = Path(str(shelf.documents().documents[0].sources[0]))
    changed = tmp_path / source.name
    changed.write_text(books.ISLAND.replace('the words: "Do not trust the pilot."', "a map and nothing else."), "utf-8")
    shelf.remove(island)
    shelf.add([str(changed)])
    lost = shelf.notes.show(made.id)
    assert (lost.state, lost.locator, lost.quote) == ("lost", None, PILOT)
    assert [n.id for n in shelf.notes.list(states=["lost"]).notes] == [made.id]
    found = shelf.notes.attach(made.id, doc="The Island", quote="a map and nothing else")
    assert (found.state, found.quote, found.body) == ("exact", "a map and nothing else", "keep me")
    assert shelf.notes.list(states=["lost"]).total == 0
    assert shelf.notes.list(query="map").total == 1


# --- links ----------------------------------------------------------------------------------------------------------


def test_a_link_shows_at_both_ends_with_the_words_of_the_other(shelf: Library, island: str, stone: str) -> None:
    one, two = shelf.notes.add(island, quote=PILOT), shelf.notes.add(stone, quote="美猴王")
    shelf.notes.link(one.id, two.id, relation="contradicts")
    (out,) = shelf.notes.show(one.id).links
    (back,) = shelf.notes.show(two.id).links
    assert (out.id, out.relation, out.direction, out.quote) == (two.id, "contradicts", "out", "美猴王")
    assert (back.id, back.relation, back.direction, back.quote) == (one.id, "contradicts", "in", PILOT)
    (row,) = shelf.notes.links().links
    assert (row.source.id, row.target.id, row.target.document.title) == (one.id, two.id, "石猴记")
    listed = {n.id: [link.id for link in n.links] for n in shelf.notes.list().notes}
    assert listed == {one.id: [two.id], two.id: [one.id]}


def test_linking_twice_keeps_one_link_and_unlinking_takes_it_from_either_end(shelf: Library, island: str) -> None:
    one, two = shelf.notes.add(island, quote=PILOT), shelf.notes.add(island, quote="green wax")
    shelf.notes.link(one.id, two.id)
    shelf.notes.link(two.id, one.id)
    assert len(shelf.notes.show(one.id).links) == 1
    shelf.notes.link(one.id, two.id, relation="supports")
    assert [x.relation for x in shelf.notes.show(two.id).links] == ["supports"]
    with pytest.raises(NotFound, match="not linked"):
        shelf.notes.unlink(one.id, two.id, relation="contradicts")
    assert shelf.notes.unlink(two.id, one.id).links == ()
    assert shelf.notes.show(one.id).links == ()


def test_a_link_to_nothing_or_to_itself_is_refused_and_changes_nothing(shelf: Library, island: str) -> None:
    one = shelf.notes.add(island, quote=PILOT)
    with pytest.raises(NotFound, match="no note"):
        shelf.notes.link(one.id, "n-0000000000")
    with pytest.raises(UsageError, match="itself"):
        shelf.notes.link(one.id, one.id)
    with pytest.raises(UsageError, match="relation"):
        shelf.notes.link(one.id, one.id, relation="refutes")  # type: ignore[arg-type]
    assert shelf.notes.links().links == ()


# --- documents that go ----------------------------------------------------------------------------------------------


def test_notes_of_a_removed_document_are_kept_as_lost_and_stand_again_with_its_file(
    library: Library, tmp_path: Path
) -> None:
    shelf, source = library, books.island(tmp_path)
    shelf.add([str(source)])
    island = shelf.identify("The Island")
    made = shelf.notes.add(island, quote=PILOT)
    text = shelf.text(island).text
    shelf.remove(island, notes="keep")
    (kept,) = shelf.notes.list().notes
    assert (kept.id, kept.state, kept.locator, kept.document.title) == (made.id, "lost", None, "The Island")
    assert shelf.notes.list(docs=[island]).total == shelf.notes.list(docs=["The Island"]).total == 1
    with pytest.raises(NotFound, match="is lost") as raised:
        shelf.notes.open(made.id)
    assert "note attach" in raised.value.hint
    shelf.add([str(source)])
    (back,) = shelf.notes.list().notes
    assert back.state == "exact"
    assert back.locator is not None
    assert text[back.locator.start : back.locator.end] == PILOT


def test_notes_are_deleted_with_their_document_when_asked(shelf: Library, island: str, stone: str) -> None:
    shelf.notes.add(island, quote=PILOT)
    other = shelf.notes.add(stone, quote="水帘洞")
    assert shelf.remove(island, notes="delete").to_json()["notes"] == "deleted"
    assert [n.id for n in shelf.notes.list().notes] == [other.id]


# --- bounds ---------------------------------------------------------------------------------------------------------


def test_notes_past_the_bound_are_in_no_list_count_or_link(shelf: Library, island: str, stone: str) -> None:
    hidden = shelf.notes.add(island, quote=PILOT, body="spoiler")
    shown = shelf.notes.add(island, quote="counted eleven sailors")
    other = shelf.notes.add(stone, quote="水帘洞")
    shelf.notes.link(other.id, hidden.id)
    shelf.progress(island, at=150)
    listed = shelf.notes.list()
    assert ({n.id for n in listed.notes}, listed.total) == ({shown.id, other.id}, 2)
    assert "read up to" in (listed.notice or "")
    assert [n.id for n in shelf.notes.list(docs=[island]).notes] == [shown.id]
    assert shelf.notes.list(query="spoiler").total == shelf.notes.list(query="spoiler", docs=[island]).total == 0
    assert shelf.notes.show(other.id).links == ()
    assert shelf.notes.links().links == ()
    for refused in (shelf.notes.show, shelf.notes.remove, shelf.notes.open):
        with pytest.raises(NotFound, match="after what was read"):
            refused(hidden.id)
    with pytest.raises(NotFound, match="after what was read"):
        shelf.notes.edit(hidden.id, body="x")
    with pytest.raises(NotFound, match="after what was read"):
        shelf.notes.link(shown.id, hidden.id)
    assert shelf.notes.show(hidden.id, bound=ALL).body == "spoiler"
    assert shelf.notes.list(bound=ALL).total == 3
    assert shelf.notes.list(docs=[island], bound=Bound(20)).total == 0
    assert shelf.notes.list(docs=[island], bound=Bound(10_000)).total == 2


def test_a_note_that_the_bound_cuts_is_hidden_whole(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote=PILOT)
    assert made.locator is not None
    assert shelf.notes.list(docs=[island], bound=Bound(made.locator.end)).total == 1
    assert shelf.notes.list(docs=[island], bound=Bound(made.locator.end - 1)).total == 0


def test_words_past_the_bound_are_not_found_and_not_named(shelf: Library, island: str) -> None:
    shelf.progress(island, at=100)
    with pytest.raises(NotFound, match="does not hold") as raised:
        shelf.notes.add(island, quote=PILOT)
    assert "pilot" not in raised.value.hint
    with pytest.raises(NotFound, match="after what was read"):
        shelf.notes.add(island, span=(90, 120))
    assert shelf.notes.add(island, quote=PILOT, bound=ALL).quote == PILOT


# --- open -----------------------------------------------------------------------------------------------------------


def test_a_note_a_locator_an_address_and_a_place_open_the_same_passage(shelf: Library, island: str) -> None:
    made = shelf.notes.add(island, quote=PILOT)
    assert made.locator is not None
    start, end = made.locator.start, made.locator.end
    targets = (
        made.id,
        json.dumps(made.locator.to_json()),
        f"glossator://document/{island}?start={start}&end={end}&sha=00",
        f"{island}:{start}-{end}",
    )
    opened = [shelf.notes.open(target) for target in targets]
    assert {(p.text, p.before, p.after) for p in opened} == {(opened[0].text, opened[0].before, opened[0].after)}
    assert opened[0].text == PILOT
    assert opened[0].before.startswith("The Letter\n\nUnder the third stair")
    assert opened[0].after.endswith("She hid it in her glove and said nothing to anybody.")
    assert opened[0].note is not None


def test_a_document_opens_where_it_was_read_last(shelf: Library, island: str) -> None:
    assert shelf.notes.open(island).text == "The Island"
    shelf.progress(island, section=3, spoilers="show")
    assert shelf.notes.open("The Island").text == "The Letter"


def test_a_locator_of_an_older_text_finds_its_words_again_or_is_said_to_be_lost(
    library: Library, tmp_path: Path
) -> None:
    shelf, source = library, books.island(tmp_path)
    shelf.add([str(source)])
    made = shelf.notes.add("The Island", quote=PILOT)
    assert made.locator is not None
    source.write_text(books.ISLAND.replace("## Arrival", "A word before all.\n\n## Arrival"), "utf-8")
    shelf.add([str(source)])
    assert shelf.notes.open(json.dumps(made.locator.to_json())).text == PILOT
    source.write_text(books.ISLAND.replace("Do not trust the pilot", "Trust"), "utf-8")
    shelf.add([str(source)])
    with pytest.raises(NotFound, match="not in the present text"):
        shelf.notes.open(json.dumps(made.locator.to_json()))


@pytest.mark.parametrize("target", ["{", '{"start": 1}', "glossator://note/x", "glossator://document/x?start=a"])
def test_an_address_that_is_none_is_refused(shelf: Library, target: str) -> None:
    with pytest.raises(UsageError):
        shelf.notes.open(target)


def test_what_is_not_there_cannot_be_opened(shelf: Library, island: str) -> None:
    for target in ("n-0000000000", "nothing", f"{island}:5-99999", f"{island}:99999"):
        with pytest.raises(NotFound):
            shelf.notes.open(target)
    shelf.progress(island, at=100)
    with pytest.raises(NotFound, match="after what was read"):
        shelf.notes.open(f"{island}:300-320")
    opened = shelf.notes.open(f"{island}:20-60")
    assert len(opened.before + opened.text + opened.after) <= 100


def test_ambiguous_beginnings_name_the_notes(shelf: Library, island: str) -> None:
    from glossator.store.annotations import update_annotation

    one, two = shelf.notes.add(island, quote=PILOT), shelf.notes.add(island, quote="green wax")
    with shelf.database.write() as c:
        update_annotation(c, 1, id="n-aaaa000001")
        update_annotation(c, 2, id="n-aaaa000002")
    assert one.id != two.id
    with pytest.raises(Ambiguous, match="fits 2 notes"):
        shelf.notes.show("n-aaaa")


def test_words_of_notes_that_were_damaged_are_found_by_doctor_and_made_again(shelf: Library, island: str) -> None:
    shelf.notes.add(island, quote=PILOT)
    with shelf.database.write() as c:
        c.execute("delete from annotation_words")
    assert shelf.notes.list(query="pilot").total == 0
    assert [x.status for x in shelf.doctor().checks if x.name == "notes"] == ["failed"]
    checks = shelf.doctor(repair=True).checks
    assert [x.status for x in checks if x.name == "notes"] == ["ok"], checks
    assert shelf.notes.list(query="pilot").total == 1


def test_a_new_note_stands_in_the_other_editions_of_its_work_too(library: Library, tmp_path: Path) -> None:
    library.add([str(books.island(tmp_path))])
    first = library.notes.add("The Island", quote=PILOT)
    page = tmp_path / "island.html"
    paragraphs = "".join(f"<p>{part.lstrip('# ')}</p>" for part in books.ISLAND.split("\n\n"))
    page.write_text(f"<html><head><title>Island page</title></head><body><article>{paragraphs}</article></body></html>")
    library.add([str(page)])
    assert [n.id for n in library.notes.list(docs=["Island page"]).notes] == [first.id]
    second = library.notes.add("The Island", quote="cut the anchor rope")
    there = library.notes.list(docs=["Island page"]).notes
    assert [n.id for n in there] == [first.id, second.id]
    assert {n.document.title for n in there} == {"Island page"}
    assert {n.document.title for n in library.notes.list().notes} == {"The Island"}
    library.remove("The Island")
    assert {n.state for n in library.notes.list().notes} <= {"exact", "moved"}


def test_a_note_that_stands_gets_a_second_place_where_it_is_attached_in_another_document(
    shelf: Library, island: str, stone: str
) -> None:
    made = shelf.notes.add(island, quote=PILOT)
    there = shelf.notes.attach(made.id, doc=stone, quote="水帘洞")
    assert there.locator is not None
    assert there.locator.quote is not None
    assert (there.document.id, there.locator.quote.exact, there.quote) == (stone, "水帘洞", PILOT)
    assert [n.document.id for n in shelf.notes.list(docs=[stone]).notes] == [stone]
    assert [n.document.id for n in shelf.notes.list(docs=[island, stone]).notes] == [island]
    assert [n.document.id for n in shelf.notes.list().notes] == [island]
    assert shelf.notes.show(made.id, doc=stone).document.id == stone
    with pytest.raises(NotFound, match="outside"):
        shelf.notes.attach(made.id, span=(0, 99_999))
    moved = shelf.notes.attach(made.id, quote="green wax")
    assert (moved.document.id, moved.quote) == (island, "green wax")
    assert shelf.notes.list(docs=[stone]).total == 0
