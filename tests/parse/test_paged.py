from glossator.document.model import Block, Document, Line, Metadata, PageAnchor, ParseReport
from glossator.parse.blocks import document_of
from glossator.parse.publication import Paged, PagedNav, PageGeometry


def block(text: str, *pages: int, kind: str = "paragraph", level: int | None = None, y: float = 700.0) -> Block:
    """A block with one line per page, its words spread evenly over them."""
    size = len(text) // len(pages)
    lines = []
    for n, page in enumerate(pages):
        end = len(text) if n == len(pages) - 1 else (n + 1) * size
        lines.append(Line(n * size, end, page, (72.0, y, 300.0, y + 10), tuple(range(end - n * size + 1))))
    return Block(kind=kind, text=text, start=None, end=None, level=level, anchor=PageAnchor(tuple(lines)))  # type: ignore[arg-type]


def paged(blocks: list[Block], *, pages: int, nav: tuple[PagedNav, ...] = ()) -> Document:
    return document_of(
        Paged(
            format="pdf",
            metadata=Metadata(title="t", language="en"),
            blocks=blocks,
            pages=tuple(PageGeometry(number=n, label=f"p{n}", width=595.0) for n in range(1, pages + 1)),
            navigation=nav,
            report=ParseReport(parser="test"),
        )
    )


def test_pages_share_the_text_out_without_gaps() -> None:
    doc = paged([block("first", 1), block("overpage", 1, 2), block("fourth", 4)], pages=5)
    assert doc.text == "first\n\noverpage\n\nfourth"
    assert [doc.text[p.start : p.end] for p in doc.pages] == ["first\n\nover", "page\n\n", "", "fourth", ""]
    assert [p.label for p in doc.pages] == ["p1", "p2", "p3", "p4", "p5"]
    assert doc.profile == "paper"


def test_running_heads_are_outside_the_text() -> None:
    head = Block(kind="running", text="Head", start=None, end=None, page=1)
    doc = paged([head, block("words", 1)], pages=1)
    assert doc.text == "words"
    assert (doc.blocks[0].start, doc.blocks[0].page) == (None, 1)


def test_outline_entries_begin_at_their_title_on_the_page_else_at_their_height() -> None:
    blocks = [
        block("Introduction", 1, kind="heading", level=1, y=700),
        block("text of the left column, low", 1, y=100),
        block("2 Methods", 1, kind="heading", level=1, y=650),
        block("more", 2, y=700),
        block("even more", 2, y=300),
    ]
    nav = (
        PagedNav(title="INTRODUCTION", level=1, page=1, y=712.0),
        PagedNav(title="Methods", level=1, page=1, y=662.0),
        PagedNav(title="Unnamed", level=2, page=2, y=312.0),
        PagedNav(title="After the end", level=1, page=9),
    )
    doc = paged(blocks, pages=2, nav=nav)
    assert [(s.level, s.title, doc.text[s.start :][:9]) for s in doc.sections] == [
        (1, "INTRODUCTION", "Introduct"),
        (1, "Methods", "2 Methods"),
        (2, "Unnamed", "even more"),
    ]


def test_without_an_outline_headings_make_the_sections() -> None:
    doc = paged(
        [block("A", 1, kind="heading", level=2), block("x", 1), block("B", 2, kind="heading", level=2)], pages=2
    )
    assert [(s.title, s.level, s.start, s.end) for s in doc.sections] == [("A", 1, 0, 6), ("B", 1, 6, 7)]


def test_pages_without_text_have_no_confidence() -> None:
    doc = paged([], pages=2)
    assert [(p.start, p.end) for p in doc.pages] == [(0, 0), (0, 0)]
    assert doc.report.confidence == 0.0


def test_of_equal_titles_on_a_page_the_nearest_one_is_meant() -> None:
    blocks = [block(f"{n} Example", 1, kind="heading", level=1, y=y) for n, y in ((1, 700), (2, 400), (3, 100))]
    nav = tuple(PagedNav(title="Example", level=1, page=1, y=y) for y in (722.0, 422.0, 122.0))
    doc = paged(blocks, pages=1, nav=nav)
    assert [doc.text[s.start : s.end].strip() for s in doc.sections] == ["1 Example", "2 Example", "3 Example"]
