"""The shared fixture of places: what is written in it is true, and it is what the program makes now."""

import json
from typing import Any

import pytest

from glossator.document.cfi import position_of, steps_of
from glossator.document.model import DomAnchor
from glossator.parse.blocks import document_of
from tests.document.places import CHINESE, ENGLISH, FIXTURE, LAST, made
from tests.parse.pages import publication

WRITTEN: dict[str, Any] = json.loads(FIXTURE.read_text("utf-8"))
SPANS = [(p, s) for p in WRITTEN["parts"] for s in p["spans"]]


def test_the_fixture_is_what_the_program_makes_now() -> None:
    assert FIXTURE.read_text("utf-8") == made(), "write it anew: python -m tests.document.places"


def test_every_span_leads_to_the_dom_and_back() -> None:
    blocks = document_of(publication(ENGLISH, CHINESE, LAST)).blocks
    assert len(SPANS) > 60
    for part, span in SPANS:
        assert WRITTEN["text"][span["start"] : span["end"]] == span["text"]
        if "element" in span:
            assert position_of(f"epubcfi({part['cfi']}!{span['element']})", blocks) == tuple(span["whole"])
            continue
        a, b = (f"{end['steps']}:{end['offset']}" for end in span["range"])
        assert position_of(f"epubcfi({part['cfi']}!,{a},{b})", blocks) == (span["start"], span["end"]), span


def test_the_dom_has_the_words_of_every_span_in_their_order() -> None:
    for _, span in SPANS:
        if "source" in span:
            source = iter(span["source"])
            assert all(c in source for c in "".join(span["text"].split())), span


@pytest.mark.parametrize(("base", "steps"), [("/6/4!/4/2[a^]!b]/10", "/4/2/10"), ("/6/4[x!]!/4", "/4"), ("/6/2!", "")])
def test_the_steps_of_a_block_have_no_ids(base: str, steps: str) -> None:
    assert steps_of(DomAnchor(0, base, ())) == steps
