"""A model that reads what it is given and answers by a rule, for work over whole documents."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from glossator.agent.answering import Asked
from glossator.agent.limits import Limits
from glossator.agent.speaking import Speaker

Rule = Callable[[str, str], str]


@dataclass
class Reader:
    """Answers by `rule(instructions, text)`; `seen` holds what was asked."""

    rule: Rule
    seen: list[tuple[str, str]] = field(default_factory=list)

    def speaker(self, *, rounds: int = 200, tokens: int | None = None) -> Speaker:
        asked = Asked(model=FunctionModel(self._answer, model_name="reader"), name="scripted:reader")
        return Speaker(asked, Limits(rounds=rounds, tokens=tokens, seconds=600))

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        text = "\n".join(str(p.content) for m in messages for p in m.parts if p.part_kind == "user-prompt")
        self.seen.append((info.instructions or "", text))
        return ModelResponse(parts=[TextPart(self.rule(info.instructions or "", text))])


def honest(instructions: str, text: str) -> str:
    """Sum up a piece by its first sentence, and condense by taking every line as it is."""
    if "shorten a summary" in instructions:
        return "\n".join(f"{line[line.index(']') + 2 :]} {line[: line.index(']') + 1]}" for line in text.splitlines())
    first = re.split(r"(?<=[.。])", text.removeprefix("<text>\n"))[0].strip()
    return f"{first} | {first}"


def long_book(folder: Path, chapters: int = 30) -> Path:
    """Write a book in which each chapter tells one thing, in a few paragraphs."""
    lines = ["# The Long Road", ""]
    for n in range(1, chapters + 1):
        lines += [f"## Chapter {n}", ""]
        lines += [
            f"On day {n} the traveller Marek met the smith Olda{'abcdefghij'[n % 10]}n at the bridge number {n}.",
            "",
        ]
        lines += [f"They spoke of iron and of rain, and the road was long on day {n}. " * 6, ""]
    path = folder / "road.md"
    path.write_text("\n".join(lines), "utf-8")
    return path
