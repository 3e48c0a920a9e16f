"""`library.exchange`: notes and metadata out to files of many programs, and in again."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from glossator.errors import StoreError, UsageError
from glossator.library.exchange.incoming import Incoming, open_incoming
from glossator.library.exchange.results import Counts, Exported, Imported, Problem
from glossator.library.exchange.selection import Wanted, portable_of, select
from glossator.library.results import Bound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from glossator.library.exchange.passages import Passage
    from glossator.library.exchange.references import Reference
    from glossator.library.exchange.selection import Selection
    from glossator.library.library import Library

Format = Literal["markdown", "json", "obsidian", "w3c", "csv", "bibtex"]
FORMATS: tuple[Format, ...] = get_args(Format)
DEFAULT = Bound()


class Exchange:
    """What leaves a library and comes into it."""

    def __init__(self, library: "Library") -> None:
        """Take the library."""
        self._library = library

    def export(
        self,
        format: Format = "markdown",
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        tags: Sequence[str] = (),
        bound: Bound = DEFAULT,
    ) -> Exported:
        """Return notes in a format that is one text; "csv" also as the table of links (`links`).

        Raises:
            UsageError: an unknown format, or "obsidian", which is a folder.
            NotFound: no such document or collection.
        """
        wanted = Wanted(docs=docs, collections=collections, tags=tags, bound=bound)
        if format == "obsidian":
            raise UsageError("an Obsidian export is a folder", hint="name it with --output")
        if format in ("json", "w3c"):
            from glossator.library.exchange import native, webanno

            portable, notice = portable_of(self._library, wanted)
            text = native.to_text(portable) if format == "json" else webanno.to_text(portable)
            return Exported(path=None, notes=len(portable.notes), content=text, notice=notice)
        selection = select(self._library, wanted)
        return Exported(
            path=None, notes=len(selection.notes), content=_page(format, selection), notice=selection.notice
        )

    def write(  # noqa: PLR0913  the façade mirrors the options of the command
        self,
        path: Path,
        format: Format = "markdown",
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        tags: Sequence[str] = (),
        force: bool = False,
        bound: Bound = DEFAULT,
    ) -> Exported:
        """Write notes to a file, whole or not at all; "obsidian" to a folder, a page for each document.

        Raises:
            StoreError: the file is there and `force` is not given, or it cannot be written.
            UsageError, NotFound: as `export`.
        """
        if format == "obsidian":
            wanted = Wanted(docs=docs, collections=collections, tags=tags, bound=bound)
            return self._vault(path, wanted)
        _refuse_existing(path, force)
        made = self.export(format, docs=docs, collections=collections, tags=tags, bound=bound)
        return _written(path, made, force)

    def links(
        self,
        *,
        docs: Sequence[str] = (),
        collections: Sequence[str] = (),
        path: Path | None = None,
        force: bool = False,
        bound: Bound = DEFAULT,
    ) -> Exported:
        """Return the links between notes as a CSV table with the words at both ends, or write it to a file.

        Raises: as `write`.
        """
        from glossator.library.exchange import table
        from glossator.library.note_reading import link_rows, seen
        from glossator.store.annotations import keys_by_id

        if path is not None:
            _refuse_existing(path, force)
        database = self._library.database
        with database.read() as c:
            found = self._library.notes.list(docs=docs, collections=collections, bound=bound)
            keys = list(keys_by_id(c, [n.id for n in found.notes]).values())
            rows = link_rows(c, seen(self._library, docs, collections, bound), keys)
        made = Exported(path=None, notes=len(found.notes), content=table.links_to_text(rows), notice=found.notice)
        return made if path is None else _written(path, made, force)

    def load(self, path: str | Path) -> Imported:
        """Take in a file: notes of this or another program, or metadata. All of it, or on an error nothing.

        What is here already is not added again. What cannot be placed is told in `problems`.

        Raises:
            NotFound: there is no such file.
            SourceError: it cannot be read, breaks off, is in a wrong encoding, or is nothing that can be imported.
        """
        found = open_incoming(Path(path))
        if found.kind in ("json", "w3c", "clippings"):
            return self._notes(found, str(path))
        from glossator.library.exchange.metadata import take_in
        from glossator.library.exchange.references import references_of

        references: list[Reference] = references_of(found, Path(path))
        return take_in(self._library.database, references, found.kind)

    def _vault(self, folder: Path, wanted: Wanted) -> Exported:
        from glossator.library.exchange.vault import pages_of
        from glossator.library.writing import write_text

        selection = select(self._library, wanted)
        pages = pages_of(selection, folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{folder}: cannot be made ({error.strerror})", hint="choose another folder for the pages"
            ) from error
        for page in pages:
            write_text(page.path, page.text, force=True)
        return Exported(path=str(folder), notes=len(selection.notes), notice=selection.notice)

    def _notes(self, found: Incoming, path: str) -> Imported:
        from glossator.library.exchange import clippings, foreign, native, webanno

        if found.kind == "json":
            return self._merged(native.from_data(found.data, path), "json")
        if found.kind == "w3c" and webanno.is_ours(found.data):
            return self._merged(webanno.from_data(found.data, path), "w3c")
        if found.kind == "w3c":
            return self._placed(foreign.passages_of(found.data), "w3c")
        read = clippings.read(found.text)
        skipped = {"replaced": read.replaced, "bookmarks": read.bookmarks}
        return self._placed(read.passages, "clippings", problems=read.problems, skipped=skipped)

    def _merged(self, portable: Any, kind: str) -> Imported:
        from glossator.library.exchange.merge import merge

        with self._library.database.write() as c:
            merged = merge(c, portable)
        return Imported(
            format=kind, notes=merged.notes, documents=merged.documents, links=merged.links, problems=merged.problems
        )

    def _placed(
        self,
        passages: "Iterable[Passage]",
        kind: str,
        *,
        problems: Sequence[Problem] = (),
        skipped: "dict[str, int] | None" = None,
    ) -> Imported:
        from dataclasses import replace

        from glossator.library.exchange.matching import shelf_of
        from glossator.library.exchange.merge import merge
        from glossator.library.exchange.passages import notes_of
        from glossator.store.portable import Facts, Portable

        reader = self._library.scope((), bound=Bound(uncapped=True)).reader
        with self._library.database.read() as c:
            made = notes_of(reader, shelf_of(c), list(passages))
        portable = Portable(documents=tuple(Facts(file=f) for f in made.files), notes=made.notes)
        with self._library.database.write() as c:
            merged = merge(c, portable)
        told = sorted((*problems, *made.problems), key=lambda p: p.line or 0)
        counts: Counts = replace(merged.notes, failed=len(told))
        return Imported(format=kind, notes=counts, skipped=skipped or {}, problems=(*told, *merged.problems))


def _page(format: Format, selection: "Selection") -> str:
    from glossator.library.exchange import bibtex, markdown, table

    makers = {"markdown": markdown.to_text, "csv": table.notes_to_text, "bibtex": bibtex.to_text}
    if format not in makers:
        raise UsageError(f"there is no format {format!r}", hint=f"one of {', '.join(FORMATS)}")
    return makers[format](selection)


def _refuse_existing(path: Path, force: bool) -> None:
    """Say so before any work is done."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder", hint="name a file; only an Obsidian export is a folder")
    if path.exists() and not force:
        raise StoreError(f"{path} is there already", hint="choose another name, or give --force to replace it")


def _written(path: Path, made: Exported, force: bool) -> Exported:
    from glossator.library.writing import write_text

    write_text(path, made.content or "", force=force)
    return Exported(path=str(path), notes=made.notes, notice=made.notice)
