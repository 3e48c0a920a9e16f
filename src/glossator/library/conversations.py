"""Sessions as values: what is listed, shown and exported of a conversation, under the bound of the reader."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glossator.library.results import with_notice

if TYPE_CHECKING:
    from glossator.messages import Citation, Message, Part, Tool

Json = dict[str, Any]
RESULT = 2_000  # characters of a tool's result on a page; JSON has all of it


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEntry:
    """A line of the list of sessions: `messages` that may be shown; the title is None where it may not."""

    id: str
    title: str | None
    created: str
    updated: str
    messages: int

    def to_json(self) -> Json:
        """Return the entry of `sessions`."""
        return {
            "id": self.id,
            "title": self.title,
            "created": self.created,
            "updated": self.updated,
            "messages": self.messages,
        }


@dataclass(frozen=True, slots=True)
class SessionList:
    """Sessions, the one that was used last first."""

    sessions: tuple[SessionEntry, ...]

    def to_json(self) -> Json:
        """Return the JSON of `session list`."""
        return {"sessions": [s.to_json() for s in self.sessions]}


@dataclass(frozen=True, slots=True)
class SessionView:
    """A conversation: its messages that may be shown, or a page of them, oldest first."""

    entry: SessionEntry
    messages: tuple["Message", ...]
    notice: str | None = None

    def to_json(self) -> Json:
        """Return the JSON of `session show`: every message with all of its parts."""
        shape = self.entry.to_json() | {"messages": [m.to_json() for m in self.messages]}
        return with_notice(shape, self.notice)

    def to_markdown(self) -> str:
        """Return the conversation as a page to read, with the receipts of its citations."""
        lines = [f"# {self.entry.title or 'Conversation'}", "", f"Session {self.entry.id}, {self.entry.created}", ""]
        for message in self.messages:
            lines += [f"## {message.role.capitalize()}, {message.created}", "", *told(message)]
        if self.notice:
            lines += [f"*{self.notice}*", ""]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class SessionRemoved:
    """A session that is gone."""

    id: str

    def to_json(self) -> Json:
        """Return the JSON of `session remove`."""
        return {"removed": self.id}


@dataclass(frozen=True, slots=True)
class SessionExport:
    """A session that was written: to a file, or, where `path` is None, as `content`."""

    path: str | None
    messages: int
    content: str

    def to_json(self) -> Json:
        """Return the JSON of `session export`."""
        shape: Json = {"path": self.path, "messages": self.messages}
        return shape if self.path is not None else shape | {"content": self.content}


def told(message: "Message") -> Iterator[str]:
    """Return a message as lines of Markdown, each part followed by an empty one."""
    for part in message.parts:
        yield from _part(part)
        yield ""


def _part(part: "Part") -> list[str]:
    from glossator.messages import Citation, Progress, Reasoning, Record, Text, Tool

    match part:
        case Text():
            return [part.text]
        case Reasoning():
            return _fenced(part.text)
        case Tool():
            return _tool(part)
        case Citation():
            return _citation(part)
        case Progress():
            return [f"*{part.label}: {part.done}{'' if part.total is None else f' of {part.total}'}*"]
    unknown = f"A part of the kind {part.kind}, which this version does not know."
    return [f"*{_record(part.data) if isinstance(part, Record) else unknown}*"]


def _record(data: Mapping[str, Any]) -> str:
    """Return in a line what a model was asked for, and what left the machine for it."""
    usage, sent = data.get("usage") or {}, [e for e in data.get("ledger") or () if e.get("remote")]
    told = f"{data.get('model')}: {usage.get('requests', 0)} requests, {usage.get('input_tokens', 0)} tokens in"
    told += f", {usage.get('output_tokens', 0)} out"
    for host in dict.fromkeys(str(e.get("host")) for e in sent):
        own = [e for e in sent if e.get("host") == host]
        passages = sum(len(e.get("passages") or ()) for e in own)
        told += f"; sent to {host}: {sum(e.get('bytes', 0) for e in own)} bytes, {passages} passages"
    return told if sent else f"{told}; nothing left this machine"


def _tool(part: "Tool") -> list[str]:
    import json

    told = f"**{part.name}** `{json.dumps(dict(part.args), ensure_ascii=False)}`: {part.state}"
    told += "" if part.seconds is None else f", {part.seconds:.1f} s"
    result = part.result if isinstance(part.result, str) else json.dumps(part.result, ensure_ascii=False)
    if part.result is None:
        return [told] if part.summary is None else [told, "", *_fenced(part.summary)]
    cut = "" if len(result) <= RESULT else f" … ({len(result) - RESULT} characters more; the JSON has all of them)"
    return [told, "", *_fenced(result[:RESULT] + cut)]


def _citation(part: "Citation") -> list[str]:
    """Return quotation and link in the form that `verify` checks."""
    document, locator = part.document or {}, part.locator or {}
    quoted = f"{part.n}. “{' '.join(part.quote.split())}”"
    if not locator.get("document"):
        return [f"{quoted} ({document.get('title', '')}, {part.status})"]
    link = f"glossator://document/{locator['document']}?start={locator.get('start')}&end={locator.get('end')}"
    return [f"{quoted} ([{document.get('title', '')}]({link}), {part.status})"]


def _fenced(text: str) -> list[str]:
    """Return the text as code, which is no quotation that could be verified, whatever fences stand in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, text, fence]
