"""What the measures of the web reader read: documents in two languages, a long EPUB with pictures, a full shelf."""

import json
import os
import random
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, data

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
SENTENCE = re.compile(r"[^.!?。！？\n\t]{24,160}[.!?。！？]")


def documents() -> list[Path]:
    """Return EPUB, PDF, HTML and text, in English and Chinese."""
    return [
        ROOT / "examples" / "the-time-machine.epub",
        ROOT / "examples" / "journey-to-the-west.txt",
        data("parsing", "epub", "deb-debmake-doc.zh-cn.epub"),
        data("pdf-truth", "debian-faq.en.pdf"),
        data("pdf-truth", "debmake-doc.zh-cn.pdf"),
        *pages(),
    ]


def pages() -> list[Path]:
    """Return a long saved page of each language."""
    found = sorted(data("parsing", "html").rglob("*.htm*"), key=lambda p: -p.stat().st_size)
    chosen: dict[bool, Path] = {}
    for path in found:
        text = path.read_text("utf-8", "ignore")
        chinese = len(re.findall(r"[\u4e00-\u9fff]", text)) > 1_500
        if chinese or not re.search(r"[\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff]", text):
            chosen.setdefault(chinese, path)
    return list(chosen.values())


def sentences(text: str, count: int, seed: int) -> list[str]:
    """Return sentences of a text, each of which is in it once, spread over it."""
    found = [m[0].strip() for m in SENTENCE.finditer(text)]
    once = [s for s in found if text.count(s) == 1 and not re.search(r"[\"“”‘’『』「」'`*_\[\]<>|\\]", s)]
    random.Random(seed).shuffle(once)
    return once[:count]


def long_epub(path: Path, *, size: int = 3_000_000, seed: int = 5) -> Path:
    """Write an EPUB of about `size` bytes: 40 chapters of prose and a picture in each."""
    draw = random.Random(seed)
    prose = (ROOT / "examples" / "journey-to-the-west.txt").read_text("utf-8")
    with zipfile.ZipFile(ROOT / "examples" / "the-time-machine.epub") as book:
        for name in book.namelist():
            if name.endswith(("html", "htm")):
                prose += re.sub(r"<[^>]+>|&\w+;", " ", book.read(name).decode("utf-8", "ignore"))
    words = re.findall(r"[A-Za-z]{2,12}", prose)
    chapters, side = 40, 0
    picture = b""
    while len(picture) * chapters < size - 600_000:
        side += 16
        picture = png(side, side, draw)
    items, spine = [], []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        made.writestr("META-INF/container.xml", CONTAINER)
        for n in range(chapters):
            paragraphs = "".join(f"<p>{' '.join(draw.choices(words, k=90)).capitalize()}.</p>" for _ in range(40))
            body = f'<h1>Chapter {n + 1}</h1><p><img src="p{n}.png" alt="a picture"/></p>{paragraphs}'
            made.writestr(f"c{n}.xhtml", XHTML.format(title=n, body=body))
            made.writestr(f"p{n}.png", png(side, side, draw), zipfile.ZIP_STORED)
            items += [f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>']
            items += [f'<item id="p{n}" href="p{n}.png" media-type="image/png"/>']
            spine += [f'<itemref idref="c{n}"/>']
        links = "".join(f'<li><a href="c{n}.xhtml">Chapter {n + 1}</a></li>' for n in range(chapters))
        navigation = f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>{links}</ol></nav>'
        made.writestr("nav.xhtml", XHTML.format(title="Contents", body=navigation))
        made.writestr("book.opf", PACKAGE.format(items="".join(items), spine="".join(spine)))
    return path


CONTAINER = (
    '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
XHTML = (
    '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
    "<head><title>{title}</title></head><body>{body}</body></html>"
)
PACKAGE = (
    '<package version="3.0" xmlns="http://www.idpf.org/2007/opf" unique-identifier="i">'
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A Long Journey</dc:title>'
    '<dc:language>en</dc:language><dc:identifier id="i">long</dc:identifier></metadata>'
    '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest>'
    "<spine>{spine}</spine></package>"
)


def png(width: int, height: int, draw: random.Random) -> bytes:
    """Return a picture of noise, which no compression makes small."""
    rows = b"".join(b"\0" + draw.randbytes(width * 3) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    )


def full_shelf(folder: Path, count: int = 1_000) -> list[Path]:
    """Write that many small books."""
    draw = random.Random(9)
    words = re.findall(r"\w+", "sea garden winter letter glass river honey stone tower night salt lamp orchard bridge")
    made = []
    for n in range(count):
        title = f"The {draw.choice(words).title()} of {draw.choice(words).title()} {n}"
        path = folder / f"book{n:04}.md"
        path.write_text(f"# {title}\n\n{' '.join(draw.choices(words, k=60)).capitalize()}.\n", "utf-8")
        made.append(path)
    return made


def command(folder: Path) -> list[str]:
    """Return the beginning of a command on a library."""
    return [sys.executable, "-m", "glossator", "--library", str(folder)]


def added(folder: Path, paths: list[Path]) -> list[dict[str, Any]]:
    """Add files to a library that searches by words; return what came of each."""
    words = [*command(folder), "add", *map(str, paths), "--embedder", "none", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [d for d in json.loads(done.stdout)["documents"] if d["status"] == "added"]


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[dict[str, Any]]:
    """Serve a library while inside; gives address and token."""
    server = subprocess.Popen(
        [*command(folder), "serve", "--port", "0", "--json", "--embedder", "none"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())
    finally:
        server.terminate()
        server.wait(20)
