import pytest
from lxml import etree

from glossator.parse.html import SVG, XHTML, canonical, local_name, parse_xml, serialise
from tests.parse.pages import page


def body(markup: str | bytes) -> str:
    root, _ = canonical(markup)
    text = serialise(root).decode()
    return text[text.index("<body>") + 6 : text.rindex("</body>")]


def steps(root: etree._Element) -> list[int]:
    return [len(root), *(n for child in root for n in steps(child))]


def test_well_formed_pages_are_read_as_xml_and_others_by_the_html5_algorithm() -> None:
    assert canonical(page("<p>a</p>"))[1] == "xml"
    root, how = canonical(page("<p>one <p>two &unknown; <b>bold").replace("<title>x</title>", ""))
    assert how == "html5"
    assert "".join(root.itertext()).split() == ["one", "two", "&unknown;", "bold"]


def test_comments_instructions_cdata_and_entities_become_plain_text() -> None:
    assert body(page("a<!-- c -->b<?pi x?>c<![CDATA[&nbsp;<d>]]>&mdash;&#x65;")) == "abc&amp;nbsp;&lt;d&gt;—e"


@pytest.mark.parametrize(
    "text", ["R&D & more", "a&b; &unknown; &#12", "x?a=1&amp;b=2&c", "&lt;&NotEqualTilde;&", "a&#151;b&#x92;c &#65 d"]
)
def test_stray_ampersands_are_read_as_html5_reads_them(text: str) -> None:
    as_xml, how = canonical(page(f"<p>{text}</p>"))
    assert how == "xml"
    as_html, how = canonical(page(f"<p>{text}</p><br>"))
    assert how == "html5"
    assert next(as_xml.iter("{*}p")).text == next(as_html.iter("{*}p")).text


def test_no_element_is_nameless() -> None:
    root, how = canonical("<html><body><p>x</p></body></html>")
    assert how == "xml"
    assert {etree.QName(el).namespace for el in root.iter()} == {XHTML}


def test_a_drawing_becomes_a_page_that_holds_it() -> None:
    root, how = canonical(f'<svg xmlns="{SVG}"><text>word</text></svg>')
    assert how == "xml"
    assert [local_name(el) for el in root.iter()] == ["html", "head", "body", "svg", "text"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "windows-1252"])
def test_the_declared_encoding_is_used(encoding: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?>{page("<p>café</p>")}'.encode(encoding)
    assert body(data) == "<p>café</p>"


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">',
        '<!DOCTYPE html [<!ENTITY a "aaaa]>"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_document_types_are_cut_and_their_entities_never_expanded(doctype: str) -> None:
    assert body(doctype + page("<p>x</p>")) == "<p>x</p>"
    expanded = body(doctype + page("<p>&b;&x;</p>"))
    assert "aaaa" not in expanded
    assert "root" not in expanded


def test_what_xml_cannot_hold_is_removed_however_it_is_written() -> None:
    assert body("<p>a\x0b\x00b&#11;c&#xFFFF;d&#99999999;\x0ce") == "<p>abcd� e</p>"


def test_nothing_runs_and_nothing_moves() -> None:
    markup = page(
        '<p onclick="x()">a<script>x()</script>b<iframe src="e">f</iframe>c'
        '<object data="o">fall<b>back</b></object>d</p>'
        '<a href=" java\nscript:x()">e</a><a href="data:text/html,x">f</a>'
        '<img src="data:image/png;base64,A" ONERROR="x"/>'
        f'<svg xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink"><script>x()</script>'
        '<a xlink:href="JavaScript:x()"/><set attributeName="href" to="javascript:x()"/></svg>'
        '<form action="javascript:x()"><embed src="x"/></form><a href="ch2.xhtml#on">g</a>'
    )
    before = etree.fromstring(markup)
    root, _ = canonical(markup)
    inert = serialise(root).decode().lower()
    for word in ("x()", "script", "iframe", "object", "embed", "text/html", "onclick", "onerror"):
        assert word not in inert, word
    assert 'href="ch2.xhtml#on"' in inert
    assert "data:image/png" in inert
    assert steps(root) == steps(before)


def test_meta_refresh_and_base_lose_their_effect() -> None:
    markup = page("").replace(
        "<title>x</title>", '<base href="http://e/"/><meta http-equiv="refresh" content="0;url=x"/>'
    )
    text = serialise(canonical(markup)[0]).decode()
    assert "<base/><meta/>" in text


def test_bottomless_nesting_is_flattened_without_losing_text() -> None:
    root, _ = canonical("<div>" * 1000 + "deep" + "</div>" * 1000)
    assert "".join(root.itertext()) == "deep"
    assert etree.fromstring(serialise(root)).xpath("count(//*)") < 210


def test_serialised_pages_read_back_as_they_are() -> None:
    for markup in (
        page('<p id="a">x<br/>y</p>'),
        "<p epub:type=note>a<svg><title>t</title></svg><math><mi>x</mi></math>",
    ):
        root, _ = canonical(markup)
        again, how = canonical(serialise(root))
        assert how == "xml"
        assert serialise(again) == serialise(root)


def test_names_with_colons_keep_their_meaning_when_a_page_is_not_well_formed() -> None:
    root, how = canonical('<p epub:type="footnote" xml:lang="de">a<br><m:math><m:mi>x</m:mi></m:math>')
    assert how == "html5"
    p = next(root.iter(f"{{{XHTML}}}p"))
    assert p.get("{http://www.idpf.org/2007/ops}type") == "footnote"
    assert p.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    assert [local_name(el) for el in p.iter()] == ["p", "br", "math", "mi"]


def test_machinery_documents_are_read_strictly_or_mended_when_asked() -> None:
    assert parse_xml(b"<a><b></a>") is None
    mended = parse_xml(b"<a><b>c</a>", recover=True)
    assert mended is not None
    assert "".join(mended.itertext()) == "c"
    declared = parse_xml(b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')
    assert declared is not None
    assert declared.text == "&x;"
