"""Notes as Markdown: each quotation as a block quote, under it a link to its place, from which `verify` checks it.

The reader's own words stand between two comments that a viewer does not show; `verify` takes what is between them for
no quotation of a book. Titles write quotation marks as entities, for the same reason. Limit: lines of a quotation that
begin with `>` are read as nested block quotes.
"""

from collections.abc import Iterator, Mapping, Sequence

from glossator.library.claims import OWN_BEGIN, OWN_END
from glossator.library.exchange.selection import Selection, Shown

_ENTITIES = {ord(c): f"&#{ord(c)};" for c in '"“”„‟«»‹›「」『』﹁﹂﹃﹄｢｣〝〞〟＂‘<>[]`'}
_ESCAPES = {ord(c): "\\" + c for c in "\\*_#"}


def to_text(selection: Selection) -> str:
    """Return all notes as one page, by document and section."""
    lines = ["# Notes", ""]
    for work, notes in selection.by_work():
        lines += [f"## {heading(work.title)}", ""]
        lines += [heading("; ".join(work.authors)), ""] if work.authors else []
        lines += body_of(notes, level=3)
    return "\n".join(lines).rstrip() + "\n"


def body_of(notes: Sequence[Shown], *, level: int, pages: Mapping[str, str] | None = None) -> list[str]:
    """Return the lines of the notes of one document, in the order they are given.

    `pages` are the names of the pages that notes stand on in a vault, by note: links lead there, and notes are marked.
    """
    lines: list[str] = []
    path: tuple[str, ...] | None = None
    for shown in notes:
        own = section_of(shown)
        if own != path:
            path = own
            lines += ["#" * level + " " + heading(" › ".join(path)), ""] if path else []
        lines += [*note_lines(shown, pages=pages), ""]
    return lines


def section_of(shown: Shown) -> tuple[str, ...]:
    """Return the section path without the book's own title."""
    return shown.path[1:] if shown.path[:1] == (shown.work.title,) else shown.path


def note_lines(shown: Shown, *, pages: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the lines of one note: quotation, link to its place, what was written to it, tags, links."""
    note = shown.note
    for line in shown.quote.split("\n"):
        yield f"> {line}".rstrip()
    yield ""
    facts = [x for x in (shown.place, note.color if note.color != "yellow" else "") if x]
    facts += [note.state] if note.state != "exact" else []
    place = f"[{shown.place or 'source'}]({shown.link})" if shown.link else shown.place or "no place"
    rest = " · ".join([place, *(f for f in facts if f != shown.place)])
    yield f"{rest} · {note.id}" if pages is None else f"{rest} ^{note.id}"
    if note.body:
        yield from ("", OWN_BEGIN, "", *note.body.replace("<!--", "&lt;!--").split("\n"), "", OWN_END)
    if note.tags:
        yield from ("", "Tags: " + " ".join(map(tag, note.tags)))
    if note.links:
        arrows = {"out": "→", "in": "←"}
        told = [f"{x.relation} {arrows[x.direction]} {_link(x.id, pages or {})}" for x in note.links]
        yield from ("", "Links: " + ", ".join(told))


def _link(note: str, pages: Mapping[str, str]) -> str:
    return f"[[{pages[note]}#^{note}|{note}]]" if note in pages else note


def tag(name: str) -> str:
    """Return a tag as Markdown programs read it: one word behind a number sign."""
    return "#" + "-".join("".join(c if c.isalnum() or c in "-_/" else " " for c in name).split())


def heading(text: str) -> str:
    """Return a title for a heading: on one line, with nothing in it that Markdown or `verify` would take for more."""
    return " ".join(text.split()).translate(_ESCAPES | _ENTITIES)
