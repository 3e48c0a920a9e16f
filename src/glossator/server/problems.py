"""Errors as `application/problem+json` (RFC 9457): what happened, its stable code, and a hint at the next step."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from glossator.errors import GlossatorError
from glossator.scrub import scrub

MEDIA_TYPE = "application/problem+json"
STATUS: Mapping[str, int] = {
    "usage": 422,
    "not_found": 404,
    "ambiguous": 409,
    "source": 422,
    "unsupported_format": 415,
    "damaged": 422,
    "encrypted": 422,
    "limit": 413,
    "model": 424,  # what failed is another server, or what was asked of it
    "busy": 503,
    "store": 500,
    "too_new": 500,
    "cancelled": 409,
}
TITLES: Mapping[int, str] = {
    400: "Bad request",
    401: "Not authorised",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported format",
    416: "Range not satisfiable",
    421: "Misdirected request",
    422: "Cannot be met",
    424: "A model failed",
    500: "Server error",
    503: "Busy",
}
EXAMPLE: Mapping[str, Any] = {
    "type": "urn:glossator:not_found",
    "title": "Not found",
    "status": 404,
    "detail": "no document is called 'Middlemarch'",
    "hint": "`glossator list` shows what is there",
    "code": "not_found",
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "hint", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "hint": {"type": "string"},
        "code": {"type": "string"},
        "error": {"type": "object", "description": "under /v1: the same in the shape of that interface"},
    },
}


def problem_of(status: int, code: str, detail: str, hint: str) -> dict[str, Any]:
    """Return the body of a problem; secrets are taken out of it."""
    return {
        "type": f"urn:glossator:{code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": scrub(detail),
        "hint": scrub(hint),
        "code": code,
    }


def problem(
    status: int, code: str, detail: str, hint: str, *, path: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """Return a problem as a response. Clients of the `/v1` interface find it under `error`, too."""
    body = problem_of(status, code, detail, hint)
    if path.startswith("/v1/"):
        body["error"] = {"message": f"{body['detail']} ({body['hint']})", "type": code, "param": None, "code": code}
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(data, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def of_error(error: GlossatorError, path: str = "") -> Response:
    """Return the problem that an error of this program is."""
    status = STATUS.get(error.code, 500)
    return problem(status, error.code, error.message, error.hint, path=path)


def of_defect(path: str = "") -> Response:
    """Return the problem for what nobody foresaw; its cause stands in the log, never in the answer."""
    return problem(500, "internal", "this request met a defect", "see the server's log, and report it", path=path)
