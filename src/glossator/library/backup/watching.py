"""Progress of long work on bytes, told in MiB, and a place to stop at every piece."""

from dataclasses import dataclass, field
from pathlib import Path

from glossator.errors import Cancelled
from glossator.library.results import IngestEvent, Stage
from glossator.library.vectors import Hooks

MIB = 1 << 20


def check(hooks: Hooks) -> None:
    """Go on, unless the person stopped the work.

    Raises:
        Cancelled: they did.
    """
    if hooks.cancelled():
        raise Cancelled("stopped before it was done", hint="nothing was written; what was there is as it was")


@dataclass(slots=True)
class _Meter:
    """Counts bytes of one stage; the person is told every MiB."""

    hooks: Hooks
    name: str
    stage: Stage
    total: int
    done: int = field(default=0)

    def __call__(self, count: int) -> None:
        """Count `count` more bytes.

        Raises:
            Cancelled: the person stopped the work.
        """
        check(self.hooks)
        before, self.done = self.done, self.done + count
        if before // MIB != self.done // MIB or before == 0:
            self.hooks.report(IngestEvent(self.name, self.stage, self.done // MIB, max(self.total, self.done) // MIB))


def meter(hooks: Hooks, path: Path, stage: Stage, total: int) -> _Meter:
    """Return a function to tell each piece's bytes to."""
    return _Meter(hooks, str(path), stage, total)
