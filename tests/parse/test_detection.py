import zipfile
from pathlib import Path

import pytest

from glossator.errors import DamagedFile, NotFound, SourceError, UnsupportedFormat
from glossator.parse import detect, parse
from tests.parse.books import files, write


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.txt", b"plain words", "text"),
        ("a", b"plain words", "text"),
        ("a.md", b"# Title", "markdown"),
        ("a.html", b"<p>no head</p>", "html"),
        ("a.txt", b"<!DOCTYPE html><html>", "html"),
        ("a.txt", b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x -->\n<html xmlns='x'>", "html"),
        ("a.txt", '<?xml version="1.0"?><FictionBook xmlns="x">'.encode("utf-16"), "fb2"),
        ("a.txt", b"%PDF-1.7\n", "pdf"),
        ("a.epub", b"junk before %PDF-1.4", "pdf"),
        ("a.txt", "naïve".encode("utf-16-le"), "text"),
        ("a.txt", "naïve".encode("utf-32-be"), "text"),
        ("a.txt", "说明".encode("gb18030"), "text"),
        ("a.txt", ("한국어 " * 50).encode("iso2022_kr"), "text"),
        ("a.txt", b"page one\fpage two\x1a", "text"),
    ],
)
def test_content_tells_the_format_and_the_name_only_among_texts(
    tmp_path: Path, name: str, data: bytes, format: str
) -> None:
    assert detect(written(tmp_path, name, data)) == format


def test_archives_are_told_by_what_is_in_them(tmp_path: Path) -> None:
    assert detect(write(tmp_path / "a.zip", files())) == "epub"
    assert detect(write(tmp_path / "b.epub", {"word/document.xml": "<x/>", "[Content_Types].xml": ""})) == "docx"
    assert detect(write(tmp_path / "c.zip", {"book.fb2": "<FictionBook/>"})) == "fb2"
    assert detect(write(tmp_path / "d.zip", {"x/book.opf": "<package/>"})) == "epub"


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office"),
        ("a.txt", b"\x89PNG\r\n", "image"),
        ("a.mobi", b"\0" * 60 + b"BOOKMOBI" + b"\0" * 99, "MOBI"),
        ("a.gz", b"\x1f\x8b\x08", "gzip"),
        ("a.bin", bytes(range(1, 32)) * 20, "neither text nor"),
        ("a.bin", b"\0\1\2\3words", "neither text nor"),
    ],
)
def test_other_kinds_are_refused_by_name_with_a_way_out(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    with pytest.raises(UnsupportedFormat, match=f"{name}.*{kind}") as caught:
        detect(written(tmp_path, name, data))
    assert caught.value.hint


@pytest.mark.parametrize(
    ("entry", "kind"),
    [("mimetype", "OpenDocument"), ("xl/workbook.xml", "spreadsheet"), ("ppt/presentation.xml", "presentation")],
)
def test_other_office_files_are_refused_by_name(tmp_path: Path, entry: str, kind: str) -> None:
    with pytest.raises(UnsupportedFormat, match=kind):
        detect(write(tmp_path / "a.zip", {entry: "application/vnd.oasis.opendocument.text"}))


def test_files_that_are_not_there_empty_or_wrongly_named_are_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"gone\.txt"):
        detect(tmp_path / "gone.txt")
    with pytest.raises(DamagedFile, match="empty"):
        detect(written(tmp_path, "a.txt", b""))
    with pytest.raises(DamagedFile, match=r"a\.pdf.*its name says pdf"):
        detect(written(tmp_path, "a.pdf", b"hello"))
    with pytest.raises(DamagedFile, match=r"b\.epub.*archive"):
        detect(written(tmp_path, "b.epub", b"PK\x03\x04" + b"x" * 99))
    with pytest.raises(SourceError):
        detect(tmp_path)


def test_an_empty_archive_named_as_a_book_is_damaged(tmp_path: Path) -> None:
    zipfile.ZipFile(tmp_path / "a.epub", "w").close()
    with pytest.raises(DamagedFile, match=r"a\.epub"):
        parse(tmp_path / "a.epub")


def test_a_format_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat, match="'mobi'"):
        parse(written(tmp_path, "a.txt", b"x"), format="mobi")
