"""The entries of a BibTeX file: their fields as they are written, with strings put in and parts joined.

Source: the grammar of BibTeX 0.99d ("BibTeXing", O. Patashnik, 1988): braces or parentheses around an entry, values in
braces, in quotation marks, as numbers or as names of strings, joined by `#`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from glossator.errors import DamagedFile

_START = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_NAME = re.compile(r"[^\s\"#%'(),={}]+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOSING = {"{": "}", "(": ")"}


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: type and field names in small letters, values as written between their marks."""

    line: int
    kind: str
    key: str
    fields: dict[str, str]


def entries_of(text: str, path: str) -> list[Entry]:
    """Return the entries of a file in order.

    Raises:
        DamagedFile: one is malformed, or the file breaks off.
    """
    return list(_Reader(text, path).entries())


class _Reader:
    """Where in the text the reading is, and the strings that were defined."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.at = 0
        self.strings = {m: m.capitalize() for m in _MONTHS}

    def entries(self) -> Iterator[Entry]:
        while found := _START.search(self.text, self.at):
            kind, opening, start = found[1].lower(), found[2], found.start()
            self.at = found.end()
            if kind in ("comment", "preamble"):
                self.at -= 1
                self._skip(opening, start)
                continue
            key = "" if kind == "string" else self._key(start)
            fields = self._fields(_CLOSING[opening], start)
            if kind == "string":
                self.strings |= fields
            else:
                yield Entry(self._line(start), kind, key, fields)

    def _key(self, start: int) -> str:
        end = self.at
        while end < len(self.text) and self.text[end] not in ",})\n":
            end += 1
        if end == len(self.text):
            raise self._broken(start)
        key, self.at = self.text[self.at : end].strip(), end
        return key

    def _fields(self, closing: str, start: int) -> dict[str, str]:
        fields: dict[str, str] = {}
        while True:
            self._space()
            while self.text[self.at : self.at + 1] == ",":
                self.at += 1
                self._space()
            if self.text[self.at : self.at + 1] == closing:
                self.at += 1
                return fields
            name = _NAME.match(self.text, self.at)
            if name is None:
                raise self._broken(start)
            self.at = name.end()
            self._expect("=", start)
            fields.setdefault(name[0].lower(), self._value(start))

    def _value(self, start: int) -> str:
        parts = [self._part(start)]
        self._space()
        while self.text[self.at : self.at + 1] == "#":
            self.at += 1
            parts.append(self._part(start))
            self._space()
        return "".join(parts)

    def _part(self, start: int) -> str:
        self._space()
        mark = self.text[self.at : self.at + 1]
        if mark == "{":
            begin = self.at + 1
            self._skip("{", start)
            return self.text[begin : self.at - 1]
        if mark == '"':
            return self._quoted(start)
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise self._broken(start)
        self.at = name.end()
        return name[0] if name[0].isdecimal() else self.strings.get(name[0].lower(), name[0])

    def _quoted(self, start: int) -> str:
        begin = self.at = self.at + 1
        depth = 0
        while self.at < len(self.text):
            c = self.text[self.at]
            depth += (c == "{") - (c == "}")
            if c == '"' and depth == 0:
                self.at += 1
                return self.text[begin : self.at - 1]
            self.at += 1
        raise self._broken(start)

    def _skip(self, opening: str, start: int) -> None:
        """Go behind a group; inside one in parentheses braces count, too."""
        depth = braces = 0
        while self.at < len(self.text):
            c = self.text[self.at]
            self.at += 1
            if c == "\\":
                self.at += 1
            elif c in "{}" and opening != "{":
                braces += 1 if c == "{" else -1
            elif c == opening:
                depth += 1
            elif c == _CLOSING[opening] and not braces:
                depth -= 1
                if depth == 0:
                    return
        raise self._broken(start)

    def _expect(self, mark: str, start: int) -> None:
        self._space()
        if self.text[self.at : self.at + 1] != mark:
            raise self._broken(start)
        self.at += 1

    def _space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def _broken(self, start: int) -> DamagedFile:
        return DamagedFile(
            f"{self.path}: the entry in line {self._line(start)} breaks off or is malformed in line "
            f"{self._line(min(self.at, len(self.text)))}; nothing was imported",
            hint="export the file again, or repair that entry",
        )
