import os
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.document.model import Document, Metadata
from glossator.errors import NotFound, UsageError
from glossator.store import documents as stored
from glossator.store.chunks import chunks_of, embedder_key, insert_chunks
from glossator.store.collections import add_members, create_collection
from glossator.store.database import Database
from tests.store.made import FINGERPRINT, add, document, give_vectors, postings_of
from tests.store.made import chunks_of as made_chunks


def test_a_document_comes_back_as_it_was_filed(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one", "two"], sources=["/b/x.txt", "/a/x.txt"], profile="paper", embedder="test")
    with database.read() as c:
        found = stored.get_document(c, key)
        assert stored.list_documents(c) == [found]
    assert found.title == "A title"
    assert found.metadata == document(["one"]).metadata
    assert found.sources == ("/b/x.txt", "/a/x.txt")
    assert (found.profile, found.status, found.vectors, found.embedder) == ("paper", "ready", "pending", "test")
    assert (found.confidence, found.reasons, found.warnings) == (0.9, ("a reason",), ("a warning",))
    assert (found.first_chunk, found.chunks, found.section_count, found.page_count) == (1, 2, 1, None)
    assert found.added.endswith("Z")


def test_ids_are_short_stable_and_never_two_alike(database: Database) -> None:
    sha = "0123456789abcdef" * 4
    with database.write() as c:
        first = stored.get_document(c, add(c, ["one"], sha256=sha))
        stored.replace_content(c, first.key, document(["changed"]), sha256="f" * 64)
        second = stored.get_document(c, add(c, ["one"], sha256=sha))
        assert stored.get_document(c, first.key).id == first.id
    assert len(first.id) == len(second.id) == stored.ID_LENGTH
    assert second.id != first.id


def test_a_document_is_named_by_id_prefix_path_or_title(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "a book.txt"
    with database.write() as c:
        key = add(c, ["one"], title="Les  Misérables", sources=[str(path)])
        add(c, ["two"], title="Les Fleurs du mal", sources=["https://example.org/fleurs"])
        document_id = stored.get_document(c, key).id
        relative = os.path.relpath(path)
        for name in (
            document_id,
            document_id.upper(),
            document_id[:5],
            str(path),
            relative,
            "les misérables",
            "les mis",
        ):
            assert [d.key for d in stored.find_documents(c, name)] == [key], name
        assert [d.key for d in stored.find_documents(c, "https://example.org/fleurs")] == [key + 1]
        assert len(stored.find_documents(c, "Les")) == 2
        for nothing in (document_id[:3], "", "Germinal", "a\0b"):
            assert stored.find_documents(c, nothing) == []


def test_an_exact_title_wins_over_titles_it_begins(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one"], title="Emma")
        add(c, ["two"], title="Emma, annotated")
        assert [d.key for d in stored.find_documents(c, "emma")] == [key]


def test_several_of_one_title_are_all_candidates_unless_a_later_rule_decides(database: Database) -> None:
    with database.write() as c:
        add(c, ["one"], title="Poems")
        add(c, ["two"], title="Poems")
        assert len(stored.find_documents(c, "poems")) == 2


def test_a_file_with_a_name_that_is_not_utf8_is_found_by_its_path(database: Database, tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(str(tmp_path)) + b"/caf\xe9.txt")
    with database.write() as c:
        key = add(c, ["one"], sources=[f"{tmp_path}/caf%E9.txt"])
        assert [d.key for d in stored.find_documents(c, name)] == [key]


def test_the_same_bytes_and_the_same_path_are_recognised(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one"], sha256="a" * 64, sources=["/one"])
        stored.add_source(c, key, "/two")
        stored.add_source(c, key, "/two")
        for found in (stored.by_sha256(c, "a" * 64), stored.by_source(c, "/two")):
            assert found is not None
            assert found.sources == ("/one", "/two")
        assert stored.by_sha256(c, "b" * 64) is None
        stored.remove_source(c, "/one")
        assert stored.by_source(c, "/one") is None


def test_what_a_person_edited_survives_a_new_parse_and_the_rest_follows_it(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one"])
        stored.set_metadata(c, key, title="My title", identifiers={"doi": "10/x"})
        new: Document = replace(document(["other text"], title="Parsed"), metadata=Metadata(title="P", authors=("B",)))
        stored.replace_content(c, key, new, sha256="c" * 64)
        found = stored.get_document(c, key)
    assert (found.title, found.authors, found.identifiers) == ("My title", ("B",), (("doi", "10/x"),))
    assert found.sha256 == "c" * 64


def test_edits_that_make_no_sense_are_refused(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one"])
        with pytest.raises(UsageError, match="no field 'colour'"):
            stored.set_metadata(c, key, colour="red")
        with pytest.raises(UsageError, match="needs a title"):
            stored.set_metadata(c, key, title="  ")
        with pytest.raises(UsageError, match="'!!' is not a language tag"):
            stored.set_metadata(c, key, language="!!")
        stored.set_metadata(c, key, language="zh-Hant")
        stored.set_metadata(c, key, title="half \ud83d of a pair", authors=["nul\0"])
        found = stored.get_document(c, key)
        assert (found.title, found.authors) == ("half  of a pair", ("nul",))


def test_replaced_content_takes_chunks_vectors_and_postings_of_the_old_one_with_it(database: Database) -> None:
    new = document(["four", "five", "six"])
    with database.write() as c:
        key = add(c, ["one", "two"], embedder="test")
        give_vectors(c, embedder_key(c, FINGERPRINT))
        assert stored.get_document(c, key).vectors == "ready"
        stored.replace_content(c, key, new, sha256="d" * 64)
        chunks = made_chunks(new)
        insert_chunks(c, key, chunks, postings_of(new, chunks))
        found = stored.get_document(c, key)
        assert (found.vectors, found.embedder, found.text_version) == ("pending", "test", new.text_version)
        assert [x.id for x in chunks_of(c, key)] == [3, 4, 5]
        assert c.execute("select first, chunks from lexical_segment").fetchall() == [(3, 3)]
        assert c.execute("select count(*) from vector").fetchall() == [(0,)]
        assert stored.full_text(c, key) == new.text


def test_removing_leaves_no_row_and_no_id_is_given_out_again(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one", "two"], sources=["/a"], embedder="test")
        add_members(c, create_collection(c, "shelf").key, [key])
        give_vectors(c, embedder_key(c, FINGERPRINT))
        stored.remove_document(c, key)
        for table in ("document", "source", "content", "part", "chunk", "vector", "lexical_segment", "member", "block"):
            assert c.execute(f"select count(*) from {table}").fetchall() == [(0,)], table
        again = add(c, ["one"])
        assert again > key
        assert stored.get_document(c, again).first_chunk == 3
    with database.read() as c, pytest.raises(NotFound):
        stored.get_document(c, key)


def test_another_embedder_makes_vectors_pending_again(database: Database) -> None:
    with database.write() as c:
        key = add(c, ["one"], embedder="test")
        give_vectors(c, embedder_key(c, FINGERPRINT))
        stored.set_embedder(c, key, "other")
        assert stored.get_document(c, key).vectors == "pending"
        assert c.execute("select count(*) from vector").fetchall() == [(0,)]
        stored.set_embedder(c, key, None)
        assert stored.get_document(c, key).vectors == "none"
