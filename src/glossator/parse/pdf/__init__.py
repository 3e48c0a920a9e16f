"""PDF files: characters from PDFium, layout of our own.

`read` opens a file and returns its blocks in reading order, each with the way back to page and rectangles. Nothing is
rendered. A page without text (a scan) is reported, not recognised.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.document.model import PageAnchor, ParseReport
from glossator.errors import DamagedFile, EncryptedFile, SourceError
from glossator.parse.publication import Paged, PageGeometry, PageMark, parser_name

if TYPE_CHECKING:
    from glossator.parse.pdf.layout import Layout, PagePieces
    from glossator.parse.pdf.quality import Quality

MAX_PAGES = 5_000
MOST_MARKS = 20_000
OPENING_PAGES = 2  # where identifiers are looked for


@dataclass(frozen=True, slots=True)
class _PageRead:
    """One page as read: its pieces, how well, and its geometry in points."""

    pieces: "PagePieces"
    quality: "Quality"
    width: float
    height: float
    rotation: int
    marks: Sequence[PageMark] = ()


def read(path: Path) -> Paged:
    """Return the publication in a PDF file.

    Raises:
        EncryptedFile: it opens only with a password, or with a security handler that is not supported.
        DamagedFile: it is broken, cut short, or no PDF.
        SourceError: the system refuses to read it.
    """
    import pypdfium2

    document = open_pdf(path)
    try:
        return _read(document, path)
    except pypdfium2.PdfiumError as error:
        raise DamagedFile(f"{path}: {error}", hint="open it in a PDF viewer and save it again, then retry") from error
    finally:
        document.close()


def open_pdf(path: Path) -> Any:
    """Return an open PDF document of pypdfium2.

    Raises: as `read`.
    """
    import pypdfium2
    from pypdfium2 import raw

    try:
        if not path.stat().st_size:
            raise DamagedFile(f"{path}: the file is empty (0 bytes)", hint="copy or download it again")
        return pypdfium2.PdfDocument(path)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}", hint="check that the file is there and readable") from error
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise EncryptedFile(
                f"{path}: the PDF is locked by a password", hint="save a copy without the password, then add the copy"
            ) from error
        if error.err_code == raw.FPDF_ERR_SECURITY:
            raise EncryptedFile(
                f"{path}: the PDF is locked by a kind of protection that cannot be opened here",
                hint="save an unprotected copy, then add the copy",
            ) from error
        raise DamagedFile(
            f"{path}: the PDF is damaged or cut short ({_cause(error)})",
            hint="copy or download it again; if a PDF viewer opens it, save it there as a new file",
        ) from error


def _cause(error: Exception) -> str:
    """Return PDFium's own words out of the exception's text."""
    return str(error).removeprefix("Failed to load document (PDFium: ").removesuffix(").").removesuffix(".")


def _read(document: Any, path: Path) -> Paged:
    from glossator.parse.pdf.layout import lay_out_pages
    from glossator.parse.pdf.metadata import language_of, page_labels, read_metadata, read_outline
    from glossator.parse.pdf.quality import document_quality, without_text
    from glossator.parse.pdf.running import printed_labels

    count = min(len(document), MAX_PAGES)
    pages = [_read_page(document, n) for n in range(count)]
    layout = lay_out_pages([p.pieces for p in pages])
    pages = [p if n in layout.filled else replace(p, quality=without_text(p.quality)) for n, p in enumerate(pages)]
    confidence, reasons = document_quality([p.quality for p in pages])
    text = "\n".join(b.text for b in layout.blocks if b.kind != "running")
    navigation, lost = read_outline(document, count)
    labels = page_labels(document, count, printed_labels(layout.running))
    return Paged(
        format="pdf",
        metadata=read_metadata(
            document, path, largest=layout.title, opening=_opening(layout), language=language_of(document, text)
        ),
        blocks=layout.blocks,
        pages=tuple(_geometry(n, page, label) for n, (page, label) in enumerate(zip(pages, labels, strict=True), 1)),
        navigation=navigation,
        report=ParseReport(
            parser=parser_name("pdf"),
            confidence=confidence,
            reasons=reasons,
            warnings=(*_warnings(document), *lost),
        ),
        marks=tuple(mark for page in pages for mark in page.marks)[:MOST_MARKS],
    )


def _read_page(document: Any, number: int) -> _PageRead:
    """Return a page as read; one that PDFium cannot open is an unreadable page, not the end of the document."""
    import pypdfium2
    from pypdfium2 import raw

    from glossator.parse.pdf.characters import read_characters
    from glossator.parse.pdf.layout import all_aside, is_on_page, no_pieces, page_pieces
    from glossator.parse.pdf.marks import read_marks
    from glossator.parse.pdf.quality import page_quality, unreadable

    try:
        page = document[number]
        text = read_characters(page)
        drawn = raw.FPDFPage_CountObjects(page) > 0
        rotation = page.get_rotation()
        marks = read_marks(page, number + 1)
        page.close()
    except pypdfium2.PdfiumError as error:
        return _PageRead(no_pieces(), unreadable(_cause(error)), 0, 0, 0)
    frame = text.frame
    pieces = page_pieces(text.characters, frame, number)
    off_page = sum(len(p.text) for p in pieces.aside if not is_on_page(p, frame))
    quality = page_quality(text, off_page, drawn=drawn)
    if quality.status == "quarantined":
        pieces = all_aside(pieces)
    return _PageRead(pieces, quality, frame.right - frame.left, frame.top - frame.bottom, rotation, marks)


def _geometry(number: int, page: _PageRead, label: str | None) -> PageGeometry:
    return PageGeometry(
        number=number,
        label=label,
        width=page.width,
        height=page.height,
        rotation=page.rotation,
        confidence=page.quality.confidence,
        reasons=page.quality.reasons,
        status=page.quality.status,
    )


def _opening(layout: "Layout") -> str:
    """Return the text of the first pages, stamps and feet included: where a DOI or an ISBN stands."""
    first = [b for b in layout.blocks if isinstance(b.anchor, PageAnchor) and b.anchor.lines[0].page <= OPENING_PAGES]
    return "\n".join(b.text for b in first)


def _warnings(document: Any) -> list[str]:
    from pypdfium2 import raw

    warnings = []
    if len(document) > MAX_PAGES:
        warnings.append(f"{len(document):,} pages; only the first {MAX_PAGES:,} were read")
    if document.get_formtype() in (raw.FORMTYPE_XFA_FULL, raw.FORMTYPE_XFA_FOREGROUND):
        warnings.append("an XFA form: what its program would draw is not in the text; print it to PDF to have it")
    return warnings
