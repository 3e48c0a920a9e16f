"""Documents as JSON values: how they cross from the parsing process, and how the store keeps anchors."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from glossator.document.model import (
    Anchor,
    Block,
    Document,
    DomAnchor,
    Line,
    Mark,
    Metadata,
    Page,
    PageAnchor,
    ParseReport,
    Section,
    TextRun,
)

Json = dict[str, Any]


def document_to_json(document: Document) -> Json:
    """Return a document as plain JSON values; `document_from_json` is its inverse. Block texts are not repeated."""
    return {
        "metadata": metadata_to_json(document.metadata),
        "format": document.format,
        "text": document.text,
        "blocks": [_block_to_json(b) for b in document.blocks],
        "sections": [[s.number, s.level, s.title, list(s.path), s.start, s.end] for s in document.sections],
        "pages": [_page_to_json(p) for p in document.pages],
        "marks": [asdict(m) for m in document.marks],
        "report": {
            "parser": document.report.parser,
            "confidence": document.report.confidence,
            "reasons": list(document.report.reasons),
            "warnings": list(document.report.warnings),
        },
    }


def document_from_json(data: Json) -> Document:
    """Return the document that `document_to_json` wrote."""
    text: str = data["text"]
    report = data["report"]
    return Document(
        metadata=metadata_from_json(data["metadata"]),
        format=data["format"],
        text=text,
        blocks=tuple(_block_from_json(b, text) for b in data["blocks"]),
        sections=tuple(
            Section(number=n, level=level, title=title, path=tuple(path), start=start, end=end)
            for n, level, title, path, start, end in data["sections"]
        ),
        pages=tuple(page_from_json(p) for p in data["pages"]),
        marks=tuple(Mark(**m) for m in data["marks"]),
        report=ParseReport(
            parser=report["parser"],
            confidence=report["confidence"],
            reasons=tuple(report["reasons"]),
            warnings=tuple(report["warnings"]),
        ),
    )


def metadata_to_json(metadata: Metadata) -> Json:
    """Return metadata as JSON values, in the shape `show` prints."""
    return {
        "title": metadata.title,
        "authors": list(metadata.authors),
        "language": metadata.language,
        "published": metadata.published,
        "identifiers": dict(metadata.identifiers),
    }


def metadata_from_json(data: Json) -> Metadata:
    """Return the metadata that `metadata_to_json` wrote."""
    return Metadata(
        title=data["title"],
        authors=tuple(data["authors"]),
        language=data["language"],
        published=data["published"],
        identifiers=tuple(data["identifiers"].items()),
    )


def anchor_to_json(anchor: Anchor | None) -> list[Any] | None:
    """Return an anchor as a short list whose first element names its kind; edges are kept to a tenth of a point."""
    match anchor:
        case None:
            return None
        case DomAnchor(spine=spine, base=base, runs=runs):
            return ["dom", spine, base, [[r.start, r.steps, r.offset] for r in runs]]
        case PageAnchor(lines=lines):
            return ["page", [_line_to_json(line) for line in lines]]


def anchor_from_json(data: list[Any] | None) -> Anchor | None:
    """Return the anchor that `anchor_to_json` wrote."""
    match data:
        case None:
            return None
        case ["dom", spine, base, runs]:
            return DomAnchor(spine, base, tuple(TextRun(*run) for run in runs))
        case ["page", lines]:
            return PageAnchor(tuple(_line_from_json(line) for line in lines))
        case _:
            raise ValueError(f"not an anchor: {data!r}")


def _line_to_json(line: Line) -> list[Any]:
    tenths = [round(e * 10) for e in line.edges]
    steps = [tenths[0], *(b - a for a, b in pairwise(tenths))] if tenths else []
    return [line.start, line.end, line.page, [round(v, 1) for v in line.box], line.axis, steps]


def _line_from_json(data: list[Any]) -> Line:
    start, end, page, box, axis, steps = data
    edges: list[float] = []
    at = 0
    for step in steps:
        at += step
        edges.append(at / 10)
    return Line(start, end, page, (box[0], box[1], box[2], box[3]), tuple(edges), axis)


def _block_to_json(block: Block) -> list[Any]:
    rows = None if block.rows is None else [list(row) for row in block.rows]
    text = block.text if block.start is None else None
    return [block.kind, block.start, block.end, block.level, rows, block.page, anchor_to_json(block.anchor), text]


def _block_from_json(data: list[Any], canonical: str) -> Block:
    kind, start, end, level, rows, page, anchor, text = data
    return Block(
        kind=kind,
        text=canonical[start:end] if text is None else text,
        start=start,
        end=end,
        level=level,
        rows=None if rows is None else tuple(tuple(row) for row in rows),
        page=page,
        anchor=anchor_from_json(anchor),
    )


def _page_to_json(page: Page) -> list[Any]:
    return [
        page.number,
        page.start,
        page.end,
        page.label,
        page.width,
        page.height,
        page.rotation,
        page.confidence,
        list(page.reasons),
        page.status,
    ]


def page_from_json(data: Sequence[Any]) -> Page:
    """Return a page from the values of its fields, in the order of `Page`."""
    number, start, end, label, width, height, rotation, confidence, reasons, status = data
    return Page(
        number=number,
        start=start,
        end=end,
        label=label,
        width=width,
        height=height,
        rotation=rotation,
        confidence=confidence,
        reasons=tuple(reasons),
        status=status,
    )
