"""The picture that a book is known by: its own cover, or a small picture of a paged document's first page.

It is looked for in the limited child process, like everything that is read from a file. Pictures are told by their
first bytes, never by what a book says of them.
"""

from pathlib import Path

from glossator.parse.archive import open_archive

HEIGHT = 400  # pixels of a page, or of a picture that is made smaller
LARGE = 512 << 10  # bytes above which a picture is made smaller, where that can be done
MOST = 2 << 20  # bytes above which a picture is no cover
_MARKS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


def kind_of(data: bytes) -> str | None:
    """Return the media type of a picture that every browser shows, or None."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in _MARKS.items() if data.startswith(mark)), None)


def cover_of(path: Path, format: str) -> bytes | None:
    """Return the cover of a file as the bytes of a picture, or None: it has none, or none of a usable size.

    Raises:
        SourceError: the file cannot be read any more.
    """
    if format == "pdf":
        from glossator.parse.pdf.picture import first_page

        return first_page(path, height=HEIGHT)
    if format != "epub":
        return None
    from glossator.parse.epub import covers

    with open_archive(path) as archive:
        return next((found for data in covers(archive, path) if (found := _usable(data))), None)


def _usable(data: bytes) -> bytes | None:
    kind = kind_of(data)
    if kind == "image/jpeg" and len(data) > LARGE:
        from glossator.parse.pdf.picture import smaller

        data = smaller(data, height=HEIGHT) or data
    return data if kind and len(data) <= MOST else None
