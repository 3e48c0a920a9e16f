"""A model's words read as steps: the call of a tool, or an answer; while they still arrive.

Models that have no tool calls of their own write them as JSON: bare, in a fence, in `<tool_call>`, under several names.
All of these are read. A tool's name is told as soon as it stands there, an answer inside JSON as it grows.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

ANSWER = "answer"
_NAMES = ("action", "tool", "name", "tool_name", "function")
_ARGUMENTS = ("args", "arguments", "parameters", "input", "action_input")
_TEXTS = ("text", "answer", "final_answer", "content", "response")
_OPENINGS = ("```json", "```tool_call", "```\n{", "<tool_call>", "<|tool_call|>")
_NAMED = "|".join(_NAMES)
_THOUGHT = r'(?:"(?:thought|thinking|reason|reasoning)"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*)?'
_NAME = re.compile(rf'\{{\s*{_THOUGHT}"(?:{_NAMED})"\s*:\s*"([^"\\]{{1,64}})"')
_TEXT = re.compile(rf'"(?:{"|".join(_TEXTS)})"\s*:\s*"')
_FIRST = re.compile(rf'\{{\s*{_THOUGHT}"(\w+)"\s*:\s*(?:"([^"\\]*)")?')
_ARGUMENT = re.compile(rf'"(?:{"|".join(_ARGUMENTS)})"\s*:\s*')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A tool is going to be called."""

    name: str


@dataclass(frozen=True, slots=True)
class Called:
    """A tool is called; arguments as a text are not valid JSON."""

    name: str
    arguments: dict[str, Any] | str


Step = Said | Named | Called


@dataclass(slots=True)
class _State:
    """What has been read of one reply."""

    mode: Literal["undecided", "text", "json"] = "undecided"
    held: str = ""
    name: str | None = None
    told: int = 0  # characters of an answer inside JSON
    names: frozenset[str] = field(default_factory=frozenset)


class Reader:
    """Reads one reply. `strict`: only calls of tools that are known count; all else is text."""

    def __init__(self, names: Collection[str], *, strict: bool) -> None:
        self._state = _State(names=frozenset(names))
        self._strict = strict

    def feed(self, chunk: str) -> Iterator[Step]:
        """Yield what the reply says so far and has not said before."""
        state = self._state
        state.held += chunk
        if state.mode == "undecided":
            start = state.held.lstrip()
            if not start or (len(start) < 12 and any(o.startswith(start) for o in _OPENINGS)):
                return
            state.mode = "json" if start.startswith(("{", *_OPENINGS)) else "text"
        if state.mode == "text":
            yield from self._text()
        if state.mode == "json":
            yield from self._json()

    def end(self) -> Iterator[Step]:
        """Yield what is left when the reply is whole."""
        state = self._state
        if state.mode != "json":
            if state.held.strip() or (state.mode == "text" and state.held):
                yield Said(state.held)
            return
        calls, answer = self._whole()
        if calls:
            yield from calls
        elif answer is not None:
            if rest := answer[state.told :]:
                yield Said(rest)
        elif state.name:
            yield Called(state.name, _from_brace(state.held))
        elif state.told == 0:
            yield Said(state.held)

    def _text(self) -> Iterator[Step]:
        """Yield text, but hold back where a call may begin."""
        state = self._state
        at = min((i for o in _OPENINGS if (i := state.held.find(o)) >= 0), default=-1)
        if at >= 0:
            state.mode = "json"
        else:
            longest = min(max(map(len, _OPENINGS)), len(state.held))
            kept = next((n for n in range(longest, 0, -1) if _begins(state.held[-n:])), 0)
            at = len(state.held) - kept
        if text := state.held[:at]:
            yield Said(text)
        state.held = state.held[at:]

    def _json(self) -> Iterator[Step]:
        state = self._state
        if state.name is None and (name := self._first_name()):
            state.name = name
            yield Named(name)
        if state.name is None and not self._strict and _is_answer(state.held) and (found := _TEXT.search(state.held)):
            text = unescaped(state.held[found.end() :])
            if fresh := text[state.told :]:
                state.told = len(text)
                yield Said(fresh)

    def _first_name(self) -> str | None:
        """Return the tool that the first object names, once it stands there."""
        brace = self._state.held.find("{")
        found = _NAME.match(self._state.held, brace) if brace >= 0 else None
        if found is None or found[1] == ANSWER or (self._strict and found[1] not in self._state.names):
            return None
        return found[1]

    def _whole(self) -> tuple[list[Called], str | None]:
        """Return the calls of a whole reply, or the answer that it gives."""
        calls: list[Called] = []
        for value in objects(self._state.held):
            nested = value.get("function")
            inner: dict[str, Any] = nested if isinstance(nested, dict) else value
            name = next((n for key in _NAMES if isinstance(n := inner.get(key), str)), None)
            arguments: Any = next((inner[key] for key in _ARGUMENTS if key in inner), {})
            if isinstance(arguments, str) and (read := list(objects(arguments))):
                arguments = read[0]
            if name and name != ANSWER and (name in self._state.names or not self._strict):
                calls.append(Called(name, arguments if isinstance(arguments, dict) else {"input": arguments}))
            elif not self._strict and (name == ANSWER or ANSWER in value or "final_answer" in value):
                within = [value, arguments if isinstance(arguments, dict) else {"text": arguments}]
                text = next((t for v in within for key in _TEXTS if isinstance(t := v.get(key), str)), None)
                if text is not None:
                    return [], text
        return calls, None


def _begins(tail: str) -> bool:
    return any(o.startswith(tail) for o in _OPENINGS)


def _is_answer(held: str) -> bool:
    brace = held.find("{")
    first = _FIRST.match(held, brace) if brace >= 0 else None
    return first is not None and (first[2] == ANSWER or first[1] in (ANSWER, "final_answer"))


def _from_brace(text: str) -> str:
    """Return what stands where the arguments should, for a message about broken JSON."""
    found = _ARGUMENT.search(text)
    return text[found.end() :] if found else text[text.find("{") :]


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text, from left to right, none inside another."""
    decoder = json.JSONDecoder(strict=False)  # models write line breaks into strings
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def unescaped(raw: str) -> str:
    """Return the text of a JSON string that may not be whole yet, as far as it is certain.

    `raw` begins after the opening quotation mark.
    """
    out: list[str] = []
    at = 0
    while at < len(raw) and raw[at] != '"':
        if raw[at] != "\\":
            out.append(raw[at])
            at += 1
            continue
        if at + 1 >= len(raw):
            break
        if raw[at + 1] != "u":
            out.append(_ESCAPES.get(raw[at + 1], raw[at + 1]))
            at += 2
            continue
        text, taken = _code_point(raw[at : at + 12])
        if not taken:
            break
        out.append(text)
        at += taken
    return "".join(out)


def _code_point(raw: str) -> tuple[str, int]:
    r"""Return the character of `\uXXXX`, or of two that make a pair, and how much was read; 0: more must come."""
    found = re.match(r"\\u([0-9a-fA-F]{4})", raw)
    if not found:
        return ("�", 2) if len(raw) >= 6 else ("", 0)
    first = int(found[1], 16)
    if not 0xD800 <= first < 0xDC00:
        return ("�" if 0xDC00 <= first < 0xE000 else chr(first)), 6
    second = re.match(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})", raw[6:])
    if second:
        return chr(0x10000 + ((first - 0xD800) << 10) + (int(second[1], 16) - 0xDC00)), 12
    pending = len(raw) < 12 and "\\u"[: len(raw) - 6] == raw[6:8]
    return ("", 0) if pending else ("�", 6)
