from dataclasses import replace

from glossator.document.cfi import range_cfi
from glossator.document.model import BREAK, DomAnchor
from glossator.parse.blocks import document_of
from glossator.parse.publication import NavPoint
from tests.parse.pages import document, publication, shapes


def test_every_kind_of_block_is_told_apart() -> None:
    doc = document(
        """<h1>Title</h1><p>Text</p><ul><li>a<ol><li>b</li></ol></li></ul><dl><dt>t</dt><dd>d</dd></dl>
        <blockquote><p>said</p></blockquote><pre>x  y</pre>
        <figure><img alt="a cat" src="c"/><figcaption>Fig</figcaption>
        </figure><table><tr><td>1</td><td>2</td></tr></table>
        <math xmlns="http://www.w3.org/1998/Math/MathML" display="block" alttext="x^2"><mi>x</mi></math>"""
    )
    assert shapes(doc) == [
        ("heading", "Title"),
        ("paragraph", "Text"),
        ("list_item", "a"),
        ("list_item", "b"),
        ("list_item", "t"),
        ("list_item", "d"),
        ("quotation", "said"),
        ("code", "x  y"),
        ("image", "a cat"),
        ("caption", "Fig"),
        ("table", "1\t2"),
        ("formula", "x^2"),
    ]
    assert [b.level for b in doc.blocks[:4]] == [1, None, 1, 2]


def test_positions_address_the_canonical_text() -> None:
    doc = document("<p>one</p>two<p>three</p>")
    assert doc.text == BREAK.join(["one", "two", "three"])
    for block in doc.blocks:
        assert doc.text[block.start : block.end] == block.text


def test_bare_text_between_blocks_is_a_paragraph_and_stands_in_its_place() -> None:
    doc = document("before<div>in <i>side</i><p>para</p>after</div>last")
    assert [b.text for b in doc.blocks] == ["before", "in side", "para", "after", "last"]


def test_inline_elements_around_blocks_lose_nothing() -> None:
    doc = document("<a href='x'>lead<p>one</p>middle<div>two</div></a> end")
    assert [b.text for b in doc.blocks] == ["lead", "one", "middle", "two", "end"]


def test_white_space_is_reduced_and_line_breaks_are_kept() -> None:
    doc = document("<p>  a \n\t b <br/>  c<br/></p><p><br/>d</p>")
    assert [b.text for b in doc.blocks] == ["a b\nc", "d"]


def test_two_line_breaks_part_paragraphs() -> None:
    doc = document("<div>one<br/>still<br/> <br/>two<br/><br/><br/>three</div>")
    assert [b.text for b in doc.blocks] == ["one\nstill", "two", "three"]


def test_code_keeps_its_white_space_but_no_blank_lines_around_it() -> None:
    doc = document("<pre>\n\n  if x:\n\n      y\t z  \n</pre>")
    assert shapes(doc) == [("code", "  if x:\n\n      y\t z")]


def test_what_is_not_shown_is_no_text() -> None:
    doc = document(
        "<p>a<script>s</script><style>t</style><template>u</template></p><p hidden='hidden'>v</p>"
        "<p style='color:red; display : none'>w</p><noscript>x</noscript><video>no video</video>"
        "<p>b<span epub:type='pagebreak' id='p1'>12</span>c</p>"
    )
    assert [b.text for b in doc.blocks] == ["a", "bc"]


def test_ruby_readings_stand_after_their_base_as_in_the_source() -> None:
    assert document("<p><ruby>草枕<rt>くさまくら</rt></ruby>だ</p>").text == "草枕くさまくらだ"


def test_a_picture_in_a_sentence_does_not_cut_it() -> None:
    assert shapes(document("<p>one <img alt=' the  sign '/> two</p><p><img alt=''/><img/>x</p>")) == [
        ("paragraph", "one two"),
        ("image", "the sign"),
        ("paragraph", "x"),
    ]


def test_drawings_give_their_title_and_their_words() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><title>A map</title><g><text>North</text></g><text>South</text></svg>'
    )
    assert shapes(document(f"<p>see {svg} there</p>")) == [
        ("paragraph", "see"),
        ("image", "A map"),
        ("paragraph", "North"),
        ("paragraph", "South"),
        ("paragraph", "there"),
    ]


def test_formulas_in_a_sentence_are_part_of_it() -> None:
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>x</mi><annotation>\\x</annotation></semantics></math>'
    assert shapes(document(f"<p>let {math} be</p><p>{math}</p>")) == [("paragraph", "let x be"), ("formula", "x")]


def test_tables_keep_rows_and_cells_with_spans() -> None:
    doc = document(
        """<table><caption>Cap</caption><thead><tr><th rowspan="2">Name</th>
        <th colspan="2">Years <i>of</i><br/>war</th></tr>
        <tr><th>from</th><th>to</th></tr></thead><tbody>
        <tr><td>A</td><td><p>1</p><p>2</p></td><td/></tr></tbody></table>"""
    )
    caption, table = doc.blocks
    assert (caption.kind, caption.text) == ("caption", "Cap")
    assert table.rows == (("Name", "Years of war", ""), ("", "from", "to"), ("A", "1 2", ""))
    assert table.text == "Name\tYears of war\t\n\tfrom\tto\nA\t1 2\t"


def test_spans_made_to_fill_the_memory_are_ignored() -> None:
    cell = '<td colspan="1000" rowspan="60000">x</td>'
    doc = document(f"<table>{f'<tr>{cell * 5}</tr>' * 50}</table>")
    assert doc.blocks[0].rows == (("x",) * 5,) * 50


def test_tables_that_only_place_things_are_read_as_their_content() -> None:
    inner = "<table><tr><td>1</td><td>2</td></tr></table>"
    doc = document(f"<table><tr><td><h2>Head</h2><p>Text</p></td><td>{inner}</td></tr></table>")
    assert shapes(doc) == [("heading", "Head"), ("paragraph", "Text"), ("table", "1\t2")]


def test_text_in_a_table_outside_its_cells_is_not_lost() -> None:
    doc = document("<table>stray<tr>odd<td>1</td><td>2</td></tr></table>")
    assert sorted(b.text for b in doc.blocks) == ["1\t2", "stray\nodd"]


def test_anchors_lead_over_comments_and_empty_page_breaks() -> None:
    doc = document("<p><span id='pg1' epub:type='pagebreak'/>One<!-- x --> two <em>three</em></p>")
    block = doc.blocks[0]
    assert isinstance(block.anchor, DomAnchor)
    assert block.anchor.base == "/6/2!/4/2"
    assert [(r.start, r.steps, r.offset) for r in block.anchor.runs] == [(0, "/3", 0), (8, "/4/1", 0)]
    assert range_cfi(block, 4, block, 13) == "epubcfi(/6/2!/4/2,/3:4,/4/1:5)"


def test_offsets_count_utf16_units() -> None:
    block = document("<p>😀  𠀀b <i>c</i></p>").blocks[0]
    assert block.text == "😀 𠀀b c"
    assert isinstance(block.anchor, DomAnchor)
    assert [(r.start, r.steps, r.offset) for r in block.anchor.runs] == [(0, "/1", 0), (2, "/1", 4), (5, "/2/1", 0)]


# --- notes ----------------------------------------------------------------------------------------------------------

NOTED = (
    "<h1>One</h1><p>a<a href='#n1' epub:type='noteref'>1</a></p><aside id='n1' epub:type='footnote'><p>note</p></aside>"
    "<p>b</p><h1>Two</h1><p>c</p>"
)


def test_footnotes_stand_at_the_end_of_the_section_that_calls_them() -> None:
    doc = document(NOTED)
    assert [b.text for b in doc.blocks] == ["One", "a1", "b", "note", "Two", "c"]
    assert doc.blocks[3].kind == "footnote"
    one, two = doc.sections
    assert doc.text[one.start : one.end].rstrip().endswith("note")
    assert doc.text[two.start : two.end] == "Two\n\nc"


def test_notes_kept_at_the_end_of_the_publication_come_to_their_callers_in_the_order_of_the_calls() -> None:
    doc = document(
        "<h1>One</h1><p>a<a href='p2.xhtml#n2'>*</a> b<a href='p2.xhtml#n1'>+</a></p><h1>Two</h1><p>c</p>",
        "<div class='footnotes'><ul><li id='n1'>first</li>"
        "<li id='n2'>second <a href='p1.xhtml'>back</a></li></ul></div>",
    )
    assert [b.text for b in doc.blocks] == ["One", "a* b+", "first", "second back", "Two", "c"]


def test_hidden_notes_are_text_for_reading_systems_show_them_in_pop_ups() -> None:
    doc = document("<p>a<a href='#n'>1</a></p><aside hidden='' role='doc-footnote' id='n'>note</aside>")
    assert [b.text for b in doc.blocks] == ["a1", "note"]


def test_a_collected_section_of_notes_keeps_its_place() -> None:
    doc = document(
        "<h1>One</h1><p>a<a href='p2.xhtml#n1'>1</a></p><h1>Two</h1><p>c</p>",
        "<section epub:type='endnotes'><h1>Notes</h1><ol>"
        "<li id='n1' epub:type='endnote'><p>note</p></li></ol></section>",
    )
    assert shapes(doc)[-2:] == [("heading", "Notes"), ("footnote", "note")]


# --- sections -------------------------------------------------------------------------------------------------------


def titles(doc_sections: tuple) -> list[tuple[int, int, str]]:  # type: ignore[type-arg]
    return [(s.number, s.level, s.title) for s in doc_sections]


def test_sections_come_from_the_contents_with_fragments_resolved() -> None:
    nav = [
        NavPoint(title="Part", level=1, spine=0),
        NavPoint(title="First", level=2, spine=0, fragment="c1"),
        NavPoint(title="Second", level=2, spine=1, fragment="missing"),
        NavPoint(title="Third", level=1, spine=1, fragment="c3"),
    ]
    doc = document("<p>lead</p><p id='c1'>one</p>", "<p>two</p><h2><a id='c3'/>three</h2><p>end</p>", nav=nav)
    assert titles(doc.sections) == [(1, 1, "Part"), (2, 2, "First"), (3, 2, "Second"), (4, 1, "Third")]
    assert [doc.text[s.start : s.end].split() for s in doc.sections] == [
        ["lead", "one", "two"],
        ["one"],
        ["two"],
        ["three", "end"],
    ]
    assert doc.sections[2].path == ("Part", "Second")


def test_a_fragment_at_the_end_of_a_paragraph_means_what_follows() -> None:
    nav = [NavPoint(title="A", level=1, spine=0), NavPoint(title="B", level=1, spine=0, fragment="x")]
    doc = document("<p>one<a id='x'/></p><p>two</p>", nav=nav)
    assert [doc.text[s.start : s.end].strip() for s in doc.sections] == ["one", "two"]


def test_contents_out_of_order_follow_the_text() -> None:
    nav = [NavPoint(title="B", level=1, spine=1), NavPoint(title="A", level=1, spine=0)]
    doc = document("<p>a</p>", "<p>b</p>", nav=nav)
    assert titles(doc.sections) == [(1, 1, "A"), (2, 1, "B")]
    assert [doc.text[s.start : s.end].strip() for s in doc.sections] == ["a", "b"]


def test_without_contents_headings_make_the_sections_whatever_levels_they_skip() -> None:
    doc = document("<p>0</p><h1>A</h1><h4>B</h4><p>b</p><h2>C</h2><h1>D</h1>")
    assert titles(doc.sections) == [(1, 1, "A"), (2, 2, "B"), (3, 2, "C"), (4, 1, "D")]
    assert doc.sections[0].end == doc.sections[3].start
    assert doc.sections[1].path == ("A", "B")


def test_sections_of_pages_without_text_are_empty_and_never_past_the_end() -> None:
    nav = [NavPoint(title="Cover", level=1, spine=0), NavPoint(title="Text", level=1, spine=1)]
    nav.append(NavPoint(title="Back", level=1, spine=2))
    doc = document("<img alt=''/>", "<p>x</p>", "<p/>", nav=nav)
    assert [(s.start, s.end) for s in doc.sections] == [(0, 0), (0, 1), (1, 1)]


def test_a_document_without_text_says_so_with_no_confidence() -> None:
    doc = document("<p/>")
    assert doc.text == ""
    assert doc.report.confidence == 0.0
    assert doc.report.reasons == ("there is no text",)


def test_only_what_was_chosen_is_text() -> None:
    made = publication("<nav>menu</nav><div><h1>T</h1><p>one <b>two</b></p><p>ad</p></div><ul><li>x</li></ul>")
    part = made.parts[0]
    chosen = tuple(el for el in part.root.iter("{*}h1", "{*}p", "{*}ul") if "".join(el.itertext()) != "ad")
    doc = document_of(replace(made, parts=(replace(part, chosen=chosen),)))
    assert shapes(doc) == [("heading", "T"), ("paragraph", "one two"), ("list_item", "x")]
