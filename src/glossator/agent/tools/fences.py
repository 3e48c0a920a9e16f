"""How notes and points of an analysis are shown to a model: fenced as data, with their place, as passages are."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from glossator.agent.context import ToolContext
from glossator.library.reader import Opened

if TYPE_CHECKING:
    from glossator.document.locator import Locator
    from glossator.library.note_views import Note


def note_block(ctx: ToolContext, note: "Note") -> str:
    """Return a note as a model is shown it: its id, what it is about and where, its words, then the person's own."""
    facts = [f'id="{note.id}"', f'document="{note.document.id}"', f'title="{attribute(note.document.title)}"']
    locator = note.locator
    if locator is not None:
        key = next((d.key for d in ctx.reader.documents() if d.id == note.document.id), None)
        if key is not None:
            facts.append(f'n="{ctx.passages.number(key, locator.start, locator.end)}"')
        facts += [f'section="{attribute(" › ".join(locator.section_path))}"'] if locator.section_path else []
        facts.append(f'at="{locator.start}-{locator.end}"')
    facts += [f'color="{note.color}"'] if note.color != "yellow" else []
    facts += [f'tags="{attribute(", ".join(note.tags))}"'] if note.tags else []
    facts += ['state="lost"'] if note.state == "lost" else []
    links = "; ".join(f"{link.relation} {link.id}" for link in note.links)
    facts += [f'links="{links}"'] if links else []
    said = f"{inert(note.quote)}\n— note: {inert(note.body)}" if note.body else inert(note.quote)
    return f"<note {' '.join(facts)}>\n{said}\n</note>"


def point(ctx: ToolContext, opened: Opened, locator: "Locator") -> str:
    """Return a sentence of an analysis as a passage that can be cited."""
    return ctx.passage(opened, locator.start, locator.end)


def fitting(lines: Iterable[str], limit: int) -> tuple[list[str], int]:
    """Return the first of some lines that fit into a result, and how many are left."""
    found = list(lines)
    used = 0
    for n, line in enumerate(found):
        used += len(line) + 1
        if used > limit and n:
            return found[:n], len(found) - n
    return found, 0


def many(count: int, name: str) -> str:
    """Return a count in words."""
    return f"{count} {name}{'' if count == 1 else 's'}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return names on a line, the first of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def attribute(text: str) -> str:
    """Return a text that can stand between the quotation marks of an attribute."""
    return " ".join(text.split()).replace('"', "'").replace("<", "‹").replace(">", "›")


def inert(text: str) -> str:
    """Return a text in which no mark of ours ends or begins."""
    for mark in ("note", "passage", "page"):
        text = text.replace(f"</{mark}", f"<\u200b/{mark}").replace(f"<{mark}", f"<\u200b{mark}")
    return text
