"""Trying a model with one small request, so that a person sees whether it answers before they rely on it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from glossator.errors import ModelError

if TYPE_CHECKING:
    from glossator.choice import ModelChoice

SECONDS = 30.0
INSTRUCTIONS = "Answer with the one word OK."


def tried(choice: "ModelChoice") -> str:
    """Return in words what a model answered to one small request, which is sent once and to nobody else.

    Raises:
        ModelError: it did not answer; it says why.
    """
    from glossator.agent.answering import asked
    from glossator.agent.limits import Limits
    from glossator.agent.speaking import LimitReached, Speaker
    from glossator.agent.steady import Patience

    model = asked(replace(choice, fallback=()), patience=Patience(tries=1, again_in_run=0))
    try:
        with Speaker(model, Limits(rounds=1, seconds=SECONDS)) as speaker:
            said = speaker.say(INSTRUCTIONS, "Are you there?")
    except LimitReached as error:
        raise ModelError(
            f"{choice.spec} did not answer within {SECONDS:g} seconds", hint=f"see whether {choice.host} is reachable"
        ) from error
    if not said:
        raise ModelError(f"{choice.spec} answered with no words", hint="choose another model")
    return f"{choice.spec} at {choice.host} said “{' '.join(said.split())[:80]}”"
