"""Tools for the web: fetch a page, call an API after its log-in, search. Off until `web` is allowed.

All go through the guard against addresses of private networks; a server of this machine only when the person's
settings name it.
"""

import http.client
import json
import os
import socket
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from glossator.agent.context import ToolContext
from glossator.agent.ledger import Sending
from glossator.agent.policy import TransientFault
from glossator.agent.reach import QUERY, host_of
from glossator.agent.registry import LIMITS, Outcome, tool
from glossator.agent.signature import Range
from glossator.agent.tools.fences import attribute, inert
from glossator.errors import NotFound, SourceError, UsageError
from glossator.sources.api import Call, Method, Reply, call

WIDE = LIMITS["search"]
_PAGE_ROOM = LIMITS["reading"] - 400
_BUSY = (429, 500, 502, 503, 504)  # what may be otherwise in a second
_TOKENS = ("access_token", "token", "id_token", "jwt")
_RESULTS = ("results", "items", "organic", "data", "value")
_LINKS, _TITLES, _TEXTS = ("url", "link", "href"), ("title", "name"), ("content", "snippet", "description", "text")


@tool(
    toolset="reach",
    kind="network",
    needs=("web",),
    approval=lambda ctx, args: not ctx.reach.known.holds(str(args.get("url"))),
    result_limit=LIMITS["reading"],
    words="fetch page web url http website link open 网页 网址 打开 抓取 链接 网站",
)
def fetch_page(ctx: ToolContext, url: str, start: Annotated[int, Range(0, 100_000_000)] = 0) -> Outcome:
    """Fetch a web page and read its text. Use it for an address that the person, a search or a page gave.

    About any other address the person is asked. Pages of private networks, or that need JavaScript, are not fetched.

    Args:
        url: http or https
        start: position to go on from, when a page came in parts
    """
    from glossator.sources.web import FetchLimits, fetch

    _account(ctx, url, "")
    with _passing():
        got = fetch(url, limits=FetchLimits(size=8 << 20, seconds=25.0), allow_loopback=ctx.reach.may_be_local(url))
    text = ctx.library.veil.over(_text_of(got.data, got.suffix, got.final_url))
    ctx.reach.known.add(text)
    part = text[start : start + _PAGE_ROOM]
    if not part.strip():
        return Outcome(f"{got.final_url} has no text from position {start} on.", "no text")
    end = start + len(part)
    rest = f"{len(text) - end:,} characters follow: fetch_page(url={url!r}, start={end})" if end < len(text) else ""
    head = f'<page url="{attribute(got.final_url)}" at="{start}-{end}">'
    return Outcome(
        f"{head}\n{inert(part)}\n</page>\n{rest}".rstrip(), f"{got.final_url}: {len(text):,} characters", rest
    )


@tool(
    toolset="reach",
    kind="network",
    needs=("web",),
    changes=True,
    approval=True,
    result_limit=WIDE,
    words="api call request post get rest json endpoint 接口 调用 请求",
)
def call_api(
    ctx: ToolContext,
    url: str,
    method: Method = "GET",
    body: str | None = None,
    headers: dict[str, str] | None = None,
) -> Outcome:
    """Call a web API and read its answer. Use it for data that no page shows; the person is asked first.

    A server that wants a log-in is refused until `api_login` was called for it. Never put keys or passwords here.

    Args:
        url: http or https
        method: of the request
        body: text to send, JSON as a rule
        headers: further headers
    """
    secret = ctx.reach.keys.headers(host_of(url))
    if ctx.reach.login_for(url) is not None and secret is None:
        raise UsageError(f"{host_of(url)} wants a log-in first", hint=f"call api_login(url={url!r}), then this again")
    sent = {str(k): str(v) for k, v in (headers or {}).items()}
    if body is not None and not any(k.lower() == "content-type" for k in sent):
        sent["Content-Type"] = "application/json" if body.lstrip()[:1] in ("{", "[") else "text/plain"
    asked = Call(url=url, method=method, headers=sent, secret=secret or {}, body=body)
    _account(ctx, url, body or "")
    reply = call(asked, allow_loopback=ctx.reach.may_be_local(url))
    head = f"{method} {reply.url}: {reply.status} {reply.content_type}".rstrip()
    if not reply.ok:
        raise SourceError(f"{head}: {_safe(reply, secret)[:500]}", hint="correct the request, or go on without it")
    return Outcome(f"{head}\n{inert(ctx.library.veil.over(_safe(reply, secret)))}", head)


@tool(
    toolset="reach",
    kind="network",
    needs=("web", "logins"),
    changes=True,
    words="login log-in authenticate session token sign 登录 认证 授权",
)
def api_login(ctx: ToolContext, url: str) -> Outcome:
    """Log in to the server of an address, so that `call_api` may call it. Use it when `call_api` asks for it.

    Only servers of the person's settings have a log-in, and what is sent stands there, too; you never see it.

    Args:
        url: any address of that server
    """
    login = ctx.reach.login_for(url)
    if login is None:
        known = ", ".join(found.host for found in ctx.reach.logins)
        raise UsageError(f"{host_of(url) or url!r} has no log-in in the settings", hint=f"those that have: {known}")
    body = os.environ.get(login.variable)
    if not body:
        raise UsageError(f"the log-in for {login.host} needs the variable {login.variable}", hint="tell the person")
    kind = "application/json" if body.lstrip().startswith("{") else "application/x-www-form-urlencoded"
    asked = Call(url=login.url, method="POST", headers={"Content-Type": kind}, body=body)
    _account(ctx, login.url, body)
    reply = call(asked, allow_loopback=ctx.reach.may_be_local(login.url))
    if reply.status >= 400:
        raise SourceError(f"the log-in at {login.host} was refused ({reply.status})", hint="tell the person")
    opened = _opening(reply)
    if not opened:
        raise SourceError(f"the log-in at {login.host} gave neither a token nor a cookie", hint="tell the person")
    ctx.reach.keys.open(login.host, opened)
    done = f"logged in at {login.host}: call_api may call it now"
    return Outcome(done, done)


@tool(
    toolset="reach",
    kind="network",
    needs=("web", "engine"),
    result_limit=WIDE,
    words="web search internet online google look up 搜索 网上 互联网 上网 查一下",
)
def web_search(ctx: ToolContext, query: str, limit: Annotated[int, Range(1, 20)] = 8) -> Outcome:
    """Search the web with the person's search engine: titles, addresses, snippets. Use it for what no document says.

    The words of the query leave this machine. `fetch_page` reads what was found.

    Args:
        query: what to look for
        limit: how many results
    """
    if not query.strip():
        raise UsageError("the query is empty", hint="give words")
    engine = ctx.reach.engine or ""
    url = engine.replace(QUERY, quote(" ".join(query.split()), safe=""))
    _account(ctx, url, "")
    with _passing():
        reply = call(Call(url=url, headers={"Accept": "application/json, text/html"}), allow_loopback=True)
    if reply.status in _BUSY:
        raise TransientFault(f"the search engine answered {reply.status}")
    if not reply.ok:
        raise SourceError(f"the search engine answered {reply.status}", hint="go on without it, or tell the person")
    found = _found(reply)
    if not found:
        text = _text_of(reply.text.encode(), ".html", reply.url) if "html" in reply.content_type else reply.text
        found = [text[: WIDE - 500]]
    shown = ctx.library.veil.over("\n".join(found[:limit]))
    ctx.reach.known.add(shown)
    return Outcome(inert(shown) or f"Nothing was found for “{query}”.", f"web search for “{query}”")


@contextmanager
def _passing() -> Iterator[None]:
    """Make a fault of the connection one that is tried again; a wrong name or certificate stays wrong.

    Raises:
        TransientFault: the connection broke, or could not be made.
    """
    try:
        yield
    except SourceError as error:
        cause = error.__cause__
        lasting = isinstance(cause, socket.gaierror | ssl.SSLError | UnicodeError)
        if isinstance(cause, OSError | http.client.HTTPException) and not lasting:
            raise TransientFault(error.message) from error
        raise


def _account(ctx: ToolContext, url: str, body: str) -> None:
    """Enter a request into the account of what left the machine."""
    parts = urlsplit(url)
    local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    ctx.told(Sending(parts.hostname or "", len(url.encode()) + len(body.encode()), not local))


def _text_of(data: bytes, suffix: str, url: str) -> str:
    """Return the text of a page or file, read in a limited child process as documents are."""
    if suffix in (".txt", ".md"):
        return data.decode("utf-8-sig", "replace")
    from glossator.parse.worker import Pool

    with tempfile.TemporaryDirectory(prefix="glossator-") as folder:
        path = Path(folder) / f"page{suffix}"
        path.write_bytes(data)
        with Pool() as pool:
            return pool.parse(path, base_url=url).text


def _opening(reply: Reply) -> dict[str, str]:
    """Return the headers that a log-in gave: a token of its answer, and its cookies."""
    headers = {"Cookie": "; ".join(reply.cookies)} if reply.cookies else {}
    try:
        given = json.loads(reply.text)
    except ValueError:
        return headers
    token = (
        next((given[k] for k in _TOKENS if isinstance(given.get(k), str)), None) if isinstance(given, dict) else None
    )
    return headers | ({"Authorization": f"Bearer {token}"} if token else {})


def _safe(reply: Reply, secret: Any) -> str:
    """Return the text of an answer without the token or the cookies that it may repeat."""
    text = reply.text
    for value in (secret or {}).values():
        for piece in str(value).removeprefix("Bearer ").split("; "):
            text = text.replace(piece.partition("=")[2] or piece, "…") if piece else text
    return text


def _found(reply: Reply) -> list[str]:
    """Return the results that an engine gives as JSON, a block each; none when it gives no JSON."""
    try:
        given: Any = json.loads(reply.text)
    except ValueError:
        return []
    for name in ("web", *_RESULTS):
        if isinstance(given, dict) and isinstance(given.get(name), dict | list):
            given = given[name]
    rows = [r for r in given if isinstance(r, dict)] if isinstance(given, list) else []
    blocks = ["\n".join(filter(None, (_one(r, _TITLES), _one(r, _LINKS), _one(r, _TEXTS)[:400]))) for r in rows]
    if not rows and isinstance(given, dict | list) and not given:
        raise NotFound("nothing was found", hint="try other words")
    return [f"- {b}" for b in blocks if b]


def _one(row: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((" ".join(row[n].split()) for n in names if isinstance(row.get(n), str)), "")
