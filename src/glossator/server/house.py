"""What the routes of one server share."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from glossator import config
from glossator.server.access import Access
from glossator.server.jobs import Jobs
from glossator.server.readers import Readers
from glossator.server.runs import Runs
from glossator.server.security import Pulse

if TYPE_CHECKING:
    from glossator.library.library import Library

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A library that is served: who may ask, and what is under way."""

    library: "Library"
    access: Access
    jobs: Jobs
    readers: Readers
    runs: Runs
    pulse: Pulse = field(default_factory=Pulse)

    @classmethod
    def of(cls, library: "Library", access: Access) -> Self:
        """Return a library as it is served, with nothing under way yet."""
        folder = library.database.folder
        return cls(
            library=library,
            access=access,
            jobs=Jobs(library),
            readers=Readers(library),
            runs=Runs(library, lambda: config.load(folder)),
        )

    def settings(self) -> config.Settings:
        """Return the settings in force now.

        Raises: as `config.load`.
        """
        return config.load(self.library.database.folder)

    @property
    def busy(self) -> bool:
        """Return whether something is under way that nobody may be watching."""
        return self.jobs.busy or self.runs.busy

    def leave(self) -> None:
        """Ask everything that is under way to end."""
        self.jobs.leave()
        self.runs.leave()
        self.readers.close()
