"""The contents of an EPUB: the navigation document of version 3, else the NCX of version 2.

Source: EPUB 3.3, section 7; OPF 2.0.1, section 2.4.1 (NCX of ANSI/NISO Z39.86-2005).
"""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote

from lxml import etree

from glossator.parse.epub_package import resolve
from glossator.parse.flow import plain
from glossator.parse.html import OPS, local_name
from glossator.parse.publication import NavPoint

_NO_LABEL = {"rt", "rp", "script", "style", "template"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents; `href` is None for a heading that leads nowhere itself."""

    title: str
    level: int
    href: str | None


def entries_of_navigation(root: etree._Element) -> list[Entry]:
    """Return the entries of a navigation document's `toc`, or of its only list of another kind when it has no toc."""
    navs = [el for el in root.iter("*") if local_name(el) == "nav"]
    toc = next((n for n in navs if _is_toc(n)), None)
    if toc is None:
        toc = next((n for n in navs if not n.get(f"{{{OPS}}}type")), None)
    if toc is None:
        return []
    return [entry for el in toc if local_name(el) in ("ol", "ul") for entry in _listed(el, 1)]


def entries_of_ncx(root: etree._Element) -> list[Entry]:
    """Return the entries of an NCX."""
    nav_map = next((el for el in root.iter("*") if local_name(el) == "navmap"), None)
    return [] if nav_map is None else list(_points(nav_map, 1))


def navigation_of(entries: list[Entry], base: str, spine_of: Callable[[str], int | None]) -> tuple[NavPoint, ...]:
    """Return the entries that lead into the spine. A heading without a target leads to where its first entry leads.

    Args:
        entries: In the order of the contents.
        base: The path of the document they stand in.
        spine_of: Gives the 0-based index of a path among the parts, or None.
    """
    folder = posixpath.dirname(base)
    found: list[NavPoint] = []
    waiting: list[Entry] = []
    for entry in entries:
        target = _target(entry, folder, base, spine_of)
        waiting = [w for w in waiting if w.level < entry.level]
        if target is None:
            waiting += [entry] if entry.href is None else []
            continue
        found += [replace(target, title=w.title, level=w.level) for w in waiting]
        found.append(target)
        waiting = []
    return tuple(found)


def _target(entry: Entry, folder: str, base: str, spine_of: Callable[[str], int | None]) -> NavPoint | None:
    if entry.href is None:
        return None
    reference, _, fragment = entry.href.strip().partition("#")
    path = resolve(folder, reference) if reference else base
    spine = None if path is None else spine_of(path)
    if spine is None:
        return None
    return NavPoint(title=entry.title, level=entry.level, spine=spine, fragment=unquote(fragment) or None)


def _is_toc(nav: etree._Element) -> bool:
    return "toc" in (nav.get(f"{{{OPS}}}type") or "").split() or "doc-toc" in (nav.get("role") or "").split()


def _listed(items: etree._Element, level: int) -> Iterator[Entry]:
    for item in items:
        if local_name(item) != "li":
            continue
        label = next((el for el in item.iter("*") if local_name(el) in ("a", "span")), None)
        below = [el for el in item if local_name(el) in ("ol", "ul")]
        if label is not None and not any(label in el.iterdescendants() for el in below):
            yield Entry(_label(label), level, label.get("href"))
        for el in below:
            yield from _listed(el, level + 1)


def _points(parent: etree._Element, level: int) -> Iterator[Entry]:
    for point in parent:
        if local_name(point) != "navpoint":
            continue
        children = {local_name(el): el for el in reversed(list(point))}
        label, content = children.get("navlabel"), children.get("content")
        yield Entry("" if label is None else _label(label), level, None if content is None else content.get("src"))
        yield from _points(point, level + 1)


def _label(el: etree._Element) -> str:
    """Return the text of a label, or what describes its picture."""
    text = plain("".join(_words(el))) or plain(el.get("title") or "")
    return text or plain(" ".join(i.get("alt") or "" for i in el.iter("*") if local_name(i) == "img"))


def _words(el: etree._Element) -> Iterator[str]:
    yield el.text or ""
    for child in el:
        if local_name(child) not in _NO_LABEL:
            yield from _words(child)
        yield child.tail or ""
