"""What a browser is shown: which paths are views of the reader, what its page may load, pages without the reader."""

from starlette.responses import HTMLResponse, Response

DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE_POLICY = (  # WebAssembly decodes pictures inside a PDF
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data: blob:; connect-src 'self'; frame-src 'self' blob:; "
    "worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PROGRAMS = ("api", "v1", "agent", "retrieve", "ingest", "assets")  # what begins so is never a view of the reader
NOT_LET_IN = (
    "A link from <code>glossator serve</code> opens the library once, and this browser then stays let in until that "
    "server ends. Run <code>glossator serve --open</code> in a terminal for a new one."
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>glossator</title>
<style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}}</style></head>
<body><main><h1>{title}</h1><p>{text}</p></main></body></html>
"""


def is_view(path: str) -> bool:
    """Return whether a path may be a view of the reader, which routes these itself."""
    first, _, rest = path.lstrip("/").partition("/")
    return first not in PROGRAMS and "." not in (rest or first).rpartition("/")[2]


def plain_page(status: int, title: str, text: str) -> Response:
    """Return a small page without the reader; `text` is HTML."""
    return HTMLResponse(_PAGE.format(title=title, text=text), status, {"content-security-policy": PAGE_POLICY})
