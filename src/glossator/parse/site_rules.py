"""Rules for the sites that are read often: where in their pages the main text stands, and what in it is not text.

The rules are data (`site_rules.toml`, which says how they are written). What is here reads them, tells which of them a
page asks for, and finds the elements they name; nothing here changes a page.

Known limits: style sheets and scripts are not run, so a rule finds only what stands in the page as it was saved. A
discussion is its posts one after another: who wrote which is not part of the text.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from lxml import etree

from glossator.parse import html, vocabulary
from glossator.parse.html import local_name

Element = etree._Element
Match = Literal["host", "generator", "mark"]

_RULES_FILE = "site_rules.toml"
_BEGINNING = 4096  # characters: a browser's note of the address stands at the top of a saved page
_SAVED_FROM = re.compile(r"<!--[^<>]*?(?:saved from url=\(\d+\)|\burl:\s*)(https?://[^\s<>]+)")

_SELECTOR = re.compile(r"([a-z][\w-]*)?((?:[#.][\w-]+|\[[\w:-]+(?:\^?=(?:\"[^\"',]*\"|'[^\"',]*'|[\w-]+))?\])*)")
_CONDITION = re.compile(r"([#.])([\w-]+)|\[([\w:-]+)(?:(\^?=)[\"']?([^\"'\]]*)[\"']?)?\]")
_STEP = re.compile(r"\s*([>+])\s*|\s+(?![>+\s])")
_BELOW = "descendant::"
_AXES = {None: _BELOW, ">": "child::", "+": "following-sibling::*[1]/self::"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRule:
    """Which pages a rule is for, and the places of their main text, their heading, and what is left out."""

    name: str
    content: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule found in a page, in document order, and how many visible characters that has, white space aside."""

    content: tuple[Element, ...]
    title: Element | None
    dropped: tuple[Element, ...]
    characters: int


@cache
def packaged_rules() -> tuple[SiteRule, ...]:
    """Return the rules that come with the package."""
    return rules_of(files(__package__).joinpath(_RULES_FILE).read_text("utf-8"))


def rules_of(text: str) -> tuple[SiteRule, ...]:
    """Return the rules in a TOML text, each with what all of them drop.

    Raises:
        ValueError: it is no TOML, has a key that no rule has, or a place that cannot be read.
    """
    data = tomllib.loads(text)
    common = tuple(data.get("common", {}).get("drop", ()))
    return tuple(_rule(entry, common) for entry in data.get("rule", ()))


def _rule(entry: dict[str, Any], common: tuple[str, ...]) -> SiteRule:
    fields: dict[str, Any] = {k: v if isinstance(v, str) else tuple(v) for k, v in entry.items()}
    try:
        rule = SiteRule(**{**fields, "drop": (*common, *fields.get("drop", ()))})
    except TypeError as error:
        raise ValueError(f"the site rule {entry.get('name')!r}: {error}") from error
    for place in (*rule.marks, *rule.content, *rule.title, *rule.drop):
        xpath_of(place)
    return rule


# --- which rule -----------------------------------------------------------------------------------------------------


def page_address(root: Element, source: str, given: str | None) -> str | None:
    """Return where a page came from: as given, as it says itself, or as the browser noted that saved it."""
    canonical = (el.get("href") for el in root.iter(f"{{{html.XHTML}}}link") if _has_word(el.get("rel"), "canonical"))
    shared = (el.get("content") for el in root.iter(f"{{{html.XHTML}}}meta") if el.get("property") == "og:url")
    saved = _SAVED_FROM.search(source, 0, _BEGINNING)
    for address in (given, *canonical, *shared, saved[1] if saved else None):
        if address and address.startswith(("http://", "https://")):
            return address
    return None


def rules_for(root: Element, address: str | None, rules: Sequence[SiteRule]) -> tuple[tuple[SiteRule, Match], ...]:
    """Return the rules that a page asks for and by what, the surest first: its host, its generator, its marks."""
    host = _host(address)
    said = tuple(
        (el.get("content") or "").strip().casefold()
        for el in root.iter(f"{{{html.XHTML}}}meta")
        if (el.get("name") or "").casefold() == "generator"
    )
    by_host = [r for r in rules if any(host == h or host.endswith(f".{h}") for h in r.hosts)]
    by_generator = [r for r in rules if any(s.startswith(g.casefold()) for s in said for g in r.generators)]
    by_mark = [r for r in rules if r.marks and elements_at(root, r.marks)]
    ways: dict[SiteRule, Match] = {}
    ways.update(dict.fromkeys(by_host, "host"))
    for rule in by_generator:
        ways.setdefault(rule, "generator")
    for rule in by_mark:
        ways.setdefault(rule, "mark")
    return tuple(ways.items())


def _host(address: str | None) -> str:
    try:
        return (urlsplit(address or "").hostname or "").rstrip(".")
    except ValueError:  # brackets that hold no IPv6 address
        return ""


# --- what it finds --------------------------------------------------------------------------------------------------


def find(rule: SiteRule, root: Element) -> Found | None:
    """Return what the rule finds in a page, or None where the page has no such place."""
    content = next((found for place in rule.content if (found := _outermost(root, place))), ())
    if not content:
        return None
    tops = set(content)
    dropped = tuple(el for el in elements_at(root, rule.drop) if not tops.isdisjoint(el.iterancestors()))
    left_out = set(dropped)
    return Found(content, _title(rule, root, tops), dropped, sum(_visible(el, left_out) for el in content))


def elements_at(root: Element, places: Sequence[str]) -> list[Element]:
    """Return the elements at any of the places, in document order."""
    return cast("list[Element]", _compiled(tuple(places))(root)) if places else []


def _outermost(root: Element, place: str) -> tuple[Element, ...]:
    found = elements_at(root, (place,))
    known = set(found)
    return tuple(el for el in found if not _is_hidden(el) and known.isdisjoint(el.iterancestors()))


def _title(rule: SiteRule, root: Element, content: set[Element]) -> Element | None:
    for place in rule.title:
        for el in elements_at(root, (place,)):
            if not _is_hidden(el) and _visible(el, set()):
                return el if content.isdisjoint((el, *el.iterancestors())) else None
    return None


def _is_hidden(el: Element) -> bool:
    return any(vocabulary.is_hidden(above) for above in (el, *el.iterancestors()))


def _visible(el: Element, left_out: set[Element]) -> int:
    """Return how many characters an element shows, white space aside."""
    count = _length(el.text)
    for child in el:
        if local_name(child) not in vocabulary.OUT and child not in left_out and not vocabulary.is_hidden(child):
            count += _visible(child, left_out)
        count += _length(child.tail)
    return count


def _length(text: str | None) -> int:
    return sum(map(len, text.split())) if text else 0


def _has_word(words: str | None, word: str) -> bool:
    return word in (words or "").split()


# --- places ---------------------------------------------------------------------------------------------------------

_Step = tuple[str, str, tuple[str, ...]]  # an XPath axis, the name of the elements or "", conditions on them


@cache
def _compiled(places: tuple[str, ...]) -> etree.XPath:
    selectors = [steps for place in places for steps in _selectors(place)]
    single = [_test(steps[0]) for steps in selectors if len(steps) == 1]
    longer = [_path(steps) for steps in selectors if len(steps) > 1]
    together = [f"{_BELOW}*[{' or '.join(single)}]"] if single else []  # libxml2 is slow at unions: one walk for all
    return etree.XPath(" | ".join(together + longer), namespaces={"h": html.XHTML})


def xpath_of(place: str) -> str:
    """Return the XPath of what is written like a CSS selector, from any element down.

    Raises:
        ValueError: it uses what `site_rules.toml` does not list.
    """
    return " | ".join(map(_path, _selectors(place)))


def _path(steps: Sequence[_Step]) -> str:
    found = (f"{axis}{'h:' + name if name else '*'}{''.join(f'[{c}]' for c in also)}" for axis, name, also in steps)
    return "/".join(found)


def _test(step: _Step) -> str:
    _, name, also = step
    return f"({' and '.join((f'self::h:{name}', *also) if name else also)})"


def _selectors(place: str) -> list[tuple[_Step, ...]]:
    return [tuple(_steps(one.strip(), place)) for one in place.split(",")]


def _steps(selector: str, place: str) -> Iterator[_Step]:
    at, sign = 0, None
    while True:
        simple = _SELECTOR.match(selector, at)
        if simple is None or simple.end() == at:
            raise ValueError(f"a place that cannot be read: {place!r}")
        yield _AXES[sign], simple[1] or "", tuple(map(_condition, _CONDITION.finditer(simple[2])))
        if simple.end() == len(selector):
            return
        step = _STEP.match(selector, simple.end())
        if step is None:
            raise ValueError(f"a place that cannot be read: {place!r}")
        at, sign = step.end(), step[1]


def _condition(found: re.Match[str]) -> str:
    sign, word, attribute, how, value = found.groups()
    if sign == "#":
        return f"@id='{word}'"
    if sign == ".":
        whole = f"contains(concat(' ', normalize-space(@class), ' '), ' {word} ')"
        return f"contains(@class, '{word}') and {whole}"  # the first is cheap and says no to most elements
    if how is None:
        return f"@{attribute}"
    return f"starts-with(@{attribute}, '{value}')" if how == "^=" else f"@{attribute}='{value}'"
