import gzip
from pathlib import Path

import pytest

from glossator.document.model import Document
from glossator.errors import LimitExceeded
from glossator.parse import html, parse, webpage
from glossator.parse.selection import select
from tests.data_folder import DATA, needs_data

SENTENCES = (
    "The harbour was quiet when the first boats came back with their nets, and nobody on the quay said a word.",
    "They had been out for three days, which was longer than anyone could remember, and the <b>weather</b> had turned.",
    "In the evening the lamps were lit along the wall, one after another, until the whole bay lay in a ring of light.",
    "Old people counted the masts, as they had always done, and this time the number came out right in the end.",
)
ARTICLE = "".join(f"<p>{s} {s}</p>" for s in SENTENCES)
SITE = """<!DOCTYPE html><html lang="en-GB"><head><title>The Boats | Harbour News</title>{head}</head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">All news</a></li></ul></nav>
<main><article><h1>The Boats</h1>{body}</article></main>
<aside><p>Subscribe to our newsletter for more of this.</p></aside>
<footer><p>Copyright Harbour News. All rights reserved. Terms and conditions apply to everything.</p></footer>
<script>var words = "not text";</script></body></html>"""


def read(folder: Path, body: str = ARTICLE, head: str = "", *, page: str = "", url: str | None = None) -> Document:
    path = folder / "saved page.html"
    path.write_text(page or SITE.format(body=body, head=head), "utf-8")
    return parse(path, base_url=url)


def test_the_article_is_kept_and_the_site_around_it_is_not(tmp_path: Path) -> None:
    document = read(tmp_path)
    assert [b.text for b in document.blocks] == [
        "The Boats",
        *(f"{s} {s}".replace("<b>", "").replace("</b>", "") for s in SENTENCES),
    ]
    assert [s.title for s in document.sections] == ["The Boats"]
    assert document.report.confidence == 1.0


def test_structure_is_the_pages_own(tmp_path: Path) -> None:
    body = (
        f"{ARTICLE}<h2>What they caught</h2><ul><li>Herring, {SENTENCES[0]}</li><li>Cod, {SENTENCES[2]}</li></ul>"
        f"<blockquote><p>{SENTENCES[3]}</p></blockquote>"
        "<table><tr><th>Boat</th><th>Catch</th></tr><tr><td>Maria Anna</td><td>forty barrels</td></tr></table>"
        f"<pre>boats  = 12</pre>{ARTICLE}"
    )
    kinds = [b.kind for b in read(tmp_path, body).blocks]
    assert kinds[5:12] == ["heading", "list_item", "list_item", "quotation", "table", "code", "paragraph"]


def test_text_between_line_breaks_is_found_without_its_container(tmp_path: Path) -> None:
    body = f"<div>{'<br><br>'.join(SENTENCES * 2)}<div class='share'><a href='/x'>Share this</a></div></div>"
    document = read(tmp_path, body)
    for sentence in SENTENCES:
        assert sentence.replace("<b>", "").replace("</b>", "") in document.text


def test_metadata_are_what_the_page_declares(tmp_path: Path) -> None:
    head = (
        '<meta name="author" content="Ann Fisher"><meta property="og:title" content="The Boats">'
        '<meta property="article:published_time" content="2024-05-01T10:00:00Z">'
        '<link rel="canonical" href="https://example.org/boats">'
    )
    metadata = read(tmp_path, head=head, url="https://example.org/boats?from=mail").metadata
    assert (metadata.title, metadata.authors, metadata.language) == ("The Boats", ("Ann Fisher",), "en-GB")
    assert metadata.published == "2024-05-01"
    assert metadata.identifiers == (("url", "https://example.org/boats"),)


def test_linked_data_count_and_broken_ones_do_no_harm(tmp_path: Path) -> None:
    head = (
        '<script type="application/ld+json">{broken</script><script type="application/ld+json">'
        '{"@graph":[{"@type":"Organization","name":"X"},{"@type":"NewsArticle","headline":"The Boats",'
        '"author":[{"name":"Ann"},{"name":"Ben"}],"datePublished":"2023-01-02"}]}</script>'
    )
    metadata = read(tmp_path, head=head).metadata
    assert (metadata.title, metadata.authors, metadata.published) == ("The Boats", ("Ann", "Ben"), "2023-01-02")


def test_an_author_is_not_guessed_from_the_text(tmp_path: Path) -> None:
    assert read(tmp_path, f"<p>By Somebody Else</p>{ARTICLE}").metadata.authors == ()


def test_a_short_page_is_taken_whole_but_for_its_navigation(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Short</title></head><body><nav><a href='/'>Home page</a></nav>"
        "<div>Opening hours: nine to five.</div><footer>Imprint and so on</footer></body></html>"
    )
    document = read(tmp_path, page=page)
    assert "Opening hours: nine to five." in document.text
    assert "Home page" not in document.text
    assert document.report.confidence == 1.0


def test_a_page_whose_article_cannot_be_told_is_taken_whole_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trafilatura.bare_extraction", lambda *_, **__: None)
    document = read(tmp_path)
    assert "lit along the wall" in document.text
    assert "Home" not in document.text
    assert document.report.confidence < 1.0
    assert "no main text was found" in document.report.reasons[0]


def test_a_refrain_is_not_lost(tmp_path: Path) -> None:
    refrain = "<p>And the boats came home again, as they always had.</p>"
    document = read(tmp_path, refrain.join(f"<p>{s} {s}</p>" for s in (*SENTENCES, "", *SENTENCES)))
    assert document.text.count("And the boats came home again") == 8


def test_a_page_with_no_text_has_no_confidence(tmp_path: Path) -> None:
    document = read(tmp_path, page="<html><body><script>render()</script><div id='app'></div></body></html>")
    assert document.text == ""
    assert document.report.confidence == 0.0


@pytest.mark.parametrize("declared", ['<meta charset="gbk">', ""])
def test_a_legacy_chinese_page_is_read(tmp_path: Path, declared: str) -> None:
    words = "却说那猴王领众，前行到了水帘洞前，只见那里山清水秀，果然是个好去处，众猴欢喜不尽，各自称赞不已。" * 3
    page = f"<html><head>{declared}<title>西游记</title></head><body><p>{words}</p><p>又{words}</p></body></html>"
    path = tmp_path / "a.html"
    path.write_bytes(page.encode("gbk"))
    document = parse(path)
    assert document.text == f"{words}\n\n又{words}"
    assert (document.metadata.title, document.metadata.language) == ("西游记", "zh")


def test_a_file_too_large_is_refused_by_its_size_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    with path.open("wb") as file:
        file.truncate(40 << 20)
    with pytest.raises(LimitExceeded, match="larger than 32 MB"):
        webpage.read(path)


# --- selection ------------------------------------------------------------------------------------------------------


def chosen(markup: str, *blocks: tuple[str, ...]) -> list[str]:
    root, _ = html.canonical(f'<html xmlns="{html.XHTML}"><head/><body>{markup}</body></html>')
    found = select(root[1], blocks)
    return ["".join(str(t) for t in el.itertext()) for el in found.elements]


def test_blocks_are_found_whatever_the_white_space() -> None:
    assert chosen("<p>one\n two <i>three</i></p><p>four</p>", ("one two", "three")) == ["one\n two three"]


def test_a_word_dropped_in_mid_sentence_comes_back_with_its_paragraph() -> None:
    text = "a sentence that is long enough, with <sup>a note</sup> in the middle of it all"
    assert chosen(f"<p>{text}</p>", ("a sentence that is long enough, with", "in the middle of it all")) == [
        "a sentence that is long enough, with a note in the middle of it all"
    ]


def test_words_in_another_order_are_found_where_they_stand() -> None:
    markup = "<p>before it all, quite something else</p><p>put <code>name</code> and the version there</p>"
    assert chosen(markup, (" and the version there", "put", "name")) == ["put name and the version there"]


def test_bare_text_among_blocks_is_wrapped_alone() -> None:
    markup = "<div>bare text that was chosen<br/><i>and more</i> of it<p>not this one</p>nor this</div>"
    assert chosen(markup, ("bare text that was chosen",), ("and more of it",)) == [
        "bare text that was chosenand more of it"
    ]


def test_a_short_block_far_away_is_not_found_by_accident() -> None:
    filler = "".join(f"<p>{n} something that stands in between</p>" for n in range(40))
    assert chosen(f"<p>the beginning of it</p>{filler}<p>Next</p>", ("the beginning of it",), ("Next",)) == [
        "the beginning of it"
    ]


def test_headings_right_above_chosen_text_are_chosen_and_others_are_not() -> None:
    markup = "<h1>Title</h1><h2>One</h2><p>a sentence of the text</p><h2>Related</h2><p>something else</p>"
    assert chosen(markup, ("a sentence of the text",)) == ["Title", "One", "a sentence of the text"]


def test_a_whole_container_is_one_choice() -> None:
    assert len(chosen("<div><p>one sentence here</p><p>two</p></div>", ("one sentence here",), ("two",))) == 1


def test_hidden_text_is_not_chosen() -> None:
    assert chosen("<p hidden='hidden'>a sentence that is hidden</p>", ("a sentence that is hidden",)) == []


@needs_data
def test_every_page_of_the_material_is_read(tmp_path: Path) -> None:
    assert DATA is not None
    pages = sorted((DATA / "parsing" / "html").rglob("*.html*"))
    small = [p for p in pages if p.stat().st_size < 4_000]
    assert small
    for path in small:
        copy = tmp_path / "page.html"
        copy.write_bytes(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
        assert parse(copy, format="html").report.parser.startswith("html/"), path
