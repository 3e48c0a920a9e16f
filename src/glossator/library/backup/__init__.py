"""Backups: one file that a library can be made from again, proven before it counts as made.

`archive` is the format, `making` writes and proves one, `restoring` makes a library of it, `schedule` says when one is
due and which go, `backups` is what a library offers of this.
"""

from glossator.library.backup.backups import Backups
from glossator.library.backup.receipt import Receipt
from glossator.library.backup.restoring import restore
from glossator.library.backup.schedule import Schedule, schedule_of

__all__ = ["Backups", "Receipt", "Schedule", "restore", "schedule_of"]
