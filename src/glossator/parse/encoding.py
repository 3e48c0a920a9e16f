"""Bytes to text when nothing reliable says how: byte order marks, strict UTF-8, declarations, then statistics.

The order matters. A byte order mark is certain. ISO-2022 is seven-bit and passes as UTF-8, so its escapes are looked
for first; UTF-16 of Latin text is full of zero bytes, which pass too. What is then valid UTF-8 and not plain ASCII is
UTF-8, whatever a header says. A declaration comes next, if the bytes decode by it, and chardet last. Encodings are read
as the superset that is used in practice (gb2312 as gb18030, Latin-1 as Windows-1252), as the WHATWG Encoding Standard
does, section 4.2.

Known limits: a few dozen words of Shift-JIS, Big5 or of one of several Latin encodings may be taken for another, and
rare encodings (EUC-TW, VISCII) are not recognised.
"""

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
}
_ISO_2022 = re.compile(rb"\x1b\$|\x1b\([BIJ]")
_HZ = re.compile(rb"~\{[\x21-\x7e]{2,}?~\}")
_SEVEN_BIT = {"iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_ext", "iso2022_kr", "hz"}
_DAMAGED_SHARE = 0.1  # of the characters beyond ASCII: up to this many undecodable bytes, it is UTF-8 with damage
_DECLARED_WITHIN = 2048
_DECLARED = (
    re.compile(rb"""^\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]+)["']""", re.IGNORECASE),
    re.compile(rb"""<meta[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the Python name of the encoding it was read by, and how many bytes fitted no character (U+FFFD each)."""

    text: str
    encoding: str
    undecodable: int = 0


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Return the text of `data`, without byte order mark. `declared` is what a header or the document itself says."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], encoding)
    return (
        _seven_bit(data)
        or _wide(data, declared)
        or _as_utf8(data)
        or _as_declared(data, declared)
        or _damaged_utf8(data)
        or _guessed(data)
    )


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that an XML declaration or an HTML `meta` element at the beginning of `data` names."""
    head = data[:_DECLARED_WITHIN]
    for pattern in _DECLARED:
        if found := pattern.search(head):
            return found[1].decode("ascii")
    return None


def _seven_bit(data: bytes) -> Decoded | None:
    if not (_ISO_2022.search(data) or _HZ.search(data)):
        return None
    if not data.isascii():
        return None
    encoding = _detect(data)
    if encoding in _SEVEN_BIT:
        return _strict(data, encoding) or _replacing(data, encoding)
    return None


def _wide(data: bytes, declared: str | None) -> Decoded | None:
    """Read UTF-16 and UTF-32 without a byte order mark: in both, whole columns of bytes are zero, or nearly."""
    name = _known(declared)
    if name in ("utf-16", "utf-32"):
        name += "-le"
    if name and name.startswith(("utf-16", "utf-32")) and b"\0" in data:
        return _strict(data, name) or _guessed_wide(data)
    return _guessed_wide(data) if b"\0" in data else None


def _guessed_wide(data: bytes) -> Decoded | None:
    sample = data[:65536]
    for width, columns in ((4, (("utf-32-le", 3), ("utf-32-be", 0))), (2, (("utf-16-le", 1), ("utf-16-be", 0)))):
        for encoding, column in columns:
            high = sample[column::width]
            low = sample[width - 1 - column :: width]
            if high.count(0) > max(len(high) * (0.9 if width == 4 else 0.1), 2 * low.count(0)):
                return _strict(data[: len(data) // width * width], encoding)
    return None


def _as_utf8(data: bytes) -> Decoded | None:
    """Read strict UTF-8, allowing the last character to be cut off, as in a file cut at a number of bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        text = decoder.decode(data, final=False)
    except UnicodeDecodeError:
        return None
    rest = len(decoder.getstate()[0])
    if rest and text.isascii():
        return None  # a single accented letter at the end of a Latin-1 text looks the same
    return Decoded(text + ("�" if rest else ""), "utf-8", rest)


def _as_declared(data: bytes, declared: str | None) -> Decoded | None:
    name = _known(declared)
    return _strict(data, name) if name else None


def _damaged_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", "replace")
    bad = text.count("�")
    beyond_ascii = sum(1 for c in text if c > "\x7f") - bad
    return Decoded(text, "utf-8", bad) if bad <= beyond_ascii * _DAMAGED_SHARE else None


def _guessed(data: bytes) -> Decoded:
    encoding = _detect(data) or "cp1252"
    return _strict(data, encoding) or _replacing(data, encoding)


def _detect(data: bytes) -> str | None:
    import chardet  # 40 ms of model data, wanted by few files
    from chardet.enums import EncodingEra

    # Its own supersets go too far: it reads ISO-8859-6 as Windows-1256, which has other letters.
    eras = EncodingEra.ALL & ~EncodingEra.MAINFRAME
    return _known(chardet.detect(data, encoding_era=eras, prefer_superset=False)["encoding"])


def _known(name: str | None) -> str | None:
    """Return Python's name of the superset of an encoding, or None when Python does not know it."""
    try:
        info = codecs.lookup(name.strip()) if name else None
    except (LookupError, ValueError):
        return None
    if info is None or not info._is_text_encoding:
        return None
    return _SUPERSETS.get(info.name, info.name)


def _strict(data: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeError:
        return None


def _replacing(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    return Decoded(text, encoding, text.count("�"))
