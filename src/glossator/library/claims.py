"""The quotations of a file, and what each of them claims: what `verify` checks.

Three kinds of file are read. JSON or JSON Lines that this program wrote: every object with a `locator` and words to
it, and the quotations in the text of an answer. Markdown: a quotation followed, in the same paragraph, by a link to
`glossator://document/ID?start=..&end=..&sha=..` claims that place. Any other text: all quotations in it, without a
claim. `sha` names the file the document was made from, so that a claim holds in a library that gave it another id.

What an export of notes marks as the reader's own words (between `OWN_BEGIN` and `OWN_END`) is no quotation of a book.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from glossator.document.quotation import quotations_in
from glossator.errors import SourceError
from glossator.sources.files import readable

LINK = re.compile(r"\(?<?(glossator://document/[^\s)>\]]+)>?\)?")
REACH = 300  # characters that may stand between a quotation and its link
LARGEST = 64 << 20  # bytes of a file to verify
JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
WORDS = ("quote", "text")
OWN_BEGIN, OWN_END = "<!-- own words -->", "<!-- /own words -->"
_OWN = re.compile(rf"^{OWN_BEGIN}$.*?^{OWN_END}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Claim:
    """A quotation, and the place it was attributed to as far as the file says."""

    quote: str
    document: str | None = None
    start: int | None = None
    sha: str | None = None


def claims_of_file(path: Path) -> list[Claim]:
    """Return the quotations of a file in order.

    Raises:
        NotFound: there is no such file.
        SourceError: it cannot be read, is no text, is JSON by its name only, or is larger than 64 MB.
    """
    with readable(path):
        if path.stat().st_size > LARGEST:
            raise SourceError(f"{path}: too large to verify", hint="verify notes or answers, not whole collections")
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: is not UTF-8 text", hint="verify reads Markdown, JSON and plain text") from error
    if path.suffix.lower() in JSON_SUFFIXES and text.strip() and _json_values(text) is None:
        raise SourceError(f"{path}: {_not_json(text)}", hint="repair it, or give it another name if it is plain text")
    return claims_in(text)


def _not_json(text: str) -> str:
    try:
        json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        return f"is not valid JSON ({error})"
    return "holds no object that quotations could stand in"


def claims_in(text: str) -> list[Claim]:
    """Return the quotations of a text in order; what parses as JSON is read as JSON."""
    values = _json_values(text)
    if values is None:
        return _claims_in_prose(text)
    return [claim for value in values for claim in _claims_in_json(value)]


def _json_values(text: str) -> list[Any] | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    whole, by_line = [text], [line for line in text.splitlines() if line.strip()]
    for pieces in (whole, by_line):
        try:
            return [json.loads(piece) for piece in pieces]
        except (json.JSONDecodeError, RecursionError):
            continue
    return None


def _claims_in_json(value: Any) -> Iterator[Claim]:
    """Walk with a stack of our own, in order: a hostile file may be nested deeper than Python's."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            yield from _claims_of_object(value)
            stack.extend(reversed(list(value.values())))


def _claims_of_object(value: dict[str, Any]) -> Iterator[Claim]:
    locator = value.get("locator")
    if isinstance(locator, dict):
        quote = next((value[k] for k in WORDS if isinstance(value.get(k), str)), None) or _quote_of(locator)
        if quote and quote.strip():
            start = locator.get("start")
            yield Claim(quote, _text(locator.get("document")), start if isinstance(start, int) else None)
    answer, citations = value.get("answer"), value.get("citations")
    if isinstance(answer, str) and isinstance(citations, list):
        cited = [quote for c in citations if isinstance(c, dict) and isinstance(quote := c.get("quote"), str)]
        yield from (Claim(q) for _, _, q in quotations_in(answer) if not any(q in quote for quote in cited))


def _quote_of(locator: dict[str, Any]) -> str | None:
    quote = locator.get("quote")
    return _text(quote.get("exact")) if isinstance(quote, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _claims_in_prose(text: str) -> list[Claim]:
    """Give each link to the nearest quotation before it that has none yet."""
    text = _OWN.sub("", text)
    spans = [(start, end, quote) for start, end, quote in quotations_in(text) if quote.strip()]
    linked: dict[int, Claim] = {}
    for link in LINK.finditer(text):
        before = [i for i, (_, end, _) in enumerate(spans) if end <= link.start() and i not in linked]
        if before and _reaches(text[spans[before[-1]][1] : link.start()]):
            linked[before[-1]] = _claim_of_link(spans[before[-1]][2], link[1])
    return [linked.get(i, Claim(quote)) for i, (_, _, quote) in enumerate(spans)]


def _reaches(between: str) -> bool:
    """Tell whether a link belongs to the quotation before it; after a block quote it may stand in the next lines."""
    return len(between) <= REACH and "\n\n" not in between.strip("\n ")


def _claim_of_link(quote: str, link: str) -> Claim:
    parts = urlsplit(link)
    query = parse_qs(parts.query)
    start = query.get("start", [""])[0]
    return Claim(
        quote,
        parts.path.strip("/").split("/")[0] or None,
        int(start) if start.isdecimal() else None,
        query.get("sha", [None])[0],
    )
