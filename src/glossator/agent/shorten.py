"""Results cut to what a model can use: what was left out is said, and how to get it; structure stays structure."""

import json
from collections.abc import Mapping, Sequence, Set
from typing import Any

from glossator.document.sentence import sentences
from glossator.index.tokens import query_tokens

NOTE = 240  # characters kept for the note that says what was cut
BEFORE, AFTER = 0.3, 0.2  # what the sentence before counts, and the one after
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
    scores = _scores([text[a:b] for a, b in spans], asked)
    best = max(range(len(spans)), key=lambda i: (scores[i], -i))
    first = last = best
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= room:
        last += 1
    while first > 0 and spans[last][1] - spans[first - 1][0] <= room:
        first -= 1
    return spans[first][0], spans[last][1]


def likeliest(text: str, asked: Set[str], room: int) -> str:
    """Return the sentences of a text that have most of the asked terms, in one line, gaps told by "…".

    The first is the one that has most of them; what stands beside such a sentence counts for more, since an answer
    often does. Of a sentence longer than all the room its nearest part is taken.
    """
    spans = sentences(text) or [(0, len(text))]
    scores = _scores([text[a:b] for a, b in spans], asked)
    beside = [BEFORE * a + s + AFTER * b for a, s, b in zip([0, *scores], scores, [*scores[1:], 0], strict=False)]
    first = max(range(len(spans)), key=lambda i: (scores[i], -i))
    chosen, used = [first], spans[first][1] - spans[first][0]
    for i in sorted(set(range(len(spans))) - {first}, key=lambda i: (-beside[i], i)):
        if used + spans[i][1] - spans[i][0] <= room:
            chosen.append(i)
            used += spans[i][1] - spans[i][0]
    chosen.sort()
    gaps = ["" if i == before + 1 else " … " for i, before in zip(chosen[1:], chosen, strict=False)]
    pieces = zip(chosen, ["", *gaps], strict=True)
    line = " ".join("".join(f"{gap}{text[spans[i][0] : spans[i][1]]}" for i, gap in pieces).split())
    return line if used <= room else _part(line, asked, room)


def _part(line: str, asked: Set[str], room: int) -> str:
    """Return the part of a line that has most of the asked terms."""
    starts = range(0, max(1, len(line) - room // 2), max(1, room // 4))
    best = max(starts, key=lambda i: (len(set(query_tokens(line[i : i + room])) & asked), -i))
    return f"{'…' if best else ''}{line[best : best + room]}{'…' if best + room < len(line) else ''}"


def _scores(pieces: Sequence[str], asked: Set[str]) -> list[float]:
    """Return how much each piece has of the asked terms, rare ones counting for more."""
    terms = [set(query_tokens(piece)) & asked for piece in pieces]
    spread = {t: sum(1 for own in terms if t in own) for t in asked}
    return [sum(1 / spread[t] for t in own) for own in terms]
