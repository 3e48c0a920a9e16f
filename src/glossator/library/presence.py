"""Whether documents are still where they were read from.

A document none of whose files is left is `missing`: listed and searched as before, because its text is in the library.
It is `ready` again when a file of it returns. What came from the web is kept here and never missing. Quarantined
documents stay what they are.
"""

import os
from collections.abc import Sequence
from urllib.parse import unquote_to_bytes

from glossator.store import documents as stored
from glossator.store.database import Database
from glossator.store.documents import StoredDocument


def check(database: Database, documents: Sequence[StoredDocument]) -> None:
    """Note which of the documents are missing, and which are back."""
    news = [(d, here(d)) for d in documents if d.status != "quarantined"]
    wrong = [d for d, is_here in news if is_here == (d.status == "missing")]
    if wrong:
        with database.write() as c:
            for document in wrong:
                stored.set_status(c, document.key, "missing" if document.status == "ready" else "ready")


def missing(documents: Sequence[StoredDocument]) -> frozenset[int]:
    """Return the keys of those that are missing."""
    return frozenset(d.key for d in documents if d.status == "missing")


def changes(
    before: frozenset[int], documents: Sequence[StoredDocument]
) -> tuple[list[StoredDocument], list[StoredDocument]]:
    """Return which of the documents are missing now and were not before, and which are back."""
    gone = [d for d in documents if d.status == "missing" and d.key not in before]
    return gone, [d for d in documents if d.status != "missing" and d.key in before]


def here(document: StoredDocument) -> bool:
    """Tell whether a file or an address that the document was read from is there."""
    return not document.sources or any(_is_there(uri) for uri in document.sources)


def below(document: StoredDocument, folder: str) -> bool:
    """Tell whether a document was read from a file in a folder (both absolute paths) or in one inside it."""
    inside = folder.rstrip(os.sep) + os.sep
    return any(uri.startswith(inside) for uri in document.sources)


def _is_there(uri: str) -> bool:
    """An undecodable byte of a path is kept as a percent sign and two digits, as `uri_of` wrote it."""
    return "://" in uri or os.path.lexists(uri) or ("%" in uri and os.path.lexists(unquote_to_bytes(uri)))
