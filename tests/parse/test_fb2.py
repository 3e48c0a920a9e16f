import zipfile
from pathlib import Path

import pytest

from glossator.document.model import Document
from glossator.errors import DamagedFile
from glossator.parse import fb2, parse
from tests.data_folder import DATA, needs_data

INFO = """<title-info><author><first-name>Лев</first-name><last-name>Толстой</last-name></author>
<author><nickname>Редактор</nickname></author><book-title>Война и мир</book-title><lang>ru</lang>
<date value="1869-01-01">1869</date></title-info><document-info><id>abc</id></document-info>
<publish-info><year>1983</year><isbn>5-1</isbn></publish-info>"""


def book(body: str, *, info: str = INFO, more: str = "", encoding: str = "utf-8") -> bytes:
    return (
        f'<?xml version="1.0" encoding="{encoding}"?><FictionBook '
        'xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">'
        f"<description>{info}</description><body>{body}</body>{more}</FictionBook>"
    ).encode(encoding)


def read(folder: Path, data: bytes, name: str = "a.fb2") -> Document:
    path = folder / name
    path.write_bytes(data)
    return parse(path)


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(b.kind, b.text) for b in document.blocks]


def test_sections_nest_as_in_the_file_and_the_books_title_is_none(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        book(
            "<title><p>Война и мир</p></title><section><title><p>Том</p><p>первый</p></title>"
            "<section><title><p>Часть 1</p></title><p>Текст.</p></section>"
            "<section><title><p>Часть 2</p></title><p>Ещё.</p></section></section>"
            "<section><p>Без заглавия.</p></section>"
        ),
    )
    assert [(s.level, s.path) for s in document.sections] == [
        (1, ("Том первый",)),
        (2, ("Том первый", "Часть 1")),
        (2, ("Том первый", "Часть 2")),
    ]
    assert document.text.startswith("Война и мир\n\nТом\nпервый\n\nЧасть 1")


def test_metadata_are_those_of_the_title_info(tmp_path: Path) -> None:
    metadata = read(tmp_path, book("<section><p>x</p></section>")).metadata
    assert (metadata.title, metadata.authors) == ("Война и мир", ("Лев Толстой", "Редактор"))
    assert (metadata.language, metadata.published) == ("ru", "1983")
    assert metadata.identifiers == (("isbn", "5-1"), ("fb2", "abc"))


def test_notes_follow_the_section_that_calls_them_with_their_number(tmp_path: Path) -> None:
    notes = '<body name="notes"><section id="n1"><title><p>1</p></title><p>A note.</p></section></body>'
    document = read(
        tmp_path,
        book(
            '<section><title><p>One</p></title><p>Text<a l:href="#n1" type="note">[1]</a>.</p></section>'
            "<section><title><p>Two</p></title><p>More.</p></section>",
            more=notes,
        ),
    )
    assert blocks(document)[1:4] == [("paragraph", "Text[1]."), ("footnote", "1 A note."), ("heading", "Two")]


def test_poems_quotations_tables_and_pictures_keep_their_kind(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        book(
            "<section><epigraph><p>Motto.</p><text-author>Ann</text-author></epigraph>"
            "<poem><title><p>Song</p></title><stanza><v>one</v><v>two</v></stanza></poem>"
            "<cite><p>Quoted.</p></cite><subtitle>* * *</subtitle><subtitle>Later</subtitle><empty-line/>"
            "<table><tr><th>a</th><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
            '<image l:href="#i" alt="A map"/><code>x  = 1</code></section>'
        ),
    )
    assert blocks(document) == [
        ("quotation", "Motto."),
        ("quotation", "Ann"),
        ("paragraph", "Song"),
        ("paragraph", "one\ntwo"),
        ("quotation", "Quoted."),
        ("paragraph", "* * *"),
        ("heading", "Later"),
        ("table", "a\tb\nc\td"),
        ("image", "A map"),
        ("code", "x  = 1"),
    ]


@pytest.mark.parametrize("encoding", ["windows-1251", "koi8-r", "utf-16"])
def test_the_declared_encoding_is_used(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path, book("<section><p>Привет</p></section>", encoding=encoding)).text == "Привет"


def test_a_zipped_book_is_read_and_two_in_one_archive_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.fb2.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("war.fb2", book("<section><p>Текст</p></section>"))
    assert parse(path).text == "Текст"
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("peace.fb2", "x")
    with pytest.raises(DamagedFile, match="2 FictionBook files"):
        fb2.read(path)


def test_common_faults_are_repaired_without_loss(tmp_path: Path) -> None:
    document = read(tmp_path, book("<section><p>Q&A&nbsp;&mdash; R&amp;D &#160;\x01</p></section>"))
    assert document.text == "Q&A — R&D"
    assert document.report.confidence == 1.0


def test_a_broken_file_is_read_as_far_as_it_goes_and_says_so(tmp_path: Path) -> None:
    document = read(tmp_path, book("<section><p>One.</p><p>Two <b>bold</p></section><section><p>Three.</p></section>"))
    assert "One." in document.text
    assert "Two" in document.text
    assert document.report.confidence < 1.0
    assert "not well-formed" in document.report.reasons[0]


def test_pictures_in_base64_cost_nothing(tmp_path: Path) -> None:
    binary = f'<binary id="i" content-type="image/png">{"A" * (11 << 20)}</binary>'
    assert read(tmp_path, book("<section><p>Text</p></section>", more=binary)).text == "Text"


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    data = book("<section><p>a&x;b</p></section>").replace(
        b"?>", b'?><!DOCTYPE FictionBook [<!ENTITY x SYSTEM "file:///etc/passwd">]>', 1
    )
    assert "root:" not in read(tmp_path, data).text


def test_other_xml_is_no_book(tmp_path: Path) -> None:
    (tmp_path / "a.fb2").write_bytes(b"<?xml version='1.0'?><other/>")
    with pytest.raises(DamagedFile, match=r"a\.fb2"):
        fb2.read(tmp_path / "a.fb2")


@needs_data
def test_every_book_of_the_material_is_read() -> None:
    assert DATA is not None
    for path in sorted((DATA / "parsing" / "ebook-other").glob("*.fb2")):
        assert parse(path).report.confidence == 1.0, path
