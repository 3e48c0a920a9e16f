"""EPUBs built in code: a whole one, and what each test changes of it."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.parse.pages import page

CONTAINER = """<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
METADATA = (
    "<dc:title>A Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Ben</dc:creator><dc:language>en</dc:language>"
)
NAV = """<nav epub:type="landmarks"><ol><li><a href="one.xhtml">Start</a></li></ol></nav>
<nav epub:type="toc"><ol><li><span>Part</span><ol><li><a href="one.xhtml">One</a></li>
<li><a href="two.xhtml#s">Two</a></li></ol></li></ol></nav>"""
ITEMS = (
    ("one", "one.xhtml", "application/xhtml+xml", ""),
    ("two", "two.xhtml", "application/xhtml+xml", ""),
    ("nav", "nav.xhtml", "application/xhtml+xml", 'properties="nav"'),
)


def package(
    *,
    metadata: str = METADATA,
    items: tuple[tuple[str, str, str, str], ...] = ITEMS,
    spine: str = '<itemref idref="one"/><itemref idref="two"/>',
    version: str = "3.0",
    toc: str = "",
) -> str:
    manifest = "".join(f'<item id="{i}" href="{h}" media-type="{t}" {more}/>' for i, h, t, more in items)
    return (
        f'<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="{version}">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">'
        f"{metadata}</metadata><manifest>{manifest}</manifest><spine {toc}>{spine}</spine></package>"
    )


def files(**changes: str) -> dict[str, str | bytes]:
    """The files of a whole book of two chapters; `package` may be given."""
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": changes.get("package", package()),
        "OEBPS/nav.xhtml": page(NAV),
        "OEBPS/one.xhtml": page("<h1>One</h1><p>First words.</p>"),
        "OEBPS/two.xhtml": page("<p>Lead.</p><h1 id='s'>Two</h1><p>Last words.</p>"),
    }


def write(path: Path, content: Mapping[str, str | bytes | None]) -> Path:
    """Write an archive; entries that are None are left out."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            if data is not None:
                archive.writestr(name, data)
    return path
