"""What must hold for every document, not only for the examples: positions there and back."""

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from glossator.document.anchor import map_position, reanchor_span
from glossator.document.cfi import (
    Point,
    element_path,
    parse_cfi,
    position_of,
    range_cfi,
    text_chunks,
    unique_ids,
    utf16_length,
)
from glossator.document.codec import anchor_from_json, anchor_to_json, document_from_json, document_to_json
from glossator.document.fold import fold
from glossator.document.locator import Locator, build_locator, from_selectors, resolve, to_selectors
from glossator.document.model import (
    Block,
    Document,
    DomAnchor,
    Line,
    Metadata,
    PageAnchor,
    ParseReport,
    TextRun,
    lay_out,
)
from glossator.document.quotation import find_all, find_quotation, near_misses, quotations_in

# Emoji with joiners, NFD, CJK Extension B, what an entity stands for, non-breaking and ideographic space, plain text.
SAMPLES = [
    "word",
    "two words",
    "👩\u200d👧",
    "🏳️\u200d🌈!",
    "e\u0301te\u0301",
    "𠮷野家",
    "漢字，仮名",
    "a\u00a0b",
    "&<>",
    "\u3000",
    "  \n\t ",
    "😀",
    "naïve",
]
texts = st.lists(st.sampled_from(SAMPLES), min_size=1, max_size=4).map("".join)
inline = st.recursive(
    st.one_of(
        texts.map(lambda t: ("text", t)),
        st.just(("comment", "c")),
        st.just(("pi", "p")),
        st.just(("br", "")),
        st.sampled_from([("pagebreak", "p1"), ("pagebreak", "twice")]),
    ),
    lambda children: st.lists(children, max_size=3).map(lambda c: ("em", c)),
    max_leaves=8,
)
paragraphs = st.lists(st.tuples(st.booleans(), st.lists(inline, min_size=1, max_size=5)), min_size=1, max_size=5)


@dataclass
class Built:
    """A section in the DOM and as blocks."""

    root: etree._Element
    text: str
    blocks: tuple[Block, ...]


def add(parent: etree._Element, node: tuple[str, object]) -> None:
    kind, content = node
    if kind == "text":
        append_text(parent, str(content))
    elif kind == "comment":
        parent.append(etree.Comment("c"))
    elif kind == "pi":
        parent.append(etree.ProcessingInstruction("p", "q"))
    elif kind == "br":
        etree.SubElement(parent, "br")
    elif kind == "pagebreak":
        etree.SubElement(parent, "span", id=str(content))
    else:
        child = etree.SubElement(parent, "em")
        for grandchild in content:  # type: ignore[attr-defined]
            add(child, grandchild)


def append_text(parent: etree._Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def squeezed(el: etree._Element) -> tuple[str, tuple[TextRun, ...]]:
    """The text of a paragraph under the white-space rule, and the runs that lead back."""
    text, runs, joined = "", [], False
    for chunk in text_chunks(el):
        units = 0
        joined = False
        for c in chunk.text:
            if c in " \n\t" and (not text or text[-1] == " "):
                joined = False
            else:
                if not joined:
                    runs.append(TextRun(len(text), chunk.steps, units))
                joined = True
                text += " " if c in " \n\t" else c
            units += utf16_length(c)
    return text, tuple(runs)


def build(content: list[tuple[bool, list[tuple[str, object]]]]) -> Built:
    root = etree.Element("html")
    etree.SubElement(root, "head")
    body = etree.SubElement(root, "body")
    for n, (named, nodes) in enumerate(content):
        p = etree.SubElement(body, "p", **({"id": f"p[{n}],"} if named else {}))
        for node in nodes:
            add(p, node)
    # through XML and back, so that entities and neighbouring text nodes are as a parser gives them
    root = etree.fromstring(etree.tostring(root))
    ids = unique_ids(root)
    blocks = []
    for p in root[1]:
        text, runs = squeezed(p)
        if text.strip():
            anchor = DomAnchor(0, "/6/4!" + element_path(p, ids=ids), runs)
            blocks.append(Block(kind="paragraph", text=text, start=None, end=None, anchor=anchor))
    text, placed = lay_out(blocks)
    return Built(root, text, placed)


def characters_before(root: etree._Element, point: Point) -> int:
    """Follow a text point in the DOM without the code under test; how many characters precede it in the section."""
    at = root
    for step in point.steps[:-1]:
        at = [c for c in at if isinstance(c.tag, str)][step // 2 - 1]
    before, step = "", 1
    pending = point.offset or 0
    for kind, text in events(root, at):
        if kind == "element of parent":
            step += 2
        elif kind == "own" and step == point.steps[-1]:
            units = min(pending, utf16_length(text))
            before += text.encode("utf-16-le")[: 2 * units].decode("utf-16-le")
            pending -= units
            if not pending:
                return len(before)
        else:
            before += text
    raise AssertionError(f"{point} is not in the section")


def events(el: etree._Element, parent: etree._Element) -> Iterator[tuple[str, str]]:
    """The texts of a section in order, those directly in `parent` marked, and the ends of its child elements."""
    yield ("own" if el is parent else "other"), el.text or ""
    for child in el:
        if isinstance(child.tag, str):
            yield from events(child, parent)
            if el is parent:
                yield "element of parent", ""
        yield ("own" if el is parent else "other"), child.tail or ""


spans = st.tuples(st.integers(0, 10_000), st.integers(0, 10_000))


def a_span(text: str, numbers: tuple[int, int]) -> tuple[int, int]:
    a, b = sorted(n % (len(text) + 1) for n in numbers)
    return a, b


@settings(max_examples=60, deadline=None)
@given(paragraphs, spans)
def test_a_range_cfi_leads_back_to_the_same_words(content: list, numbers: tuple[int, int]) -> None:  # type: ignore[type-arg]
    built = build(content)
    start, end = a_span(built.text, numbers)
    words = built.text[start:end]
    if not words.strip():
        return
    start, end = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
    cfi = cfi_of(built, start, end)
    assert position_of(cfi, built.blocks) == (start, end)
    assert cfi_of(built, start, end) == cfi


@settings(max_examples=60, deadline=None)
@given(paragraphs, spans)
def test_a_range_cfi_cuts_the_same_words_out_of_the_dom(content: list, numbers: tuple[int, int]) -> None:  # type: ignore[type-arg]
    built = build(content)
    start, end = a_span(built.text, numbers)
    if not built.text[start:end].strip():
        return
    parsed = parse_cfi(cfi_of(built, start, end))
    assert parsed.end is not None
    whole = "".join(text for kind, text in events(built.root, built.root) if kind != "element of parent")
    cut = whole[characters_before(built.root, parsed.start) : characters_before(built.root, parsed.end)]
    assert bare(cut) == bare(built.text[start:end])


def bare(text: str) -> str:
    return "".join(text.split())


def cfi_of(built: Built, start: int, end: int) -> str:
    inside = overlapping(built.blocks, start, end)
    first, last = inside[0], inside[-1]
    assert first.start is not None
    assert last.start is not None
    return range_cfi(first, max(0, start - first.start), last, min(len(last.text), end - last.start))


def overlapping(blocks: tuple[Block, ...], start: int, end: int) -> list[Block]:
    return [b for b in blocks if b.start is not None and b.end is not None and b.start < end and b.end > start]


def locator_of(built: Built, start: int, end: int) -> Locator:
    return build_locator(
        document="abcd",
        text_version="v1",
        start=start,
        end=end,
        window=built.text,
        window_start=0,
        blocks=overlapping(built.blocks, start, end),
        section=None,
        pages=(),
        cfi=True,
    )


@settings(max_examples=50, deadline=None)
@given(paragraphs, spans)
def test_a_locator_survives_json_and_selectors_and_resolves_to_itself(
    content: list,  # type: ignore[type-arg]
    numbers: tuple[int, int],
) -> None:
    built = build(content)
    start, end = a_span(built.text, numbers)
    if not built.text[start:end].strip():
        return
    locator = locator_of(built, start, end)
    assert Locator.from_json(json.loads(json.dumps(locator.to_json()))) == locator
    assert from_selectors(json.loads(json.dumps(to_selectors(locator))), "abcd", "v1") == locator
    found = resolve(locator, text=built.text, text_version="v1", blocks=built.blocks)
    assert (found.state, found.start, found.end) == ("exact", start, end)


@settings(max_examples=50, deadline=None)
@given(paragraphs, spans)
def test_an_address_alone_finds_the_words_in_a_text_with_other_positions(
    content: list,  # type: ignore[type-arg]
    numbers: tuple[int, int],
) -> None:
    built = build(content)
    start, end = a_span(built.text, numbers)
    if not built.text[start:end].strip():
        return
    locator = locator_of(built, start, end)
    text, blocks = lay_out([Block(kind="heading", text="New", start=None, end=None), *built.blocks])
    found = resolve(locator, text=text, text_version="v2", blocks=blocks)
    assert (found.state, text[found.start : found.end]) == ("exact", built.text[start:end])


lines = st.builds(
    lambda text, page, x, axis: Line(
        0, len(text), page, (x, 1.0, x + 50.0, 11.0), tuple(x + 2.5 * i for i in range(len(text) + 1)), axis
    ),
    st.sampled_from(SAMPLES),
    st.integers(1, 900),
    st.integers(0, 6000).map(lambda tenths: tenths / 10),
    st.sampled_from(["x", "y"]),
)
page_anchors = st.lists(lines, max_size=3).map(lambda found: PageAnchor(tuple(found)))
dom_anchors = paragraphs.map(lambda content: next((b.anchor for b in build(content).blocks), None))


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.none(), page_anchors, dom_anchors))
def test_an_anchor_comes_back_from_json_to_a_tenth_of_a_point(anchor: DomAnchor | PageAnchor | None) -> None:
    assert anchor_from_json(json.loads(json.dumps(anchor_to_json(anchor)))) == anchor


@settings(max_examples=40, deadline=None)
@given(paragraphs)
def test_a_document_comes_back_from_json(content: list) -> None:  # type: ignore[type-arg]
    built = build(content)
    running = Block(kind="running", text="Head", start=None, end=None, page=3)
    document = Document(
        metadata=Metadata(title="T", authors=("A",), identifiers=(("isbn", "1"),)),
        format="epub",
        text=built.text,
        blocks=(running, *built.blocks),
        sections=(),
        report=ParseReport(parser="epub/1", warnings=("odd",)),
    )
    assert document_from_json(json.loads(json.dumps(document_to_json(document)))) == document


words = st.lists(
    st.sampled_from(["the", "old", "man", "walked", "far", "away", "𠮷野家", "e\u0301té", "ﬁne", "12.5", "不是"]),
    min_size=3,
)


@settings(max_examples=60, deadline=None)
@given(words, st.integers(0, 50), st.integers(1, 50), st.sampled_from([str.upper, str.lower, "\n".join, "NFD", "NFC"]))
def test_a_run_of_whole_words_is_found_where_it_is(chosen: list[str], first: int, count: int, change: object) -> None:
    first %= len(chosen)
    part = chosen[first : first + count]
    text = " ".join(chosen)
    start = len(" ".join(chosen[:first])) + (first > 0)
    wanted = " ".join(part)
    if change in ("NFD", "NFC"):
        wanted = unicodedata.normalize(str(change), wanted)
    elif change == "\n".join:
        wanted = "\n".join(part)
    else:
        wanted = change(wanted)  # type: ignore[operator]
    match = find_quotation(text, wanted, near=start)
    assert match is not None
    assert fold(text[match.start : match.end]).text == fold(wanted).text
    if match.verdict == "verified":
        assert text[match.start : match.end] == wanted
    else:
        assert match.repairs


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_positions_keep_their_order_in_any_other_text(old: str, new: str) -> None:
    mapped = [map_position(p, old, new) for p in range(len(old) + 1)]
    assert mapped == sorted(mapped)
    assert all(0 <= p <= len(new) for p in mapped)


@settings(max_examples=50, deadline=None)
@given(paragraphs, paragraphs, spans)
def test_a_passage_is_exact_again_when_text_is_added_around_it(
    content: list,  # type: ignore[type-arg]
    more: list,  # type: ignore[type-arg]
    numbers: tuple[int, int],
) -> None:
    old = f"The book begins here.\n\n{build(content).text}\n\nHere the book ends."
    new = f"A foreword, lately added.\n\n{old}\n\n{build(more).text}"
    start, end = a_span(old, numbers)
    if not fold(old[start:end]).text:
        return
    found = reanchor_span(start, end, old, new)
    assert found.state == "exact"
    assert fold(new[found.start : found.end]).text == fold(old[start:end]).text


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_folding_never_loses_the_way_back(text: str) -> None:
    folded = fold(text)
    assert len(folded.offsets) == len(folded.text) + 1
    assert folded.offsets.tolist() == sorted(folded.offsets.tolist())
    assert fold(folded.text).text == folded.text


odd = st.text(
    st.sampled_from([*"ab cd.,'\"-…“”‘’「」不三1½ﬁ\n>", "e", "é", "\u00ad", "\u200b", "𠮷", "ß", "\u0301"]),
    max_size=60,
)


@settings(max_examples=300, deadline=None)
@given(odd, odd)
def test_whatever_is_asked_of_whatever_text_the_answer_lies_in_it(text: str, wanted: str) -> None:
    for start, end, quote in quotations_in(text):
        assert 0 <= start < end <= len(text)
        assert quote.strip()
    if not wanted.strip():
        return
    for match in [*find_all(text, wanted), *filter(None, [find_quotation(text, wanted)])]:
        assert 0 <= match.start < match.end <= len(text)
        assert (match.verdict == "repaired") == bool(match.repairs)
    for near in near_misses(text, wanted):
        assert 0 <= near.start < near.end <= len(text)
    if wanted.strip() in text and not fold(wanted).text:
        assert find_quotation(text, wanted) is not None
