"""Results cut to what a model can use: what was left out is said, and how to get it; structure stays structure."""

import json
from collections.abc import Mapping, Set
from typing import Any

from glossator.document.sentence import sentences
from glossator.index.tokens import query_tokens

NOTE = 240  # characters kept for the note that says what was cut
ITEM = 400  # characters of one text inside a structure, once the structure is too long


def capped(text: str, limit: int, rest: str = "") -> str:
    """Return a text of at most `limit` characters; one that was cut ends with a note, and how to get the rest."""
    if len(text) <= limit:
        return text
    how = rest or "ask for less, or for a narrower part"
    note = f"\n[cut: {{}} of {len(text):,} characters are shown. {' '.join(how.split())[:NOTE]}]"
    room = max(0, limit - len(note) - 8)
    kept = text[:room]
    edge = max(kept.rfind("\n"), kept.rfind("。") + 1, kept.rfind(". ") + 1)
    kept = kept[:edge] if edge > room // 2 else kept
    return kept + note.format(f"{len(kept):,}")


def rendered(value: Any, limit: int) -> str:
    """Return a value as text: a text as it is, anything else as JSON without what is empty, lists cut at their end."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    plain = _plain(value)
    text = _json(plain)
    if len(text) <= limit:
        return text
    for items in (50, 20, 10, 5, 3, 1):
        text = _json(_shorter(plain, items))
        if len(text) <= limit:
            break
    return text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """Return JSON without keys that hold nothing."""
    if hasattr(value, "to_json"):
        value = value.to_json()
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items() if v is not None and v not in ("", [], {})}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(v) for v in value]
    return value


def _shorter(value: Any, items: int) -> Any:
    if isinstance(value, dict):
        return {k: _shorter(v, items) for k, v in value.items()}
    if isinstance(value, list):
        kept = [_shorter(v, items) for v in value[:items]]
        return kept if len(value) <= items else [*kept, f"… {len(value) - items} more were left out"]
    if isinstance(value, str) and len(value) > ITEM:
        return f"{value[:ITEM]}… ({len(value) - ITEM:,} more characters)"
    return value


def window(text: str, asked: Set[str], room: int) -> tuple[int, int]:
    """Return where the sentence stands that has most of the asked terms, rare ones first, with what fits around it.

    What room is left goes to the sentences after it, then to those before; the sentence itself is never cut.
    """
    spans = sentences(text) or [(0, len(text))]
    terms = [set(query_tokens(text[a:b])) & asked for a, b in spans]
    spread = {t: sum(1 for own in terms if t in own) for t in asked}
    scores = [sum(1 / spread[t] for t in own) for own in terms]
    best = max(range(len(spans)), key=lambda i: (scores[i], -i))
    first = last = best
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= room:
        last += 1
    while first > 0 and spans[last][1] - spans[first - 1][0] <= room:
        first -= 1
    return spans[first][0], spans[last][1]
