"""Highlights and notes that people made in a PDF with other programs: read as they stand on the page.

Highlights, underlines, strike-outs and squiggly lines are read with the boxes they cover, sticky notes and text boxes
with the place of their sign. Drawings, stamps, links and form fields are no notes.
"""

import colorsys
import ctypes
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from glossator.document.model import Color, MarkKind, clean
from glossator.parse.publication import PageMark

LONGEST = 100_000  # characters of what is written to one
_GREY = 0.12  # saturation under which a colour says nothing
_HUES: tuple[tuple[float, Color], ...] = (  # where each colour ends, in degrees
    (20, "red"),
    (70, "yellow"),
    (170, "green"),
    (255, "blue"),
    (335, "purple"),
    (361, "red"),
)
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?")

Box = tuple[float, float, float, float]


def read_marks(page: Any, number: int) -> list[PageMark]:
    """Return the marks on a `pypdfium2.PdfPage` (`number` from 1), in the order of the file."""
    from pypdfium2 import raw

    kinds: dict[int, MarkKind] = {
        raw.FPDF_ANNOT_HIGHLIGHT: "highlight",
        raw.FPDF_ANNOT_UNDERLINE: "underline",
        raw.FPDF_ANNOT_STRIKEOUT: "strikeout",
        raw.FPDF_ANNOT_SQUIGGLY: "squiggly",
        raw.FPDF_ANNOT_TEXT: "note",
        raw.FPDF_ANNOT_FREETEXT: "note",
    }
    found: list[PageMark] = []
    for i in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, i)
        if not annotation:
            continue
        try:
            kind = kinds.get(raw.FPDFAnnot_GetSubtype(annotation))
            mark = None if kind is None else _mark(annotation, kind, number)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
        if mark is not None:
            found.append(mark)
    return found


def nearest_color(red: int, green: int, blue: int) -> Color:
    """Return which of the five colours comes nearest to one of 0 to 255 each; yellow for grey, black and white."""
    hue, lightness, saturation = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    if saturation < _GREY or lightness < _GREY / 2:
        return "yellow"
    return next(name for end, name in _HUES if hue * 360 < end)


def rfc3339(date: str) -> str | None:
    """Return a date of a PDF ("D:20240131093000+01'00'") as RFC 3339 in UTC, or None when it is none."""
    match = _DATE.match(date.strip())
    if match is None:
        return None
    year, *rest = match.groups()[:6]
    sign, hours, minutes = match.groups()[6:]
    month, day, hour, minute, second = (int(n) if n else least for n, least in zip(rest, (1, 1, 0, 0, 0), strict=True))
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    try:
        made = datetime(int(year), month, day, hour, minute, second, tzinfo=timezone(offset))
        return made.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):  # a day that is none
        return None


def _mark(annotation: Any, kind: MarkKind, page: int) -> PageMark | None:
    rect, boxes = _rect(annotation), tuple(_quads(annotation))
    if kind == "note" or not boxes:
        boxes = () if rect is None else (rect,)
    body = _string(annotation, "Contents").replace("\r\n", "\n").replace("\r", "\n").strip()
    if not boxes or (kind == "note" and not body):
        return None
    where = ",".join(f"{v:.0f}" for v in rect or boxes[0])
    created = rfc3339(_string(annotation, "CreationDate"))
    return PageMark(
        name=_string(annotation, "NM") or f"{page}/{kind}/{where}",
        kind=kind,
        page=page,
        boxes=boxes,
        body=body[:LONGEST],
        author=_string(annotation, "T").strip() or None,
        created=created,
        updated=rfc3339(_string(annotation, "M")) or created,
        color=_color(annotation),
    )


def _rect(annotation: Any) -> Box | None:
    from pypdfium2 import raw

    rect = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, ctypes.byref(rect)):
        return None
    return _box((rect.left, rect.right), (rect.bottom, rect.top))


def _quads(annotation: Any) -> Iterator[Box]:
    """Yield what a mark covers; corners come in any order, as programs differ in it."""
    from pypdfium2 import raw

    quad = raw.FS_QUADPOINTSF()
    for i in range(raw.FPDFAnnot_CountAttachmentPoints(annotation)):
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, i, ctypes.byref(quad)):
            yield _box((quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4))


def _box(xs: tuple[float, ...], ys: tuple[float, ...]) -> Box:
    return min(xs), min(ys), max(xs), max(ys)


def _color(annotation: Any) -> Color:
    from pypdfium2 import raw

    # PDFium tells the colour only of what it draws itself; the file on disk is not changed by this
    raw.FPDFAnnot_SetAP(annotation, raw.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None)
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    told = raw.FPDFAnnot_GetColor(
        annotation,
        raw.FPDFANNOT_COLORTYPE_Color,
        ctypes.byref(red),
        ctypes.byref(green),
        ctypes.byref(blue),
        ctypes.byref(alpha),
    )
    return nearest_color(red.value, green.value, blue.value) if told else "yellow"


def _string(annotation: Any, key: str) -> str:
    from pypdfium2 import raw

    size = raw.FPDFAnnot_GetStringValue(annotation, key.encode(), None, 0)
    if size <= 2:  # the closing zero alone
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    raw.FPDFAnnot_GetStringValue(annotation, key.encode(), buffer, size)
    return clean(bytes(buffer).decode("utf-16-le", "replace").rstrip("\0"))
