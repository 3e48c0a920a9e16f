from pathlib import Path

import apsw
import pytest

from glossator.errors import LibraryTooNew, StoreError
from glossator.store import migrations
from glossator.store.chunks import embedder_key
from glossator.store.database import LIBRARY_FILE, Database, open_database
from glossator.store.documents import list_documents
from tests.store.made import FINGERPRINT, add, give_vectors

# What version 1 is for ever: a step that was released may not change. (table, columns)
VERSION_1 = {
    "meta": "key value",
    "document": "key id sha256 format title authors language published identifiers edited status profile spoilers added"
    " updated",
    "source": "uri document",
    "collection": "key name description created",
    "member": "collection document",
    "progress": "document position read_to finished updated text_version",
    "content": "document text_version characters parser chunker confidence reasons warnings first_chunk chunks"
    " longest_chunk page_count section_count embedder vectors",
    "part": "id document number text",
    "section": "document number level title path start end",
    "page": "document number start end label width height rotation confidence reasons status",
    "block": "id document number kind start end level page rows text anchor",
    "chunk": "id document start end kind section tokens",
    "embedder": "key spec model sha256 dimension rule",
    "vector": "id chunk embedder window start end value",
    "lexical_segment": "id first chunks data",
    "change": "generation operation first chunks embedder",
}

LEDGERS = ("meta", "migration")


def tables(c: apsw.Connection) -> dict[str, str]:
    names = c.execute(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'migration'"
    ).fetchall()
    return {
        str(name): " ".join(str(row[1]) for row in c.execute(f"pragma table_info({name})").fetchall())
        for (name,) in names
    }


def test_the_first_version_is_what_it_was(tmp_path: Path) -> None:
    c = apsw.Connection(str(tmp_path / "library.db"))
    migrations.migrate(c, tmp_path / "library.db", migrations.MIGRATIONS[:1])
    assert tables(c) == VERSION_1
    c.close()


def test_a_library_of_the_first_version_is_brought_up_to_date_with_all_that_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / LIBRARY_FILE
    c = apsw.Connection(str(path))
    migrations.migrate(c, path, migrations.MIGRATIONS[:1])
    c.execute("begin")
    c.execute(
        "insert into document(key, id, sha256, format, title, authors, identifiers, status, profile, added, updated)"
        " values (1, 'aaaaaaaa', 'aa', 'text', 'Old', '[]', '{}', 'ready', 'book', '2026-01-01', '2026-01-01')"
    )
    c.execute(
        "insert into content(document, text_version, characters, parser, confidence, reasons, warnings, vectors)"
        " values (1, 'bb', 0, 'text 1', 1.0, '[]', '[]', 'none')"
    )
    c.execute("commit")
    c.close()
    library = open_database(tmp_path)
    with library.read() as c:
        assert [d.title for d in list_documents(c)] == ["Old"]
        assert migrations.version(c, path) == len(migrations.MIGRATIONS)
    library.close()


def test_a_step_and_its_ledger_row_stand_or_fall_together(database: Database) -> None:
    def good(c: apsw.Connection) -> None:
        c.execute("create table more(x integer) strict")

    def bad(c: apsw.Connection) -> None:
        c.execute("create table half(x integer) strict")
        raise RuntimeError("power cut")

    c = apsw.Connection(str(database.path))
    steps = (*migrations.MIGRATIONS, good, bad)
    with pytest.raises(RuntimeError, match="power cut"):
        migrations.migrate(c, database.path, steps)
    assert migrations.version(c, database.path) == len(steps) - 1
    assert "more" in tables(c)
    assert "half" not in tables(c)
    assert migrations.migrate(c, database.path, steps[:-1]) == 0
    c.close()


def test_a_library_of_a_newer_program_is_refused_and_left_alone(database: Database) -> None:
    with database.write() as c:
        c.execute("insert into migration values (99, 'later')")
    database.close()
    with pytest.raises(LibraryTooNew, match="newer glossator") as caught:
        open_database(database.folder)
    assert "upgrade" in caught.value.hint
    with pytest.raises(LibraryTooNew):
        open_database(database.folder, readonly=True)


def test_an_older_library_that_may_not_be_written_says_where_to_take_it(database: Database) -> None:
    with database.write() as c, pytest.raises(StoreError, match="older glossator") as caught:
        migrations.check_version(c, database.path, (*migrations.MIGRATIONS, lambda _: None))
    assert "copy" in caught.value.hint


def test_every_table_of_ours_is_strict_and_either_what_a_person_made_or_derived(database: Database) -> None:
    with database.read() as c:
        found = c.execute(
            "select name, strict from pragma_table_list where schema = 'main' and type = 'table'"
            " and name not like 'sqlite_%'"
        ).fetchall()
        searched = {name for (name,) in c.execute("select name from pragma_table_list where type = 'virtual'")}
    assert [name for name, strict in found if not strict] == []
    assert {name for name, _ in found} == {
        *migrations.USER_TABLES,
        *migrations.DERIVED_TABLES,
        *migrations.WORK_TABLES,
        *LEDGERS,
    }
    assert searched == {"annotation_words"}


def test_every_derived_row_goes_with_its_document(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["some text", "more"], sources=["/a"], embedder="test")
        give_vectors(c, embedder_key(c, FINGERPRINT, spec="test"))
        c.execute("delete from document where key = ?", (key,))
        for name in ("source", *migrations.DERIVED_TABLES):
            if name not in ("embedder", "lexical_segment", "change"):  # these are of all documents together
                assert c.execute(f"select count(*) from {name}").fetchall() == [(0,)], name
