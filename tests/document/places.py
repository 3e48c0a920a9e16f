"""The fixture of places that Python and the web reader share: small parts, where their blocks stand, what is where.

`python -m tests.document.places` writes it anew.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from glossator.document.cfi import parse_cfi, position_of, range_cfi, text_chunks
from glossator.document.model import Block, Document
from glossator.library.places import places_in
from glossator.parse.blocks import document_of
from glossator.parse.html import serialise
from tests.parse.pages import publication

FIXTURE = Path(__file__).with_name("places.json")
ENGLISH = """
<h1 id="one">The  <em>Harbour</em></h1>
<p>The caf&eacute; &amp; the <b>light<i>house</i></b> &lt;kept&gt;
   <!-- a note to the printer -->their&nbsp;own hours<a epub:type="noteref" href="#n1">1</a>; “so be it,”
   <span hidden="">unseen</span>said&#160;she&#x1F600;.</p>
<ul><li>Bread<ol><li>of <em>rye</em></li><li>of wheat</li></ol>and salt</li><li>Oil</li></ul>
<table><tr><td></td><th>North</th><th>South</th></tr>
<tr><td>Fish</td><td>cod <i>or</i> ling</td><td>bass</td></tr></table>
<p>First line<br/>second <img src="tower.png" alt="A tower at dusk"/>line</p>
<pre>  if wind &gt; 9:
      stay()   # at home
</pre>
Bare text between<div>two blocks</div>
<aside epub:type="footnote" id="n1"><p>The keeper was a man of few words.</p></aside>
<p>After the note, one more.</p>
"""
CHINESE = """
<h2>第一回　石猴</h2>
<p>那座山頂上有一塊<ruby>仙石<rp>（</rp><rt>xiān shí</rt><rp>）</rp></ruby>，高三丈六尺<a href="part3.xhtml">*</a>。</p>
<blockquote><p>𠮷野家的𠮷字，<em>👩‍🚀很</em>少見😀。</p></blockquote>
<section><section><p><span>一</span><span>二</span>
<span>三</span></p></section></section>
"""
LAST = """
<figure><img src="a.png" alt="Map of the coast"/><figcaption>The coast, <cite>1851</cite></figcaption></figure>
<p>z<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>+</mo><mn>1</mn></math> holds e\u0301 and ﬁ.</p>
"""
Json = dict[str, Any]


def made() -> str:
    """Return the text of the fixture."""
    source = publication(ENGLISH, CHINESE, LAST)
    document = document_of(source)
    parts = []
    for n, part in enumerate(source.parts, 1):
        places = places_in(document.blocks, n)
        chunks = [(c.steps, c.text) for c in text_chunks(part.root)]
        parts.append(
            {
                "href": part.href,
                "cfi": part.cfi,
                "xhtml": serialise(part.root).decode(),
                "places": places.to_json(),
                "spans": [_span(document, a, b, chunks) for a, b in _chosen(places.blocks)],
                "chunks": [_chunk(part.cfi, document, *chunk) for chunk in chunks],
            }
        )
    return json.dumps({"text": document.text, "parts": parts}, ensure_ascii=False, indent=1) + "\n"


_Point = tuple[Block, int]


def _chosen(blocks: tuple[Block, ...]) -> Iterator[tuple[_Point, _Point]]:
    """Yield the ends of spans: each block whole, two pieces of it, and from the middle of one into the next."""
    for block in blocks:
        n = len(block.text)
        for a, b in ((0, n), (n // 3, 2 * n // 3), (n // 2, n)):
            if block.text[a:b].strip():
                lead = len(block.text[a:b]) - len(block.text[a:b].lstrip())
                yield (block, a + lead), (block, a + len(block.text[a:b].rstrip()))
    for block, following in pairwise(blocks):
        if not {"footnote", "image"} & {block.kind, following.kind}:
            yield (block, block.text.rfind(" ") + 1), (following, len(following.text.split()[0]))


def _span(document: Document, a: _Point, b: _Point, chunks: list[tuple[str, str]]) -> Json:
    """Return a span of the canonical text, its text, the DOM range that is it, and the raw text of that range."""
    (first, at), (last, to) = a, b
    assert first.start is not None
    assert last.start is not None
    start, end = first.start + at, last.start + to
    cfi = parse_cfi(range_cfi(first, at, last, to))
    shape: Json = {"start": start, "end": end, "text": document.text[start:end]}
    if cfi.end is None:  # a picture: its alternative text stands in no text of the DOM
        return shape | {"element": _steps(cfi.start.steps), "whole": [first.start, first.end]}
    ends = [{"steps": _steps(p.steps), "offset": p.offset} for p in (cfi.start, cfi.end)]
    return shape | {"range": ends, "source": _between(chunks, ends)}


def _chunk(package: str, document: Document, steps: str, text: str) -> Json:
    """Return a text chunk whole, as a DOM range, and the positions it is: null where nothing of it is canonical."""
    units = len(text.encode("utf-16-le")) // 2
    head, _, step = steps.rpartition("/")
    span = position_of(f"epubcfi({package}!{head},/{step}:0,/{step}:{units})", document.blocks)
    return {"steps": steps, "source": text, "span": None if span is None else list(span)}


def _between(chunks: list[tuple[str, str]], ends: list[Json]) -> str:
    places = [steps for steps, _ in chunks]
    first, last = (places.index(e["steps"]) for e in ends)
    texts = [text.encode("utf-16-le") for _, text in chunks[first : last + 1]]
    texts[-1] = texts[-1][: 2 * ends[1]["offset"]]
    texts[0] = texts[0][2 * ends[0]["offset"] :]
    return b"".join(texts).decode("utf-16-le")


def _steps(numbers: tuple[int, ...]) -> str:
    return "".join(f"/{n}" for n in numbers)


if __name__ == "__main__":
    FIXTURE.write_text(made(), "utf-8")
