"""Web annotations of other programs, as passages that are to be found in the documents here.

Read are text quotes with their surroundings, wherever in a target they stand; a position counts only where the words
are given, too, for another program counts in another text. The source may be a URL, a path, a hash or a title.
"""

from collections.abc import Iterator
from typing import Any

from glossator.document.model import clean
from glossator.library.exchange.fields import utc
from glossator.library.exchange.passages import Passage
from glossator.library.exchange.webanno import SHA, annotations_of

Json = dict[str, Any]
EPOCH = "1970-01-01T00:00:00Z"
_DEPTH = 8  # of selectors inside selectors


def passages_of(data: Any) -> Iterator[Passage]:
    """Yield the passages of an export in order, also those in which nothing says where they stand."""
    for number, item in enumerate(annotations_of(data), 1):
        yield _passage(item, number)


def _passage(item: Json, number: int) -> Passage:
    targets = [t for t in _list(item.get("target")) if isinstance(t, dict | str)]
    quote = next((q for t in targets for q in _quotes(t)), {})
    body, tags = _bodies(item)
    identifier = _text(item.get("id")) or _text(item.get("@id")) or f"number {number}"
    created = utc(_text(item.get("created")) or None, EPOCH)
    exact = _text(quote.get("exact"))
    return Passage(
        line=None,
        name=f"annotation {identifier}",
        identity=("w3c", identifier) if item.get("id") else ("w3c", *_sources(item, targets), exact, body, created),
        origin="w3c",
        addresses=_sources(item, targets),
        titles=tuple(_titles(item, targets)),
        quote=exact,
        before=_text(quote.get("prefix")),
        after=_text(quote.get("suffix")),
        body=body,
        tags=tags,
        created=created,
        updated=utc(_text(item.get("modified")) or _text(item.get("updated")) or None, created),
        details={"creator": name} if (name := _creator(item)) else {},
    )


def _quotes(target: Json | str, depth: int = 0) -> Iterator[Json]:
    """Yield the text quotes of a target; one that refines another tells more, and comes first."""
    if not isinstance(target, dict) or depth > _DEPTH:
        return
    yield from _quotes(target.get("refinedBy") or {}, depth + 1)
    if target.get("type", target.get("@type")) in ("TextQuoteSelector", "oa:TextQuoteSelector"):
        yield target
    for inner in (target.get("selector"), target.get("items")):
        for selector in _list(inner):
            yield from _quotes(selector, depth + 1)


def _bodies(item: Json) -> tuple[str, tuple[str, ...]]:
    texts = [_text(item.get("bodyValue")), _text(item.get("text"))]
    tags = [t for t in _list(item.get("tags")) if isinstance(t, str)]
    for body in _list(item.get("body")):
        if isinstance(body, str):
            continue  # an address of something else
        if isinstance(body, dict):
            value = _text(body.get("value")) or _text(body.get("chars"))
            if "tagging" in _list(body.get("purpose")) or body.get("type") == "oa:Tag":
                tags.append(value)
            elif "highlighting" not in _list(body.get("purpose")):
                texts.append(value)
    kept = tuple(dict.fromkeys(" ".join(t.split()) for t in map(clean, tags) if t.strip()))
    return "\n\n".join(t for t in texts if t), kept


def _sources(item: Json, targets: list[Any]) -> tuple[str, ...]:
    found = [t if isinstance(t, str) else t.get("source", t.get("id")) for t in targets]
    plain = [x.get("id") if isinstance(x, dict) else x for x in [*found, item.get("uri")]]
    return tuple(dict.fromkeys(clean(x).removeprefix(SHA) for x in plain if isinstance(x, str) and x))


def _titles(item: Json, targets: list[Any]) -> Iterator[str]:
    holders: list[Any] = [item.get("document")]
    for target in targets:
        if isinstance(target, dict):
            holders += [target, target.get("source"), target.get("document")]
    for holder in holders:
        if isinstance(holder, dict):
            for name in ("title", "dcterms:title", "dc:title", "label", "schema:name"):
                yield from (clean(x) for x in _list(holder.get(name)) if isinstance(x, str) and x.strip())


def _creator(item: Json) -> str:
    creator = item.get("creator", item.get("user"))
    return _text(creator.get("name")) if isinstance(creator, dict) else _text(creator)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any) -> str:
    return clean(value) if isinstance(value, str) else ""
