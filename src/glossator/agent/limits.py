"""How much a run may use: rounds by the kind of task, tokens, cost, seconds. At a limit it answers once more, cut."""

from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal

from glossator.choice import Task, is_book
from glossator.library.findings import Usage

Stopped = Literal["rounds", "tokens", "cost", "seconds", "repeat"]
ROUNDS: dict[Task, int] = {"question": 5, "research": 12, "book": 200, "rewrite": 1}
SECONDS: dict[Task, float] = {"question": 300.0, "research": 900.0, "book": 7_200.0, "rewrite": 60.0}
GRACE = (5.0, 0.2, 60.0)  # seconds for the last answer: at least, as a share of the limit, at most
REFUSED = 2  # rounds of nothing but refused repeats in a row
_CUT: dict[Stopped, tuple[str, str]] = {
    "rounds": ("the limit of {} rounds was reached", "已达到 {} 轮的上限"),
    "tokens": ("the limit of {} tokens was reached", "已达到 {} 个词元的上限"),
    "cost": ("the limit of {} US dollars was reached", "已达到 {} 美元的费用上限"),
    "seconds": ("the limit of {} seconds was reached", "已达到 {} 秒的时间上限"),
    "repeat": ("it went in circles", "它在重复同样的步骤"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use; None is no limit. `rounds` counts requests in which the model may call tools."""

    rounds: int = 5
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = 300.0

    def to_json(self) -> dict[str, float | None]:
        """Return the four figures."""
        return {"rounds": self.rounds, "tokens": self.tokens, "cost": self.cost, "seconds": self.seconds}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Limits that a person set, in settings or on the command line; None leaves the task's own."""

    rounds: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


NOTHING_GIVEN = Given()
UNUSED = Usage(cost=None)


def task_of(question: str, *, research: bool = False) -> Task:
    """Return what kind of work a question is: over a whole book when it says so, research when it is asked as that."""
    if is_book(question):
        return "book"
    return "research" if research else "question"


def limits_of(task: Task, given: Given = NOTHING_GIVEN) -> Limits:
    """Return the limits of a task: those given, else the task's own."""
    return Limits(
        rounds=given.rounds or ROUNDS[task],
        tokens=given.tokens,
        cost=given.cost,
        seconds=given.seconds or SECONDS[task],
    )


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far."""

    rounds: int = 0
    usage: Usage = UNUSED
    began: float = 0.0

    @classmethod
    def begin(cls) -> "Spent":
        """Return nothing spent, from now on."""
        return cls(began=monotonic())

    def with_request(
        self, *, input_tokens: int = 0, output_tokens: int = 0, cost: float | None = None, sent: int = 1
    ) -> "Spent":
        """Return what is spent after one more answer, or none; an unknown cost makes no known one unknown.

        `sent` are the requests that it took, with those that had to be sent again.
        """
        used = self.usage
        total = used.cost if cost is None else (used.cost or 0.0) + cost
        usage = Usage(used.requests + sent, used.input_tokens + input_tokens, used.output_tokens + output_tokens, total)
        return replace(self, usage=usage)

    def with_round(self) -> "Spent":
        """Return what is spent after one more round."""
        return replace(self, rounds=self.rounds + 1)

    def without(self, seconds: float) -> "Spent":
        """Return what is spent when some of the time does not count: a person was waited for."""
        return replace(self, began=self.began + seconds)

    @property
    def seconds(self) -> float:
        """Return how long the run has taken."""
        return monotonic() - self.began


def reached(limits: Limits, spent: Spent) -> Stopped | None:
    """Return the limit that is reached, or None."""
    tokens = spent.usage.input_tokens + spent.usage.output_tokens
    if limits.seconds is not None and spent.seconds >= limits.seconds:
        return "seconds"
    if limits.cost is not None and (spent.usage.cost or 0.0) >= limits.cost:
        return "cost"
    if limits.tokens is not None and tokens >= limits.tokens:
        return "tokens"
    return "rounds" if spent.rounds >= limits.rounds else None


def left(limits: Limits, spent: Spent) -> float | None:
    """Return the seconds that are left, or None without a limit."""
    return None if limits.seconds is None else max(0.0, limits.seconds - spent.seconds)


def grace(limits: Limits) -> float | None:
    """Return how long the last answer may take once the time is up."""
    if limits.seconds is None:
        return None
    least, share, most = GRACE
    return min(most, max(least, share * limits.seconds))


def cut_in_words(stopped: Stopped, limits: Limits, *, chinese: bool) -> str:
    """Return the sentence that says that an answer was cut, and by what."""
    values = {
        "rounds": limits.rounds,
        "tokens": limits.tokens,
        "cost": limits.cost,
        "seconds": f"{limits.seconds:g}" if limits.seconds else "",
    }
    english, own = _CUT[stopped]
    if chinese:
        return f"（回答被截断：{own.format(values.get(stopped, ''))}，内容可能不完整。）"
    return f"(This answer was cut: {english.format(values.get(stopped, ''))}; it may be incomplete.)"
