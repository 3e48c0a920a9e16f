"""Every error this program raises on purpose.

    GlossatorError
    ├── UsageError               the call itself is wrong (exit 2)
    ├── NotFound                 a document, collection, section or file that is not there
    │   └── Ambiguous            a name that fits several documents
    ├── SourceError              a file or URL that cannot be read
    │   ├── UnsupportedFormat    nothing here reads this kind of file
    │   ├── DamagedFile          it is of the right kind, but broken
    │   ├── EncryptedFile        it is locked by a password or by DRM
    │   └── LimitExceeded        it asks for more time, memory or space than a parse may take
    ├── ModelError               an embedder or a language model that is missing, altered, unreachable or refuses
    ├── StoreError               the library file cannot be read or written
    │   ├── LibraryBusy          another process holds the library
    │   └── LibraryTooNew        a newer version of this program wrote it
    └── Cancelled                the person stopped it

Each carries `code` (stable, for scripts), `message` (what happened, naming what it happened to) and `hint` (what to
do next). Surfaces map them once; nothing below a surface prints.
"""


class GlossatorError(Exception):
    """The root. `str(error)` is the message; `hint` says what to do next."""

    code = "error"

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_json(self) -> dict[str, str]:
        """Return the shape every surface prints: code, message, hint."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class UsageError(GlossatorError):
    """The call itself is wrong: options that exclude each other, a position out of range."""

    code = "usage"


class NotFound(GlossatorError):
    """Something named is not in the library, or not in the document."""

    code = "not_found"


class Ambiguous(NotFound):
    """A name fits several documents; the hint lists them."""

    code = "ambiguous"


class SourceError(GlossatorError):
    """A file or URL cannot be read."""

    code = "source"


class UnsupportedFormat(SourceError):
    """Nothing here reads this kind of file."""

    code = "unsupported_format"


class DamagedFile(SourceError):
    """The file is of a known kind, but broken beyond reading."""

    code = "damaged"


class EncryptedFile(SourceError):
    """The file is locked by a password or by DRM."""

    code = "encrypted"


class LimitExceeded(SourceError):
    """The file asks for more time, memory or space than one parse may take."""

    code = "limit"


class ModelError(GlossatorError):
    """A model is missing, altered or unreachable, or refuses: an embedder or a language model."""

    code = "model"


class StoreError(GlossatorError):
    """The library file cannot be read or written."""

    code = "store"


class LibraryBusy(StoreError):
    """Another process holds the library's lock."""

    code = "busy"


class LibraryTooNew(StoreError):
    """A newer version of this program wrote the library."""

    code = "too_new"


class Cancelled(GlossatorError):
    """The person stopped it; what was finished stays."""

    code = "cancelled"

    def __init__(
        self, message: str = "stopped", *, hint: str = "what was finished stays; run it again to go on"
    ) -> None:
        super().__init__(message, hint=hint)


def from_json(error: dict[str, str]) -> GlossatorError:
    """Rebuild an error that crossed a process boundary as JSON; an unknown code becomes the root class."""
    known = {c.code: c for c in _tree(GlossatorError)}
    return known.get(error["code"], GlossatorError)(error["message"], hint=error["hint"])


def _tree(root: type[GlossatorError]) -> list[type[GlossatorError]]:
    return [root, *(c for child in root.__subclasses__() for c in _tree(child))]
