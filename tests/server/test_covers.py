"""Covers: which picture a document is known by, and that it is found once."""

import struct
import zlib
from pathlib import Path

import pytest

from glossator.library.library import Library
from glossator.parse import worker
from glossator.parse.pdf.picture import png
from tests.parse import books
from tests.parse.pages import page
from tests.parse.pdf.make import Page, Pdf, Text
from tests.server.serving import Served, served

RED, BLUE = png(b"\xff\0\0" * 6, 2, 3), png(b"\0\0\xff" * 6, 2, 3)
PICTURE = '<item id="c" href="front.png" media-type="image/png" {}/>'


def book(path: Path, *, item: str = "", metadata: str = "", one: str = "", guide: str = "") -> Path:
    package = books.package(metadata=books.METADATA + metadata).replace("</manifest>", f"{item}</manifest>")
    content = books.files(package=package.replace("</spine>", f"</spine>{guide}"))
    pictures = {"OEBPS/front.png": RED, "OEBPS/other.png": BLUE}
    return books.write(path, {**content, "OEBPS/one.xhtml": page(f"<p>First words.</p>{one}"), **pictures})


def cover_of(library: Library, path: Path) -> "tuple[int, str, bytes]":
    (added,) = library.add([str(path)]).documents
    with served(library) as web:
        reply = web.get(f"/api/documents/{added.id}/cover")
        return reply.status, reply.headers["content-type"], reply.body


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"item": PICTURE.format('properties="cover-image"')}, RED),
        ({"item": PICTURE.format(""), "metadata": '<meta name="cover" content="c"/>'}, RED),
        ({"metadata": '<meta name="cover" content="front.png"/>'}, RED),
        ({"guide": '<guide><reference type="cover" href="one.xhtml"/></guide>', "one": '<img src="other.png"/>'}, BLUE),
        ({"one": '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink">'
                 '<image x:href="other.png"/></svg>'}, BLUE),
        ({"item": PICTURE.replace("front", "gone").format('properties="cover-image"'),
          "one": '<img src="front.png"/>'}, RED),
    ],
    ids=["property", "meta", "meta with a path", "guide", "drawing", "a cover that is not there"],
)  # fmt: skip
def test_the_cover_of_a_book_is_what_it_says_else_its_first_picture(
    library: Library, tmp_path: Path, given: dict[str, str], found: bytes
) -> None:
    assert cover_of(library, book(tmp_path / "b.epub", **given)) == (200, "image/png", found)


def test_the_cover_of_a_pdf_is_its_first_page_drawn_small(library: Library, tmp_path: Path) -> None:
    path = Pdf([Page([Text(72, 700, "A tall tower.", 40)])]).write(tmp_path / "a.pdf")
    status, kind, data = cover_of(library, path)
    assert (status, kind) == (200, "image/png")
    width, height = struct.unpack(">II", data[16:24])
    assert height == 400
    assert 250 < width < 350
    rows = zlib.decompress(data[data.index(b"IDAT") + 4 : -16])
    assert len(rows) == height * (1 + 3 * width)
    assert len(set(rows)) > 10  # something is drawn on it


def test_what_has_no_cover_says_so_and_is_not_looked_at_again(
    web: Served, island: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert web.get(f"/api/documents/{island}/cover").problem["code"] == "not_found"
    (added,) = web.library.add([str(book(tmp_path / "b.epub", one='<img src="front.png"/>'))]).documents
    first = web.get(f"/api/documents/{added.id}/cover")
    assert first.headers["content-security-policy"].endswith("sandbox")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("it was found before")

    monkeypatch.setattr(worker.Pool, "cover", refuse)
    assert web.get(f"/api/documents/{added.id}/cover").body == first.body
    assert web.also(if_none_match=first.headers["etag"]).get(f"/api/documents/{added.id}/cover").status == 304
    assert web.get(f"/api/documents/{island}/cover").status == 404
    assert web.get("/api/documents/nobody/cover").status == 404


def test_a_picture_that_is_none_or_too_large_is_no_cover(library: Library, tmp_path: Path) -> None:
    large = b"\x89PNG\r\n\x1a\n" + bytes(3 << 20)
    item = PICTURE.format('properties="cover-image"')
    for data in (large, b"<svg onload='x()'/>", b"GIF", b""):
        path = book(tmp_path / f"{len(data)}.epub", item=item)
        broken = {**books.files(package=books.package().replace("</manifest>", f"{item}</manifest>"))}
        books.write(path, {**broken, "OEBPS/front.png": data})
        assert cover_of(library, path)[0] == 404
