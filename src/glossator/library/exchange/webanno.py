"""Notes as W3C Web Annotations (JSON-LD), and back without loss.

A page of annotations. Each note is one with TextualBody bodies (its text, and its tags with the purpose "tagging") and
a target in `urn:sha256:…`, with the selectors of the standard. Links are annotations with the motivation "linking".
What the standard has no word for (where a note stands in other files, where it came from) is in terms of our own, which
other programs pass over. When such a program changed text, tags or colour, the change is what counts.

Source: Web Annotation Data Model and Vocabulary, W3C Recommendations of 23 February 2017.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from glossator.document.locator import CONTEXT, Locator, Quote, to_selectors
from glossator.errors import UsageError
from glossator.library.exchange.fields import Fields
from glossator.library.exchange.native import check_files, facts_from_fields, rest_from_fields, rest_to_json
from glossator.store.annotations import COLORS
from glossator.store.links import RELATIONS
from glossator.store.portable import Facts, Link, Note, Portable, facts_to_json

Json = dict[str, Any]
CONTEXT_IRI = "http://www.w3.org/ns/anno.jsonld"
TERMS = "urn:glossator:terms#"
NOTE, LINK, PAGE = "urn:glossator:note:", "urn:glossator:link:", "urn:glossator:notes"
SHA = "urn:sha256:"
_CSS = {
    "yellow": "#ffe98a",
    "green": "#b5e7a0",
    "blue": "#a9d3f5",
    "red": "#f5b0b0",
    "purple": "#d7bdf0",
}


def is_web_annotation(data: Any) -> bool:
    """Tell whether parsed JSON is made of web annotations, ours or those of another program."""
    return any(True for _ in annotations_of(data))


def is_ours(data: Any) -> bool:
    """Tell whether it is a page that this program wrote."""
    return isinstance(data, dict) and data.get("id") == PAGE and "glossator:documents" in data


def annotations_of(data: Any) -> Iterator[Json]:
    """Yield the annotations of a page, a collection, a list, a single one, or an export of Hypothesis."""
    if isinstance(data, list):
        items: Any = data
    elif not isinstance(data, dict):
        return
    elif _is_annotation(data):
        items = [data]
    else:
        first = data.get("first")
        inner = first if isinstance(first, dict) else {}
        items = next((x for x in map(data.get, ("items", "rows", "annotations")) if x), inner.get("items"))
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and _is_annotation(item):
            yield item


def _is_annotation(data: Json) -> bool:
    kind = data.get("type", data.get("@type"))
    kinds = kind if isinstance(kind, list) else [kind]
    return ("Annotation" in kinds or "oa:Annotation" in kinds or kind is None) and "target" in data


# --- writing --------------------------------------------------------------------------------------------------------


def to_text(portable: Portable) -> str:
    """Return the page of annotations."""
    titles = {f.file.sha256: f.file for f in portable.documents}
    items = [_annotation(n, titles[n.home].title, titles[n.home].authors) for n in portable.notes]
    items += [_linking(x) for x in portable.links]
    named = {sha for n in portable.notes for sha in (n.home, *(s.sha256 for s in n.standings))}
    page = {
        "@context": [CONTEXT_IRI, {"glossator": TERMS, **_literals("documents", "note", "relation")}],
        "id": PAGE,
        "type": "AnnotationPage",
        "glossator:documents": [
            facts_to_json(Facts(file=f.file, edited=f.edited)) for f in portable.documents if f.file.sha256 in named
        ],
        "items": items,
    }
    return json.dumps(page, ensure_ascii=False, indent=1) + "\n"


def _literals(*names: str) -> Json:
    """Terms whose values are JSON and mean nothing to a reader of linked data."""
    return {f"glossator:{name}": {"@type": "@json"} for name in names}


def _annotation(note: Note, title: str, authors: tuple[str, ...]) -> Json:
    bodies: list[Json] = []
    if note.body:
        bodies.append({"type": "TextualBody", "value": note.body, "format": "text/markdown", "purpose": "commenting"})
    bodies += [{"type": "TextualBody", "value": t, "purpose": "tagging"} for t in note.tags]
    source = {"id": SHA + note.home, "type": "Text", "dcterms:title": title, "dcterms:creator": list(authors)}
    return {
        "id": NOTE + note.id,
        "type": "Annotation",
        "motivation": "commenting" if note.body else "highlighting",
        "created": note.created,
        "modified": note.updated,
        **({"body": bodies} if bodies else {}),
        "target": {
            "type": "SpecificResource",
            "source": source,
            "styleClass": note.color,
            "selector": _selectors(note),
        },
        "stylesheet": {"type": "CssStylesheet", "value": f".{note.color} {{ background: {_CSS[note.color]} }}"},
        "glossator:note": {"origin": note.origin, **rest_to_json(note)},
    }


def _selectors(note: Note) -> list[Json]:
    """Return the words with their surroundings, and the address and positions the note was made at, if it has some."""
    quote = Quote(note.quote, note.before[-CONTEXT:], note.after[:CONTEXT])
    try:
        return to_selectors(replace(Locator.from_json(note.locator), quote=quote))
    except UsageError:
        return [{"type": "TextQuoteSelector", "exact": quote.exact, "prefix": quote.prefix, "suffix": quote.suffix}]


def _linking(link: Link) -> Json:
    return {
        "id": f"{LINK}{link.source}:{link.target}",
        "type": "Annotation",
        "motivation": "linking",
        "created": link.created,
        "body": NOTE + link.target,
        "target": NOTE + link.source,
        "glossator:relation": link.relation,
    }


# --- reading our own ------------------------------------------------------------------------------------------------


def from_data(data: Json, path: str) -> Portable:
    """Return what a page holds that this program wrote.

    Raises:
        DamagedFile: a value is missing or not what it should be.
    """
    top = Fields(data, path)
    documents = tuple(facts_from_fields(x) for x in top.objects("glossator:documents"))
    notes: list[Note] = []
    links: list[Link] = []
    for item in top.objects("items"):
        if item.text("motivation") == "linking":
            links.append(_link_of(item))
        else:
            notes.append(_note_of(item))
    portable = Portable(documents=documents, notes=tuple(notes), links=tuple(links))
    check_files(portable, top)
    return portable


def _note_of(x: Fields) -> Note:
    target = x.inner("target")
    rest = x.inner("glossator:note")
    source = target.inner("source")
    sha = Fields({"id": source.text("id").removeprefix(SHA)}, source.where).hash("id")
    words = [s for s in target.objects("selector") if s.data.get("type") == "TextQuoteSelector"]
    if not words:
        raise target.wrong("selector", "with a TextQuoteSelector")
    bodies = list(x.objects("body"))
    return Note(
        id=x.note("id", prefix=NOTE),
        home=sha,
        quote=words[0].text("exact"),
        body="\n\n".join(b.text("value") for b in bodies if b.text("purpose", "") != "tagging"),
        tags=tuple(b.text("value") for b in bodies if b.text("purpose", "") == "tagging"),
        color=target.choice("styleClass", COLORS),
        created=x.time("created"),
        updated=x.time("modified"),
        origin=rest.text("origin"),
        **rest_from_fields(rest),
    )


def _link_of(x: Fields) -> Link:
    return Link(
        source=x.note("target", prefix=NOTE),
        target=x.note("body", prefix=NOTE),
        relation=x.choice("glossator:relation", RELATIONS),
        created=x.time("created"),
    )
