"""What a library offers of backups: one to a named file, one to the folder that is set, one when it is due."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from glossator.errors import DamagedFile
from glossator.library.backup import schedule as scheduling
from glossator.library.backup.making import make
from glossator.library.backup.places import discard
from glossator.library.backup.receipt import Receipt
from glossator.library.backup.schedule import Schedule
from glossator.library.results import IngestEvent
from glossator.library.upkeep import Check
from glossator.library.vectors import Hooks
from glossator.store.database import Database
from glossator.store.jobs import newest_job

Progress = Callable[[IngestEvent], None]


class Backups:
    """The backups of one library. `restore` stands apart: it needs no library yet."""

    def __init__(self, database: Database) -> None:
        """Take an open library file."""
        self._database = database

    def make(
        self,
        path: Path,
        *,
        incremental: bool = False,
        with_files: bool = False,
        progress: Progress | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Receipt:
        """Write one to a file, proven; return what is in it.

        Raises: as `making.make`.
        """
        hooks = Hooks(progress or (lambda _: None), cancel or (lambda: False))
        return make(self._database, path, incremental=incremental, with_files=with_files, hooks=hooks)

    def into_folder(
        self,
        schedule: Schedule,
        *,
        incremental: bool = False,
        with_files: bool = False,
        progress: Progress | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Receipt:
        """Write a new one into the folder that is set, or bring its newest up to date; the oldest ones go.

        Raises: as `making.make`; also UsageError: no folder is set; StoreError: it is not there.
        """
        folder = scheduling.place_of(schedule)
        made = scheduling.backups_in(folder, self._database.library_id)
        fresh = folder / scheduling.name_of(self._database.library_id, datetime.now(UTC))
        path = made[-1] if incremental and made else fresh
        receipt = self.make(path, incremental=incremental, with_files=with_files, progress=progress, cancel=cancel)
        for old in scheduling.beyond(scheduling.backups_in(folder, self._database.library_id), schedule.keep):
            discard(old)
        return receipt

    def keep_up(
        self,
        schedule: Schedule,
        *,
        changed: bool,
        progress: Progress | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Receipt | None:
        """Make what is due after a command that writes; None when nothing is.

        A backup of today that is damaged is left, and a full one made beside it.

        Raises: as `into_folder`.
        """
        wanted = self.due(schedule, changed=changed)
        if wanted is None:
            return None
        try:
            return self.into_folder(schedule, incremental=wanted == "incremental", progress=progress, cancel=cancel)
        except DamagedFile:
            if wanted == "full":
                raise
            return self.into_folder(schedule, progress=progress, cancel=cancel)

    def made(self, schedule: Schedule) -> list[Path]:
        """Return those in the folder that is set, oldest first.

        Raises:
            UsageError: no folder is set.
            StoreError: it is not there.
        """
        return scheduling.backups_in(scheduling.place_of(schedule), self._database.library_id)

    def due(self, schedule: Schedule, *, changed: bool) -> Literal["full", "incremental"] | None:
        """Return which backup is due; `changed`: whether something did since the last one.

        Raises:
            UsageError: no folder is set.
            StoreError: it is not there.
        """
        if not schedule.scheduled:
            return None
        return scheduling.due(self.made(schedule), datetime.now(UTC), changed=changed)

    def check(self, schedule: Schedule) -> Check:
        """Return what `doctor` says of them; a server's last one that failed is told with its reason."""
        with self._database.read() as c:
            last = newest_job(c, "backup")
        failed = last if schedule.scheduled and last is not None and last.state == "failed" else None
        if failed is not None and failed.error is not None:
            detail = f"the backup that was due at {failed.created} was not made: {failed.error['message']}"
            return Check("backup", "warning", detail, failed.error["hint"])
        return scheduling.check(schedule, self._database.library_id, datetime.now(UTC))
