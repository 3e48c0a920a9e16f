"""How documents, texts and the state of the house look to a person. Pure functions of what the library answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from glossator.cli.page import Column, Element, Span, Style, Table, Text, cell, line

if TYPE_CHECKING:
    from glossator.cli.house import SettingList
    from glossator.config import Setting
    from glossator.library.results import (
        AddedDocument,
        AddResult,
        CollectionList,
        ContentsEntry,
        DocumentList,
        DocumentText,
        DocumentView,
        ProgressView,
        Reading,
        Removed,
    )
    from glossator.library.upkeep import Diagnosis, ModelList

ADDED: dict[str, Style] = {
    "added": "good",
    "updated": "good",
    "unchanged": "dim",
    "quarantined": "warn",
    "failed": "bad",
}
CHECKED: dict[str, Style] = {"ok": "good", "warning": "warn", "failed": "bad"}


def added(result: "AddResult") -> Iterator[Element]:
    """Show what became of each file, and a line of counts."""
    for document in result.documents:
        yield from _added(document)
    counts: dict[str, int] = {}
    for document in result.documents:
        counts[document.status] = counts.get(document.status, 0) + 1
    total = ", ".join(f"{n} {status}" for status, n in counts.items()) or "nothing to add"
    yield line((f"{total}{' · stopped before the end' if result.interrupted else ''}", "title"))
    if any(d.status == "quarantined" for d in result.documents):
        yield line(("Quarantined documents are listed and not searched: `glossator show DOC` says why.", "dim"))
    if any(d.vectors == "pending" for d in result.documents):
        yield line(
            ("Search by words works now; `glossator doctor --repair` makes the vectors that are missing.", "dim")
        )


def _added(document: "AddedDocument") -> Iterator[Element]:
    status: Span = (f"{document.status:<11}", ADDED[document.status])
    if document.error:
        yield line(status, " ", document.source)
        yield line((document.error["message"].removeprefix(f"{document.source}: "), "bad"), indent=12)
        yield line((f"hint: {document.error['hint']}", "dim"), indent=12)
        return
    parts = [counted(document.sections, "section"), counted(document.chunks, "passage")]
    parts += [counted(document.pages, "page")] if document.pages else []
    parts += [document.language] if document.language else []
    parts += [f"read with confidence {document.confidence:.2f}"] if document.confidence < 1 else []
    yield line(status, " ", (document.title or document.source, "title"), (f"  {document.id}", "key"))
    yield line((" · ".join(parts), "dim"), indent=12)
    for warning in document.warnings:
        yield line(("warning: ", "warn"), warning, indent=12)


def documents(result: "DocumentList") -> Iterator[Element]:
    """Show a table of documents."""
    if not result.documents:
        yield line("No documents. `glossator add FILE_OR_FOLDER` brings some in.")
        return
    columns = (
        Column("ID"),
        Column("Title", flexible=True),
        Column("Authors", flexible=True),
        Column("Format"),
        Column("Lang"),
        Column("Read", right=True),
        Column("Status"),
    )
    yield Table(
        columns,
        tuple(
            (
                cell(d.id, "key"),
                cell(d.title, "title"),
                cell("; ".join(d.authors)),
                cell(d.format),
                cell(d.language),
                cell(None if d.progress is None else percent(d.progress)),
                cell(d.status, "plain" if d.status == "ready" else "warn"),
            )
            for d in result.documents
        ),
    )
    if any(d.status == "missing" for d in result.documents):
        yield line(("Missing: the file is gone from where it was; its text is kept here and can be searched.", "dim"))


def document(view: "DocumentView") -> Iterator[Element]:
    """Show a document: what it is, its contents, how well it was read."""
    entry, meta = view.entry, view.metadata
    yield line((meta.title, "title"), (f"  {entry.id}", "key"))
    yield from facts(
        [
            ("authors", "; ".join(meta.authors)),
            ("language", meta.language),
            ("published", meta.published),
            ("identifiers", ", ".join(f"{scheme}:{value}" for scheme, value in meta.identifiers)),
            ("source", "\n".join(entry.sources)),
            ("collections", ", ".join(entry.collections)),
            ("tags", ", ".join(entry.tags)),
            ("parsed", f"{view.parser}, confidence {entry.confidence:.2f}, {entry.status}"),
            ("searched", f"{view.indexed_characters:,} of {view.characters:,} characters"),
            ("not searched", _numbers("page", view.quarantined_pages)),
            ("spoilers", view.spoilers),
        ]
    )
    for reason in (*view.reasons, *view.warnings):
        yield line(("note: ", "warn"), reason)
    if view.contents:
        yield line()
        yield _contents(view.contents)
    if view.pages:
        yield line()
        yield _pages(view)
    if view.preview:
        yield line()
        yield line((f"Page {view.preview[0]} as it was read", "title"))
        yield Text(view.preview[1])
    yield from notice(view.notice)


def _contents(entries: "Sequence[ContentsEntry]") -> Table:
    paged = any(e.page for e in entries)
    columns = [Column("§", right=True), Column("Contents", flexible=True)]
    columns += [Column("Page", right=True)] if paged else []
    columns += [Column("From", right=True), Column("To", right=True)]
    rows = []
    for e in entries:
        title = cell("  " * (e.level - 1) + e.title) if e.title is not None else cell("  " * (e.level - 1) + "…", "dim")
        page = [cell(e.page)] if paged else []
        rows.append((cell(e.number, "key"), title, *page, cell(e.start, "dim"), cell(e.end, "dim")))
    return Table(tuple(columns), tuple(rows))


def _pages(view: "DocumentView") -> Table:
    columns = (
        Column("Page", right=True),
        Column("Confidence", right=True),
        Column("Status"),
        Column("Reasons", False, True),
    )
    return Table(
        columns,
        tuple(
            (
                cell(p.page, "key"),
                cell(f"{p.confidence:.2f}"),
                cell(p.status, "plain" if p.status == "ok" else "warn"),
                cell("; ".join(p.reasons)),
            )
            for p in view.pages
        ),
    )


def removed(result: "Removed") -> Iterator[Element]:
    """Show that a document is gone."""
    notes = "; its notes are kept" if result.notes == "kept" else "; its notes are deleted"
    yield line("removed ", (result.id, "key"), (f"; its file is where it was{notes}", "dim"))


def text(result: "DocumentText") -> Iterator[Element]:
    """Pass the text on as it is."""
    yield Text(result.text)
    yield from notice(result.notice)


def reading(result: "Reading") -> Iterator[Element]:
    """Show blocks, headings standing out, each with its position."""
    yield line((result.document.title, "title"), (f"  {result.document.id}", "key"))
    for block in result.blocks:
        yield line()
        place = "" if block.start is None else f"  [{block.start}]"
        if block.rows:
            width = max(len(row) for row in block.rows)
            head, *rows = ([*row, *[""] * (width - len(row))] for row in block.rows)
            yield Table(
                tuple(Column(title, flexible=True) for title in head),
                tuple(tuple(cell(value) for value in row) for row in rows),
            )
        elif block.kind == "code":
            yield Text(block.text)
        else:
            style: Style = "title" if block.kind == "heading" else "dim" if block.kind == "running" else "plain"
            lead = "• " if block.kind == "list_item" else ""
            yield line(lead, (block.text, style), (place, "dim"))
    yield from notice(result.notice)


def progress(view: "ProgressView") -> Iterator[Element]:
    """Show how far a document was read."""
    filled = int(view.fraction * 20)
    yield line((view.document.title, "title"), (f"  {view.document.id}", "key"))
    yield from facts(
        [
            (
                "read",
                f"{'█' * filled}{'░' * (20 - filled)} {percent(view.fraction)}{' · finished' if view.finished else ''}",
            ),
            ("position", f"{view.position}, read to {view.read_to}"),
            ("section", view.section),
            ("page", view.page),
            ("spoilers", view.spoilers),
            ("updated", view.updated or "not read yet"),
        ]
    )


def collections(result: "CollectionList") -> Iterator[Element]:
    """Show a table of collections."""
    if not result.collections:
        yield line("No collections. `glossator collection create NAME` makes one.")
        return
    followed = any(c.folder for c in result.collections)
    columns = [Column("Collection", flexible=True), Column("Documents", right=True), Column("Description", False, True)]
    columns += [Column("Folder", flexible=True)] if followed else []
    rows = []
    for c in result.collections:
        folder = [cell(f"{c.folder or ''}{f' ({c.glob})' if c.glob else ''}", "dim")] if followed else []
        rows.append((cell(c.name, "title"), cell(c.documents), cell(c.description), *folder))
    yield Table(tuple(columns), tuple(rows))


def models(result: "ModelList") -> Iterator[Element]:
    """Show a table of embedders: what is here, what it knows, what it costs."""
    columns = (
        Column("Embedder"),
        Column("Here"),
        Column("Languages"),
        Column("Size", right=True),
        Column("Reads", right=True),
        Column("Note", flexible=True),
    )
    yield Table(columns, tuple(_model(embedder) for embedder in result.embedders))
    yield line(("Reads: tokens at once; longer passages are embedded in several windows.", "dim"))
    if not result.models:
        yield line(("No language model is used: answers are verbatim sentences, with receipts.", "dim"))


def _model(facts: Mapping[str, Any]) -> tuple[Span, ...]:
    languages = facts.get("languages")
    size = facts.get("size_mb")
    note = "; ".join(str(facts[k]) for k in ("what", "licence", "hint") if facts.get(k))
    return (
        cell(facts["name"], "title"),
        cell("yes", "good") if facts.get("installed") else cell("no", "warn"),
        cell("" if languages is None else "many" if "*" in languages else ", ".join(languages)),
        cell(None if size is None else f"{size} MB"),
        cell(facts.get("max_tokens")),
        cell(note, "dim"),
    )


def diagnosis(result: "Diagnosis") -> Iterator[Element]:
    """Show each check, with what to do where something is amiss."""
    for check in result.checks:
        yield line((f"{check.status:<8}", CHECKED[check.status]), (check.name, "title"), f": {check.detail}")
        if check.hint and check.status != "ok":
            yield line((f"hint: {check.hint}", "dim"), indent=8)
    yield line(("The library is sound." if result.ok else "The library needs attention.", "title"))


def settings(result: "SettingList") -> Iterator[Element]:
    """Show a table of settings."""
    columns = (Column("Setting"), Column("Value", flexible=True), Column("From"), Column("Meaning", flexible=True))
    yield Table(
        columns,
        tuple(
            (cell(s["key"], "key"), cell(s["value"]), cell(s["source"], "dim"), cell(s["help"], "dim"))
            for s in result.to_json()["settings"]
        ),
    )


def setting(result: "Setting") -> Iterator[Element]:
    """Show the bare value, as a script wants it."""
    yield Text(str(result.to_json()["value"] or ""))


def notice(text: str | None) -> Iterator[Element]:
    """Show what was left out or is not ready, when there is something to say."""
    if text:
        yield line((text, "warn"))


def facts(pairs: list[tuple[str, Any]], *, indent: int = 0) -> Iterator[Element]:
    """Show names and values, one under the other; what is empty is left out."""
    for name, value in pairs:
        if value not in (None, "", [], ()):
            first, *more = str(value).split("\n")
            yield line((f"{name:<13}", "dim"), first, indent=indent)
            yield from (line(" " * 13, part, indent=indent) for part in more)


def percent(fraction: float) -> str:
    """Return a share of a document as whole percents, rounded down: nothing is 100% before its end."""
    return f"{int(fraction * 100 + 1e-9)}%"  # 0.29 * 100 is a hair less than 29


def counted(number: int, name: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def _numbers(name: str, values: Sequence[int]) -> str:
    return f"{name}s {', '.join(map(str, values))}" if values else ""
