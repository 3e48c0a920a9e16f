from pathlib import Path

from glossator.document.model import Document
from glossator.parse import markdown, parse
from tests.data_folder import DATA, needs_data


def read(folder: Path, text: str) -> Document:
    path = folder / "my-notes.md"
    path.write_text(text, "utf-8")
    return parse(path)


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(b.kind, b.text) for b in document.blocks]


def test_headings_are_the_contents_without_their_markup(tmp_path: Path) -> None:
    document = read(tmp_path, "# A *bold* `x` [link](u)\n\nText.\n\nSub\n---\n\nMore.\n\n# Next ![pic](i.png)\n")
    assert [(s.level, s.title) for s in document.sections] == [(1, "A bold x link"), (2, "Sub"), (1, "Next pic")]


def test_blocks_keep_their_kind(tmp_path: Path) -> None:
    text = """
Some *text* with
a line, ~~gone~~ &amp; `code`.

> Quoted.

- one
  - two
1. three

| a | b |
|---|---|
| 1 | 2 |

```python
# no heading
x  = 1
```

    indented
"""
    assert blocks(read(tmp_path, text)) == [
        ("paragraph", "Some text with a line, gone & code."),
        ("quotation", "Quoted."),
        ("list_item", "one"),
        ("list_item", "two"),
        ("list_item", "three"),
        ("table", "a\tb\n1\t2"),
        ("code", "# no heading\nx  = 1"),
        ("code", "indented"),
    ]


def test_front_matter_is_metadata_and_no_text(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        '---\ntitle: "On: Ducks"\nauthor:\n  - Ann\n  - Ben\ndate: 2024-05-01\nlang: de\n'
        "tags: [a, b]\n# c\n---\n\nText.\n",
    )
    metadata = document.metadata
    assert (metadata.title, metadata.authors) == ("On: Ducks", ("Ann", "Ben"))
    assert (metadata.published, metadata.language) == ("2024-05-01", "de")
    assert document.text == "Text."


def test_a_rule_at_the_beginning_is_no_front_matter(tmp_path: Path) -> None:
    document = read(tmp_path, "---\n\nA sentence, which is text.\n\n---\n\nMore.\n")
    assert document.text == "A sentence, which is text.\n\nMore."


def test_a_single_top_heading_is_the_title_and_several_are_chapters(tmp_path: Path) -> None:
    assert read(tmp_path, "# The Title\n\n## One\n\n## Two\n").metadata.title == "The Title"
    assert read(tmp_path, "# One\n\nx\n\n# Two\n\ny\n").metadata.title == "My-notes"


def test_footnotes_follow_the_section_that_calls_them(tmp_path: Path) -> None:
    text = "# One\n\nText[^1] and `[^1]`.\n\n[^1]: A note\n    goes on.\n\n# Two\n\nMore.\n"
    assert blocks(read(tmp_path, text)) == [
        ("heading", "One"),
        ("paragraph", "Text[^1] and [^1]."),
        ("footnote", "A note goes on."),
        ("heading", "Two"),
        ("paragraph", "More."),
    ]


def test_what_looks_like_notes_in_a_listing_stays(tmp_path: Path) -> None:
    text = "```\n[^1]: no note\n```\n\nText [^2].\n"
    assert blocks(read(tmp_path, text)) == [("code", "[^1]: no note"), ("paragraph", "Text [^2].")]


def test_html_inside_is_text_and_inert(tmp_path: Path) -> None:
    text = "a<br>b <img src=x alt=pic onerror=go()> <b>c</b>\n\n<div>\n\nd\n\n<script>evil()</script></div>\n\n<p>e\n"
    path = tmp_path / "a.md"
    path.write_text(text)
    document = parse(path)
    assert [b.text for b in document.blocks if b.kind == "paragraph"] == ["a\nb c", "d", "e"]
    root = markdown.read(path).parts[0].root
    assert not [k for el in root.iter("*") for k in el.attrib if str(k).startswith("on")]


def test_unclosed_html_does_not_swallow_what_follows(tmp_path: Path) -> None:
    document = read(tmp_path, "# One\n\na <span>b\n\n# Two\n\nc </i> d\n")
    assert document.text == "One\n\na b\n\nTwo\n\nc d"


def test_links_lead_into_the_right_part(tmp_path: Path) -> None:
    text = "".join(f"# H{n}\n\nText[^n{n}].\n\n[^n{n}]: Note {n}.\n\n" for n in range(6))
    path = tmp_path / "a.md"
    path.write_text(text)
    assert len(markdown.read(path).parts) > 1
    texts = [b.text for b in parse(path).blocks]
    assert texts[:6] == ["H0", "Text[^n0].", "Note 0.", "H1", "Text[^n1].", "Note 1."]


@needs_data
def test_every_file_of_the_material_is_read() -> None:
    assert DATA is not None
    for path in sorted((DATA / "parsing" / "markdown").glob("*.md")):
        assert parse(path).text, path
