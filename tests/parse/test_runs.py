"""Properties of the walk: nothing lost, nothing twice, and every character leads back to the source."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from glossator.document.cfi import element_path, unique_ids
from glossator.document.model import DomAnchor
from glossator.parse.blocks import document_of
from tests.parse.pages import element_at, publication, source_of

TEXT = st.text("ab é中𠀀😀\u0301\u00a0\u3000 \n\t", max_size=8).map(lambda t: t.replace("&", ""))
NOISE = st.sampled_from(
    [
        "<!-- c -->",
        "<?pi x?>",
        "<![CDATA[ <q> ]]>",
        "&amp;",
        "&nbsp;",
        "&#x1F600;",
        "<br/>",
        "<wbr/>",
        "<span id='pb'/>",
    ]
)
INLINE = st.sampled_from(["em", "b", "span", "a", "code", "q"])
BLOCK = st.sampled_from(["p", "div", "h2", "li", "ul", "blockquote", "section", "pre", "figcaption", "aside"])


def wrapped(names: st.SearchStrategy[str], content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda name, inner: f"<{name}>{inner}</{name}>", names, content)


def some(*kinds: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(*kinds), max_size=5).map("".join)


PHRASE = some(TEXT, NOISE, wrapped(INLINE, some(TEXT, NOISE, wrapped(INLINE, some(TEXT, NOISE)))))
TABLE = st.lists(st.lists(PHRASE, min_size=1, max_size=3), min_size=1, max_size=3).map(
    lambda rows: (
        "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows) + "</table>"
    )
)
BODY = st.recursive(
    some(PHRASE, wrapped(BLOCK, PHRASE), TABLE),
    lambda inner: some(inner, wrapped(BLOCK, inner), wrapped(INLINE, inner), PHRASE),
    max_leaves=6,
)


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


@settings(max_examples=60, deadline=None)
@given(BODY, st.data())
@example("<p><span id='pb'/><!-- c -->a</p>", None)
@example("<p>a<!-- c --> \n <![CDATA[b]]></p>", None)
def test_every_span_of_every_block_leads_back_to_its_text(body: str, data: st.DataObject | None) -> None:
    made = publication(body)
    root = made.parts[0].root
    for block in document_of(made).blocks:
        start, end = 0, len(block.text)
        if data is not None:
            start = data.draw(st.integers(0, end - 1))
            end = data.draw(st.integers(start + 1, end))
        wanted = re.sub(r"\s", " ", block.text[start:end])
        assert re.sub(r"\s", " ", source_of(block, root, start, end)) == wanted


@settings(max_examples=60, deadline=None)
@given(BODY)
def test_the_body_is_told_whole_and_once(body: str) -> None:
    made = publication(body)
    whole = "".join(made.parts[0].root[1].itertext())
    assert letters("".join(block.text for block in document_of(made).blocks)) == letters(whole)


@settings(max_examples=30, deadline=None)
@given(BODY)
def test_bases_are_what_the_cfi_module_says_of_the_element(body: str) -> None:
    made = publication(body)
    root = made.parts[0].root
    for block in document_of(made).blocks:
        assert isinstance(block.anchor, DomAnchor)
        path = block.anchor.base.removeprefix("/6/2!")
        assert element_path(element_at(root, path), ids=unique_ids(root)) == path
