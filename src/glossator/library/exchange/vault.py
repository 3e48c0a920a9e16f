"""Notes as an Obsidian vault: a page for each document, of which this program writes one part and no more.

The part stands between two comments. What a person writes before and behind it, and the properties at the top once the
page is there, stay as they are, byte for byte; lines written between the notes stay behind their note (`own_text`), or
behind the part once that note is gone. A page that was renamed or moved inside the folder is found again by the
comment. All pages are made before the first is written.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.errors import SourceError, UsageError
from glossator.library.exchange.markdown import body_of, heading
from glossator.library.exchange.own_text import marks_of, own_text, with_own_text
from glossator.library.exchange.selection import Selection, Shown, Work

_BEGIN = re.compile(r"^%% glossator:begin (\S+)[^\n]*%%[ \t]*\r?$", re.MULTILINE)
_END = re.compile(r"^%% glossator:end %%[ \t]*\r?$", re.MULTILINE)
_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
LONGEST_NAME = 120  # bytes of a file name without its suffix


@dataclass(frozen=True, slots=True)
class Page:
    """A page to write: where, and its whole text."""

    path: Path
    text: str


def pages_of(selection: Selection, folder: Path) -> list[Page]:
    """Return the pages that the notes make in a folder, with what people wrote on them before.

    Raises:
        UsageError: the folder is a file.
        SourceError: a page cannot be read, or its end comment is gone.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", hint="an Obsidian export needs a folder")
    there = dict(_existing(folder)) if folder.is_dir() else {}
    notes = {work.sha256: (work, some) for work, some in selection.by_work()}
    for work in selection.works:  # a page whose last note was removed is to say so
        if work.sha256 not in notes and work.id in there:
            notes[work.sha256] = (work, [])
    taken = {p.name.casefold() for p in folder.glob("*.md")} if folder.is_dir() else set()
    names = _names([work for work, _ in notes.values() if work.id not in there], taken)
    paths = {w.id: there[w.id][0] if w.id in there else folder / names[w.id] for w, _ in notes.values()}
    targets = {s.note.id: paths[w.id].stem for w, some in notes.values() for s in some}
    pages = []
    for work, some in notes.values():
        part = _part(work, some, targets)
        old = there[work.id][1] if work.id in there else None
        text = _fresh(work, part) if old is None else _renewed(paths[work.id], old, part)
        pages.append(Page(paths[work.id], text))
    return pages


def _existing(folder: Path) -> Iterator[tuple[str, tuple[Path, str]]]:
    """Yield the pages of a folder that hold a part of ours, by the id of their document."""
    for path in sorted(folder.rglob("*.md"), reverse=True):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            with path.open(encoding="utf-8", newline="") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError):
            continue  # a page that we did not write
        found = _BEGIN.search(text)
        if found:
            yield found[1], (path, text)


def _renewed(path: Path, text: str, part: str) -> str:
    begin = _BEGIN.search(text)
    end = _END.search(text, begin.end()) if begin else None
    if begin is None or end is None:
        raise SourceError(
            f"{path}: the line “%% glossator:end %%” is gone, so what is yours on that page cannot be told",
            hint="write that line again behind the notes, or move the page away; nothing was changed",
        )
    newline = "\r\n" if begin[0].endswith("\r") else "\n"
    renewed, homeless = with_own_text(part, own_text(text[begin.end() : end.start()]))
    behind = "".join(f"\n{line}" for line in homeless)
    ours = f"{renewed}{end[0].rstrip()}{behind}".replace("\n", newline)
    return text[: begin.start()] + ours + text[end.start() + len(end[0].rstrip()) :]


def _fresh(work: Work, part: str) -> str:
    lines = ["---", f"title: {_quoted(work.title)}"]
    lines += [f"authors: [{', '.join(map(_quoted, work.authors))}]"] if work.authors else []
    lines += [f"published: {_quoted(work.published)}"] if work.published else []
    lines += [f"{scheme}: {_quoted(value)}" for scheme, value in work.identifiers.items() if scheme in ("doi", "isbn")]
    lines += ["---", ""]
    return "\n".join(lines) + "\n" + part + "%% glossator:end %%\n"


def _part(work: Work, notes: Sequence[Shown], targets: Mapping[str, str]) -> str:
    """Return what stands from the first comment up to the second, without the second."""
    body = "\n".join(body_of(notes, level=2, pages=targets)).rstrip() if notes else "No notes."
    body = body.replace("%% glossator:", "%%\u200b glossator:")  # a body may not end our part
    part = f"%% glossator:begin {work.id} %%\n\n# {heading(work.title)}\n\n{body}\n\n"
    return f"{part}{marks_of(part)}\n"


def _names(works: Sequence[Work], taken: set[str]) -> dict[str, str]:
    """Return file names: the title, with the id where another page is called so."""
    plain = {w.id: _file_name(w.title) for w in works}
    folded = [n.casefold() for n in plain.values()]
    names = {}
    for w in works:
        name = plain[w.id]
        twice = folded.count(name.casefold()) > 1 or f"{name}.md".casefold() in taken
        names[w.id] = f"{name} ({w.id}).md" if twice else f"{name}.md"
    return names


def _file_name(title: str) -> str:
    name = " ".join(_FORBIDDEN.sub(" ", title).split()).strip(". ")
    while len(os.fsencode(name)) > LONGEST_NAME:
        name = name[:-1]
    name = name.strip(". ")
    return f"_{name}" if not name or _DEVICES.fullmatch(name) else name


def _quoted(text: str) -> str:
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
