"""Search over a real store: arms, scope, merging, phrases, notices."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.chunker import Profile, chunk
from glossator.document.model import Block, Document, Metadata, ParseReport, Section, lay_out
from glossator.embed import Fingerprint
from glossator.errors import ModelError
from glossator.index.lexical import build, tokens
from glossator.index.snapshot import Indexes
from glossator.search.hybrid import Found, search
from glossator.store.chunks import embedder_key, insert_chunks, insert_vectors
from glossator.store.database import Database, open_database
from glossator.store.documents import insert_document
from glossator.store.scope import Scope

TINY = Profile("tiny", 12, 0)
TOPICS = (("cat", "kitten", "purr", "猫"), ("sea", "wave", "ship", "海"), ("bread", "oven", "flour", "面包"))


class Topical:
    """An embedder that knows three topics, by their words; a text of none of them points elsewhere."""

    languages = ("*",)
    max_tokens: int | None = 12

    def __init__(self, name: str = "openai:topical", rule: str = "1") -> None:
        self.name = name
        self.fingerprint = Fingerprint(model=name, sha256="", dimension=4, rule=rule)
        self.asked: list[str] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(t.split()) for t in texts]

    def embed_passages(self, texts: Sequence[str]) -> Any:
        rows = np.array([[*(sum(w in t.lower() for w in topic) for topic in TOPICS), 0.1] for t in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str) -> Any:
        self.asked.append(text)
        return self.embed_passages([text])[0]


class Shelf:
    """A library in a folder, with documents made of paragraphs; a paragraph that begins with # heads a section."""

    def __init__(self, folder: Path) -> None:
        self.database: Database = open_database(folder)
        self.indexes = Indexes(self.database)
        self.texts: dict[int, str] = {}
        self.embedder = Topical()
        self._number = count(1)

    def add(self, *paragraphs: str, embedder: Topical | None = None, windows: bool = True) -> int:
        blocks = [
            Block(kind="heading" if p.startswith("#") else "paragraph", text=p.lstrip("# "), start=None, end=None)
            for p in paragraphs
        ]
        text, placed = lay_out(blocks)
        heads = [b.start or 0 for b in placed if b.kind == "heading"]
        ends = [*heads[1:], len(text)][: len(heads)]
        sections = tuple(
            Section(number=n, level=1, title=text[a:b][:9], path=("S",), start=a, end=b)
            for n, (a, b) in enumerate(zip(heads, ends, strict=True), 1)
        )
        metadata, report = Metadata(title="t"), ParseReport(parser="test")
        doc = Document(metadata=metadata, format="text", text=text, blocks=placed, sections=sections, report=report)
        chunks = chunk(doc, TINY, self.embedder.count_tokens)
        segment = build([tokens(text[x.start : x.end]) for x in chunks]).dump()
        spec = embedder.name if embedder else None
        with self.database.write() as c:
            key = insert_document(c, doc, sha256=f"{next(self._number):064}", sources=[], embedder=spec)
            first, _ = insert_chunks(c, key, chunks, segment)
            if embedder and windows:
                rows = embedder.embed_passages([text[x.start : x.end] for x in chunks]).astype("<f2")
                made = [(first + i, 0, x.start, x.end, rows[i].tobytes()) for i, x in enumerate(chunks)]
                insert_vectors(c, embedder_key(c, embedder.fingerprint, spec=embedder.name), made)
        self.texts[key] = text
        return key

    def find(self, query: str, scope: Scope | None = None, **options: Any) -> Found:
        options.setdefault("embedder", lambda _: self.embedder)
        with self.database.read() as c:
            return search(c, self.indexes, query, scope=scope or Scope(), **options)

    def said(self, query: str, scope: Scope | None = None, **options: Any) -> list[str]:
        return [self.texts[p.document][p.start : p.end] for p in self.find(query, scope, **options).passages]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path)
    yield made
    made.database.close()


CAT = "The old cat slept on the warm stone wall all that day."
SEA = "A grey wave carried the small ship towards the southern harbour at night."
BREAD = "Flour and water were mixed before the oven had grown hot enough today."
DULL = "Nothing else of any note happened to anybody in the town that week."


def test_words_and_meaning_find_what_the_other_misses(shelf: Shelf) -> None:
    shelf.add(CAT, DULL, SEA, BREAD, embedder=shelf.embedder)
    assert shelf.said("kitten", k=1) == [CAT]  # no such word
    assert shelf.said("harbour", k=1) == [SEA]  # no such topic
    assert shelf.said("kitten", mode="lexical") == []
    assert shelf.said("harbour", mode="lexical") == [SEA]


def test_a_hit_says_how_each_arm_ranked_it(shelf: Shelf) -> None:
    shelf.add(CAT, DULL, SEA, embedder=shelf.embedder)
    trace = shelf.find("cat", k=1).passages[0].trace
    assert trace["arms"]["lexical"]["rank"] == 1
    assert trace["arms"]["vector"] == [{"model": "openai:topical", "rank": 1, "score": pytest.approx(1, abs=0.02)}]
    assert trace["fusion"]["score"] > 0
    assert shelf.find("cat", k=1, mode="lexical").passages[0].trace["arms"]["vector"] == []


def test_neighbouring_hits_of_one_section_become_one_passage(shelf: Shelf) -> None:
    more = "The same cat woke and went to look for milk and fish."
    shelf.add("# One", CAT, more, DULL, "# Two", "A cat of another house entirely sat there and washed its face.")
    found = shelf.said("cat")
    assert found[0] == f"One\n\n{CAT}\n\n{more}" or found[0] == f"{CAT}\n\n{more}"
    assert len(found) == 2
    assert found[1].startswith("Two")


def test_scores_fall_with_rank_and_no_more_than_k_passages_come(shelf: Shelf) -> None:
    for n in range(30):
        shelf.add(f"{CAT} {n}", embedder=shelf.embedder)
    scores = [p.score for p in shelf.find("cat wall", k=7).passages]
    assert len(scores) == 7
    assert scores == sorted(scores, reverse=True)


def test_only_documents_in_scope_are_found(shelf: Shelf) -> None:
    first = shelf.add(CAT, embedder=shelf.embedder)
    second = shelf.add(CAT + " Twice.", embedder=shelf.embedder)
    assert {p.document for p in shelf.find("cat").passages} == {first, second}
    assert {p.document for p in shelf.find("cat", Scope(documents=(second,))).passages} == {second}
    assert shelf.find("cat", Scope(documents=())).passages == ()


def test_a_chunk_that_the_bound_cuts_is_found_by_its_visible_words_and_shown_no_further(shelf: Shelf) -> None:
    key = shelf.add(SEA)
    cap = SEA.index("towards")
    assert shelf.said("ship", Scope(caps={key: cap})) == [SEA[:cap]]
    assert shelf.said("harbour", Scope(caps={key: cap})) == []
    assert shelf.said("ship", Scope(caps={key: 0})) == []


def test_what_is_visible_of_a_cut_chunk_is_embedded_when_no_window_ends_before_the_bound(shelf: Shelf) -> None:
    long = " ".join([CAT, "It purred.", SEA, BREAD])
    key = shelf.add(long, embedder=shelf.embedder)
    cap = long.index("It purred.") + 40
    assert shelf.said("kitten", Scope(caps={key: cap})) == [long[:cap]]
    scope = Scope(caps={key: cap})
    assert [p.trace["arms"]["vector"][0]["rank"] for p in shelf.find("kitten", scope).passages] == [1]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 400), st.sampled_from(["cat", "harbour", "kitten ship", '"grey wave"', "oven -cat", "the", "猫"]))
def test_nothing_past_a_cap_is_ever_in_a_passage(tmp_path_factory: Any, cap: int, query: str) -> None:
    made = Shelf(tmp_path_factory.mktemp("shelf"))
    key = made.add("# One", CAT, SEA, "# Two", BREAD, DULL, CAT, embedder=made.embedder)
    for passage in made.find(query, Scope(caps={key: cap})).passages:
        assert passage.start < passage.end <= cap
    made.database.close()


def test_phrases_must_stand_in_the_passage_and_exclusions_must_not(shelf: Shelf) -> None:
    shelf.add(CAT, DULL, "The cat was old and the wall stone cold and warm no more.", DULL + " Twice so.")
    assert shelf.said('"warm stone wall"') == [CAT]
    assert all("warm stone" not in text for text in shelf.said("cat wall -slept"))
    assert shelf.said('"stone warm"') == []


def test_chinese_is_found_by_words_and_by_single_characters_in_either_script(shelf: Shelf) -> None:
    shelf.add("黛玉听了这话，心中不悦，便回房去了。", DULL, "宝玉笑道：“好妹妹。”")
    assert shelf.said("黛玉")[0].startswith("黛玉")
    assert len(shelf.said("玉")) == 2
    assert shelf.said("聽了這話")[0].startswith("黛玉")


@pytest.mark.parametrize(
    "query", ["don't", "C++", "--error", "NEAR(x)", 'open "quote', "?", "-", "*", "玉", "a" * 5_000]
)
def test_no_query_is_an_error(shelf: Shelf, query: str) -> None:
    shelf.add(CAT, "C++ and --error are plain words here, don't you think so too?")
    assert isinstance(shelf.find(query), Found)
    assert shelf.find("").passages == ()


def test_without_its_model_the_library_is_searched_by_words_and_says_so(shelf: Shelf) -> None:
    shelf.add(CAT, embedder=shelf.embedder)

    def missing(spec: str) -> Any:
        raise ModelError(f"{spec} is gone", hint="install it")

    found = shelf.find("cat", embedder=missing)
    assert len(found.passages) == 1
    assert found.notice is not None
    assert "openai:topical is gone (install it)" in found.notice
    with pytest.raises(ModelError, match="is gone"):
        shelf.find("cat", embedder=missing, mode="vector")
    assert shelf.find("cat", embedder=missing, mode="lexical").notice is None


def test_a_search_by_meaning_without_any_vectors_says_so(shelf: Shelf) -> None:
    shelf.add(CAT)
    found = shelf.find("cat", mode="vector")
    assert found.passages == ()
    assert "--mode lexical" in (found.notice or "")
    assert shelf.find("cat").notice is None


def test_vectors_of_another_version_of_the_model_are_not_compared(shelf: Shelf) -> None:
    shelf.add(CAT, embedder=shelf.embedder)
    found = shelf.find("kitten", embedder=lambda _: Topical(rule="2"))
    assert found.passages == ()
    assert found.notice is not None
    assert "another version" in found.notice


def test_a_query_is_embedded_by_every_model_in_scope_and_by_no_other(shelf: Shelf) -> None:
    other = Topical("ollama:other")
    first = shelf.add(CAT, embedder=shelf.embedder)
    second = shelf.add(CAT + " Again.", embedder=other)
    both = {"openai:topical": shelf.embedder, "ollama:other": other}
    found = shelf.find("kitten", embedder=both.__getitem__)
    assert {p.document for p in found.passages} == {first, second}
    assert other.asked == ["kitten"]
    shelf.find("kitten", Scope(documents=(first,)), embedder=both.__getitem__)
    assert other.asked == ["kitten"]


def test_an_english_model_is_not_asked_in_chinese(shelf: Shelf) -> None:
    english = Topical("builtin:minilm")
    shelf.add(CAT, embedder=english)
    shelf.find("这只猫在哪里睡觉？", embedder=lambda _: english)
    assert english.asked == []
    shelf.find("where is the 猫", embedder=lambda _: english)
    assert english.asked == ["where is the 猫"]
