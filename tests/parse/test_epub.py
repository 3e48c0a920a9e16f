from pathlib import Path

import pytest

from glossator.document.model import Document
from glossator.errors import DamagedFile, EncryptedFile, LimitExceeded
from glossator.parse import epub, parse
from glossator.parse.epub_package import identifier, language_tag, resolve
from tests.parse.books import ITEMS, METADATA, files, package, write
from tests.parse.pages import page

OBFUSCATED = """<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">
<e:EncryptedData><e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData><e:CipherReference URI="{uri}"/>
</e:CipherData></e:EncryptedData></encryption>"""
AES = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"


def read(folder: Path, changes: dict[str, str | bytes | None] | None = None) -> Document:
    return parse(write(folder / "book.epub", {**files(), **(changes or {})}))


def test_a_whole_book_is_read_with_its_metadata_contents_and_addresses(tmp_path: Path) -> None:
    doc = read(tmp_path)
    assert doc.format == "epub"
    assert doc.text == "One\n\nFirst words.\n\nLead.\n\nTwo\n\nLast words."
    assert (doc.metadata.title, doc.metadata.authors, doc.metadata.language) == ("A Book", ("Ann", "Ben"), "en")
    assert [(s.level, s.title, doc.text[s.start :][:5]) for s in doc.sections] == [
        (1, "Part", "One\n\n"),
        (2, "One", "One\n\n"),
        (2, "Two", "Two\n\n"),
    ]
    assert doc.blocks[1].anchor.base == "/6/2!/4/4"  # type: ignore[union-attr]
    assert doc.blocks[-1].anchor.base == "/6/4!/4/6"  # type: ignore[union-attr]
    assert (doc.report.confidence, doc.report.reasons, doc.report.warnings) == (1.0, (), ())
    assert doc.profile == "book"


def test_version_2_has_its_contents_in_the_ncx(tmp_path: Path) -> None:
    ncx = """<!DOCTYPE ncx PUBLIC "x" "http://example.org/ncx.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
    <navPoint><navLabel><text>One</text></navLabel><content src="one.xhtml"/>
      <navPoint><navLabel><text>Two</text></navLabel><content src="two.xhtml#s"/></navPoint></navPoint>
    <navPoint><navLabel><text>Gone</text></navLabel><content src="gone.xhtml"/></navPoint></navMap></ncx>"""
    items = (*ITEMS[:2], ("ncx", "toc.ncx", "application/x-dtbncx+xml", ""))
    opf = package(items=items, version="2.0", toc='toc="ncx"')
    doc = read(tmp_path, {"OEBPS/book.opf": opf, "OEBPS/toc.ncx": ncx, "OEBPS/nav.xhtml": None})
    assert [s.path for s in doc.sections] == [("One",), ("One", "Two")]
    assert doc.report.warnings == ("1 of 3 entries of the contents lead nowhere",)


def test_metadata_of_both_versions_is_understood(tmp_path: Path) -> None:
    metadata = """<dc:title id="s">Sub</dc:title><dc:title id="t">Main</dc:title>
    <meta refines="#t" property="title-type">main</meta><dc:language>zh_cn</dc:language>
    <dc:date opf:event="modification">2020</dc:date><dc:date opf:event="publication">1999-05-01</dc:date>
    <dc:identifier opf:scheme="ISBN">978-0-306-40615-7</dc:identifier><dc:identifier>urn:uuid:12-34</dc:identifier>
    <dc:identifier id="d">10.1000/182</dc:identifier><meta refines="#d" property="identifier-type">06</meta>"""
    found = epub.read(write(tmp_path / "b.epub", files(package=package(metadata=metadata)))).metadata
    assert found.title == "Main"
    assert found.language == "zh-CN"
    assert found.published == "1999-05-01"
    assert found.identifiers == (("isbn", "9780306406157"), ("uuid", "12-34"), ("doi", "10.1000/182"))


def test_a_language_that_is_missing_is_guessed_and_a_wrong_one_doubted(tmp_path: Path) -> None:
    words = {"OEBPS/one.xhtml": page("<p>" + "The cat was on the mat and it had a hat. " * 20 + "</p>")}
    assert read(tmp_path, {"OEBPS/book.opf": package(metadata=""), **words}).metadata.language == "en"
    doc = read(tmp_path, {"OEBPS/book.opf": package(metadata="<dc:language>fr-CA</dc:language>"), **words})
    assert doc.metadata.language == "fr-CA"
    assert doc.report.warnings == ("it says that its language is 'fr-CA', but the text looks like 'en'",)


def test_a_book_without_a_title_has_its_files_name(tmp_path: Path) -> None:
    made = write(tmp_path / "My Novel.epub", files(package=package(metadata="")))
    assert epub.read(made).metadata.title == "My Novel"


@pytest.mark.parametrize(
    ("said", "meant"),
    [("EN-us", "en-US"), ("eng", "en"), ("zh_hant_tw", "zh-Hant-TW"), ("und", None), ("English!", None), ("", None)],
)
def test_language_tags_are_put_in_order(said: str, meant: str | None) -> None:
    assert language_tag(said) == meant


@pytest.mark.parametrize(
    ("scheme", "value", "found"),
    [
        ("", "isbn:0-306-40615-2", ("isbn", "0306406152")),
        ("", "9780306406157", ("isbn", "9780306406157")),
        ("", "9780306406158", ("id", "9780306406158")),
        ("Calibre", "12", ("calibre", "12")),
        ("", "https://example.org/b", ("url", "https://example.org/b")),
    ],
)
def test_identifiers_get_a_scheme(scheme: str, value: str, found: tuple[str, str]) -> None:
    assert identifier(scheme, value) == found


def test_references_are_decoded_and_never_leave_the_archive() -> None:
    assert resolve("OEBPS", "a%20b/../c%C3%A9.xhtml#x") == "OEBPS/cé.xhtml"
    for outside in ("../../etc/passwd", "/etc/passwd", "http://example.org/x", "file:///x", "//host/x", ""):
        assert resolve("OEBPS", outside) is None, outside


# --- damaged books --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "container", [None, "", "<container", "<container><rootfile full-path='gone.opf'/></container>"]
)
def test_the_package_is_found_without_the_container(tmp_path: Path, container: str | None) -> None:
    doc = read(tmp_path, {"META-INF/container.xml": container})
    assert len(doc.sections) == 3
    assert any("found by its suffix" in w for w in doc.report.warnings)


def test_names_that_differ_in_case_or_form_are_found(tmp_path: Path) -> None:
    items = (("one", "ONE.xhtml", ITEMS[0][2], ""), ("two", "e%CC%81.xhtml", ITEMS[1][2], ""))
    doc = read(tmp_path, {"OEBPS/book.opf": package(items=items), "OEBPS/é.xhtml": page("<p>Accent.</p>")})
    assert doc.text == "One\n\nFirst words.\n\nAccent."


def test_names_written_with_their_percent_signs_are_found(tmp_path: Path) -> None:
    items = (("one", "a%20b.xhtml", ITEMS[0][2], ""), ITEMS[1])
    container = '<container><rootfile full-path="/./OEBPS/book.opf"/></container>'
    doc = read(
        tmp_path,
        {
            "META-INF/container.xml": container,
            "OEBPS/book.opf": package(items=items),
            "OEBPS/a%20b.xhtml": page("<p>Per cent.</p>"),
        },
    )
    assert doc.text.startswith("Per cent.")
    assert doc.report.warnings == ()


def test_missing_parts_are_said_and_lower_the_confidence(tmp_path: Path) -> None:
    spine = '<itemref idref="one"/><itemref idref="two"/><itemref idref="unknown"/>'
    doc = read(tmp_path, {"OEBPS/book.opf": package(spine=spine), "OEBPS/two.xhtml": None})
    assert doc.text == "One\n\nFirst words."
    assert doc.report.confidence == pytest.approx(1 / 3, abs=0.001)
    assert doc.report.reasons == ("2 of 3 parts are missing or cannot be read",)
    assert "spine item 'two': 'OEBPS/two.xhtml' is not in the archive" in doc.report.warnings


def test_a_reference_out_of_the_archive_is_not_followed(tmp_path: Path) -> None:
    items = (("one", "../../../etc/passwd", ITEMS[0][2], ""), *ITEMS[1:])
    doc = read(tmp_path, {"OEBPS/book.opf": package(items=items)})
    assert doc.text.startswith("Lead.")
    assert "spine item 'one': leads outside the archive" in doc.report.warnings


def test_parts_that_are_not_well_formed_are_read_whole(tmp_path: Path) -> None:
    doc = read(tmp_path, {"OEBPS/one.xhtml": "<html><body><p>one<p>two &nbsp; <b>three</body>"})
    assert doc.text.startswith("one\n\ntwo three\n\nLead.")
    assert doc.report.warnings == ("1 of 2 parts are not well-formed XHTML; they were read as HTML",)


def test_pictures_and_drawings_may_stand_in_the_spine(tmp_path: Path) -> None:
    items = (
        ("one", "cover.jpg", "image/jpeg", ""),
        ("two", "map.svg", "image/svg+xml", ""),
        ("three", "sheet.css", "text/css", ""),
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in ("one", "two", "three"))
    doc = read(
        tmp_path,
        {
            "OEBPS/book.opf": package(items=items, spine=spine),
            "OEBPS/cover.jpg": b"\xff\xd8",
            "OEBPS/map.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>North</text></svg>',
            "OEBPS/sheet.css": "p {}",
        },
    )
    assert doc.text == "North"
    assert doc.blocks[0].anchor.base == "/6/4!/4/2/2"  # type: ignore[union-attr]
    assert doc.report.warnings == ("spine item 'three' is of the kind 'text/css', which holds no readable text",)


def test_foreign_items_are_read_by_their_fallback_and_the_contents_follow(tmp_path: Path) -> None:
    items = (("one", "one.xml", "application/x-own", 'fallback="two"'), ITEMS[1], ITEMS[2])
    nav = page("<nav epub:type='toc'><ol><li><a href='one.xml'>Own</a></li></ol></nav>")
    opf = package(items=items, spine='<itemref idref="one"/>')
    doc = read(tmp_path, {"OEBPS/book.opf": opf, "OEBPS/one.xml": "<own/>", "OEBPS/nav.xhtml": nav})
    assert doc.text.startswith("Lead.")
    assert [s.title for s in doc.sections] == ["Own"]


def test_a_part_repeated_in_the_spine_stands_there_as_often_as_it_is_named_within_reason(tmp_path: Path) -> None:
    doc = read(tmp_path, {"OEBPS/book.opf": package(spine='<itemref idref="one"/>' * 3)})
    assert doc.text.count("First words.") == 3
    doc = read(tmp_path, {"OEBPS/book.opf": package(spine='<itemref idref="one"/>' * 1000)})
    assert doc.text.count("First words.") == 10
    assert any("repeats 'one'" in w for w in doc.report.warnings)


def test_without_a_spine_the_pages_are_read_in_the_order_of_the_manifest(tmp_path: Path) -> None:
    doc = read(tmp_path, {"OEBPS/book.opf": package(spine="")})
    assert doc.text == "One\n\nFirst words.\n\nLead.\n\nTwo\n\nLast words."


def test_a_damaged_package_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    doc = read(tmp_path, {"OEBPS/book.opf": package().replace("</metadata>", "<broken></metadata>")})
    assert "First words." in doc.text
    assert any("'OEBPS/book.opf' is damaged" in w for w in doc.report.warnings)


def test_a_book_of_pictures_has_no_confidence(tmp_path: Path) -> None:
    empty = page("<img src='a.png' alt=''/>")
    doc = read(tmp_path, {"OEBPS/one.xhtml": empty, "OEBPS/two.xhtml": empty})
    assert (doc.text, doc.report.confidence, doc.report.reasons) == ("", 0.0, ("there is no text",))


def test_an_archive_that_is_no_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match=r"b\.epub.*no package document"):
        parse(write(tmp_path / "b.epub", {"mimetype": "application/epub+zip", "a.txt": "x"}))


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    whole = write(tmp_path / "b.epub", files()).read_bytes()
    (tmp_path / "b.epub").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedFile, match=r"b\.epub"):
        parse(tmp_path / "b.epub")


# --- locked and hostile books ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("licence", "name"),
    [
        ("META-INF/rights.xml", "Adobe ADEPT"),
        ("META-INF/license.lcpl", "Readium LCP"),
        ("META-INF/sinf.xml", "Apple FairPlay"),
        ("other", AES),
    ],
)
def test_books_under_drm_are_refused_by_name(tmp_path: Path, licence: str, name: str) -> None:
    lock = OBFUSCATED.format(algorithm=AES, uri="OEBPS/one.xhtml")
    with pytest.raises(EncryptedFile, match=f"DRM.*{name}"):
        read(tmp_path, {licence: "<x/>", "META-INF/encryption.xml": lock, "OEBPS/one.xhtml": b"\x93\x01" * 99})


def test_an_encrypted_text_under_a_licence_is_refused_without_a_list_of_encrypted_files(tmp_path: Path) -> None:
    noise = bytes(range(128, 256)) * 20
    with pytest.raises(EncryptedFile, match="Apple FairPlay"):
        read(tmp_path, {"META-INF/sinf.xml": "<x/>", "OEBPS/one.xhtml": noise, "OEBPS/two.xhtml": noise})


def test_obfuscated_fonts_are_no_drm(tmp_path: Path) -> None:
    for algorithm in ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"):
        lock = OBFUSCATED.format(algorithm=algorithm, uri="OEBPS/font.otf")
        assert "First words." in read(tmp_path, {"META-INF/encryption.xml": lock, "OEBPS/font.otf": b"x"}).text


def test_a_licence_that_locks_nothing_is_only_mentioned(tmp_path: Path) -> None:
    doc = read(tmp_path, {"META-INF/rights.xml": "<x/>"})
    assert "First words." in doc.text
    assert doc.report.warnings == ("it carries a licence of Adobe ADEPT, but its text is not encrypted",)


def test_a_bomb_in_the_spine_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match=r"book\.epub.*one\.xhtml"):
        read(tmp_path, {"OEBPS/one.xhtml": b"<p>" + b" " * 30_000_000})


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    bomb = "<!DOCTYPE html [<!ENTITY a 'ha'>" + "".join(
        f"<!ENTITY {chr(98 + i)} '{f'&{chr(97 + i)};' * 10}'>" for i in range(8)
    )
    markup = f"{bomb}<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{page('<p>&i;&x;!</p>')}"
    doc = read(tmp_path, {"OEBPS/one.xhtml": markup, "OEBPS/book.opf": bomb + "]>" + package().partition("?>")[2]})
    assert doc.text.startswith("&i;&x;!")
    assert doc.metadata.title == "A Book"


def test_titles_and_labels_are_plain_text_on_one_line(tmp_path: Path) -> None:
    label = "A\n <b>bold</b><br/> <ruby>字<rt>zi</rt></ruby>"
    nav = f"<nav epub:type='toc'><ol><li><a href='one.xhtml'>{label}</a></li></ol></nav>"
    opf = package(metadata=METADATA.replace("A Book", "A\n  <i>Book</i>"))
    doc = read(tmp_path, {"OEBPS/nav.xhtml": page(nav), "OEBPS/book.opf": opf})
    assert (doc.metadata.title, doc.sections[0].title) == ("A Book", "A bold 字")
