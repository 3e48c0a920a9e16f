"""The parts of a book as they are in its file, and what they show, as far as it was read."""

from pathlib import Path

import pytest
from lxml import etree

from glossator.library.library import Library
from tests.parse import books
from tests.server.serving import Served, served

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(40)
PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{0}</title><script>alert(1)</script></head><body>'
    '<h1>{0}</h1><p onclick="x()">The <em>{0}</em> was quiet.</p><img src="pictures/{0}.png" alt="the {0}"/>'
    "</body></html>"
)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    names = ("harbour", "tower")
    items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in names)
    spine = "".join(f'<itemref idref="{n}"/>' for n in names)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Coast</dc:title><dc:language>en</dc:language>'
        f"</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    content: dict[str, str | bytes] = {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": package,
        **{f"OEBPS/{n}.xhtml": PAGE.format(n) for n in names},
        **{f"OEBPS/pictures/{n}.png": PICTURE + n.encode() for n in names},
    }
    return books.write(tmp_path / "coast.epub", content)


def test_a_part_keeps_emphasis_and_pictures_and_runs_nothing(library: Library, book: Path) -> None:
    library.add([str(book)])
    text = library.text("The Coast").text
    with served(library) as web:
        parts = web.get("/api/documents/The%20Coast/parts").json["parts"]
        assert [p["href"] for p in parts] == ["OEBPS/harbour.xhtml", "OEBPS/tower.xhtml"]
        assert "harbour" in text[parts[0]["start"] : parts[0]["end"]]
        page = web.get("/api/documents/The%20Coast/parts/1")
        root = etree.fromstring(page.body)
        assert root.xpath("//*[local-name()='em']")[0].text == "harbour"
        assert b"alert" not in page.body
        assert b"onclick" not in page.body
        assert "sandbox" in page.headers["content-security-policy"]
        at_home = web.get("/api/documents/The%20Coast/resources/OEBPS/harbour.xhtml")
        assert at_home.body == page.body
        picture = web.get("/api/documents/The%20Coast/resources/OEBPS/pictures/harbour.png")
        assert (picture.headers["content-type"], picture.body) == ("image/png", PICTURE + b"harbour")
        known = web.also(if_none_match=picture.headers["etag"])
        assert known.get("/api/documents/The%20Coast/resources/OEBPS/pictures/harbour.png").status == 304
        assert web.get("/api/documents/The%20Coast/resources/OEBPS/book.opf").status == 404
        assert web.get("/api/documents/The%20Coast/parts/3").problem["code"] == "not_found"


def test_what_is_not_read_yet_shows_neither_its_part_nor_its_pictures(library: Library, book: Path) -> None:
    library.add([str(book)])
    with served(library) as web:
        first, second = web.get("/api/documents/The%20Coast/parts").json["parts"]
        bound = {"up_to": second["start"]}
        shown = web.get("/api/documents/The%20Coast/parts", **bound).json["parts"]
        assert shown == [first, {"number": 2, "href": None, "cfi": None, "start": None, "end": None}]
        for path in ("parts/2", "resources/OEBPS/tower.xhtml", "resources/OEBPS/pictures/tower.png"):
            assert web.get(f"/api/documents/The%20Coast/{path}", **bound).status == 404
            assert web.get(f"/api/documents/The%20Coast/{path}").status == 200
        for path in ("parts/1", "resources/OEBPS/harbour.xhtml", "resources/OEBPS/pictures/harbour.png"):
            assert web.get(f"/api/documents/The%20Coast/{path}", **bound).status == 200
        assert web.get("/api/documents/The%20Coast/parts/1", up_to=3).status == 404


def test_what_a_person_reads_in_shows_its_pictures_beyond_the_bound(library: Library, book: Path) -> None:
    library.add([str(book)])
    with served(library) as web:
        places = [p["start"] for p in web.get("/api/documents/The%20Coast/parts").json["parts"]]
        web.post("/api/progress", {"doc": "The Coast", "at": places[1], "spoilers": "hide"})
        assert web.get("/api/documents/The%20Coast/resources/OEBPS/tower.xhtml").status == 404
        for path in ("tower.xhtml", "pictures/tower.png"):
            assert web.get(f"/api/documents/The%20Coast/uncapped/OEBPS/{path}").status == 200
        assert web.get("/api/documents/The%20Coast/uncapped/OEBPS/book.opf").status == 404


def test_the_places_of_a_part_lead_from_positions_to_its_elements(library: Library, book: Path) -> None:
    library.add([str(book)])
    text = library.text("The Coast").text
    with served(library) as web:
        reply = web.get("/api/documents/The%20Coast/parts/2/places")
        assert reply.json["part"] == 2
        found = [(text[b["start"] : b["end"]], b["kind"], b["steps"], b["runs"]) for b in reply.json["blocks"]]
        assert found == [
            ("tower", "heading", "/4/2", [[0, "/1", 0]]),
            ("The tower was quiet.", "paragraph", "/4/4", [[0, "/1", 0], [4, "/2/1", 0], [9, "/3", 0]]),
            ("the tower", "image", "/4/6", []),
        ]
        known = web.also(if_none_match=reply.headers["etag"])
        assert known.get("/api/documents/The%20Coast/parts/2/places").status == 304
        assert web.get("/api/documents/The%20Coast/parts/2/places", up_to=10).problem["code"] == "not_found"
        assert web.get("/api/documents/The%20Coast/parts/9/places").problem["code"] == "not_found"


def test_a_document_of_another_kind_has_parts_without_pictures(web: Served, island: str) -> None:
    parts = web.get(f"/api/documents/{island}/parts").json["parts"]
    assert parts
    assert etree.fromstring(web.get(f"/api/documents/{island}/parts/1").body).tag.endswith("html")
    assert web.get(f"/api/documents/{island}/resources/x.png").status == 404
