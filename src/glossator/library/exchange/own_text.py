"""What a person wrote between the notes of a page that this program made, and how it stays there when it is made again.

A page carries marks of the lines that were made. Any other line is a person's: it stays behind the note that it stands
under, or behind the title. Limit: a line that is equal to one that was made is taken for that one.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256

from glossator.library.claims import OWN_BEGIN, OWN_END

_MADE = re.compile(r"^%% glossator:made ([0-9a-f ]*)%%\s*$")
_NOTE = re.compile(r"\^(n-[0-9a-z]+)\s*$")
_MARK = 8  # hexadecimal digits by which a line is known

Own = dict[str | None, list[str]]


def marks_of(part: str) -> str:
    """Return the comment from which `own_text` will know the lines of a part."""
    marks = dict.fromkeys(_mark(line) for line in part.splitlines() if line.strip())
    return f"%% glossator:made {' '.join(marks)} %%"


def own_text(part: str) -> Own:
    """Return the lines of a person in a part that was made, by the note above them; None: above the first note.

    A part without marks has none.
    """
    lines = part.splitlines()
    made = next((found[1].split() for line in reversed(lines) if (found := _MADE.match(line))), None)
    if made is None:
        return {}
    ours, own, note, gap = set(made), Own(), None, False
    for line in lines:
        if not line.strip():
            gap = True
        elif _mark(line) in ours or _MADE.match(line):
            found = _NOTE.search(line)
            note, gap = found[1] if found else note, True
        else:
            some = own.setdefault(note, [])
            some += ["", line] if gap and some else [line]
            gap = False
    return own


def with_own_text(part: str, own: Mapping[str | None, Iterable[str]]) -> tuple[str, list[str]]:
    """Return a part with the lines of a person behind their notes, and those whose note is not in it any more."""
    left = dict(own)
    lines = part.split("\n")
    out: list[str] = []
    at = 0
    while at < len(lines):
        found = _NOTE.search(lines[at])
        above = not found and lines[at].startswith("# ")  # the title
        end = _end_of_note(lines, at + 1) if found else at + 1
        out += lines[at:end]
        some = left.pop(found[1] if found else None, ()) if found or above else ()
        out += ["", *some] if some else []
        at = end
    return "\n".join(out), [line for some in left.values() for line in ["", *some]]


def _end_of_note(lines: list[str], at: int) -> int:
    """Return where a note ends that continues at a line: behind its body, its tags and its links."""
    if lines[at : at + 2] == ["", OWN_BEGIN]:
        at = lines.index(OWN_END, at) + 1
    for name in ("Tags: ", "Links: "):
        if len(lines) > at + 1 and not lines[at] and lines[at + 1].startswith(name):
            at += 2
    return at


def _mark(line: str) -> str:
    return sha256(line.strip().encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
