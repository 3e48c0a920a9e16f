"""Files to documents: which format a file has, and the reader for it.

`parse` runs in the calling process; `worker.Pool` runs it in a limited child process and is what ingest uses. Readers
are imported when a file of their format is met, never before.
"""

import logging
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from glossator.document.model import Document
from glossator.errors import GlossatorError, UnsupportedFormat
from glossator.parse.detection import FORMATS, detect_builtin
from glossator.parse.publication import PARSER_VERSION, Parser, Publication
from glossator.sources.files import shown

__all__ = ["FORMATS", "PARSER_VERSION", "detect", "parse", "read"]

ENTRY_POINTS = "glossator.parsers"
_MODULES = {name: "webpage" if name == "html" else name for name in FORMATS}
log = logging.getLogger(__name__)


def detect(path: Path) -> str:
    """Return the format of a file: one of `FORMATS`, or the name of an installed parser that claims its suffix.

    Built-in formats are told by content first, then by the file's suffix.

    Raises:
        NotFound: there is no such file.
        UnsupportedFormat: nothing here reads it.
        DamagedFile: it is empty, or its content is not what its suffix promises.
        SourceError: it cannot be read (permissions, a folder).
    """
    for name, parser in _installed().items():
        if path.suffix.lower() in parser.suffixes:
            return name
    return detect_builtin(path)


def parse(path: Path, *, format: str | None = None, base_url: str | None = None) -> Document:
    """Return the document in a file, parsed in this process.

    `format` skips detection. `base_url` is where a web page came from.

    Raises:
        SourceError: any of its kinds: unsupported, damaged, encrypted, over a limit.
    """
    from glossator.parse.blocks import document_of

    return document_of(read(path, format=format, base_url=base_url))


def read(path: Path, *, format: str | None = None, base_url: str | None = None) -> Publication:
    """Return the publication in a file; see `parse`."""
    kind = format or detect(path)
    installed = _installed()
    if kind in installed:
        return installed[kind].read(path)
    if kind not in _MODULES:
        raise UnsupportedFormat(
            f"{shown(path)}: there is no format {kind!r}", hint=f"the formats are {', '.join((*FORMATS, *installed))}"
        )
    reader: Callable[..., Publication] = import_module(f"{__name__}.{_MODULES[kind]}").read
    return reader(path, base_url=base_url) if kind == "html" else reader(path)


@cache
def _installed() -> dict[str, Parser]:
    """Return the parsers of other packages by format name; one that fails to load is logged and left out."""
    found: dict[str, Parser] = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            found[point.name] = point.load()
        except GlossatorError:
            raise
        except Exception:
            log.exception("the parser %s of the entry point group %s does not load", point.name, ENTRY_POINTS)
    return found
