"""What a file is that someone imports, told by its content; and its text, if it is whole and in a known encoding."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from glossator.errors import DamagedFile, SourceError, UnsupportedFormat
from glossator.library.exchange import clippings, native, webanno
from glossator.sources.files import readable

Kind = Literal["json", "w3c", "clippings", "opf", "bibtex", "csl"]
LARGEST = 512 << 20  # bytes
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_KNOWN = "JSON or W3C annotations, Kindle's My Clippings.txt, metadata.opf, BibTeX or CSL-JSON"


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file to import: what it is, its text, and the parsed JSON where it is some."""

    kind: Kind
    text: str
    data: Any = None


def open_incoming(path: Path) -> Incoming:
    """Return what a file holds.

    Raises:
        NotFound: there is no such file.
        SourceError: it cannot be read, or is not in an encoding that is certain.
        DamagedFile: it is JSON that breaks off.
        UnsupportedFormat: it is nothing that can be imported.
    """
    with readable(path):
        if path.stat().st_size > LARGEST:
            raise SourceError(f"{path}: larger than {LARGEST >> 20} MB", hint="import it in parts")
        raw = path.read_bytes()
    text = _decoded(path, raw)
    head = text.lstrip("\ufeff \t\r\n")
    if not head:
        raise DamagedFile(f"{path} is empty", hint="export it again")
    if head[0] in "{[":
        return _of_json(path, text)
    if head[0] == "<" and "package" in head[:4_000]:
        return Incoming("opf", text)
    if clippings.is_clippings(text):
        return Incoming("clippings", text)
    if _is_bibtex(head):
        return Incoming("bibtex", text)
    raise UnsupportedFormat(f"{path}: this is no file that can be imported", hint=f"import takes {_KNOWN}")


def _decoded(path: Path, raw: bytes) -> str:
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise SourceError(
            f"{path}: the text is not {encoding.upper()} (line {line}){_guess(raw)}; nothing was imported",
            hint="save it in UTF-8 and import it again, as with `iconv -f GB18030 -t UTF-8`",
        ) from error
    if "\0" in text:
        raise SourceError(
            f"{path}: the text holds zero bytes{_guess(raw)}; nothing was imported", hint="save it in UTF-8 first"
        )
    return text.removeprefix("\ufeff")


def _guess(raw: bytes) -> str:
    from glossator.parse.encoding import decode

    found = decode(raw)
    return f"; it looks like {found.encoding}" if found.encoding != "utf-8" and not found.undecodable else ""


def _of_json(path: Path, text: str) -> Incoming:
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise DamagedFile(f"{path}: nested too deeply", hint="export it again") from error
    except json.JSONDecodeError as error:
        if _is_bibtex(text):
            return Incoming("bibtex", text)
        raise DamagedFile(
            f"{path}: the file breaks off or is damaged in line {error.lineno} ({error.msg}); nothing was imported",
            hint="export or copy it again",
        ) from error
    if native.is_native(data):
        return Incoming("json", text, data)
    if webanno.is_ours(data) or webanno.is_web_annotation(data):
        return Incoming("w3c", text, data)
    if isinstance(data, list) and data and all(isinstance(x, dict) and ("title" in x or "type" in x) for x in data):
        return Incoming("csl", text, data)
    if isinstance(data, dict) and isinstance(data.get("items"), list) and data["items"]:
        return Incoming("csl", text, data["items"])
    if isinstance(data, dict) and data.get("type") in ("AnnotationPage", "AnnotationCollection"):
        return Incoming("w3c", text, data)
    raise UnsupportedFormat(f"{path}: this JSON is no file that can be imported", hint=f"import takes {_KNOWN}")


def _is_bibtex(text: str) -> bool:
    import re

    return bool(re.search(r"^\s*@\s*[A-Za-z]+\s*[{(]", text, re.MULTILINE))
