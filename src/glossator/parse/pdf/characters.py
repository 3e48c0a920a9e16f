"""The characters of a page, as PDFium gives them, turned upright.

A page is laid out in *upright* coordinates: origin at the bottom left of the page as its main text is read, in points.
Each character also keeps its leading and trailing edge in the coordinates of the file (user space of the unrotated
page), which is what anchors are made of.
"""

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

LINE_END_CODES = (13, 10)  # PDFium's own line ends; they have no box
INVISIBLE_HYPHENS = (0x02, 0xAD, 0xFFFE)  # 2 and FFFE are how PDFium reports a hyphen at a line's end
LIGATURES = range(0xFB00, 0xFB07)  # the only characters that are replaced by others: fi, fl, …
UNMAPPED = "\ufffd"
BOLD = 600  # weight from which a font counts as bold
_BOLD_NAME = re.compile(r"bold|black|heavy", re.IGNORECASE)
_FONT_NAME = 200  # bytes of a font's name that are looked at
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
    low: float = 0.0  # where its ink begins and ends across the direction of writing, in the file's coordinates;
    high: float = 0.0  # equal where it has none


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


class PageText(NamedTuple):
    """The characters of a page in stream order, upright, and the frame that turned them.

    `unmapped` are those in fonts that do not say which character a glyph is: what PDFium gives for them is a guess.
    """

    characters: list[Character]
    frame: Frame
    unmapped: int


class _Style(NamedTuple):
    size: float
    weight: int
    turn: int
    unmapped: bool
    font: int | None = None


_LINE_END = Character("\n", 0, 0, 0, 0, 0, 0, False, -1, 0, 0)
_SPACES = [Character(" ", 0, 0, 0, 0, 0, 0, False, turn, 0, 0) for turn in range(4)]


def read_characters(page: Any) -> PageText:
    """Return the characters of a `pypdfium2.PdfPage`.

    Raises:
        pypdfium2.PdfiumError: PDFium cannot make the page's text.
    """
    text_page = page.get_textpage()
    try:
        characters, unmapped = _characters(text_page.raw)
    finally:
        text_page.close()
    left, bottom, right, top = page.get_bbox()
    frame = Frame(left, bottom, right, top, _main_turn(characters))
    if frame.turn or left or bottom:
        characters = [c if c.text <= " " else _upright(c, frame) for c in characters]
    return PageText(characters, frame, unmapped)


def is_right_to_left(char: str) -> bool:
    """Return whether a character is written from right to left (Hebrew, Arabic and their presentation forms)."""
    return char >= "\u0590" and (char <= "\u08ff" or "\ufb1d" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufefc")


def _characters(handle: Any) -> tuple[list[Character], int]:
    """Return the characters in the file's coordinates, and how many of them are unmapped."""
    from pypdfium2 import raw

    count = max(0, raw.FPDFText_CountChars(handle))
    style_of, ink_of = _styles(handle), _inks(handle)
    out: list[Character] = []
    shared: list[int] = []  # positions in `out` of characters in the box of the one before
    make = partial(tuple.__new__, Character)  # a third of the cost of Character(...)
    style, height, fresh, unmapped, before = _Style(0, 400, 0, False), 0.0, True, 0, (0.0, 0.0, 0.0)
    for i, (code, left, top, right, bottom) in enumerate(
        zip(_codes(handle, count), *_boxes(handle, count), strict=True)
    ):
        text, backwards = _text(code)
        if text <= " ":  # no character, a line end or a space
            if text:
                out.append(_LINE_END if text == "\n" else _SPACES[style.turn])
                fresh = True
            continue
        if fresh or not -_STYLE_STEP < top - bottom - height < _STYLE_STEP:
            style, fresh = style_of(i), False
        height = top - bottom
        size, weight, turn, guessed, _ = style
        unmapped += guessed
        box = left, bottom, right
        if box == before or len(text) > 1:
            shared.append(len(out))
        before = box
        hyphen = text == "-" and bool(raw.FPDFText_IsHyphen(handle, i))
        low, high = ink_of(i, code, style, bottom)
        c = make((text, left, bottom, right, top, size, weight, hyphen, turn, left, right, low, high))
        out.append(_with_edges(c) if turn or backwards else c)
    return _spread(out, shared) if shared else out, unmapped


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


@cache
def _fast(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a PDFium function with a prototype of our own.

    Its pointers are plain addresses and the interpreter lock is kept: half the cost of pypdfium2's prototype, which
    matters for what is asked of every character.
    """
    from pypdfium2 import raw

    address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


def _boxes(handle: Any, count: int) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return left, top, right, bottom of the characters.

    "Loose" boxes: the font's ascent and descent, so that the boxes of a line are of one height.
    """
    get_box = _fast("FPDFText_GetLooseCharBox", ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    buffer = (ctypes.c_float * (4 * count))()
    page, target = ctypes.cast(handle, ctypes.c_void_p).value, ctypes.addressof(buffer)
    for i in range(count):
        get_box(page, i, target + 16 * i)
    return buffer[0::4], buffer[1::4], buffer[2::4], buffer[3::4]


def _styles(handle: Any) -> Callable[[int], _Style]:
    """Return the function that gives a character's style, asking PDFium once for each text object and font."""
    integer, pointer, decimal = ctypes.c_int, ctypes.c_void_p, ctypes.c_double
    get_object = _fast("FPDFText_GetTextObject", pointer, pointer, integer)
    get_font = _fast("FPDFTextObj_GetFont", pointer, pointer)
    get_size = _fast("FPDFText_GetFontSize", decimal, pointer, integer)
    get_matrix = _fast("FPDFText_GetMatrix", integer, pointer, integer, pointer)
    is_guess = _fast("FPDFText_HasUnicodeMapError", integer, pointer, integer)
    page, matrix = ctypes.cast(handle, pointer).value, (ctypes.c_float * 6)()
    target = ctypes.addressof(matrix)
    known: dict[int | None, _Style] = {}
    same: dict[_Style, _Style] = {}  # one object for each style, by which glyphs are known again
    weights: dict[int | None, int] = {}

    def style_of(i: int) -> _Style:
        text_object = get_object(page, i)
        style = known.get(text_object)
        if style is None:
            font = get_font(text_object) if text_object else None
            if font not in weights:
                weights[font] = _weight(handle, i)
            get_matrix(page, i, target)
            a, b, c, d, _, _ = matrix
            turn = round(math.atan2(b, a) / (math.pi / 2)) % 4
            size = get_size(page, i) * (math.hypot(c, d) or 1)  # the font size alone is often 1.0
            made = _Style(size, weights[font], turn, is_guess(page, i) == 1, font)
            style = known[text_object] = same.setdefault(made, made)
        return style

    return style_of


def _inks(handle: Any) -> Callable[[int, int, _Style, float], tuple[float, float]]:
    """Return the function that gives where a character's ink begins and ends across the direction of writing.

    PDFium is asked once for each glyph of upright text: above the bottom of its loose box it stands alike everywhere.
    """
    get_box = _fast("FPDFText_GetCharBox", ctypes.c_int, *(ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4))
    page, box = ctypes.cast(handle, ctypes.c_void_p).value, (ctypes.c_double * 4)()
    targets = [ctypes.addressof(box) + 8 * k for k in range(4)]  # left, right, bottom, top
    known: dict[tuple[int, int], tuple[float, float]] = {}

    def ink_of(i: int, code: int, style: _Style, bottom: float) -> tuple[float, float]:
        glyph = id(style), code
        ink = None if style.turn else known.get(glyph)
        if ink is not None:
            return bottom + ink[0], bottom + ink[1]
        if not get_box(page, i, *targets):
            return 0.0, 0.0
        if style.turn:
            return (box[0], box[1]) if style.turn % 2 else (box[2], box[3])
        known[glyph] = box[2] - bottom, box[3] - bottom
        return box[2], box[3]

    return ink_of


def _weight(handle: Any, i: int) -> int:
    """Return the weight of a character's font: what PDFium says, or bold if the font's name says so."""
    from pypdfium2 import raw

    name = ctypes.create_string_buffer(_FONT_NAME)
    raw.FPDFText_GetFontInfo(handle, i, name, _FONT_NAME, None)
    bold = _BOLD_NAME.search(name.value.decode("latin-1"))
    return max(int(raw.FPDFText_GetFontWeight(handle, i)), BOLD if bold else 0)


@cache
def _text(code: int) -> tuple[str, bool]:
    """Return what a code stands for ("" for none), and whether it is written from right to left."""
    char = chr(code) if code < 0x110000 else UNMAPPED
    category = unicodedata.category(char)
    if code in LINE_END_CODES:
        char = "\n"
    elif code in INVISIBLE_HYPHENS:
        char = "-"
    elif code == 0:
        char = ""
    elif char.isspace():
        char = " "
    elif category in ("Cc", "Cs"):  # control characters, lone surrogates
        char = UNMAPPED
    elif code in LIGATURES:
        char = unicodedata.normalize("NFKC", char)
    return char, char != "" and is_right_to_left(char[0])


def _spread(characters: list[Character], shared: Sequence[int]) -> list[Character]:
    """Return the characters with one code point each: those in one box (a ligature's letters) share its width."""
    out: list[Character] = []
    done = 0
    for i, positions in _runs(shared):
        first = i if len(characters[i].text) > 1 or not i else i - 1
        out += characters[done:first]
        done = positions
        out += _shares([(char, c) for c in characters[first:done] for char in c.text])
    return out + characters[done:]


def _runs(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield [first, end) of each run of successive positions."""
    first = previous = positions[0]
    for position in positions[1:]:
        if position != previous + 1:
            yield first, previous + 1
            first = position
        previous = position
    yield first, previous + 1


def _shares(letters: Sequence[tuple[str, Character]]) -> Iterator[Character]:
    n = len(letters)
    for k, (char, c) in enumerate(letters):
        backwards = (c.turn >= 2) != is_right_to_left(char)
        share = n - 1 - k if backwards else k
        if c.turn % 2:
            step = (c.top - c.bottom) / n
            part = c._replace(text=char, bottom=c.bottom + share * step, top=c.bottom + (share + 1) * step)
        else:
            step = (c.right - c.left) / n
            part = c._replace(text=char, left=c.left + share * step, right=c.left + (share + 1) * step)
        yield _with_edges(part)


def _main_turn(characters: Sequence[Character]) -> int:
    """Return the direction of most of the text; 0 where none has more than half of it."""
    if not any([c.turn > 0 for c in characters]):
        return 0
    turns = Counter(c.turn for c in characters if c.text > " ")
    turn, count = turns.most_common(1)[0] if turns else (0, 0)
    return turn if 2 * count > turns.total() else 0


def _upright(c: Character, frame: Frame) -> Character:
    left, bottom, right, top = frame.upright(c.left, c.bottom, c.right, c.top)
    return c._replace(left=left, bottom=bottom, right=right, top=top)


def _with_edges(c: Character) -> Character:
    """Return a character in the file's coordinates with the edges of its direction of writing."""
    match (c.turn + 2 * is_right_to_left(c.text)) % 4:
        case 0:
            return c._replace(lead=c.left, trail=c.right)
        case 1:
            return c._replace(lead=c.bottom, trail=c.top)
        case 2:
            return c._replace(lead=c.right, trail=c.left)
        case _:
            return c._replace(lead=c.top, trail=c.bottom)
