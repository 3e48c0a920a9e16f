"""Word files (DOCX, Office Open XML): the document's flow, its notes, and what it says of itself, as XHTML.

Headers and footers are running text and are left out, and so are comments and deleted changes; how many comments there
are is said in the report. Known limits: numbers that the word processor makes (of headings, lists, notes) are no text
of the file; charts, diagrams and embedded documents are not read, which the report says too.

Source: ECMA-376 / ISO/IEC 29500-1; only the parts named in `docx_package` are opened.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import etree

from glossator.document.model import Metadata, ParseReport
from glossator.errors import DamagedFile, EncryptedFile, UnsupportedFormat
from glossator.parse.archive import Archive, open_archive
from glossator.parse.assembly import Piece, assemble
from glossator.parse.docx_body import markup, pieces
from glossator.parse.docx_package import (
    Element,
    Package,
    descendants,
    name,
    open_package,
    parse_part,
    parse_xml,
    value,
)
from glossator.parse.docx_runs import References, note_id
from glossator.parse.language import guess_language
from glossator.parse.publication import Reflowable, parser_name
from glossator.parse.text import title_of_stem
from glossator.sources.files import readable, shown

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # [MS-CFB] section 2.2
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")  # [MS-OFFCRYPTO] section 2.3.4.4
_NO_TITLE = re.compile(r"(?:microsoft word - .*|word document|document ?\d*|untitled.*|.*\.docx?)?", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")


def read(path: Path) -> Reflowable:
    """Return the publication in a Word file.

    Raises:
        EncryptedFile: it is locked by a password.
        UnsupportedFormat: it is an old .doc file under a new name.
        DamagedFile: it is no ZIP archive, or has no readable document in it.
        LimitExceeded: it unpacks to too much.
        SourceError: it cannot be read.
    """
    refuse_ole(path)
    with open_archive(path) as archive:
        package = open_package(archive, path)
        try:
            root = parse_xml(archive.read(package.main))
        except etree.XMLSyntaxError as error:
            raise DamagedFile(
                f"{shown(path)}: the text in it is damaged ({error})",
                hint="open it in a word processor, which may repair it, and save it again",
            ) from error
        references = References(bookmarks=_bookmarks(root))
        found = [*pieces(_body(root), package, references), *_notes(package, references)]
        core = _core(archive, package)
        warnings = _warnings(package, references)
    metadata = _metadata(path, core, found)
    parts, navigation = assemble(found, metadata)
    report = ParseReport(parser=parser_name("docx"), warnings=warnings)
    return Reflowable(format="docx", metadata=metadata, parts=parts, navigation=navigation, report=report)


def refuse_ole(path: Path) -> None:
    """Raise for the two kinds of file that are called .docx but are OLE containers.

    Raises:
        EncryptedFile: a DOCX under a password.
        UnsupportedFormat: a DOC, or another file of old Office.
        NotFound: there is no such file.
        SourceError: it cannot be read.
    """
    with readable(path), path.open("rb") as stream:
        if stream.read(len(_OLE)) != _OLE:
            return
        directory = stream.read(1 << 20)
        stream.seek(max(0, path.stat().st_size - (1 << 20)))
        directory += stream.read(1 << 20)
    if _ENCRYPTED_STREAM in directory:
        raise EncryptedFile(
            f"{shown(path)}: locked by a password",
            hint="open it with the password, save a copy without one, and add that",
        )
    raise UnsupportedFormat(
        f"{shown(path)}: an old Word file (.doc), which is not read here", hint="save it as .docx or PDF and add that"
    )


def _body(root: Element) -> Element:
    return next((el for el in root if name(el) == "w:body"), root)


def _bookmarks(root: Element) -> frozenset[str]:
    """Return the bookmarks that links lead to; the many others that a word processor sets are of no use."""
    return frozenset(anchor for link in descendants(root, "w:hyperlink") if (anchor := value(link, "anchor")))


def _notes(package: Package, references: References) -> Iterator[Piece]:
    """Yield footnotes and endnotes, those that are referred to in that order, then the others."""
    texts = {
        (kind, value(note, "id") or ""): note
        for kind, part in (("w:footnote", "footnotes"), ("w:endnote", "endnotes"))
        for root in [package.part(part)]
        for note in (descendants(root, kind) if root is not None else ())
        if value(note, "type") in (None, "normal")
    }
    called = [note for note in references.notes if note in texts]
    missing = len(references.notes) - len(called)
    if missing:
        package.warnings.append(f"{missing} notes are referred to and missing")
    for note in [*called, *(n for n in texts if n not in called)]:
        content = markup(texts[note], package, references)
        role = "footnote" if note[0] == "w:footnote" else "endnote"
        if content:
            yield Piece(markup=f'<aside class="{role}" role="doc-{role}" id="{note_id(note)}">{content}</aside>')


# --- metadata -------------------------------------------------------------------------------------------------------


def _core(archive: Archive, package: Package) -> dict[str, str]:
    root = parse_part(archive, "docProps/core.xml", package.warnings)
    return {name(el): (el.text or "").strip() for el in root if (el.text or "").strip()} if root is not None else {}


def _metadata(path: Path, core: dict[str, str], found: Sequence[Piece]) -> Metadata:
    text = " ".join(_TAG.sub(" ", piece.markup) for piece in found)
    own = core.get("dc:title", "")
    said = next((_TAG.sub("", p.markup) for p in found if p.markup.startswith('<h1 class="title"')), "")
    identifier = core.get("dc:identifier")
    return Metadata(
        title=" ".join((own if not _NO_TITLE.fullmatch(own) else said).split()) or title_of_stem(shown(path.stem)),
        authors=tuple(a for a in re.split(r"\s*;\s*", core.get("dc:creator", "")) if a),
        language=core.get("dc:language") or guess_language(text),
        published=None,  # the file tells when it was made and saved, which is not the same
        identifiers=(("identifier", identifier),) if identifier else (),
    )


def _warnings(package: Package, references: References) -> tuple[str, ...]:
    comments = package.part("comments")
    left_out = references.left_out.copy()
    left_out["comments"] = sum(1 for _ in descendants(comments, "w:comment")) if comments is not None else 0
    said = tuple(f"left out: {what} ({count})" for what, count in left_out.items() if count)
    return tuple(dict.fromkeys(package.warnings)) + said
