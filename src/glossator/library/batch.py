"""`batch`: JSON lines of reading commands, answered one by one.

An operation takes the options of its command, with underscores; anything else in a line is refused by name, so that a
misspelt option is an error of its line and never silently ignored.
"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from glossator.errors import GlossatorError, UsageError
from glossator.library.results import Bound
from glossator.library.upkeep import BatchAnswer

if TYPE_CHECKING:
    from glossator.library.library import Library

logger = logging.getLogger(__name__)
Json = dict[str, Any]
BOUND: Mapping[str, type] = {"up_to": object, "uncapped": bool}
SCOPE: Mapping[str, type] = {"doc": object, "collection": object}
TAG: Mapping[str, type] = {"tag": object}


def answer_lines(library: "Library", lines: Iterable[str]) -> Iterator[BatchAnswer]:
    """Yield one answer for each line that is not blank, in order."""
    for line in lines:
        if line.strip():
            yield _answer(library, line)


def answer(library: "Library", operation: Any, request: Json) -> Json:
    """Return the JSON of one operation with its options, for this and other doors.

    Raises:
        UsageError: no such operation or option, or a value that cannot be.
        GlossatorError: as the command itself.
    """
    if not isinstance(operation, str) or operation not in OPERATIONS:
        raise UsageError(f"no operation {operation!r}", hint=f"op is one of {', '.join(OPERATIONS)}")
    options, run = OPERATIONS[operation]
    _check(operation, request, options)
    return run(library, request)


def _answer(library: "Library", line: str) -> BatchAnswer:
    name: Any = None
    try:
        request = _request(line)
        name = request.pop("id", None)
        operation = request.pop("op", None)
        return BatchAnswer(name, result=answer(library, operation, request))
    except GlossatorError as error:
        return BatchAnswer(name, error=error.to_json())
    except Exception:  # the outermost edge of a job: one line's defect must not end the stream
        logger.exception("batch line failed")
        return BatchAnswer(
            name,
            error={"code": "internal", "message": "this line met a defect", "hint": "run with --verbose, report it"},
        )


def _request(line: str) -> Json:
    try:
        request = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UsageError(f"not JSON: {error}", hint='one object per line, such as {"op": "list"}') from error
    if not isinstance(request, dict):
        raise UsageError("not an object", hint='one object per line, such as {"op": "list"}')
    return request


def _check(operation: str, request: Json, options: Mapping[str, type]) -> None:
    for key, value in request.items():
        if key not in options:
            raise UsageError(f"{operation} takes no {key!r}", hint=f"it takes {', '.join(options)}")
        wanted = options[key]
        if value is not None and wanted is not object and (type(value) is not wanted):
            raise UsageError(f"{key} must be of type {wanted.__name__}, not {value!r}", hint="correct the line")


def _needed(request: Json, key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise UsageError(f"{key!r} is missing", hint=f"give {key} as a text")
    return value


def _names(request: Json, key: str) -> list[str]:
    value = request.get(key)
    names = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise UsageError(f"{key} must be a name or a list of names", hint="correct the line")
    return names


def _bound(request: Json) -> Bound:
    up_to = request.get("up_to")
    if isinstance(up_to, str) and up_to.isdecimal():
        up_to = int(up_to)
    if up_to is not None and up_to != "progress" and type(up_to) is not int:
        raise UsageError(f"up_to must be a position or 'progress', not {up_to!r}", hint="correct the line")
    return Bound(up_to, bool(request.get("uncapped")))


def _given(request: Json, *keys: str) -> Json:
    return {k: request[k] for k in keys if request.get(k) is not None}


def _scope(request: Json) -> Json:
    return {"docs": _names(request, "doc"), "collections": _names(request, "collection"), "bound": _bound(request)}


def _list(library: "Library", r: Json) -> Json:
    return library.documents(**_given(r, "collection", "tag")).to_json()


def _show(library: "Library", r: Json) -> Json:
    return library.show(_needed(r, "doc"), **_given(r, "pages", "preview"), bound=_bound(r)).to_json()


def _text(library: "Library", r: Json) -> Json:
    return library.text(_needed(r, "doc"), bound=_bound(r)).to_json()


def _read(library: "Library", r: Json) -> Json:
    place = _given(r, "section", "at", "page", "page_label", "context")
    if "context" in place and "at" not in place:
        raise UsageError("context needs a position", hint="give one as at: the blocks around it are shown")
    return library.read(_needed(r, "doc"), **place, bound=_bound(r)).to_json()


def _search(library: "Library", r: Json) -> Json:
    options = _given(r, "k", "mode", "explain", "why_not", "rewrite")
    return library.search(_needed(r, "query"), tags=_names(r, "tag"), **_scope(r), **options).to_json()


def _ask(library: "Library", r: Json) -> Json:
    _extractive(r)
    options: dict[str, Any] = {}
    if (selection := r.get("selection")) is not None:
        options["selection"] = _selection(selection)
    return library.ask(_needed(r, "question"), tags=_names(r, "tag"), **_scope(r), **options).to_json()


def _consult(library: "Library", r: Json) -> Json:
    from glossator.library.consult import consult

    shown = library.scope(_names(r, "doc"), _names(r, "collection"), bound=_bound(r))
    return consult(shown, _needed(r, "prompt"), **_given(r, "tokens", "words_only")).to_json()


def _selection(value: Any) -> tuple[int, int]:
    parts = value.split(":") if isinstance(value, str) else value
    if isinstance(parts, list) and len(parts) == 2 and all(str(p).isdecimal() for p in parts):
        return int(parts[0]), int(parts[1])
    raise UsageError(f"selection must be START:END, not {value!r}", hint="correct the line")


def _locate(library: "Library", r: Json) -> Json:
    return library.locate(_needed(r, "quote"), docs=_names(r, "doc"), bound=_bound(r)).to_json()


def _verify(library: "Library", r: Json) -> Json:
    return library.verify(_needed(r, "file"), bound=_bound(r)).to_json()


def _progress(library: "Library", r: Json) -> Json:
    return library.progress(_needed(r, "doc")).to_json()


def _note_list(library: "Library", r: Json) -> Json:
    options = _given(r, "query", "limit", "offset")
    names: Json = {"tags": _names(r, "tag"), "states": _names(r, "state"), "colors": _names(r, "color")}
    return library.notes.list(**_scope(r), **names, **options).to_json()


def _note_show(library: "Library", r: Json) -> Json:
    return library.notes.show(_needed(r, "note"), **_given(r, "doc"), bound=_bound(r)).to_json()


def _note_links(library: "Library", r: Json) -> Json:
    return library.notes.links(**_scope(r)).to_json()


def _export(library: "Library", r: Json) -> Json:
    options = _given(r, "format")
    return library.exchange.export(**options, tags=_names(r, "tag"), **_scope(r)).to_json()


def _open(library: "Library", r: Json) -> Json:
    target = r.get("target")
    wanted = json.dumps(target) if isinstance(target, dict) else _needed(r, "target")
    return library.notes.open(wanted, **_given(r, "context"), bound=_bound(r)).to_json()


def _eval(library: "Library", r: Json) -> Json:
    from pathlib import Path

    queries = Path(r["queries"]) if r.get("queries") else None
    return library.evaluate(_names(r, "doc"), _names(r, "collection"), queries).to_json()


def _stats(library: "Library", r: Json) -> Json:
    return library.stats(_names(r, "doc"), _names(r, "collection"), _names(r, "tag")).to_json()


def _sources(library: "Library", r: Json) -> Json:
    from glossator.library.holdings import holdings

    return holdings(library.database, **_given(r, "collection")).to_json()


def _collection_list(library: "Library", r: Json) -> Json:  # noqa: ARG001
    return library.shelves.collections().to_json()


def _tag_list(library: "Library", r: Json) -> Json:  # noqa: ARG001
    return library.shelves.tags().to_json()


def _session_list(library: "Library", r: Json) -> Json:
    return library.sessions.list(docs=_names(r, "doc"), bound=_bound(r)).to_json()


def _session_show(library: "Library", r: Json) -> Json:
    from glossator.store.sessions import Page

    page = Page(**_given(r, "limit", "before", "since", "until"))
    return library.sessions.show(_needed(r, "session"), page=page, docs=_names(r, "doc"), bound=_bound(r)).to_json()


def _doctor(library: "Library", r: Json) -> Json:  # noqa: ARG001
    from glossator import config
    from glossator.library.backup import schedule_of
    from glossator.library.upkeep import Diagnosis

    backup = library.backups.check(schedule_of(config.load(library.database.folder)))
    return Diagnosis((*library.doctor().checks, backup)).to_json()


def _models(library: "Library", r: Json) -> Json:  # noqa: ARG001
    return library.models().to_json()


def _summary(library: "Library", r: Json) -> Json:
    _extractive(r)
    return library.analysis.summary(_needed(r, "doc"), **_given(r, "section"), bound=_bound(r)).to_json()


def _people(library: "Library", r: Json) -> Json:
    _extractive(r)
    return library.analysis.people(_needed(r, "doc"), bound=_bound(r)).to_json()


def _compare(library: "Library", r: Json) -> Json:
    _extractive(r)
    docs, collections = _names(r, "doc"), _names(r, "collection")
    return library.analysis.compare(_needed(r, "claim"), docs=docs, collections=collections, bound=_bound(r)).to_json()


def _map(library: "Library", r: Json) -> Json:
    _extractive(r)
    return library.analysis.map(_needed(r, "doc"), bound=_bound(r)).to_json()


def _memory_list(library: "Library", r: Json) -> Json:
    return library.memory.list(docs=_names(r, "doc"), bound=_bound(r)).to_json()


def _extractive(request: Json) -> None:
    if (model := request.get("model") or "none") != "none":
        raise UsageError(
            f"no model {model!r} is used here: these operations answer in the text's own words",
            hint="leave model out, or ask one by one with --model",
        )


OPERATIONS: Mapping[str, tuple[Mapping[str, type], Callable[["Library", Json], Json]]] = {
    "list": ({"collection": str, "tag": str}, _list),
    "show": ({"doc": str, "pages": bool, "preview": int, **BOUND}, _show),
    "text": ({"doc": str, **BOUND}, _text),
    "read": (
        {"doc": str, "section": int, "at": int, "page": int, "page_label": str, "context": int, **BOUND},
        _read,
    ),
    "search": (
        {
            "query": str,
            "k": int,
            "mode": str,
            "explain": bool,
            "why_not": str,
            "rewrite": str,
            **SCOPE,
            **TAG,
            **BOUND,
        },
        _search,
    ),
    "consult": ({"prompt": str, "tokens": int, "words_only": bool, **SCOPE, **BOUND}, _consult),
    "ask": ({"question": str, "selection": object, "model": str, **SCOPE, **TAG, **BOUND}, _ask),
    "summary": ({"doc": str, "section": int, "model": str, **BOUND}, _summary),
    "people": ({"doc": str, "model": str, **BOUND}, _people),
    "compare": ({"claim": str, "model": str, **SCOPE, **BOUND}, _compare),
    "map": ({"doc": str, "model": str, **BOUND}, _map),
    "locate": ({"quote": str, "doc": object, **BOUND}, _locate),
    "verify": ({"file": str, **BOUND}, _verify),
    "progress": ({"doc": str}, _progress),
    "stats": ({**SCOPE, **TAG}, _stats),
    "sources": ({"collection": str}, _sources),
    "collection list": ({}, _collection_list),
    "tag list": ({}, _tag_list),
    "memory list": ({"doc": object, **BOUND}, _memory_list),
    "session list": ({"doc": object, **BOUND}, _session_list),
    "session show": (
        {"session": str, "limit": int, "before": str, "since": str, "until": str, "doc": object, **BOUND},
        _session_show,
    ),
    "doctor": ({}, _doctor),
    "note list": (
        {"query": str, "tag": object, "state": object, "color": object, "limit": int, "offset": int, **SCOPE, **BOUND},
        _note_list,
    ),
    "note show": ({"note": str, "doc": str, **BOUND}, _note_show),
    "note links": ({**SCOPE, **BOUND}, _note_links),
    "export": ({"format": str, **SCOPE, **TAG, **BOUND}, _export),
    "open": ({"target": object, "context": int, **BOUND}, _open),
    "eval": ({"queries": str, **SCOPE}, _eval),
    "models": ({}, _models),
}
