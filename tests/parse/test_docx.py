import zipfile
from pathlib import Path

import pytest

from glossator.document.model import Document
from glossator.errors import DamagedFile, EncryptedFile, LimitExceeded, UnsupportedFormat
from glossator.parse import docx, parse
from tests.data_folder import DATA, needs_data
from tests.parse.word import cell, item, p, r, row, write

BOX = "<w:txbxContent>{}</w:txbxContent>"
ALTERNATIVES = (
    "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline><wps:txbx>{0}</wps:txbx></wp:inline>"
    "</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{0}</v:textbox></w:pict></mc:Fallback>"
    "</mc:AlternateContent></w:r>"
)


def read(folder: Path, body: str, *, strict: bool = False, **parts: str) -> Document:
    return parse(write(folder / "letter.docx", body, strict=strict, **parts))


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(b.kind, b.text) for b in document.blocks]


def note(kind: str, number: int, text: str) -> str:
    return f'<w:{kind} w:id="{number}">{p(text)}</w:{kind}>'


def call(kind: str, number: int) -> str:
    return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'


@pytest.mark.parametrize("strict", [False, True])
def test_headings_are_told_by_style_name_inheritance_and_outline_level(tmp_path: Path, strict: bool) -> None:
    body = (
        p("One", "1")
        + p("Text.")
        + p("Two", "Unter")
        + p("Deep", more='<w:outlineLvl w:val="2"/>')
        + p("Not one", "1", '<w:outlineLvl w:val="9"/>')
        + p("Undefined", "Heading2")
        + p("Ring", "Ring")
    )
    document = read(tmp_path, body, strict=strict)
    assert [(s.level, s.title) for s in document.sections] == [(1, "One"), (2, "Two"), (3, "Deep"), (2, "Undefined")]
    assert ("paragraph", "Not one") in blocks(document)


def test_words_cut_into_runs_are_whole_and_formats_leave_no_trace_in_the_text(tmp_path: Path) -> None:
    body = p(
        r("Hel", "<w:b/>") + r("lo") + r("2", '<w:vertAlign w:val="superscript"/>') + r(" wor", "<w:i/>") + r("ld")
    )
    assert read(tmp_path, body).text == "Hello2 world"


def test_tabs_breaks_hyphens_and_symbols_are_characters(tmp_path: Path) -> None:
    body = p(
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t>"
        '<w:br w:type="page"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'
    )
    assert read(tmp_path, body).text == "a b\nc‑de α✓"


def test_inserted_text_is_text_and_deleted_text_is_not(tmp_path: Path) -> None:
    body = p(
        f"{r('kept ')}<w:ins>{r('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        f"<w:moveFrom>{r('moved')}</w:moveFrom><w:moveTo>{r(' moved')}</w:moveTo>"
    )
    assert read(tmp_path, body + f"<w:ins>{p('Whole.')}</w:ins>").text == "kept new moved\n\nWhole."


def test_fields_give_their_result_and_hidden_text_is_counted(tmp_path: Path) -> None:
    body = p(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r("12")}{r("secret", "<w:vanish/>")}'
    )
    document = read(tmp_path, body)
    assert document.text == "12"
    assert document.report.warnings == ("left out: stretches of hidden text (1)",)


def test_a_text_box_is_read_once_after_its_paragraph(tmp_path: Path) -> None:
    body = p(r("Before.") + ALTERNATIVES.format(BOX.format(p("In the box.") + p("Second.")))) + p("After.")
    assert read(tmp_path, body).text == "Before.\n\nIn the box.\n\nSecond.\n\nAfter."


def test_notes_stand_at_the_end_of_the_section_that_calls_them(tmp_path: Path) -> None:
    body = (
        p("One", "1")
        + p(r("He said") + call("footnote", 2) + r(" so."))
        + p("Two", "1")
        + p(r("The end") + call("endnote", 5))
    )
    separator = '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
    document = read(
        tmp_path, body, footnotes=separator + note("footnote", 2, "A note."), endnotes=note("endnote", 5, "Last.")
    )
    assert blocks(document) == [
        ("heading", "One"),
        ("paragraph", "He said so."),
        ("footnote", "A note."),
        ("heading", "Two"),
        ("paragraph", "The end"),
        ("footnote", "Last."),
    ]


def test_a_missing_note_is_a_warning(tmp_path: Path) -> None:
    document = read(tmp_path, p(r("Text") + call("footnote", 7)), footnotes="")
    assert document.report.warnings == ("1 notes are referred to and missing",)


def test_lists_nest_by_level_and_take_it_from_styles_too(tmp_path: Path) -> None:
    document = read(tmp_path, item("a") + item("b", 1) + item("c", 1) + item("d") + p("e", "L") + p("End."))
    assert [(b.kind, b.text, b.level) for b in document.blocks] == [
        ("list_item", "a", 1),
        ("list_item", "b", 2),
        ("list_item", "c", 2),
        ("list_item", "d", 1),
        ("list_item", "e", 1),
        ("paragraph", "End.", None),
    ]


def test_tables_keep_their_grid_with_spans(tmp_path: Path) -> None:
    table = (
        row(cell("Head", '<w:gridSpan w:val="2"/>'), cell("H3"), properties="<w:tblHeader/>")
        + row(cell("tall", '<w:vMerge w:val="restart"/>'), cell("b"), cell("c"))
        + row(cell("", "<w:vMerge/>"), cell("e"), cell("f"))
        + row(cell("gone"), properties="<w:del/>")
    )
    (block,) = read(tmp_path, f"<w:tbl>{table}</w:tbl>").blocks
    assert block.kind == "table"
    assert block.rows is not None
    assert [len(r) for r in block.rows] == [3, 3, 3]
    assert [c for r in block.rows for c in r if c] == ["Head", "H3", "tall", "b", "c", "e", "f"]


def test_quotations_and_listings_are_told_by_style(tmp_path: Path) -> None:
    body = p("To be.", "Q") + p("if x:", "C") + p("    go()", "C") + p("", "C") + p("Done.")
    assert blocks(read(tmp_path, body)) == [
        ("quotation", "To be."),
        ("code", "if x:\n    go()"),
        ("paragraph", "Done."),
    ]


def test_content_controls_and_links_are_read_through(tmp_path: Path) -> None:
    body = (
        f"<w:sdt><w:sdtPr/><w:sdtContent>{p('Inside.')}</w:sdtContent></w:sdt>"
        + p(f'<w:hyperlink r:id="link">{r("a link")}</w:hyperlink>')
        + p(f'<w:hyperlink w:anchor="there">{r("jump")}</w:hyperlink>')
        + p(f'<w:bookmarkStart w:name="there"/>{r("target")}')
    )
    path = write(tmp_path / "a.docx", body)
    assert parse(path).text == "Inside.\n\na link\n\njump\n\ntarget"
    root = docx.read(path).parts[0].root
    assert [a.get("href") for a in root.iter("{*}a") if a.get("href")] == ["https://example.org/a?b&c", "#there"]


def test_formulas_are_readable_text(tmp_path: Path) -> None:
    fraction = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    power = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>n</m:t></m:r></m:sup></m:sSup>"
    body = p(f"<m:oMathPara><m:oMath>{fraction}<m:r><m:t>=</m:t></m:r>{power}</m:oMath></m:oMathPara>")
    inline = p(r("where ") + f"<m:oMath>{power}</m:oMath>" + r(" holds"))
    assert blocks(read(tmp_path, body + inline)) == [("formula", "(a+b)/2=x^n"), ("paragraph", "where x^n holds")]


def test_pictures_give_their_description(tmp_path: Path) -> None:
    drawing = (
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="A duck"/><a:graphic><pic:pic/></a:graphic></wp:inline>'
    )
    assert blocks(read(tmp_path, p(f"{drawing}</w:drawing></w:r>"))) == [("image", "A duck")]


def test_metadata_are_the_files_own_else_the_title_paragraph(tmp_path: Path) -> None:
    core = "<dc:title>On Ducks</dc:title><dc:creator>Ann; Ben</dc:creator><dc:language>de-DE</dc:language>"
    metadata = read(tmp_path, p("Text."), core=core).metadata
    assert (metadata.title, metadata.authors, metadata.language) == ("On Ducks", ("Ann", "Ben"), "de-DE")
    core = "<dc:title>Microsoft Word - x.doc</dc:title>"
    document = read(tmp_path, p("The True Title", "T") + p("One", "1") + p("Text."), core=core)
    assert document.metadata.title == "The True Title"
    assert [s.title for s in document.sections] == ["One"]
    assert read(tmp_path, p("Text.")).metadata.title == "Letter"


def test_comments_are_left_out_and_counted(tmp_path: Path) -> None:
    comment = f'<w:comment w:id="0">{p("What?")}</w:comment>'
    document = read(tmp_path, p(r("Text.") + '<w:r><w:commentReference w:id="0"/></w:r>'), comments=comment)
    assert document.text == "Text."
    assert document.report.warnings == ("left out: comments (1)",)


def test_deep_nesting_ends_with_a_warning_and_not_the_stack(tmp_path: Path) -> None:
    body = "<w:sdt><w:sdtContent>" * 100 + p("deep") + "</w:sdtContent></w:sdt>" * 100 + p("Text.")
    document = read(tmp_path, body)
    assert document.text == "Text."
    assert document.report.warnings == ("text nested too deeply was left out",)


def test_entities_and_outside_references_are_not_followed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.docx", p("Text."))
    with zipfile.ZipFile(path) as archive:
        files = {n: archive.read(n).decode() for n in archive.namelist()}
    document = files["word/document.xml"]
    entity = '<!DOCTYPE w [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    files["word/document.xml"] = document.replace("?>", f"?>{entity}", 1).replace("Text.", "Text.&e;")
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert "root:" not in parse(path).text


def test_a_locked_file_and_an_old_one_are_told_apart(tmp_path: Path) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)
    path = tmp_path / "a.docx"
    path.write_bytes(ole + "EncryptedPackage".encode("utf-16-le") + bytes(1000))
    with pytest.raises(EncryptedFile, match=r"a\.docx: locked by a password"):
        parse(path)
    path.write_bytes(ole)
    with pytest.raises(UnsupportedFormat, match=r"old Word file"):
        parse(path)


def test_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    whole = write(tmp_path / "whole.docx", p("Text.")).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedFile, match=r"a\.docx"):
        docx.read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/styles.xml", "<x/>")
    with pytest.raises(DamagedFile, match="no document in it"):
        docx.read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:document><w:body>")
    with pytest.raises(DamagedFile, match="the text in it is damaged"):
        docx.read(path)


def test_a_damaged_part_beside_the_text_is_a_warning(tmp_path: Path) -> None:
    document = read(tmp_path, p("Text."), footnotes="<w:footnote>")
    assert document.text == "Text."
    assert any("word/footnotes.xml is damaged" in w for w in document.report.warnings)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<w>" + " " * (70 << 20) + "</w>")
    with pytest.raises(LimitExceeded, match=r"a\.docx"):
        docx.read(tmp_path / "a.docx")


@needs_data
def test_every_word_file_of_the_material_is_read() -> None:
    assert DATA is not None
    for path in sorted((DATA / "parsing" / "docx").glob("*.docx")):
        document = parse(path)
        assert document.report.parser.startswith("docx/")
        assert not any("damaged" in w for w in document.report.warnings), path
