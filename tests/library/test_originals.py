"""Web pages are kept in the library folder; local files are never copied."""

import hashlib
from pathlib import Path

import pytest

from glossator.errors import SourceError
from glossator.library import originals
from glossator.library.library import Library
from glossator.sources import web
from tests.library import books

URL = "https://example.org/tides"
SENTENCE = "<p>Paragraph {} explains how the moon draws the water of the northern bay twice a day.</p>"
PAGE = (
    "<html lang='en'><head><title>On Tides</title></head><body><article><h1>On Tides</h1>"
    + "".join(SENTENCE.format(n) for n in range(9))
    + "</article></body></html>"
).encode()


@pytest.fixture
def web_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one address answer, without a network."""

    def fetch(url: str) -> web.Fetched:
        if url != URL:
            raise SourceError(f"{url}: the server does not answer", hint="check the address")
        return web.Fetched(url=url, final_url=url + "/", content_type="text/html", suffix=".html", data=PAGE)

    monkeypatch.setattr(web, "fetch", fetch)


@pytest.mark.usefixtures("web_page")
def test_a_web_page_is_kept_as_it_came_and_goes_with_its_document(library: Library) -> None:
    result = library.add([URL, "https://example.org/gone"])
    added, failed = result.documents
    assert (added.status, added.source, added.format) == ("added", URL, "html")
    assert failed.status == "failed"
    assert failed.error is not None
    assert failed.error["hint"]
    kept = library.database.folder / "originals" / f"{hashlib.sha256(PAGE).hexdigest()}.html"
    assert kept.read_bytes() == PAGE
    assert library.add([URL]).documents[0].status == "unchanged"
    assert library.identify(URL) == added.id
    library.remove(added.id or "")
    assert not kept.exists()


def test_a_local_file_is_referenced_and_never_copied_nor_removed(library: Library, tmp_path: Path) -> None:
    path = books.island(tmp_path)
    library.add([str(path)])
    assert not (library.database.folder / "originals").exists()
    library.remove(str(path))
    assert path.exists()


def test_bytes_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = originals.keep(tmp_path, b"abc", ".txt")
    assert path.read_bytes() == b"abc"
    assert originals.keep(tmp_path, b"abc", ".txt") == path
    assert [p.name for p in path.parent.iterdir()] == [path.name]
