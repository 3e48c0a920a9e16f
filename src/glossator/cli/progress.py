"""The progress of long work on a terminal: what is being done, how far, how fast, how long it will still take."""

from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.progress import Task as BarTask
from rich.text import Text

if TYPE_CHECKING:
    from glossator.library.results import IngestEvent

UNITS = {
    **{"reading": "files", "parsing": "files", "indexing": "files", "embedding": "passages"},
    **{"packing": "MiB", "proving": "MiB", "restoring": "MiB"},
}


class Progress:
    """One bar for the work in hand; call it with each event. A context manager."""

    def __init__(self, stream: TextIO) -> None:
        console = Console(file=stream)
        self._bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", table_column=None),
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
        )
        self._current: tuple[str, int] | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._bars.stop()

    def __call__(self, event: "IngestEvent") -> None:
        """Move the bar; a new one begins with another kind of work, so that the rate stays that of one kind."""
        name = event.file.replace("\\", "/").rstrip("/").rpartition("/")[2]
        text = f"{event.stage} {name if len(name) <= 24 else name[:23] + '…'}"
        unit = UNITS[event.stage]
        if self._task is None or (unit, event.total) != self._current:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(text, total=event.total, unit=unit)
            self._current = (unit, event.total)
        self._bars.update(self._task, description=text, completed=event.done, total=event.total)


class _Rate(TextColumn):
    """How many files or passages per second."""

    def __init__(self) -> None:
        super().__init__("")

    def render(self, task: BarTask) -> Text:
        """Return the rate, or nothing while it is not known."""
        return Text(f"{task.speed:,.1f} {task.fields['unit']}/s" if task.speed else "", "dim")
