"""Links between notes of any documents. A link has a direction; it is asked for at both ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import apsw

from glossator.store.content import dump
from glossator.store.sql import rows, value

Relation = Literal["related", "supports", "contradicts"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True, slots=True)
class Link:
    """A link from one note (its key) to another."""

    source: int
    target: int
    relation: Relation
    created: str


def set_link(c: apsw.Connection, link: Link) -> None:
    """Write a link; one from the same note to the same other note takes the new relation.

    "related" has no direction: where the other way round is linked so already, that stays the only one.
    """
    turned = value(c, "select relation from link where source = ? and target = ?", (link.target, link.source))
    if link.relation == "related" == turned:
        return
    c.execute(
        "insert into link(source, target, relation, created) values (?,?,?,?)"
        " on conflict(source, target) do update set relation = excluded.relation, created = excluded.created"
        " where relation <> excluded.relation",
        (link.source, link.target, link.relation, link.created),
    )


def remove_links(c: apsw.Connection, one: int, other: int, relation: str | None = None) -> int:
    """Remove the links between two notes, in both directions, of a relation or of any; return how many there were."""
    before = c.total_changes()
    c.execute(
        "delete from link where (source, target) in (values (?1, ?2), (?2, ?1)) and (?3 is null or relation = ?3)",
        (one, other, relation),
    )
    return c.total_changes() - before


def links_of(c: apsw.Connection, keys: Sequence[int]) -> list[Link]:
    """Return the links that have one of some notes at either end, oldest first."""
    sql = (
        "with asked(key) as materialized (select value from json_each(?))"
        " select source, target, relation, created from link where source in asked"
        " union select source, target, relation, created from link where target in asked"
        " order by created, source, target"
    )
    return [Link(*found) for found in rows(c, sql, (dump(list(keys)),))]


def all_links(c: apsw.Connection) -> list[Link]:
    """Return every link, oldest first."""
    sql = "select source, target, relation, created from link order by created, source, target"
    return [Link(*found) for found in rows(c, sql)]
