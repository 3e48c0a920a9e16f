"""Analyses by a language model as long work: summaries, names, claims, maps."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from glossator.errors import Cancelled, GlossatorError, ModelError
from glossator.library.results import Bound, IngestEvent

if TYPE_CHECKING:
    from glossator.agent.speaking import Speaker
    from glossator.choice import ModelChoice
    from glossator.config import Settings
    from glossator.library.library import Library
    from glossator.library.scoping import Scoped
    from glossator.messages import Progress

LOOK = 0.2  # seconds between two looks at whether it is still wanted
ANALYSES = ("summary", "people", "compare", "map")
Json = dict[str, Any]
Tell = Callable[[IngestEvent], None]


def choice_for(settings: "Settings", model: str | None) -> "ModelChoice":
    """Return the model that is asked about whole documents.

    Raises:
        ModelError: there is none.
    """
    from glossator.choice import choose

    choice = choose(settings, "book", model=model)
    if choice is None:
        hint = "name one, or set one; without a model ask GET /api/summary, people, compare or map"
        raise ModelError("no model is chosen", hint=hint)
    return choice


def scope_of(library: "Library", given: Json) -> "Scoped":
    """Return what an analysis may see.

    Raises:
        NotFound: no such document or collection.
    """
    bound = Bound(given.get("up_to"), bool(given.get("uncapped")))
    return library.scope(given.get("docs", ()), given.get("collections", ()), bound=bound)


def analysing(kind: str) -> Callable[["Library", Json, Tell, Callable[[], bool]], Json]:
    """Return the work that makes an analysis of a kind."""

    def work(library: "Library", given: Json, tell: Tell, cancelled: Callable[[], bool]) -> Json:
        from glossator import config

        settings = config.load(library.database.folder)
        with _speaker(settings, given.get("model"), cancelled) as speaker:
            return _made(kind, scope_of(library, given), given, speaker, tell)

    return work


def _speaker(settings: "Settings", model: str | None, cancelled: Callable[[], bool]) -> "Speaker":
    from glossator.agent.answering import asked
    from glossator.agent.limits import Given, limits_of
    from glossator.agent.speaking import Speaker

    class Stoppable(Speaker):
        """Closes the connection when the work is cancelled, and asks nothing more."""

        async def _say(self, instructions: str, text: str, seconds: float | None) -> str:
            asking = asyncio.ensure_future(super()._say(instructions, text, seconds))
            while not asking.done():
                if cancelled():
                    asking.cancel()
                    with suppress(asyncio.CancelledError, GlossatorError):
                        await asking
                    raise Cancelled
                await asyncio.wait({asking}, timeout=LOOK)
            return asking.result()

    limits = Given(
        rounds=settings.limits_rounds,
        tokens=settings.limits_tokens,
        cost=settings.limits_cost,
        seconds=settings.limits_seconds,
    )
    return Stoppable(asked(choice_for(settings, model)), limits_of("book", limits))


def _made(kind: str, shown: "Scoped", given: Json, speaker: "Speaker", tell: Tell) -> Json:
    if kind == "summary":
        from glossator.agent.whole import summary

        def told(progress: "Progress") -> None:
            event = IngestEvent(progress.label, "reading", progress.done, progress.total or progress.done)
            tell(event)

        return summary(shown, speaker, given.get("section"), told=told).to_json()
    from glossator.agent import improving

    if kind == "people":
        return improving.people(shown, speaker).to_json()
    if kind == "map":
        return improving.outline(shown, speaker).to_json()
    return improving.compare(shown, given["claim"], speaker).to_json()
