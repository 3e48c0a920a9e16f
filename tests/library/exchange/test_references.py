"""Metadata from Calibre, BibTeX and CSL-JSON: which document it is of, and what it may change."""

import json
from pathlib import Path

import pytest

from glossator.errors import DamagedFile
from glossator.library.exchange.bibtex_entries import entries_of
from glossator.library.exchange.bibtex_reader import plain_text, reference_of_entry
from glossator.library.library import Library
from glossator.store.database import Database
from tests.library import books

OPF = """<?xml version='1.0' encoding='utf-8'?>
<package xmlns="http://www.idpf.org/2007/opf" unique-identifier="uuid_id" version="2.0">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
    <dc:identifier opf:scheme="calibre" id="calibre_id">42</dc:identifier>
    <dc:identifier opf:scheme="ISBN">978-3-16-148410-0</dc:identifier>
    <dc:title>The Island of Lanterns</dc:title>
    <dc:creator opf:file-as="Author, Ann" opf:role="aut">Ann Author</dc:creator>
    <dc:creator opf:role="bkp">calibre (6.0)</dc:creator>
    <dc:date>0101-01-01T00:00:00+00:00</dc:date>
    <dc:language>eng</dc:language>
    <dc:publisher>Sea Press</dc:publisher>
    <dc:subject>Sea</dc:subject><dc:subject>Fiction</dc:subject>
    <meta name="calibre:series" content="Northern Tales"/><meta name="calibre:series_index" content="2"/>
  </metadata>
</package>
"""


def facts(library: Library, doc: str) -> tuple[str, tuple[str, ...], str | None, str | None, dict[str, str]]:
    metadata = library.show(doc).to_json()["metadata"]
    return (
        metadata["title"],
        tuple(metadata["authors"]),
        metadata["language"],
        metadata["published"],
        metadata["identifiers"],
    )


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


# --- OPF ------------------------------------------------------------------------------------------------------------


def test_a_metadata_file_beside_a_book_is_read_when_the_book_is_added(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "calibre"
    write(folder / "metadata.opf", OPF)
    library.add([str(books.island(folder))])
    title, authors, language, published, identifiers = facts(library, "The Island")
    assert (title, authors, language, published) == ("The Island of Lanterns", ("Ann Author",), "en", None)
    assert identifiers["isbn"] == "9783161484100"
    entry = library.documents().to_json()["documents"][0]
    assert entry["tags"] == ["Fiction", "Sea"]


def test_a_metadata_file_in_a_folder_of_several_books_is_of_none(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    write(folder / "metadata.opf", OPF)
    library.add([str(books.island(folder)), str(books.stone(folder))])
    assert {d["title"] for d in library.documents().to_json()["documents"]} == {"The Island", "石猴记"}


def test_a_broken_metadata_file_does_not_stop_the_book(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "calibre"
    write(folder / "metadata.opf", OPF[:300])
    assert library.add([str(books.island(folder))]).documents[0].status == "added"
    with pytest.raises(DamagedFile, match=r"metadata\.opf"):
        library.exchange.load(folder / "metadata.opf")


def test_a_metadata_file_can_be_imported_later(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "calibre"
    folder.mkdir()
    library.add([str(books.island(folder))])
    write(folder / "metadata.opf", OPF)
    assert library.exchange.load(folder / "metadata.opf").documents == (1, 0, 0)
    assert facts(library, "The Island of")[0] == "The Island of Lanterns"
    assert library.exchange.load(folder / "metadata.opf").documents == (0, 1, 0)


def test_what_a_person_corrected_stays_and_what_was_imported_follows(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "calibre"
    write(folder / "metadata.opf", OPF)
    library.add([str(books.island(folder))])
    library.edit("The Island", authors=["A. N. Author"])
    write(folder / "metadata.opf", OPF.replace("of Lanterns", "of Storms").replace("Ann Author<", "Someone Else<"))
    library.exchange.load(folder / "metadata.opf")
    assert facts(library, "The Island")[:2] == ("The Island of Storms", ("A. N. Author",))


def test_a_changed_book_keeps_what_was_imported(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "calibre"
    write(folder / "metadata.opf", OPF)
    library.add([str(books.island(folder))])
    library.add([str(books.island(folder, books.ISLAND + "\n\nOne line more.\n"))])
    assert facts(library, "The Island")[0] == "The Island of Lanterns"


# --- BibTeX ---------------------------------------------------------------------------------------------------------

BIB = r"""
% a comment line
@comment{jabref-meta: grouping:{nested;}}
@preamble{ "\newcommand{\x}{y}" }
@string{acm = "ACM Press"}
@article{doe2020,
  author = {Doe, Jane and M{\"u}ller, Hans and {The Sea Group}},
  title = {{The Island}},
  journal = "Journal of " # acm,
  year = 2020, volume = 7, pages = {1--9},
  doi = {https://doi.org/10.1234/Island.1},
  keywords = {sea; storms},
  langid = {english},
}
@book(monkey, title = {石猴记}, author = {吴承恩}, year = {1592})
@misc{nowhere, title = {A Work That Is Not Here}}
"""


def test_bibtex_is_matched_by_title_and_fills_what_is_known(shelf: Library, tmp_path: Path) -> None:
    result = shelf.exchange.load(write(tmp_path / "refs.bib", BIB))
    assert result.documents == (2, 0, 1)
    assert [(p.line, "nowhere" in p.message) for p in result.problems] == [(16, True)]
    assert facts(shelf, "The Island") == (
        "The Island",
        ("Jane Doe", "Hans Müller", "The Sea Group"),
        "en",
        "2020",
        {"doi": "10.1234/island.1"},
    )
    assert facts(shelf, "石猴记")[1:4] == (("吴承恩",), "zh", "1592")
    assert shelf.exchange.load(tmp_path / "refs.bib").documents == (0, 2, 1)
    entry = next(d for d in shelf.documents().to_json()["documents"] if d["title"] == "The Island")
    assert entry["tags"] == ["sea", "storms"]


def test_an_imported_work_is_cited_with_its_journal(shelf: Library, island: str, tmp_path: Path) -> None:
    shelf.exchange.load(write(tmp_path / "refs.bib", BIB))
    shelf.notes.add(island, quote="green wax")
    (entry,) = entries_of(shelf.exchange.export("bibtex").content or "", "out.bib")
    assert (entry.kind, entry.key) == ("article", "Doe2020Island")
    assert (entry.fields["journal"], entry.fields["volume"], entry.fields["doi"]) == (
        "Journal of ACM Press",
        "7",
        "10.1234/island.1",
    )


@pytest.mark.parametrize(
    "file",
    [
        "island.md",
        ":island.md:MD",
        "Full Text:../x/island.md:text/markdown",
        r"C\:/Users/x/island.md",
        "a.pdf;island.md",
    ],
)
def test_bibtex_is_matched_by_the_file_that_it_names(library: Library, tmp_path: Path, file: str) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    library.add([str(books.island(folder))])
    bib = write(folder / "r.bib", "@book{k, title={Another Title Altogether}, file={" + file + "}}")
    assert library.exchange.load(bib).documents == (1, 0, 0)
    assert facts(library, "Another")[0] == "Another Title Altogether"


def test_of_two_works_with_one_title_author_or_year_decides(shelf: Library, island: str, tmp_path: Path) -> None:
    shelf.edit(island, authors=["Ann Author"], published="1871")
    other = "@book{a, title={The Island}, author={Nobody Known}, year={1999}, publisher={P}}"
    assert shelf.exchange.load(write(tmp_path / "r.bib", other)).documents == (0, 0, 1)
    volume = "@book{a, title={The Island: A Tale}, author={Author, Bob}, year={1871}, publisher={P}}"
    assert shelf.exchange.load(write(tmp_path / "r.bib", volume)).documents == (0, 0, 1)
    same = "@book{a, title={The Island: A Tale}, author={Author, A.}, year={1871}, publisher={P}}"
    assert shelf.exchange.load(write(tmp_path / "r.bib", same)).documents == (1, 0, 0)


@pytest.mark.parametrize(
    "broken",
    ["@book{a, title={The Island", "@book{a, title={The Island}", '@book{a, title="x}', "@book{a, title}", "@book{a"],
)
def test_a_broken_entry_is_named_by_its_line_and_nothing_is_changed(
    shelf: Library, tmp_path: Path, broken: str
) -> None:
    path = write(tmp_path / "r.bib", "@book{b, title={石猴记}, author={吴承恩}}\n\n" + broken)
    with pytest.raises(DamagedFile, match="line 3"):
        shelf.exchange.load(path)
    assert facts(shelf, "石猴记")[1] == ()


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"M{\"u}ller", "Müller"),
        (r"M\"uller", "Müller"),
        (r"{\'E}douard", "Édouard"),
        (r"\'{\i}", "í"),
        (r"Erd{\H o}s and Erd\H{o}s", "Erdős and Erdős"),
        (r"\v{C}apek, \c{c}a, {\o}re, \L{}ód\'z, Stra{\ss}e", "Čapek, ça, øre, Łódź, Straße"),
        (r"{\AA}ngstr\"om \& Sons", "Ångström & Sons"),
        (r"pages 1--9 --- and ``quoted''", "pages 1–9 — and “quoted”"),
        (r"The {IEEE} \emph{Big} \textbf{Book} of $x^2$", "The IEEE Big Book of x^2"),
        (r"a~b\_c\%", "a b_c%"),
    ],
)
def test_tex_becomes_text(tex: str, text: str) -> None:
    assert plain_text(tex) == text


def test_names_are_put_in_their_spoken_order() -> None:
    names = "Knuth, Donald E. and {Barnes and Noble} and von Neumann, Jr., John and Ludwig van Beethoven and others"
    (entry,) = entries_of("@misc{k, author={" + names + "}}", "f")
    assert reference_of_entry(entry, Path()).authors == (
        "Donald E. Knuth",
        "Barnes and Noble",
        "John von Neumann Jr.",
        "Ludwig van Beethoven",
    )


# --- CSL-JSON -------------------------------------------------------------------------------------------------------


def test_csl_is_matched_by_doi_or_isbn_in_any_form(shelf: Library, island: str, tmp_path: Path) -> None:
    shelf.exchange.load(write(tmp_path / "r.bib", "@book{k, title={The Island}, isbn={0-306-40615-2}}"))
    item = {
        "id": "x",
        "type": "book",
        "title": "The Island, Second Edition",
        "author": [{"family": "Author", "given": "Ann"}, {"literal": "The Sea Group"}],
        "issued": {"date-parts": [[2021, 3]]},
        "ISBN": "978-0-306-40615-7",
        "language": "en-GB",
        "publisher": "Sea Press",
        "number-of-pages": 12,
    }
    path = write(tmp_path / "r.json", json.dumps([item, {"id": "y", "type": "book", "title": "Not Here"}]))
    result = shelf.exchange.load(path)
    assert result.documents == (1, 0, 1)
    assert facts(shelf, island)[:4] == (
        "The Island, Second Edition",
        ("Ann Author", "The Sea Group"),
        "en-GB",
        "2021-03",
    )


def test_facts_without_a_column_are_kept(shelf: Library, tmp_path: Path) -> None:
    item = {"type": "article-journal", "title": "The Island", "container-title": "J", "page": "1-9", "custom": {"a": 1}}
    shelf.exchange.load(write(tmp_path / "r.json", json.dumps([item])))
    exported = json.loads(shelf.exchange.export("json").content or "")
    (document,) = exported["documents"]
    assert document["details"]["container-title"] == "J"
    assert document["details"]["custom"] == {"a": 1}
    assert isinstance(shelf.database, Database)
