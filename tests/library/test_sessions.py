"""Conversations: kept whole, shown as far as the reader may see."""

import json
import multiprocessing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.errors import NotFound, StoreError, UsageError
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.library.sessions import limits, reach_of
from glossator.messages import NOTHING, WHOLE, Citation, Foreign, Reasoning, Text, Tool
from glossator.store.sessions import Page
from tests.library import books


def test_a_session_keeps_every_message_with_all_of_its_parts(library: Library) -> None:
    sessions = library.sessions
    session = sessions.start().id
    sessions.append(session, [Text("Who is 石猴? 🐒")], role="user", reach=NOTHING)
    call = Tool(
        id="c1", name="search", args={"query": "石猴"}, state="completed", result={"hits": ["…" * 3000]}, seconds=0.2
    )
    cited = Citation(n=1, status="verified", quote="石猴", document={"id": "d"}, locator={"start": 1})
    foreign = Foreign({"kind": "chart", "version": 9, "points": [1]})
    told = sessions.append(session, [Reasoning("hm"), call, Text("A monkey."), cited, foreign], role="assistant")
    shown = sessions.show(session)
    assert [m.role for m in shown.messages] == ["user", "assistant"]
    assert shown.messages[1] == told
    assert shown.messages[1].parts == (Reasoning("hm"), call, Text("A monkey."), cited, foreign)
    assert shown.entry.title == "Who is 石猴? 🐒"
    assert shown.to_json()["messages"][1]["text"] == "A monkey."
    assert [s.to_json() for s in sessions.list().sessions] == [
        {
            "id": session,
            "title": "Who is 石猴? 🐒",
            "created": shown.entry.created,
            "updated": shown.entry.updated,
            "messages": 2,
        }
    ]


def test_parts_are_added_to_a_message_as_they_come(library: Library) -> None:
    sessions = library.sessions
    session = sessions.start("Named").id
    message = sessions.append(session, [Text("a")], role="assistant").id
    sessions.append(session, [Text("between")], role="user")
    assert sessions.extend(message, [Text("b"), Text("c")]).text == "abc"
    assert [m.text for m in sessions.show(session).messages] == ["abc", "between"]
    assert sessions.show(session).entry.title == "Named"
    with pytest.raises(NotFound):
        sessions.extend("nothing", [])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_text_comes_back_but_for_what_no_text_may_hold(library: Library, texts: list[str]) -> None:
    session = library.sessions.start().id
    library.sessions.append(session, [Text(t) for t in texts], role="user")
    (message,) = library.sessions.show(session).messages
    assert [p.text for p in message.parts if isinstance(p, Text)] == [t.replace("\0", "") for t in texts]


def test_the_history_is_paged_backwards(library: Library) -> None:
    sessions = library.sessions
    session = sessions.start().id
    made = [sessions.append(session, [Text(str(n))], role="user", reach=NOTHING).id for n in range(7)]
    seen: list[str] = []
    before = None
    while page := sessions.show(session, page=Page(limit=3, before=before)).messages:
        seen = [m.text for m in page] + seen
        before = page[0].id
    assert seen == [str(n) for n in range(7)]
    day = sessions.show(session).messages[0].created[:10]
    assert len(sessions.show(session, page=Page(since=day)).messages) == 7
    assert sessions.show(session, page=Page(until=day)).messages == ()
    other = sessions.start().id
    with pytest.raises(NotFound):
        sessions.show(other, page=Page(before=made[0]))


def test_a_session_is_removed_with_its_messages_and_named_by_its_beginning(library: Library) -> None:
    sessions = library.sessions
    first, second = sessions.start("one").id, sessions.start("two").id
    sessions.append(first, [Text("x")], role="user")
    assert sessions.latest() == first
    assert sessions.show(first[:5]).entry.id == first
    assert sessions.remove(first).to_json() == {"removed": first}
    assert [s.id for s in sessions.list().sessions] == [second]
    with library.database.read() as c:
        assert c.execute("select count(*) from message").fetchone() == (0,)
        assert c.execute("select count(*) from message_part").fetchone() == (0,)
    for missing in (first, "", "zzzz", "no\0pe"):
        with pytest.raises(NotFound, match="no session"):
            sessions.show(missing)


def test_under_a_smaller_bound_than_it_was_made_under_a_message_is_left_out(shelf: Library, island: str) -> None:
    sessions = shelf.sessions
    shelf.progress(island, section=3)
    with shelf.database.read() as c:
        early = reach_of([island], limits(c, Bound()))
    session = sessions.start().id
    sessions.append(session, [Text("What now?")], role="user", reach=early)
    sessions.append(session, [Text("A letter.")], role="assistant", reach=early)
    sessions.append(session, [Text("Thorne did it.")], role="assistant", reach=WHOLE)
    shown = sessions.show(session)
    assert [m.text for m in shown.messages] == ["What now?", "A letter."]
    assert shown.notice
    assert shown.entry.messages == sessions.list().sessions[0].messages == 2
    assert "Thorne" not in json.dumps(shown.to_json()) + sessions.export(session).content
    assert len(sessions.show(session, bound=Bound(uncapped=True)).messages) == 3
    assert len(sessions.show(session, bound=Bound("progress", uncapped=True)).messages) == 2
    shelf.progress(island, at=5)
    shown = sessions.show(session)
    assert (shown.messages, shown.entry.title, shown.entry.messages) == ((), None, 0)
    shelf.progress(island, finished=True)
    assert len(sessions.show(session).messages) == 3


def test_what_a_message_could_see_moves_with_a_changed_file(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    island = library.add([str(path)]).documents[0].id or ""
    text = library.text(island).text
    library.progress(island, at=text.index("She hid it"))
    session = library.sessions.start().id
    with library.database.read() as c:
        early = reach_of([island], limits(c, Bound()))
        late = reach_of([island], limits(c, Bound(text.index("At midnight")), [island]))
        lost = reach_of([island], limits(c, Bound(text.index("counted eleven")), [island]))
    for name, reach in (("early", early), ("late", late), ("lost", lost)):
        library.sessions.append(session, [Text(name)], role="assistant", reach=reach)
    assert [m.text for m in library.sessions.show(session).messages] == ["early", "lost"]
    changed = books.ISLAND.replace("# The Island\n", "# The Island\n\nA preface that was not there before.\n")
    books.island(tmp_path, changed.replace("Captain Marlowe counted eleven sailors on the deck.", "Nobody came."))
    assert library.add([str(path)]).documents[0].status == "updated"
    assert [m.text for m in library.sessions.show(session).messages] == ["early", "lost"]
    text = library.text(island, bound=Bound(uncapped=True)).text
    assert library.progress(island).read_to == text.index("She hid it")
    library.progress(island, at=text.index("At midnight"))
    assert [m.text for m in library.sessions.show(session).messages] == ["early", "late", "lost"]
    library.progress(island, section=2)
    assert library.sessions.show(session).messages == ()


def test_a_position_as_bound_holds_for_its_document(shelf: Library, island: str, stone: str) -> None:
    sessions = shelf.sessions
    with shelf.database.read() as c:
        reach = reach_of([island], limits(c, Bound(100), [island]))
    session = sessions.start().id
    sessions.append(session, [Text("up to a hundred")], role="assistant", reach=reach)
    assert sessions.show(session, docs=[island], bound=Bound(100)).messages
    assert not sessions.show(session, docs=[island], bound=Bound(99)).messages
    assert sessions.show(session, docs=[stone], bound=Bound(0)).messages
    with pytest.raises(UsageError):
        sessions.show(session, bound=Bound(100))


def test_an_export_is_written_once_and_whole(library: Library, tmp_path: Path) -> None:
    sessions = library.sessions
    session = sessions.start("A talk").id
    sessions.append(session, [Text("Hello\n\nthere")], role="user", reach=NOTHING)
    target = tmp_path / "talk.json"
    assert sessions.export(session, target).to_json() == {"path": str(target), "messages": 1}
    assert json.loads(target.read_text("utf-8")) == sessions.show(session).to_json()
    with pytest.raises(StoreError, match="already"):
        sessions.export(session, target, form="markdown")
    sessions.export(session, target, form="markdown", force=True)
    assert target.read_text("utf-8").startswith("# A talk\n")
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["talk.json"]
    with pytest.raises(StoreError):
        sessions.export(session, tmp_path / "nowhere" / "talk.json")


def talk(folder: Path, session: str, name: str) -> None:
    with Library.open(folder, embedder="none") as library:
        for n in range(20):
            library.sessions.append(session, [Text(f"{name}{n}"), Text("!")], role="user", reach=NOTHING)


def test_two_processes_in_one_session_lose_nothing(library: Library) -> None:
    session = library.sessions.start().id
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=talk, args=(library.database.folder, session, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    texts = [m.text for m in library.sessions.show(session).messages]
    assert [t for t in texts if t[0] == "a"] == [f"a{n}!" for n in range(20)]
    assert [t for t in texts if t[0] == "b"] == [f"b{n}!" for n in range(20)]
