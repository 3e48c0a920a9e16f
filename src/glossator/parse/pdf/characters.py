"""The characters of a page, as PDFium gives them, turned upright.

A page is laid out in *upright* coordinates: origin at the bottom left of the page as its main text is read, in points.
Each character also keeps its leading and trailing edge in the coordinates of the file (user space of the unrotated
page), which is what anchors are made of.
"""

import ctypes
import math
import unicodedata
from collections import Counter
from typing import Any, NamedTuple

LINE_END_CODES = (13, 10)  # PDFium's own line ends; they have no box
HYPHEN_CODES = (0x2D, 0xAD, 0x2010, 0x02, 0xFFFE)  # the last two are how PDFium reports a line-end hyphen
INVISIBLE_HYPHENS = (0x02, 0xAD, 0xFFFE)
LIGATURES = range(0xFB00, 0xFB07)  # the only characters that are replaced by others: fi, fl, …
UNMAPPED = "\ufffd"
_STYLE_STEP = 0.3  # points of box height: the font is asked for only where it can have changed


class Character(NamedTuple):
    """One code point and where it stands; a newline ends a line of the stream, " " is any white space."""

    text: str
    left: float  # upright coordinates
    bottom: float
    right: float
    top: float
    size: float  # em, in points
    weight: int
    hyphen: bool
    turn: int  # direction of writing in the file: quarter turns counter-clockwise
    lead: float  # leading and trailing edge, along the direction of writing, in the file's coordinates
    trail: float


class Frame(NamedTuple):
    """The page box in the file's coordinates, and by how many quarter turns its main text is turned."""

    left: float
    bottom: float
    right: float
    top: float
    turn: int = 0

    @property
    def width(self) -> float:
        """Width of the upright page."""
        return self.top - self.bottom if self.turn % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """Height of the upright page."""
        return self.right - self.left if self.turn % 2 else self.top - self.bottom

    def upright(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """Return a box of the file in upright coordinates."""
        match self.turn:
            case 0:
                return x0 - self.left, y0 - self.bottom, x1 - self.left, y1 - self.bottom
            case 1:
                return y0 - self.bottom, self.right - x1, y1 - self.bottom, self.right - x0
            case 2:
                return self.right - x1, self.top - y1, self.right - x0, self.top - y0
            case _:
                return self.top - y1, x0 - self.left, self.top - y0, x1 - self.left

    def in_file(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """Return an upright box in the file's coordinates; the inverse of `upright`."""
        match self.turn:
            case 0:
                return x0 + self.left, y0 + self.bottom, x1 + self.left, y1 + self.bottom
            case 1:
                return self.right - y1, x0 + self.bottom, self.right - y0, x1 + self.bottom
            case 2:
                return self.right - x1, self.top - y1, self.right - x0, self.top - y0
            case _:
                return y0 + self.left, self.top - x1, y1 + self.left, self.top - x0


class _Glyph(NamedTuple):
    """A code point as PDFium reports it, in the file's coordinates."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    weight: int
    hyphen: bool
    turn: int


_LINE_END = _Glyph("\n", 0, 0, 0, 0, 0, 0, False, -1)


def read_characters(page: Any) -> tuple[list[Character], Frame]:
    """Return the characters of a `pypdfium2.PdfPage` in stream order, and the frame that turns them upright."""
    text_page = page.get_textpage()
    try:
        glyphs = _spread(_glyphs(text_page.raw))
    finally:
        text_page.close()
    left, bottom, right, top = page.get_bbox()
    frame = Frame(left, bottom, right, top, _main_turn(glyphs))
    if not frame.turn and not frame.left and not frame.bottom:
        return [_straight(g) for g in glyphs], frame
    return [_turned(g, frame) for g in glyphs], frame


def is_right_to_left(char: str) -> bool:
    """Return whether a character is written from right to left (Hebrew, Arabic and their presentation forms)."""
    return char >= "\u0590" and (char <= "\u08ff" or "\ufb1d" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufefc")


def _glyphs(handle: Any) -> list[_Glyph]:
    from pypdfium2 import raw

    count = max(0, raw.FPDFText_CountChars(handle))
    codes, boxes = _codes(handle, count), _boxes(handle, count)
    glyphs: list[_Glyph] = []
    texts: dict[int, str] = {}
    style, height, fresh = (0.0, 400, 0), 0.0, True
    for i, code in enumerate(codes):
        if code in LINE_END_CODES:
            glyphs.append(_LINE_END)
            fresh = True
            continue
        text = texts.get(code)
        if text is None:
            text = texts[code] = _text(code)
        if not text:
            continue
        left, top, right, bottom = boxes[4 * i : 4 * i + 4]
        if fresh or abs(top - bottom - height) > _STYLE_STEP:
            style = _style(handle, i)
        height, fresh = top - bottom, text == " "
        hyphen = code in HYPHEN_CODES and bool(raw.FPDFText_IsHyphen(handle, i))
        glyphs.append(_Glyph(text, left, bottom, right, top, style[0], style[1], hyphen, style[2]))
    return glyphs


def _codes(handle: Any, count: int) -> list[int]:
    """Return the code of each character; by one call where PDFium's text has one unit per character."""
    from pypdfium2 import raw

    buffer = (ctypes.c_ushort * (count + 1))()
    codes = buffer[:count] if raw.FPDFText_GetText(handle, 0, count, buffer) == count + 1 else None
    if codes is None or any(0xD800 <= c < 0xE000 for c in codes):
        codes = [raw.FPDFText_GetUnicode(handle, i) for i in range(count)]
    return _without_surrogates(codes)


def _without_surrogates(codes: list[int]) -> list[int]:
    """Return the codes with each surrogate pair as one code point and a 0, so that positions stay."""
    for i, code in enumerate(codes):
        if 0xD800 <= code < 0xDC00 and i + 1 < len(codes) and 0xDC00 <= codes[i + 1] < 0xE000:
            codes[i : i + 2] = [0x10000 + ((code - 0xD800) << 10) + codes[i + 1] - 0xDC00, 0]
    return codes


def _boxes(handle: Any, count: int) -> list[float]:
    """Return left, top, right, bottom of each character, flat.

    "Loose" boxes: the font's ascent and descent, so that the boxes of a line are of one height. PDFium writes straight
    into one buffer, through a prototype of our own: pypdfium2's costs twice as much per character.
    """
    from pypdfium2 import raw

    address = ctypes.cast(raw.FPDFText_GetLooseCharBox, ctypes.c_void_p).value
    get_box = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(address or 0)
    buffer = (ctypes.c_float * (4 * count))()
    at, target = ctypes.cast(handle, ctypes.c_void_p), ctypes.addressof(buffer)
    for i in range(count):
        get_box(at, i, target + 16 * i)
    return buffer[:]


def _style(handle: Any, i: int) -> tuple[float, int, int]:
    """Return em size in points, weight and quarter turns of a character; the font size alone is often 1.0."""
    from pypdfium2 import raw

    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(handle, i, ctypes.byref(matrix))
    size = raw.FPDFText_GetFontSize(handle, i) * (math.hypot(matrix.c, matrix.d) or 1)
    turn = round(math.atan2(matrix.b, matrix.a) / (math.pi / 2)) % 4
    return size, raw.FPDFText_GetFontWeight(handle, i), turn


def _text(code: int) -> str:
    """Return what a code stands for; "" for none. Control characters and lone surrogates are unmapped."""
    if code in INVISIBLE_HYPHENS:
        return "-"
    if code == 0:
        return ""
    if code >= 0x110000 or 0xD800 <= code < 0xE000:
        return UNMAPPED
    char = chr(code)
    if char.isspace():
        return " "
    if code in LIGATURES:
        return unicodedata.normalize("NFKC", char)
    return UNMAPPED if unicodedata.category(char) == "Cc" else char


def _spread(glyphs: list[_Glyph]) -> list[_Glyph]:
    """Return the glyphs with one code point each: those that share a box (a ligature's letters) share its width."""
    out: list[_Glyph] = []
    i = 0
    while i < len(glyphs):
        first = glyphs[i]
        j = i + 1
        if first.text > " ":  # neither a space nor a line end
            while j < len(glyphs) and glyphs[j][1:5] == first[1:5] and glyphs[j].text > " ":
                j += 1
        if j - i == 1 and len(first.text) == 1:
            out.append(first)
        else:
            out += _shared([(c, g) for g in glyphs[i:j] for c in g.text])
        i = j
    return out


def _shared(letters: list[tuple[str, _Glyph]]) -> list[_Glyph]:
    n = len(letters)
    out = []
    for k, (char, g) in enumerate(letters):
        if is_right_to_left(char):
            k = n - 1 - k  # noqa: PLW2901  (the first letter takes the rightmost share)
        if g.turn % 2:
            step = (g.top - g.bottom) / n
            k = k if g.turn == 1 else n - 1 - k  # noqa: PLW2901
            out.append(g._replace(text=char, bottom=g.bottom + k * step, top=g.bottom + (k + 1) * step))
        else:
            step = (g.right - g.left) / n
            k = k if g.turn == 0 else n - 1 - k  # noqa: PLW2901
            out.append(g._replace(text=char, left=g.left + k * step, right=g.left + (k + 1) * step))
    return out


def _main_turn(glyphs: list[_Glyph]) -> int:
    """Return the direction of most of the text; 0 where none has more than half of it."""
    turns = Counter(g.turn for g in glyphs if g.text > " ")
    turn, count = turns.most_common(1)[0] if turns else (0, 0)
    return turn if 2 * count > turns.total() else 0


def _straight(g: _Glyph) -> Character:
    lead, trail = _edges(g) if g.turn or g.text >= "\u0590" else (g.left, g.right)
    return Character(*g, lead, trail)


def _turned(g: _Glyph, frame: Frame) -> Character:
    if g.turn < 0:
        return Character(*g, 0, 0)
    left, bottom, right, top = frame.upright(g.left, g.bottom, g.right, g.top)
    return Character(g.text, left, bottom, right, top, g.size, g.weight, g.hyphen, g.turn, *_edges(g))


def _edges(g: _Glyph) -> tuple[float, float]:
    turn = (g.turn + 2) % 4 if is_right_to_left(g.text) else g.turn
    match turn:
        case 0:
            return g.left, g.right
        case 1:
            return g.bottom, g.top
        case 2:
            return g.right, g.left
        case _:
            return g.top, g.bottom
