"""The way in for Python programs."""

from pathlib import Path

from glossator.library.library import Library


def open(path: str | Path | None = None, *, create: bool = True, embedder: str | None = None) -> Library:
    """Return the library in a folder, made when it is not there; without one that of the settings.

    `embedder` is a spec such as "builtin:minilm", "none" for words only, None for a choice by each document's language.
    Use it in a `with` statement, or call `close`.

        >>> import glossator, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, glossator.open(folder, embedder="none") as library:
        ...     library.documents().documents
        ()

    Raises:
        NotFound: there is none, and `create` is False.
        StoreError: it cannot be read or written.
        UsageError: a setting has a value that it cannot have.
    """
    from glossator import config

    settings = config.load(None if path is None else Path(path).expanduser())
    return Library.open(settings.library, create=create, embedder=embedder or settings.embedder)
