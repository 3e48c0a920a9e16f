"""From the JSON of the commands to what the tools answer: shorter, and within what a host takes at once."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from glossator.document.tokens import estimate_tokens
from glossator.errors import NotFound, UsageError
from glossator.mcp import shapes

if TYPE_CHECKING:
    from glossator.mcp.door import Door

Json = dict[str, Any]
SEARCHED = 12_000  # tokens of the passages of one search
READ = 8_000  # tokens of one piece of text
AHEAD = 80  # blocks that are fetched to read on from a position
NOTES = 30  # of one search
SOURCES = 200  # of one list
WHOLE = 400_000  # characters of a document as a resource
NO_LIBRARY = "there is no library yet; rag_ingest begins one"


def hits(found: Json) -> shapes.Hits:
    """Return passages, as many as fit."""
    shown: list[shapes.Hit] = []
    left = SEARCHED
    for hit in found["hits"]:
        left -= estimate_tokens([hit["text"]])[0]
        if shown and left < 0:
            break
        place = shapes.locator(hit["locator"])
        shown.append({"rank": hit["rank"], "text": hit["text"], "document": hit["document"], "locator": place})
    missing = len(found["hits"]) - len(shown)
    cut = f"{missing} more passages did not fit; ask for fewer, or in one document." if missing else None
    return {"hits": shown, "notice": _joined(_notice(found), cut)}


def answer(found: Json) -> shapes.Answer:
    """Return an answer with its receipts."""
    citations: list[shapes.Citation] = [
        {
            "n": c["n"],
            "status": c["status"],
            "quote": c["quote"],
            "document": c["document"],
            "locator": shapes.locator(c["locator"]),
        }
        for c in found["citations"]
    ]
    return {
        "answer": found["answer"],
        "abstained": found["abstained"],
        "citations": citations,
        "rejected": found["rejected"],
        "session": found["session"],
        "model": found["model"],
        "stopped": found["stopped"],
        "notice": _notice(found),
    }


def located(found: Json) -> shapes.Located:
    """Return where a quotation stands."""
    near: list[shapes.Near] = [
        {"document": n["document"], "text": n["text"], "score": n["score"], "locator": shapes.locator(n["locator"])}
        for n in found["near"]
    ]
    return {
        "status": found["status"],
        "repairs": found["repairs"],
        "occurrences": found["occurrences"],
        "document": found["document"],
        "locator": None if found["locator"] is None else shapes.locator(found["locator"]),
        "near": near,
        "notice": _notice(found),
    }


def notes(found: Json) -> shapes.Notes:
    """Return notes."""
    shown = [shapes.note(n) for n in found["notes"]]
    return {"notes": shown, "total": found["total"], "notice": _notice(found)}


def contents(found: Json) -> shapes.Contents:
    """Return the contents of a document."""
    metadata = found["metadata"]
    return {
        "id": found["id"],
        "title": metadata.get("title"),
        "authors": list(metadata.get("authors") or ()),
        "language": metadata.get("language"),
        "contents": found["contents"],
        "notice": _notice(found),
    }


def text(door: "Door", document: str, places: Json) -> shapes.ReadText:
    """Return a part of a document as one text, as much as fits.

    Raises:
        UsageError: several places, or a position out of range.
        NotFound: no such document, section or page.
    """
    if len(places) > 1:
        raise UsageError("give at most one of section, at and page", hint="leave the others out")
    at = places.get("at", None if places else 0)
    options: Json = places if at is None else {"at": at, "context": AHEAD}
    found = door.perform("read", {"doc": document, **options})
    blocks = [b for b in found["blocks"] if b["start"] is not None]
    ahead = at is not None and bool(blocks)
    if at is not None:
        blocks = [b for b in blocks if b["end"] > at or b is blocks[-1]]
    shown = _fitting(blocks)
    more = blocks[len(shown)]["start"] if len(shown) < len(blocks) else None
    if more is None and ahead and len(blocks) > AHEAD:
        more = shown[-1]["end"] + 2  # the next block stands after two line breaks
    return {
        "id": found["id"],
        "title": door.perform("show", {"doc": found["id"]})["metadata"].get("title") or "",
        "text": "\n\n".join(b["text"] for b in shown),
        "start": shown[0]["start"] if shown else None,
        "end": shown[-1]["end"] if shown else None,
        "next": more,
        "notice": _notice(found),
    }


def _fitting(blocks: Sequence[Json]) -> list[Json]:
    """Return the first blocks that fit into an answer, at least one."""
    left, shown = READ, list[Json]()
    for block in blocks:
        left -= estimate_tokens([block["text"]])[0]
        if shown and left < 0:
            break
        shown.append(block)
    return shown


def status(door: "Door") -> shapes.Status:
    """Return the state of the library, also where there is none yet."""
    there = door.exists()
    empty = {"ready": 0, "pending": 0, "none": 0}
    found: Json = door.perform("sources", {}) if there else {"documents": 0, "passages": 0, "sources": []}
    counts = found.get("vectors", empty)
    return {
        "library": str(door.folder),
        "exists": there,
        "documents": found["documents"],
        "passages": found["passages"],
        "vectors": {"ready": counts["ready"], "pending": counts["pending"], "none": counts["none"]},
        "not_ready": [s["id"] for s in found["sources"] if s["status"] != "ready"][:SOURCES],
        "model": door.model,
    }


def sources(door: "Door", collection: str | None) -> shapes.Sources:
    """Return where the documents come from.

    Raises:
        NotFound: there is no such collection.
    """
    if not door.exists() and collection is None:
        return {"sources": [], "total": 0, "notice": NO_LIBRARY}
    found = door.perform("sources", {} if collection is None else {"collection": collection})["sources"]
    keys = ("id", "title", "source", "format", "status", "passages", "vectors")
    shown: list[Any] = [{key: entry[key] for key in keys} for entry in found[:SOURCES]]
    left = len(found) - len(shown)
    return {"sources": shown, "total": len(found), "notice": f"{left} more are not listed" if left else None}


def deleted(door: "Door", source: str) -> shapes.Deleted:
    """Take out the document that came from a source; return what is gone.

    Raises:
        NotFound: there is none, or several.
    """
    found = door.perform("sources", {})["sources"]
    entry = next((s for s in found if source.strip() in (s["id"], *s["sources"])), None)
    if entry is None:
        wanted = door.perform("show", {"doc": source})["id"]
        entry = next((s for s in found if s["id"] == wanted), None)
    if entry is None:
        raise NotFound(f"no document {source!r}", hint="rag_list_sources shows what there is")
    removed = door.remove(entry["id"])
    passages = entry["passages"]
    return {
        "message": f"removed “{entry['title']}”: {passages} passages; notes {removed['notes']}",
        "removed": removed["removed"],
        "title": entry["title"],
        "passages": passages,
        "notes": removed["notes"],
    }


def ingested(added: Json) -> shapes.Ingested:
    """Return what became of a source, and what changed in words."""
    chunks = added["chunks"]
    changed = f"{added['status']}, {chunks} chunk{'' if chunks == 1 else 's'} indexed"
    return {
        "message": "unchanged, skipped" if added["status"] == "unchanged" else changed,
        "document": added["id"],
        "title": added["title"],
        "source": added["source"],
        "status": added["status"],
        "chunks": chunks,
        "vectors": added["vectors"],
        "warnings": added["warnings"],
    }


def whole(door: "Door", document: str) -> str:
    """Return the text of a document as far as it may be shown, and what is missing in words.

    Raises:
        NotFound: there is none.
    """
    found = door.perform("text", {"doc": document})
    text = found["text"]
    cut = f"[{len(text) - WHOLE:,} characters more: read it by section]" if len(text) > WHOLE else None
    said = _joined(_notice(found), cut)
    return text[:WHOLE] if said is None else f"{text[:WHOLE]}\n\n{said}"


def section(door: "Door", document: str, number: str) -> str:
    """Return the text of a section.

    Raises:
        NotFound: no such document or section.
    """
    if not number.isdecimal() or not int(number):
        raise NotFound(f"no section {number!r}", hint="sections are numbered from 1, as `contents` lists them")
    found = door.perform("read", {"doc": document, "section": int(number)})
    texts = [b["text"] for b in found["blocks"] if b["start"] is not None]
    return "\n\n".join([*texts, *filter(None, [_notice(found)])])


def beside(found: Json) -> str:
    """Return what a prompt hook of the host is told, as it reads it: JSON, or nothing."""
    context = found.get("context")
    if not context:
        return ""
    told = {"hookEventName": "UserPromptSubmit", "additionalContext": f"{context}\nWhy: {found['reason']}."}
    return json.dumps({"hookSpecificOutput": told, "suppressOutput": True}, ensure_ascii=False)


def _notice(found: Json) -> str | None:
    """Return what was left out, in words; how a person lifts a bound is not a model's to know."""
    said: str | None = found.get("notice")
    return None if said is None else said.replace("; --uncapped shows it", "")


def _joined(*said: str | None) -> str | None:
    return " ".join(s for s in said if s) or None
