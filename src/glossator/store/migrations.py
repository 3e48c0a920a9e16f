"""The tables, as the steps that made them.

Append only: a step that was released is never edited. Each runs in one transaction with its row in `migration`, so a
library is never between two versions.

User tables (document, source, collection, member, progress, reading, tag, edition, annotation, anchor, link, session,
message, part of a message, memory, and what they hold) are migrated. All others are derived from the originals and
rebuilt when what made them changes; every one of them goes with its document. Notes do not: an edition remembers the
file they were made in, also when its document is removed.
"""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from glossator.errors import LibraryTooNew, StoreError
from glossator.store.sql import rows, value

APPLICATION = 0x474C5353  # "GLSS" in the file header: what `file` and we know a library by
Step = Callable[[apsw.Connection], None]
DERIVED_TABLES = (
    *("content", "part", "section", "page", "block"),
    *("chunk", "embedder", "vector", "lexical_segment", "change"),
    "reply",
)
WORK_TABLES = ("job",)  # what a server was asked to do: neither kept in backups nor rebuilt
USER_TABLES = (
    *("document", "source", "collection", "member", "progress", "reading", "tag", "document_tag"),
    *("edition", "edition_piece", "annotation", "annotation_tag", "annotation_removed", "anchor", "link"),
    "awaited",
    *("session", "message", "message_part", "memory"),
)

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


_SECOND = """
alter table document add column details text not null default '{}';
alter table collection add column folder text;
alter table collection add column glob text;

create table tag(key integer primary key autoincrement, name text not null unique) strict;
create table document_tag(
    document integer not null references document(key) on delete cascade,
    tag integer not null references tag(key) on delete cascade,
    primary key (document, tag)
) strict, without rowid;
create index document_tag_tag on document_tag(tag);

create table reading(
    key integer primary key autoincrement,
    document integer not null references document(key) on delete cascade,
    at text not null,
    event text not null check (event in ('read', 'finished', 'restarted')),
    position integer not null,
    read_to integer not null,
    share real not null
) strict;
create index reading_document on reading(document, key);
create index reading_at on reading(at);

create table edition(
    key integer primary key autoincrement,
    document integer unique references document(key) on delete set null,
    id text not null,
    sha256 text not null,
    format text not null,
    title text not null,
    authors text not null,
    identifiers text not null,
    sketch integer
) strict;
create index edition_sha256 on edition(sha256);
create table edition_piece(
    hash integer not null,
    edition integer not null references edition(key) on delete cascade,
    primary key (hash, edition)
) strict, without rowid;
create index edition_piece_edition on edition_piece(edition, hash);

create table annotation(
    key integer primary key autoincrement,
    id text not null unique,
    home integer not null references edition(key),
    quote text not null,
    before text not null,
    after text not null,
    locator text not null,
    body text not null,
    color text not null check (color in ('yellow', 'green', 'blue', 'red', 'purple')),
    origin text not null,
    details text not null default '{}',
    created text not null,
    updated text not null
) strict;
create index annotation_home on annotation(home, created);
create index annotation_created on annotation(created);
create table annotation_tag(
    annotation integer not null references annotation(key) on delete cascade,
    tag integer not null references tag(key) on delete cascade,
    primary key (annotation, tag)
) strict, without rowid;
create index annotation_tag_tag on annotation_tag(tag);
create table annotation_removed(id text primary key, at text not null) strict, without rowid;
create virtual table annotation_words using fts5(words, content='', contentless_delete=1, tokenize='ascii');
create trigger annotation_gone after delete on annotation begin
    delete from annotation_words where rowid = old.key;
end;

create table anchor(
    annotation integer not null references annotation(key) on delete cascade,
    edition integer not null references edition(key) on delete cascade,
    state text not null check (state in ('exact', 'moved', 'lost')),
    score real not null,
    start integer,
    "end" integer,
    text_version text,
    primary key (edition, annotation),
    check ((state = 'lost') = (start is null) and (start is null) = ("end" is null))
) strict, without rowid;
create index anchor_annotation on anchor(annotation);
create index anchor_place on anchor(edition, start);
create index anchor_lost on anchor(state) where state = 'lost';

create table link(
    source integer not null references annotation(key) on delete cascade,
    target integer not null references annotation(key) on delete cascade,
    relation text not null check (relation in ('related', 'supports', 'contradicts')),
    created text not null,
    primary key (source, target),
    check (source <> target)
) strict, without rowid;
create index link_target on link(target);

-- what an import said of a file that is not here yet
create table awaited(sha256 text primary key, facts text not null) strict, without rowid;

create table session(
    key integer primary key autoincrement,
    id text not null unique,
    title text not null,
    created text not null,
    updated text not null,
    metadata text not null default '{}'
) strict;
create index session_updated on session(updated);
create table message(
    key integer primary key autoincrement,
    session integer not null references session(key) on delete cascade,
    id text not null unique,
    role text not null check (role in ('user', 'assistant', 'tool')),
    created text not null,
    bound text,
    metadata text not null default '{}'
) strict;
create index message_session on message(session, key);
create index message_created on message(session, created);
create table message_part(
    message integer not null references message(key) on delete cascade,
    number integer not null,
    kind text not null,
    version integer not null,
    data text not null,
    primary key (message, number)
) strict, without rowid;
"""


def _second(c: apsw.Connection) -> None:
    c.execute(_SECOND)


_THIRD = """
create table memory(
    key integer primary key autoincrement,
    id text not null unique,
    kind text not null check (kind in ('fact', 'preference')),
    text text not null,
    document integer references document(key) on delete set null,
    bound text not null,
    created text not null,
    updated text not null
) strict;
create index memory_document on memory(document);
"""


def _third(c: apsw.Connection) -> None:
    c.execute(_THIRD)


_FOURTH = """
create table job(
    key integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    arguments text not null,
    state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    progress text,
    result text,
    error text,
    tries integer not null default 0,
    created text not null,
    updated text not null
) strict;
create index job_state on job(state);
"""


def _fourth(c: apsw.Connection) -> None:
    c.execute(_FOURTH)


_FIFTH = """
-- what a language model said to a span of a document, so that the same is not asked twice
create table reply(
    fingerprint text not null,
    bound integer not null,
    document integer not null references document(key) on delete cascade,
    start integer not null,
    "end" integer not null,
    text_version text not null,
    model text not null,
    text text not null,
    made text not null,
    primary key (fingerprint, bound)
) strict, without rowid;
create index reply_document on reply(document, text_version);
"""


def _fifth(c: apsw.Connection) -> None:
    c.execute(_FIFTH)


MIGRATIONS: tuple[Step, ...] = (_first, _second, _third, _fourth, _fifth)


def migrate(
    c: apsw.Connection,
    path: Path,
    steps: Sequence[Step] = MIGRATIONS,
    *,
    before: Callable[[int], object] = lambda _: None,
) -> int:
    """Bring the library on a writable connection to the newest version; return how many steps that took.

    `before` is called once with the version there is, when an older library is about to be changed and nobody else can
    write to it; what it raises leaves the library as it is.

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
                if at > 0 and done == 0:
                    before(at)
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
