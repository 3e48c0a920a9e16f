"""The tables, as the steps that made them.

Append only: a step that was released is never edited. Each runs in one transaction with its row in `migration`, so a
library is never between two versions.

User tables (document, source, collection, member, progress) are migrated. All others are derived from the originals
and rebuilt when what made them changes; every one of them goes with its document.
"""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from glossator.errors import LibraryTooNew, StoreError
from glossator.store.sql import rows, value

APPLICATION = 0x474C5353  # "GLSS" in the file header: what `file` and we know a library by
Step = Callable[[apsw.Connection], None]

_FIRST = """
create table meta(key text primary key, value any not null) strict, without rowid;

create table document(
    key integer primary key autoincrement,
    id text not null unique,
    sha256 text not null,
    format text not null,
    title text not null,
    authors text not null,
    language text,
    published text,
    identifiers text not null,
    edited text not null default '[]',
    status text not null check (status in ('ready', 'quarantined', 'missing')),
    profile text not null,
    spoilers text check (spoilers in ('hide', 'show')),
    added text not null,
    updated text not null
) strict;
create index document_sha256 on document(sha256);
create index document_not_ready on document(status) where status = 'quarantined';

create table source(
    uri text primary key,
    document integer not null references document(key) on delete cascade
) strict;
create index source_document on source(document);

create table collection(
    key integer primary key autoincrement,
    name text not null unique,
    description text not null,
    created text not null
) strict;
create table member(
    collection integer not null references collection(key) on delete cascade,
    document integer not null references document(key) on delete cascade,
    primary key (collection, document)
) strict, without rowid;
create index member_document on member(document);

create table progress(
    document integer primary key references document(key) on delete cascade,
    position integer not null,
    read_to integer not null,
    finished integer not null,
    updated text not null,
    text_version text not null
) strict;

create table content(
    document integer primary key references document(key) on delete cascade,
    text_version text not null,
    characters integer not null,
    parser text not null,
    chunker text not null default '',
    confidence real not null,
    reasons text not null,
    warnings text not null,
    first_chunk integer not null default 0,
    chunks integer not null default 0,
    longest_chunk integer not null default 0,
    page_count integer,
    section_count integer,
    embedder text,
    vectors text not null check (vectors in ('ready', 'pending', 'none'))
) strict;
create index content_chunks on content(first_chunk, chunks);
create index content_pending on content(vectors) where vectors = 'pending';

create table part(
    id integer primary key,
    document integer not null references content(document) on delete cascade,
    number integer not null,
    text text not null,
    unique (document, number)
) strict;
create table section(
    document integer not null references content(document) on delete cascade,
    number integer not null,
    level integer not null,
    title text not null,
    path text not null,
    start integer not null,
    "end" integer not null,
    primary key (document, number)
) strict, without rowid;
create table page(
    document integer not null references content(document) on delete cascade,
    number integer not null,
    start integer not null,
    "end" integer not null,
    label text,
    width real not null,
    height real not null,
    rotation integer not null,
    confidence real not null,
    reasons text not null,
    status text not null,
    primary key (document, number)
) strict, without rowid;
create table block(
    id integer primary key,
    document integer not null references content(document) on delete cascade,
    number integer not null,
    kind text not null,
    start integer,
    "end" integer,
    level integer,
    page integer,
    rows text,
    text text,
    anchor text,
    unique (document, number)
) strict;
create index block_start on block(document, start);

create table chunk(
    id integer primary key,
    document integer not null references content(document) on delete cascade,
    start integer not null,
    "end" integer not null,
    kind text not null,
    section integer,
    tokens integer not null
) strict;
create index chunk_start on chunk(document, start);

create table embedder(
    key integer primary key autoincrement,
    spec text not null,
    model text not null,
    sha256 text not null,
    dimension integer not null,
    rule text not null,
    unique (spec, model, sha256, dimension, rule)
) strict;
create table vector(
    id integer primary key,
    chunk integer not null references chunk(id) on delete cascade,
    embedder integer not null references embedder(key) on delete cascade,
    "window" integer not null,
    start integer not null,
    "end" integer not null,
    value blob not null,
    unique (chunk, embedder, "window")
) strict;

create table lexical_segment(
    id integer primary key autoincrement,
    first integer not null,
    chunks integer not null,
    data blob not null
) strict;
create index lexical_segment_first on lexical_segment(first);

create table change(
    generation integer primary key autoincrement,
    operation text not null check (operation in ('add', 'remove', 'vectors', 'reset')),
    first integer not null,
    chunks integer not null,
    embedder integer
) strict;
"""


def _first(c: apsw.Connection) -> None:
    c.pragma("application_id", APPLICATION)
    c.execute(_FIRST)
    c.execute("insert into meta values ('library', ?), ('next_chunk', 1)", (secrets.token_hex(8),))


MIGRATIONS: tuple[Step, ...] = (_first,)


def migrate(c: apsw.Connection, path: Path, steps: Sequence[Step] = MIGRATIONS) -> int:
    """Bring the library on a writable connection to the newest version; return how many steps that took.

    Raises:
        LibraryTooNew: a newer version of this program wrote it.
        StoreError: the file is a database, but no library.
    """
    done = 0
    while version(c, path) < len(steps):
        c.execute("begin immediate")
        try:
            at = version(c, path)  # again, now that no other process can be doing the same
            if at < len(steps):
                c.execute("create table if not exists migration(version integer primary key, at text not null) strict")
                steps[at](c)
                c.execute(
                    "insert into migration values (?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                    (at + 1,),
                )
                done += 1
            c.execute("commit")
        except BaseException:
            if c.in_transaction:
                c.execute("rollback")
            raise
    check_version(c, path, steps)
    return done


def check_version(c: apsw.Connection, path: Path, steps: Sequence[Step] = MIGRATIONS) -> None:
    """Make sure that this program understands the library.

    Raises:
        LibraryTooNew: a newer version of this program wrote it.
        StoreError: an older version wrote it, and it could not be migrated, or the file is no library.
    """
    at = version(c, path)
    if at > len(steps):
        raise LibraryTooNew(
            f"the library {path} was written by a newer glossator (version {at} of its tables; this one knows up to "
            f"{len(steps)})",
            hint="upgrade glossator, or choose another library with --library",
        )
    if at < len(steps):
        raise StoreError(
            f"the library {path} was written by an older glossator and cannot be brought up to date where it is",
            hint="copy its folder to a place where you may write and open it there once",
        )


def version(c: apsw.Connection, path: Path) -> int:
    """Return the version of the tables; 0 in an empty file.

    Raises:
        StoreError: the file is a database of another program.
    """
    tables = {name for (name,) in rows(c, "select name from sqlite_schema where type = 'table'")}
    if "migration" not in tables:
        if tables:
            raise StoreError(
                f"{path} is a database, but not a glossator library", hint="choose another folder with --library"
            )
        return 0
    return int(value(c, "select coalesce(max(version), 0) from migration"))
