"""Libraries that older versions of this program wrote, as they wrote them: `golden/vN.zip`."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import apsw
import pytest

from glossator.errors import StoreError
from glossator.library.library import Library
from glossator.library.results import Bound
from glossator.store import backup as stored
from glossator.store import migrations, upgrade
from glossator.store.database import LIBRARY_FILE, open_database

GOLDEN = Path(__file__).parent / "golden"
ALL = Bound(uncapped=True)


def golden(version: int, folder: Path) -> Path:
    """Lay a library of that version into `folder`."""
    with zipfile.ZipFile(GOLDEN / f"v{version}.zip") as archive:
        archive.extractall(folder)
    return folder / LIBRARY_FILE


def dumped(path: Path, tables: dict[str, str]) -> dict[str, list[str]]:
    """The rows of these tables in these columns."""
    c = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = {t: sorted(repr(r) for r in c.execute(f"select {columns} from {t}")) for t, columns in tables.items()}
    c.close()
    return found


def columns_of(path: Path) -> dict[str, str]:
    """All tables with their columns, but for what a migration itself writes."""
    c = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    names = [n for (n,) in c.execute("select name from pragma_table_list where schema = 'main' and type = 'table'")]
    found = {
        str(name): ", ".join(f'"{row[1]}"' for row in c.execute(f"pragma table_info({name})"))
        for name in names
        if not str(name).startswith("sqlite_") and name != "migration"
    }
    c.close()
    return found


def test_a_library_of_the_first_version_loses_nothing(tmp_path: Path) -> None:
    path = golden(1, tmp_path)
    tables = columns_of(path)
    before = dumped(path, tables)
    with Library.open(tmp_path, embedder="none") as library:
        assert dumped(path, tables) == before
        titles = [d.title for d in library.documents().documents]
        assert titles == ["Bees and the Weather", "Monkey", "The Keeper"]
        keeper, monkey = library.show("The Keeper").to_json(), library.progress("Monkey")
        assert keeper["metadata"]["authors"] == ["Ann Author"]
        assert keeper["metadata"]["published"] == "1899"
        assert keeper["collections"] == ["Shelf"]
        assert {c.name: c.documents for c in library.shelves.collections().collections} == {"Empty": 0, "Shelf": 2}
        assert (monkey.finished, library.progress("The Keeper").section) == (True, 3)
        assert library.progress("The Keeper").spoilers == "hide"
        for words, title in (
            ("forged letter", "The Keeper"),
            ("仙石", "Monkey"),
            ("air pressure", "Bees and the Weather"),
        ):
            assert library.search(words, mode="lexical", bound=ALL).hits[0].document.title == title
        with library.database.read() as c:
            assert stored.problems(c) == []
            assert migrations.version(c, path) == len(migrations.MIGRATIONS)
            assert c.execute("select count(*), count(distinct embedder) from vector").fetchall() == [(10, 2)]


@pytest.mark.parametrize("version", range(1, len(migrations.MIGRATIONS) + 1))
def test_every_row_of_a_library_of_any_version_is_there_after_opening_it(version: int, tmp_path: Path) -> None:
    path = golden(version, tmp_path)
    tables = columns_of(path)
    before = dumped(path, tables)
    assert all(before[t] for t in ("document", "source", "collection", "member", "progress", "chunk", "vector"))
    open_database(tmp_path).close()
    assert dumped(path, tables) == before


def test_notes_links_tags_and_conversations_of_the_second_version_are_what_they_were(tmp_path: Path) -> None:
    golden(2, tmp_path)
    with Library.open(tmp_path, embedder="none") as library:
        notes = {n.quote: n for n in library.notes.list(bound=ALL).notes}
        assert set(notes) == {"a brass lantern", "花果山上有一块仙石", "The moon draws the water", "thrown away later"}
        lantern, stone = notes["a brass lantern"], notes["花果山上有一块仙石"]
        assert lantern.body == "Where *from*? 🏮"
        assert (stone.color, set(stone.tags)) == ("blue", {"objects", "石"})
        assert library.notes.list(query="石头", bound=ALL).notes == (stone,)
        assert notes["The moon draws the water"].state in ("exact", "moved")
        assert notes["thrown away later"].body == "kept", "its document was removed"
        linked = {(link.source.id, link.relation, link.target.id) for link in library.notes.links(bound=ALL).links}
        assert linked == {
            (lantern.id, "supports", stone.id),
            (stone.id, "contradicts", notes["thrown away later"].id),
        }
        assert "to read" in {t.name for t in library.shelves.tags().tags}
        (session,) = library.sessions.list(bound=ALL).sessions
        said = json.dumps(library.sessions.show(session.id, bound=ALL).to_json())
        assert "Who forged the letter?" in said
        assert "The keeper did." in said


def test_the_newest_of_the_kept_libraries_is_as_this_program_makes_them(tmp_path: Path) -> None:
    newest = golden(len(migrations.MIGRATIONS), tmp_path / "kept")
    open_database(tmp_path / "fresh").close()
    assert columns_of(newest) == columns_of(tmp_path / "fresh" / LIBRARY_FILE), (
        "a step was changed: run tests/store/golden/make.py, unless that version was released"
    )


def test_before_an_upgrade_a_copy_is_kept_that_the_older_program_can_open(tmp_path: Path) -> None:
    path = golden(1, tmp_path)
    tables = columns_of(path)
    before = dumped(path, tables)
    open_database(tmp_path).close()
    open_database(tmp_path).close()
    (copy,) = upgrade.copies(path)
    assert copy.name.startswith("library.v1-2")
    assert dumped(copy, tables) == before
    c = apsw.Connection(str(copy))
    assert migrations.version(c, copy) == 1
    assert stored.problems(c) == []
    c.close()


def test_a_new_library_needs_no_copy(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    assert os.listdir(tmp_path) == [LIBRARY_FILE]


def test_where_no_copy_can_be_made_the_library_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = golden(1, tmp_path)
    before = path.read_bytes()

    def full(_: Path, fresh: Path) -> None:
        fresh.write_bytes(b"a part")
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(upgrade, "_copy", full)
    with pytest.raises(StoreError, match="disk is full") as caught:
        open_database(tmp_path)
    assert "nothing was changed" in caught.value.hint
    c = apsw.Connection(str(path))
    assert migrations.version(c, path) == 1
    c.close()
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("library.v1*"))


def test_only_the_last_copies_stay(tmp_path: Path) -> None:
    path = golden(1, tmp_path)
    for n in range(5):
        old = tmp_path / f"library.v1-2020010{n}T000000Z.db"
        shutil.copy(path, old)
        os.utime(old, (n, n))
    open_database(tmp_path).close()
    assert [p.name[:18] for p in upgrade.copies(path)[:-1]] == ["library.v1-2020010"] * (upgrade.KEPT - 1)
    assert upgrade.copies(path)[0].name == "library.v1-20200103T000000Z.db"
