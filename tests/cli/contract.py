"""The shapes of the contract, and a check that a value has exactly such a shape.

A dict lists its keys ("key?" may be missing), a list holds the shape of its items, a type stands for itself, a tuple
for any of its members, a set for one of its values.
"""

from typing import Any

ANY = object
TEXT = (str, None)
NUMBER = (int, float)
WHOLE = (int, None)

RECT = {"page": int, "box": [NUMBER]}
LOCATOR = {
    "document": str,
    "text_version": str,
    "start": int,
    "end": int,
    "quote?": ({"exact": str, "prefix": str, "suffix": str}, None),
    "section": ({"number": int, "path": [str]}, None),
    "page": WHOLE,
    "page_label": TEXT,
    "cfi": TEXT,
    "rects": ([RECT], None),
}
REFERENCE = {"id": str, "title": str, "source": TEXT}
ERROR = {"error": {"code": str, "message": str, "hint": str}}
ADDED = {
    "documents": [
        {
            "id": TEXT,
            "title": TEXT,
            "source": str,
            "format": TEXT,
            "status": {"added", "updated", "unchanged", "quarantined", "failed"},
            "sections": int,
            "chunks": int,
            "pages": WHOLE,
            "language": TEXT,
            "confidence": NUMBER,
            "vectors": {"ready", "pending", "none"},
            "warnings": [str],
            "error": (ERROR["error"], None),
        }
    ]
}
ENTRY = {
    "id": str,
    "title": str,
    "authors": [str],
    "source": TEXT,
    "sources?": [str],
    "format": str,
    "language": TEXT,
    "status": {"ready", "quarantined", "missing"},
    "confidence": NUMBER,
    "added": str,
    "progress": (*NUMBER, None),
    "read": TEXT,
    "finished": bool,
    "collections": [str],
    "tags": [str],
}
LIST = {"documents": [ENTRY]}
SHOW = {
    "id": str,
    "metadata": {"title": str, "authors": [str], "language": TEXT, "published": TEXT, "identifiers": ANY},
    "contents": [{"number": int, "level": int, "title": TEXT, "start": WHOLE, "end": WHOLE, "page": WHOLE}],
    "parse": {
        "parser": str,
        "text_version": str,
        "confidence": NUMBER,
        "reasons": [str],
        "warnings?": [str],
        "pages": [{"page": int, "confidence": NUMBER, "reasons": [str], "status": str}],
    },
    "coverage": {"indexed_characters": int, "characters": int, "quarantined_pages": [int]},
    "spoilers": {"hide", "show"},
    "collections": [str],
    "tags": [str],
    "notice?": str,
    "preview?": ANY,
}
REMOVED = {"removed": str, "notes": {"kept", "deleted"}}
READING = {"id": str, "text_version": str, "text": str, "notice?": str}
BLOCKS = {
    "id": str,
    "blocks": [
        {
            "kind": str,
            "level": WHOLE,
            "start": WHOLE,
            "end": WHOLE,
            "text": str,
            "rows?": [[str]],
            "locator": (LOCATOR, None),
        }
    ],
    "notice?": str,
}
TRACE = {
    "arms": {
        "lexical": ({"rank": int, "score": NUMBER}, None),
        "vector": ([{"model": str, "rank": int, "score": NUMBER}], None),
    },
    "fusion": ({"method": str, "score": NUMBER}, None),
    "rerank": None,
    "filtered?": {"document": ANY, "collection": ANY},
}
SEARCH = {
    "hits": [
        {"rank": int, "score": NUMBER, "document": REFERENCE, "text": str, "locator": LOCATOR, "trace?": TRACE},
    ],
    "took_ms": NUMBER,
    "notice": TEXT,
    "why_not?": ANY,
}
ASK = {
    "answer": str,
    "abstained": bool,
    "citations": [
        {
            "n": int,
            "status": {"verified", "repaired", "misattributed"},
            "quote": str,
            "document": REFERENCE,
            "locator": LOCATOR,
        }
    ],
    "rejected": [{"quote": str, "status": {"not_found", "misattributed", "out_of_scope"}}],
    "steps": [{"tool": str, "args": dict, "state": str, "seconds": NUMBER, "summary": str}],
    "session": TEXT,
    "model": TEXT,
    "usage": {"requests": int, "input_tokens": int, "output_tokens": int, "cost": (*NUMBER, None)},
    "stopped": None,
    "notice?": str,
}
LOCATE = {
    "status": {"verified", "repaired", "not_found"},
    "repairs": [str],
    "occurrences": int,
    "document": TEXT,
    "locator": (LOCATOR, None),
    "near": [ANY],
    "notice?": str,
}
VERIFY = {
    "ok": bool,
    "quotations": [
        {
            "quote": str,
            "status": {"verified", "repaired", "misattributed", "not_found", "document_missing"},
            "claimed": TEXT,
            "document": TEXT,
            "locator": (LOCATOR, None),
        }
    ],
    "notice?": str,
    "error?": ERROR["error"],
}
PROGRESS = {
    "document": str,
    "position": int,
    "read_to": int,
    "fraction": NUMBER,
    "section": WHOLE,
    "page": WHOLE,
    "finished": bool,
    "spoilers": {"hide", "show"},
    "updated": TEXT,
}
COLLECTIONS = {
    "collections": [{"name": str, "description": TEXT, "documents": int, "folder?": str, "glob?": TEXT}],
}
SCAN = {**COLLECTIONS, **ADDED, "missing": [REFERENCE], "back": [REFERENCE]}
TAGS = {"tags": [{"name": str, "documents": int}]}
STATS = {
    "documents": int,
    "formats": dict,
    "languages": dict,
    "statuses": dict,
    "characters": int,
    "pages": int,
    "notes": int,
    "tags": int,
    "collections": int,
    "sessions": WHOLE,
    "reading": {
        "finished": int,
        "in_progress": int,
        "not_begun": int,
        "this_week": int,
        "this_month": int,
        "this_year": int,
        "streak": int,
        "days": [{"date": str, "characters": int}],
    },
    "history?": [{"at": str, "event": str, "position": int, "read_to": int, "fraction": NUMBER}],
}
SESSION = {"id": str, "title": TEXT, "created": str, "updated": str, "messages": int}
SESSIONS = {"sessions": [SESSION]}
MESSAGE = {
    "id": str,
    "role": {"user", "assistant", "tool"},
    "created": str,
    "text": str,
    "parts": [dict],
    "bound": {"documents": ([str], None), "limits": dict},
    "metadata": dict,
}
CONVERSATION = {**SESSION, "messages": [MESSAGE], "notice?": str}
POINT = {"text": str, "locator": LOCATOR}
SUMMARY = {
    "summary": str,
    "points": [POINT],
    "coverage": {"read": [[int]], "missing": [[int]]},
    "notice?": str,
}
PEOPLE = {
    "names": [{"name": str, "kind": {"person", "place", "name", "concept"}, "count": int, "first": LOCATOR}],
    "notice?": str,
}
COMPARE = {
    "passages": [
        {"stance": {"supports", "contradicts", "mentions"}, "document": REFERENCE, "text": str, "locator": LOCATOR}
    ],
    "notice?": str,
}
MAP = {"title": str, "locator": LOCATOR, "children": ANY, "notice?": str}
MODELS = {"embedders": [dict], "models": [ANY]}
DOCTOR = {"ok": bool, "checks": [{"name": str, "status": {"ok", "warning", "failed"}, "detail": str, "hint": TEXT}]}
SCORES = {"queries": int, "recall@1": NUMBER, "recall@5": NUMBER, "mrr": NUMBER}
EVAL = {**SCORES, "by": dict, "notice?": str}
SETTING = {"key": str, "value": (str, int, None), "source": str, "help": str}
SETTINGS = {"settings": [SETTING]}


def check(value: Any, shape: Any, at: str = "$") -> None:
    """Fail where `value` has not exactly the shape."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), f"{at}: {value!r} is no object"
        known = {key.rstrip("?"): part for key, part in shape.items()}
        assert value.keys() <= known.keys(), f"{at}: unknown keys {value.keys() - known.keys()}"
        needed = {key for key in shape if not key.endswith("?")}
        assert needed <= value.keys(), f"{at}: missing keys {needed - value.keys()}"
        for key, item in value.items():
            check(item, known[key], f"{at}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list), f"{at}: {value!r} is no list"
        for i, item in enumerate(value):
            check(item, shape[0], f"{at}[{i}]")
    elif isinstance(shape, tuple):
        assert any(_fits(value, part, at) for part in shape), f"{at}: {value!r} is none of {shape}"
    elif isinstance(shape, set):
        assert value in shape, f"{at}: {value!r} is none of {shape}"
    elif shape is None:
        assert value is None, f"{at}: {value!r} is not null"
    else:
        assert isinstance(value, shape), f"{at}: {value!r} is no {shape.__name__}"
        assert shape is not int or not isinstance(value, bool), f"{at}: {value!r} is no number"


def _fits(value: Any, shape: Any, at: str) -> bool:
    try:
        check(value, shape, at)
    except AssertionError:
        return False
    return True
