"""Sketches of editions, and which editions a text shares its words with.

A piece that very many editions have (the words of a licence, a running head) tells nothing and is passed over.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from glossator.store.content import dump
from glossator.store.sql import rows, value

if TYPE_CHECKING:
    from glossator.document.sketch import Sketch

_EVERYWHERE = 50  # editions that have a piece from which it says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What an edition has in common with a text: how many pieces, and which share of its own, and of the smaller."""

    edition: int
    pieces: int
    of_edition: float
    of_smaller: float


def write_sketch(c: apsw.Connection, edition: int, text: str) -> None:
    """Write the sketch of an edition's text, in the place of an older one."""
    from glossator.document.sketch import sketch

    made = sketch(text)
    c.execute("delete from edition_piece where edition = ?", (edition,))
    c.executemany("insert into edition_piece(hash, edition) values (?,?)", ((h, edition) for h in made.hashes))
    c.execute("update edition set sketch = ? where key = ?", (made.limit, edition))


def overlaps(c: apsw.Connection, made: "Sketch") -> list[Overlap]:
    """Return the editions that have pieces of a sketched text, those with the most of them first."""
    having: dict[int, list[int]] = defaultdict(list)
    sql = "select p.hash, p.edition from json_each(?) k cross join edition_piece p on p.hash = k.value"
    for piece, edition in rows(c, sql, (dump(made.hashes),)):
        having[piece].append(edition)
    shared: dict[int, int] = defaultdict(int)
    for found in having.values():
        for edition in found if len(found) <= _EVERYWHERE else ():
            shared[edition] += 1
    known = [_overlap(c, made, edition, pieces) for edition, pieces in shared.items()]
    return sorted(known, key=lambda o: (-o.pieces, o.edition))


def _overlap(c: apsw.Connection, made: "Sketch", edition: int, pieces: int) -> Overlap:
    limit = value(c, "select sketch from edition where key = ?", (edition,))
    of_text = sum(h < limit for h in made.hashes)
    of_edition = value(c, "select count(*) from edition_piece where edition = ? and hash < ?", (edition, made.limit))
    return Overlap(
        edition=edition,
        pieces=pieces,
        of_edition=pieces / max(1, of_edition),
        of_smaller=pieces / max(1, min(of_text, of_edition)),
    )
