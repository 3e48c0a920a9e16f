"""Chunks: what belongs together, what stands alone, and that nothing is left out."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.chunker import BOOK, PAPER, Chunk, Profile, chunk, estimate_tokens, sentences
from glossator.document.model import Block, BlockKind, Document, Metadata, ParseReport, Section, lay_out

SMALL = Profile("small", 20, 6)


def words(texts: Sequence[str]) -> list[int]:
    return [len(t.split()) for t in texts]


def document(*parts: tuple[BlockKind, str], sections: Sequence[int] | None = None, language: str = "en") -> Document:
    """A document of blocks; a section begins at every heading, or at the blocks whose numbers are given."""
    text, blocks = lay_out([Block(kind=kind, text=t, start=None, end=None) for kind, t in parts])
    heads = sections if sections is not None else [i for i, (kind, _) in enumerate(parts) if kind == "heading"]
    body = [b for b in blocks if b.start is not None]
    starts = [body[i].start or 0 for i in heads]
    ends = [*starts[1:], len(text)][: len(starts)]
    made = tuple(
        Section(number=n, level=1, title=f"S{n}", path=(f"S{n}",), start=a, end=b)
        for n, (a, b) in enumerate(zip(starts, ends, strict=True), 1)
    )
    report = ParseReport(parser="test")
    metadata = Metadata(title="t", language=language)
    return Document(metadata=metadata, format="text", text=text, blocks=blocks, sections=made, report=report)


def texts(doc: Document, chunks: Sequence[Chunk]) -> list[str]:
    return [doc.text[c.start : c.end] for c in chunks]


def numbered(n: int, length: int = 5) -> str:
    return " ".join(f"w{n}x{i}" for i in range(length - 1)) + " end."


def test_paragraphs_are_packed_up_to_the_target_and_sentences_repeated_as_overlap() -> None:
    doc = document(*[("paragraph", numbered(n)) for n in range(6)])
    found = texts(doc, chunk(doc, SMALL, words))
    assert found[0].count("end.") == 4
    assert found[1].split("\n\n") == [numbered(3), numbered(4), numbered(5)]
    assert all(len(t.split()) <= SMALL.tokens for t in found)


def test_the_next_chunk_begins_with_the_last_whole_sentences_of_the_one_before() -> None:
    doc = document(("paragraph", numbered(0, 9) + " " + numbered(1)), ("paragraph", numbered(2, 12)))
    first, second = texts(doc, chunk(doc, SMALL, words))
    assert first.endswith(numbered(1))
    assert second == numbered(1) + "\n\n" + numbered(2, 12)


def test_a_paragraph_longer_than_the_target_stays_whole() -> None:
    long = " ".join(numbered(n) for n in range(12))
    doc = document(("paragraph", numbered(90)), ("paragraph", long), ("paragraph", numbered(91)))
    found = chunk(doc, SMALL, words)
    assert long in texts(doc, found)
    assert max(c.tokens for c in found) == 60


def test_a_text_that_lost_its_paragraphs_is_cut_between_sentences() -> None:
    doc = document(("paragraph", " ".join(numbered(n) for n in range(100))))
    found = texts(doc, chunk(doc, SMALL, words))
    assert len(found) > 20
    assert all(t.startswith("w") and t.endswith("end.") for t in found)


def test_a_table_is_one_chunk_of_its_own_with_the_heading_and_caption_that_lead_to_it() -> None:
    table = "\n".join(f"a{n}\tb{n}" for n in range(40))
    doc = document(
        ("heading", "Results"),
        ("caption", "Table 1. Counts."),
        ("table", table),
        ("paragraph", numbered(1)),
        sections=[0],
    )
    found = chunk(doc, SMALL, words)
    assert [c.kind for c in found] == ["table", "prose"]
    assert texts(doc, found)[0] == f"Results\n\nTable 1. Counts.\n\n{table}"


def test_code_stands_alone_and_is_not_split() -> None:
    code = "def f():\n    return 1. + 2.\n"
    doc = document(("paragraph", numbered(1)), ("code", code), ("paragraph", numbered(2)))
    found = chunk(doc, SMALL, words)
    assert [c.kind for c in found] == ["prose", "code", "prose"]
    assert texts(doc, found)[1] == code


def test_headings_go_with_what_follows_and_give_the_path() -> None:
    doc = document(
        ("paragraph", numbered(0)),
        ("heading", "One"),
        ("heading", "One point one"),
        ("paragraph", numbered(1)),
        sections=[1],
    )
    found = chunk(doc, SMALL, words)
    assert [c.heading_path for c in found] == [(), ("S1",)]
    assert texts(doc, found)[1] == f"One\n\nOne point one\n\n{numbered(1)}"


def test_a_chunk_never_leaves_its_section() -> None:
    doc = document(("heading", "A"), ("paragraph", numbered(1)), ("heading", "B"), ("paragraph", numbered(2)))
    assert texts(doc, chunk(doc, PAPER, words)) == [f"A\n\n{numbered(1)}", f"B\n\n{numbered(2)}"]


def test_images_captions_and_footnotes_are_found_and_running_heads_are_not() -> None:
    doc = document(
        ("image", "a map of Rome"),
        ("caption", "Figure 1."),
        ("image", ""),
        ("footnote", "1 See there."),
        ("running", "p. 7"),
    )
    assert texts(doc, chunk(doc, BOOK, words)) == ["a map of Rome\n\nFigure 1.\n\n\n\n1 See there."]


def test_chinese_is_cut_between_its_sentences_and_counted_by_characters() -> None:
    doc = document(
        *[("paragraph", f"第{n}日天气很好，他们一同出门去了。晚上才回来。") for n in range(60)], language="zh"
    )
    found = chunk(doc, BOOK, estimate_tokens)
    assert len(found) > 3
    assert all(200 < c.tokens <= 300 for c in found[:-1])
    assert all(t.endswith("。") for t in texts(doc, found))
    assert all(b.start < a.end for a, b in pairwise(found)), "no overlap"


KINDS: list[BlockKind] = [
    "paragraph",
    "heading",
    "table",
    "code",
    "list_item",
    "footnote",
    "image",
    "caption",
    "running",
]
TEXTS = st.lists(
    st.sampled_from(["Yes.", "He went home.", "No", "他说：“好。”", "天黑了。", "a b c d e f g h."]), max_size=8
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KINDS), TEXTS), max_size=14), st.data())
def test_all_text_is_in_chunks_no_sentence_is_split_and_no_section_is_left(
    parts: list[tuple[BlockKind, list[str]]], data: st.DataObject
) -> None:
    body = [(kind, " ".join(ts)) for kind, ts in parts]
    count = sum(kind != "running" for kind, _ in body)
    heads = sorted(data.draw(st.sets(st.integers(0, max(0, count - 1)), max_size=4))) if count else []
    doc = document(*body, sections=heads)
    found = chunk(doc, SMALL, words)
    covered = bytearray(len(doc.text))
    for c in found:
        covered[c.start : c.end] = b"\1" * (c.end - c.start)
    assert not "".join(t for t, seen in zip(doc.text, covered, strict=True) if not seen).strip()
    spans = {s.number: (s.start, s.end) for s in doc.sections}
    edges = {at for b in doc.blocks if b.start is not None for at in _edges(b)}
    for c in found:
        low, high = spans[c.section] if c.section else (0, min((s.start for s in doc.sections), default=len(doc.text)))
        assert low <= c.start < c.end <= high
        assert {c.start, c.end} <= edges
    assert [c.start for c in found] == sorted(c.start for c in found)


def _edges(block: Block) -> set[int]:
    assert block.start is not None
    assert block.end is not None
    inner = sentences(block.text, "en")
    return {block.start, block.end} | {block.start + at for span in inner for at in span}


def test_tokens_are_estimated_by_script() -> None:
    assert estimate_tokens(["", "The cat sat.", "怎样培养仁？", "internationalisation"]) == [0, 4, 5, 4]
