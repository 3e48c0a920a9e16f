"""What a run is given: the question, what it may use, and how it is ended from outside."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from glossator.agent.context import ToolContext
from glossator.agent.conversation import Conversation
from glossator.agent.ledger import Wire
from glossator.agent.limits import Limits
from glossator.agent.prompt import PromptPart
from glossator.agent.registry import Tool
from glossator.agent.release import Check, unchecked

if TYPE_CHECKING:
    from pydantic_ai.models import Model


class Stop:
    """Ends a run from outside, from any thread; what is done so far becomes the answer."""

    def __init__(self) -> None:
        self.asked = False
        self._cancel: Callable[[], Any] | None = None

    def set(self) -> None:
        """End the run now."""
        self.asked = True
        if self._cancel is not None:
            self._cancel()

    def to(self, cancel: Callable[[], Any]) -> None:
        """Tell how the run is ended."""
        self._cancel = cancel
        if self.asked:
            cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """All that a run needs. `check` judges each sentence before it leaves, `mask` other words under a bound."""

    question: str
    context: ToolContext
    tools: Mapping[str, Tool]
    others: Mapping[str, Tool] = field(default_factory=dict)  # not put before the model, but run when it calls them
    prompt: Sequence[PromptPart]
    model: "Model"
    name: str
    conversation: Conversation
    limits: Limits = field(default_factory=Limits)
    check: Check = unchecked
    closing: Callable[[], str] = str  # what must be said at the end about what was withheld
    mask: Callable[[str], str] | None = None
    hidden: str | None = None  # the bound in words
    wire: Wire = field(default_factory=Wire)
    costs: bool = True  # a model on this machine costs nothing
    keeps_tools: bool = False  # the provider wants the tools of earlier calls named in every request
    provider: str = ""
    way: Literal["tools", "passages"] = "tools"  # or one request about the likeliest passages
    research: bool = False  # plan first, and let the draft be checked
    stop: Stop = field(default_factory=Stop)
