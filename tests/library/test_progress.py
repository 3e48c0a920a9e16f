"""Progress and its history, what a view moves, and the figures made of both."""

from datetime import date, datetime, timedelta

import pytest

from glossator.errors import NotFound
from glossator.library.figures import characters_by_day, streak
from glossator.library.library import Library
from glossator.store import progress as stored
from glossator.store.progress import Sitting


def history(library: Library, doc: str) -> list[tuple[str, int, int]]:
    shown = library.stats([doc]).to_json()["history"]
    return [(s["event"], s["position"], s["read_to"]) for s in shown]


def at(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setattr(stored, "now", lambda: time)


def test_every_sitting_finish_and_fresh_start_is_kept(
    shelf: Library, island: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, "2026-03-01T10:00:00Z")
    shelf.progress(island, at=10)
    at(monkeypatch, "2026-03-01T10:08:00Z")
    shelf.progress(island, at=50)
    at(monkeypatch, "2026-03-01T11:00:00Z")
    shelf.progress(island, at=90)
    at(monkeypatch, "2026-03-02T11:00:00Z")
    end = shelf.progress(island, finished=True).position
    shelf.progress(island, finished=True)
    shelf.progress(island, restart=True)
    shelf.progress(island, spoilers="show")
    assert history(shelf, island) == [
        ("read", 50, 50),
        ("read", 90, 90),
        ("finished", end, end),
        ("restarted", 0, 0),
    ]
    told = shelf.stats([island]).to_json()
    assert told["history"][1]["fraction"] == 90 / end
    assert told["reading"]["not_begun"] == 1
    assert [d["characters"] for d in told["reading"]["days"]] == [90, end - 90]


def test_a_fresh_start_counts_what_is_read_again(shelf: Library, island: str) -> None:
    shelf.progress(island, finished=True)
    end = shelf.progress(island).read_to
    shelf.progress(island, restart=True)
    shelf.progress(island, at=20)
    assert shelf.stats().reading.this_week == end + 20


def test_a_view_moves_the_position_and_reading_on_moves_how_far_was_read(shelf: Library, island: str) -> None:
    seen = shelf.view(island, 0)
    assert (seen.position, seen.read_to, seen.updated) == (0, 0, None)
    seen = shelf.view(island, 120)
    assert (seen.position, seen.read_to) == (120, 120)
    assert seen.spoilers == "hide"
    seen = shelf.view(island, 30)
    assert (seen.position, seen.read_to) == (30, 120)
    with pytest.raises(NotFound):
        shelf.view(island, 10**6)
    assert shelf.progress(island).position == 30


def test_a_list_says_when_each_document_was_read_last_and_which_are_finished(
    shelf: Library, island: str, stone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, "2026-03-01T10:00:00Z")
    shelf.progress(island, finished=True)
    told = {d["id"]: (d["read"], d["finished"]) for d in shelf.documents().to_json()["documents"]}
    assert told[island] == ("2026-03-01T10:00:00Z", True)
    assert told[stone] == (None, False)


def test_a_jump_ahead_opens_nothing_and_begins_no_book(library: Library, tmp_path: object) -> None:
    from pathlib import Path

    book = Path(str(tmp_path)) / "long.md"
    book.write_text("# Long\n\n" + "\n\n".join(f"Sentence number {n} of a long book." for n in range(2000)), "utf-8")
    doc = library.add([str(book)]).documents[0].id or ""
    library.view(doc, 40_000)
    assert library.progress(doc).updated is None
    assert library.text(doc).notice is None, "looking into a book that was not begun hides nothing"
    library.view(doc, 1_000)
    jumped = library.view(doc, 40_000)
    assert (jumped.position, jumped.read_to) == (40_000, 1_000)
    library.view(doc, 41_000)
    assert library.progress(doc).read_to == 1_000
    assert library.view(doc, 1_500).read_to == 1_500
    assert library.progress(doc, finished=True).finished
    again = library.view(doc, 500)
    assert (again.finished, again.position) == (True, 500)
    assert history(library, doc)[0][:2] == ("read", 1_500)


def test_counts_are_of_the_library_or_of_what_is_named(shelf: Library, island: str, stone: str) -> None:
    shelf.shelves.add("Sea", [island])
    shelf.shelves.tag("story", [island, stone])
    shelf.notes.add(island, quote="A lantern burned in the tower")
    shelf.sessions.start("x")
    shelf.progress(stone, at=7)
    told = shelf.stats().to_json()
    assert (told["documents"], told["formats"], told["languages"]) == (2, {"markdown": 2}, {"en": 1, "zh": 1})
    assert (told["notes"], told["tags"], told["collections"], told["sessions"]) == (1, 1, 1, 1)
    reading = told["reading"]
    assert (reading["finished"], reading["in_progress"], reading["not_begun"]) == (0, 1, 1)
    assert (reading["this_week"], reading["this_month"], reading["this_year"], reading["streak"]) == (7, 7, 7, 1)
    assert "history" not in told
    of_sea = shelf.stats(collections=["Sea"]).to_json()
    assert (of_sea["documents"], of_sea["notes"], of_sea["tags"], of_sea["sessions"]) == (1, 1, 1, None)
    of_stone = shelf.stats([stone]).to_json()
    assert (of_stone["notes"], of_stone["collections"], len(of_stone["history"])) == (0, 0, 1)
    with pytest.raises(NotFound):
        shelf.stats(["nothing like it"])


def test_a_note_that_the_unread_part_hides_is_not_counted(shelf: Library, island: str) -> None:
    shelf.notes.add(island, quote="Gregory Thorne")
    assert shelf.stats().notes == 1
    shelf.progress(island, at=10)
    assert shelf.stats().notes == 0


def test_a_streak_lasts_until_a_day_without_reading() -> None:
    today = date(2026, 3, 10)
    days = {today - timedelta(days=n) for n in (1, 2, 3, 5)}
    assert streak(days, today) == 3
    assert streak(days | {today}, today) == 4
    assert streak(days, today + timedelta(days=1)) == 0
    assert streak(set(), today) == 0


def test_going_back_is_no_reading() -> None:
    noon = datetime(2026, 3, 1, 12).astimezone()

    def sitting(document: int, days: int, read_to: int) -> Sitting:
        time = (noon + timedelta(days=days)).isoformat()
        return Sitting(document=document, at=time, event="read", position=read_to, read_to=read_to, share=0.0)

    rows = [sitting(1, 0, 100), sitting(1, 1, 40), sitting(1, 2, 60), sitting(2, 2, 5)]
    assert list(characters_by_day(rows).values()) == [100, 0, 25]
