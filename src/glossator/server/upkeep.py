"""The backups that a library's settings ask for, made as jobs while it is served."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from glossator.errors import GlossatorError
from glossator.library.backup import schedule_of
from glossator.server.jobs import Jobs
from glossator.store.database import generation

if TYPE_CHECKING:
    from glossator.config import Settings
    from glossator.library.library import Library

EVERY = 3 * 3_600.0  # seconds between two looks
log = logging.getLogger(__name__)


class Upkeep:
    """Looks now and then whether a backup is due; `look` may wait for the library, so it is called in a thread."""

    def __init__(self, library: "Library", jobs: Jobs, settings: "Callable[[], Settings]") -> None:
        """Look after a library, by the settings in force at each look."""
        self._library, self._jobs, self._settings = library, jobs, settings
        self._seen: int | None = None  # the library's generation at the last look
        self._job: str | None = None

    def look(self) -> None:
        """Begin the backup that is due, if one is; what stands in its way is logged, and `doctor` tells it, too."""
        try:
            self._begin()
        except (GlossatorError, OSError) as error:
            hint = f" ({error.hint})" if isinstance(error, GlossatorError) else ""
            log.warning("the backup that was due was not begun: %s%s", error, hint)

    def _begin(self) -> None:
        schedule = schedule_of(self._settings())
        if not schedule.scheduled or self._library.database.readonly:
            return
        if self._job is not None and not self._jobs.get(self._job).ended:
            return
        with self._library.database.read() as c:
            now = generation(c)
        changed = self._seen is not None and now != self._seen
        if self._library.backups.due(schedule, changed=changed) is not None:
            self._job = self._jobs.begin("backup", {"changed": changed}).id
        self._seen = now
