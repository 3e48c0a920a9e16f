"""Does a stretch of text answer a question? What was found and what a small model says of it, weighed together.

Neither is enough. A question whose answer comes later shares most of its words with what was read already; a small
model that is asked about one stretch alone says yes too easily, but surer where it is right. So its yes, as log odds
where the server tells probabilities, counts beside what the stretch holds (`json_path.margin`). The weight and the bar
were set on questions that no figure is of: see `benchmarks/small_model.py`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["JUDGED", "NO", "SETTINGS", "SURE", "SYSTEM", "Verdict", "answering", "request", "verdict", "worth"]

JUDGED = 2  # stretches of text, the likeliest ones
COUNTS = 0.15  # of a question's weight, for each unit of log odds
SURE = 2.5  # log odds; more of them say no more, and the next stretch is not asked about
YES, NO = 1.5, -1.0  # the log odds of a yes and a no whose probability is not told
SYSTEM = "Read the text. Then say whether the question can be answered from it. Reply yes or no."
SETTINGS: dict[str, Any] = {"openai_logprobs": True, "openai_top_logprobs": 8, "max_tokens": 1, "temperature": 0.0}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model says of a stretch of text (its rank among those shown): the log odds that it answers."""

    rank: int
    odds: float


def request(question: str, text: str) -> str:
    """Return what the model is asked about a stretch of text."""
    return f"Text: {' '.join(text.split())}\n\nQuestion: {question.strip()}"


def verdict(said: str, likely: Mapping[str, float]) -> float | None:
    """Return the log odds of a yes: by the probabilities of the first token, else by the word that was said.

    None where neither is a yes or a no: a model that thinks first has not said it yet.
    """
    yes = sum(p for token, p in likely.items() if _word(token) in ("yes", "是"))
    no = sum(p for token, p in likely.items() if _word(token) in ("no", "否"))
    if yes + no > 0:
        return max(-SURE, min(SURE, math.log((yes + 1e-4) / (no + 1e-4))))
    if _word(said).startswith(("yes", "是")):
        return YES
    return NO if _word(said).startswith(("no", "否", "不")) else None


def worth(margin: float, odds: float) -> bool:
    """Return whether a question is to be answered; `margin` is by how much what was found passes its bar."""
    return margin + COUNTS * odds >= 0


def answering(margin: float, verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the verdict on the stretch that answers, or None where nothing is to be said."""
    best = max(verdicts, key=lambda v: (v.odds, -v.rank), default=None)
    return best if best is not None and worth(margin, best.odds) else None


def _word(text: str) -> str:
    return text.strip(" \t\n\"'*.▁Ġ").lower()
