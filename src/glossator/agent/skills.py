"""A person's own instructions for a kind of work, as Markdown files: the front matter says when to use one.

    ---
    name: review
    description: Review a paper for its method. Use it when a paper is to be judged.
    ---
    Read the contents first …

Unlike the text of a document a skill is an instruction: only a folder that the person's own settings name holds any.
"""

import logging
import re
from dataclasses import dataclass
from pathlib import Path

LONGEST = 20_000  # characters of a skill
LISTED = 400  # characters of a description
_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE = re.compile(r"(name|description)\s*:\s*(.+)")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its name, when to use it, and its text."""

    name: str
    description: str
    text: str


def skills_in(folder: Path) -> tuple[list[Skill], list[str]]:
    """Return the skills of a folder by name, and the problems of files that are none.

    A skill is `NAME.md`, or `NAME/SKILL.md`.
    """
    if not folder.is_dir():
        return [], [f"{folder}: no such folder (`tools.skills` in your settings names it)"]
    found: dict[str, Skill] = {}
    problems: list[str] = []
    for path in sorted([*folder.glob("*.md"), *folder.glob("*/SKILL.md")]):
        try:
            skill = skill_of(path.read_text("utf-8-sig"), path.parent.name if path.name == "SKILL.md" else path.stem)
        except (OSError, ValueError) as error:  # also bytes that are no UTF-8
            problems.append(f"{path}: {error}")
            continue
        if skill.name in found:
            problems.append(f"{path}: there is a skill {skill.name!r} already")
        else:
            found[skill.name] = skill
    return [found[name] for name in sorted(found)], problems


def skill_of(content: str, name: str) -> Skill:
    """Return the skill that a file holds; `name` where its front matter gives none.

    Raises:
        ValueError: it has no description, or is empty or too long.
    """
    front = _FRONT.match(content)
    lines = (_LINE.fullmatch(line.strip()) for line in (front[1] if front else "").splitlines())
    given = {m[1]: m[2].strip().strip("\"'") for m in lines if m}
    text = content[front.end() if front else 0 :].strip()
    if not given.get("description"):
        raise ValueError("no skill: its front matter has no description")
    if not text or len(text) > LONGEST:
        raise ValueError(f"no skill: its text has {len(text):,} characters, not 1 to {LONGEST:,}")
    description = " ".join(given["description"].split())[:LISTED]
    return Skill(" ".join(given.get("name", name).split()), description, text)
