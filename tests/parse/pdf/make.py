"""Small PDF files made in code: text at given places in a fixed-width font, so that every width is known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

CHAR = 0.6  # em: width of every character of Courier


@dataclass(frozen=True)
class Text:
    """A string at (x, y), the left end of its baseline; `turn` in quarter turns counter-clockwise."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = "F1"  # F1 Courier, F2 Courier-Bold, F3 mapped by `to_unicode`, F4 Chinese
    turn: int = 0


@dataclass(frozen=True)
class Page:
    texts: Sequence[Text] = ()
    width: float = 600
    height: float = 800
    rotate: int = 0
    image: bool = False
    crop: tuple[float, float, float, float] | None = None
    marks: Sequence[str] = ()  # annotations, as PDF source without the brackets


@dataclass(frozen=True)
class Pdf:
    pages: Sequence[Page]
    info: dict[str, str] = field(default_factory=dict)
    outline: Sequence[tuple[str, int, float]] = ()  # title, page from 0, y
    to_unicode: dict[int, str] = field(default_factory=dict)
    language: str | None = None
    labels: str = ""  # a /PageLabels number tree, as PDF source

    def write(self, path: Path) -> Path:
        path.write_bytes(self.build())
        return path

    def build(self) -> bytes:
        objects: list[bytes] = []

        def add(source: str | bytes) -> int:
            objects.append(source.encode("latin-1") if isinstance(source, str) else source)
            return len(objects)

        def stream(data: bytes, entries: str = "") -> int:
            return add(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries.encode(), data))

        catalog, tree = add(b""), add(b"")
        cmap = stream(_cmap(self.to_unicode))
        simple = "<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont"
        fonts = [
            add(f"{simple} /Courier >>"),
            add(f"{simple} /Courier-Bold >>"),
            add(f"{simple} /Courier /ToUnicode {cmap} 0 R >>"),
            add(_chinese(add)),
        ]
        image = stream(
            b"\x00", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray"
        )
        names = " ".join(f"/F{n} {font} 0 R" for n, font in enumerate(fonts, 1))
        resources = add(f"<< /Font << {names} >> /XObject << /Im {image} 0 R >> >>")
        kids = []
        drawn = f"/AP << /N {stream(b'0 0 10 10 re f', '/Type /XObject /Subtype /Form /BBox [0 0 10 10]')} 0 R >>"
        for page in self.pages:
            content = stream(_content(page))
            crop = f" /CropBox [{' '.join(map(str, page.crop))}]" if page.crop else ""
            marks = [add(f"<< /Type /Annot {source.replace('@drawn', drawn)} >>") for source in page.marks]
            annots = f" /Annots [{_refs(marks)}]" if marks else ""
            kids.append(
                add(
                    f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {page.width} {page.height}]{crop}"
                    f" /Rotate {page.rotate} /Resources {resources} 0 R /Contents {content} 0 R{annots} >>"
                )
            )
        objects[tree - 1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{_refs(kids)}] >>".encode()
        outlines = _outline(add, objects, kids, self.outline)
        language = f" /Lang ({self.language})" if self.language else ""
        labels = f" /PageLabels {self.labels}" if self.labels else ""
        objects[catalog - 1] = f"<< /Type /Catalog /Pages {tree} 0 R{outlines}{language}{labels} >>".encode()
        info = add("<< " + " ".join(f"/{key} {_string(value)}" for key, value in self.info.items()) + " >>")
        return _file(objects, catalog, info)


def mark(kind: str, *boxes: tuple[float, float, float, float], rgb: str = "1 1 0", **entries: str) -> str:
    """Return an annotation over boxes (x0, y0, x1, y1): /Highlight, /Underline …, or /Text for a sticky note.

    With `@drawn` behind it, it has an appearance that its program drew.
    """
    quads = " ".join(f"{x0} {y1} {x1} {y1} {x0} {y0} {x1} {y0}" for x0, y0, x1, y1 in boxes)
    xs = [x for box in boxes for x in (box[0], box[2])]
    ys = [y for box in boxes for y in (box[1], box[3])]
    rect = f"/Rect [{min(xs)} {min(ys)} {max(xs)} {max(ys)}]"
    points = "" if kind == "Text" else f" /QuadPoints [{quads}]"
    said = "".join(f" /{name} {_string(value)}" for name, value in entries.items())
    return f"/Subtype /{kind} {rect}{points} /C [{rgb}]{said}"


def column(x: float, top: float, lines: Sequence[str], *, size: float = 10, leading: float = 12) -> list[Text]:
    """Return lines of one column, the first at `top`."""
    return [Text(x, top - i * leading, line, size) for i, line in enumerate(lines)]


def _content(page: Page) -> bytes:
    turns = ("1 0 0 1", "0 1 -1 0", "-1 0 0 -1", "0 -1 1 0")
    out = [b"q 600 0 0 800 0 0 cm /Im Do Q"] if page.image else []
    for t in page.texts:
        code = t.text.encode("utf-16-be" if t.font == "F4" else "cp1252").hex()
        out.append(f"BT /{t.font} {t.size} Tf {turns[t.turn]} {t.x} {t.y} Tm <{code}> Tj ET".encode())
    return b"\n".join(out)


def _cmap(mapping: dict[int, str]) -> bytes:
    rows = "\n".join(f"<{code:02x}> <{text.encode('utf-16-be').hex()}>" for code, text in mapping.items())
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <ff> endcodespacerange\n{len(mapping)} beginbfchar\n{rows}\nendbfchar\n"
        "endcmap end end"
    ).encode()


def _chinese(add):  # type: ignore[no-untyped-def]
    descriptor = add(
        "<< /Type /FontDescriptor /FontName /SimSun /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800"
        " /Descent -200 /CapHeight 700 /StemV 80 >>"
    )
    cid = add(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /DW 1000"
        f" /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor {descriptor} 0 R >>"
    )
    return f"<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /UniGB-UCS2-H /DescendantFonts [{cid} 0 R] >>"


def _outline(add, objects: list[bytes], kids: Sequence[int], entries: Sequence[tuple[str, int, float]]) -> str:  # type: ignore[no-untyped-def]
    if not entries:
        return ""
    root = add(b"")
    numbers = [add(b"") for _ in entries]
    for i, (title, page, y) in enumerate(entries):
        target = f"[{kids[page]} 0 R /XYZ 0 {y} 0]" if page < len(kids) else "[999 0 R /Fit]"
        after = f" /Next {numbers[i + 1]} 0 R" if i + 1 < len(numbers) else ""
        objects[numbers[i] - 1] = f"<< /Title {_string(title)} /Parent {root} 0 R /Dest {target}{after} >>".encode()
    objects[root - 1] = f"<< /First {numbers[0]} 0 R /Last {numbers[-1]} 0 R /Count {len(numbers)} >>".encode()
    return f" /Outlines {root} 0 R"


def _string(text: str) -> str:
    return f"<feff{text.encode('utf-16-be').hex()}>"


def _refs(numbers: Sequence[int]) -> str:
    return " ".join(f"{n} 0 R" for n in numbers)


def _file(objects: Sequence[bytes], catalog: int, info: int) -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), []
    for n, source in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, source)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = (
        f"trailer\n<< /Size {len(objects) + 1} /Root {catalog} 0 R /Info {info} 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    return bytes(out) + trailer.encode()
