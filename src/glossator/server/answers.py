"""What routes answer with: JSON as the command line prints it, described for OpenAPI with its keys and an example."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from starlette.responses import Response

from glossator.server.problems import EXAMPLE, MEDIA_TYPE, SCHEMA
from glossator.server.reading import encoded

Json = dict[str, Any]


def answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a value as JSON, a stray byte of a path as its escape."""
    return sent(encoded(value), status, headers)


def sent(data: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return JSON that is written out already."""
    return Response(data, status_code=status, media_type="application/json", headers=dict(headers or {}))


def tagged(request: Request, body: bytes, media_type: str, *, key: str, headers: Mapping[str, str]) -> Response:
    """Return content under an ETag made of `key`, or 304 when the client has it."""
    tag = f'"{hashlib.sha256(key.encode()).hexdigest()[:32]}"'
    known = {t.strip().removeprefix("W/") for t in request.headers.get("if-none-match", "").split(",")}
    if tag in known or "*" in known:
        return Response(status_code=304, headers={**headers, "etag": tag})
    return Response(body, media_type=media_type, headers={**headers, "etag": tag})


def described(
    keys: Sequence[str], example: Any, *, status: int = 200, errors: Sequence[int] = ()
) -> dict[int | str, Json]:
    """Return the `responses` of a route: an object with these keys and an example, and the problems it may answer."""
    schema: Json = {"type": "object", "required": list(keys), "properties": {k: {} for k in keys}}
    good = {"description": "Done", "content": {"application/json": {"schema": schema, "example": example}}}
    return {status: good, **problems(*errors)}


def problems(*statuses: int) -> dict[int | str, Json]:
    """Return the description of problems for OpenAPI; those that any route may answer are always there."""
    content = {MEDIA_TYPE: {"schema": dict(SCHEMA), "example": dict(EXAMPLE)}}
    every = sorted({400, 401, 403, 413, 421, 422, *statuses})
    return {status: {"description": "A problem", "content": content} for status in every}
