from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from glossator.document.model import Document
from glossator.parse import html, parse, site_rules, webpage
from glossator.parse.site_rules import SiteRule, page_address, rules_for, rules_of, xpath_of
from tests.parse.sites import EN, SITES, Saved, p

ARTICLE = f"<h1>The Boats</h1>{p(*EN)}"


def read(folder: Path, source: str, url: str | None = None) -> Document:
    path = folder / "saved.html"
    path.write_text(source, "utf-8")
    return parse(path, base_url=url)


def page(body: str, head: str = "") -> str:
    return Saved(rule="", body=body, blocks=(), head=head).source


def root_of(body: str, head: str = "") -> html.etree._Element:
    return html.canonical(page(body, head))[0]


# --- the packaged rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("saved", SITES, ids=lambda s: f"{s.rule}, {s.url or 'by its generator'}")
def test_a_page_of_a_known_site_is_its_text_and_nothing_else(saved: Saved, tmp_path: Path) -> None:
    document = read(tmp_path, saved.source, saved.url)
    assert tuple((b.kind, b.text) for b in document.blocks) == saved.blocks
    assert (document.report.confidence, document.report.warnings) == (1.0, ())


@pytest.mark.parametrize("saved", SITES, ids=lambda s: f"{s.rule}, {s.url or 'by its generator'}")
def test_the_rule_that_reads_a_page_is_the_one_for_its_site(saved: Saved) -> None:
    root, _ = html.canonical(saved.source)
    asked = rules_for(root, page_address(root, saved.source, saved.url), site_rules.packaged_rules())
    assert asked[0][0].name == saved.rule
    assert site_rules.find(asked[0][0], root) is not None


def test_every_rule_has_a_page_here_and_a_name_of_its_own() -> None:
    names = [rule.name for rule in site_rules.packaged_rules()]
    assert len(set(names)) == len(names)
    assert set(names) == {saved.rule for saved in SITES}


@pytest.mark.parametrize("saved", SITES, ids=lambda s: s.rule)
def test_no_element_changes_its_place(saved: Saved, tmp_path: Path) -> None:
    path = tmp_path / "saved.html"
    path.write_text(saved.source, "utf-8")
    read_by_rule = webpage.read(path, base_url=saved.url).parts[0].root
    untouched, _ = html.canonical(saved.source)
    assert [el.tag for el in read_by_rule.iter()] == [el.tag for el in untouched.iter()]
    assert list(read_by_rule.itertext()) == list(untouched.itertext())


def test_the_rules_are_part_of_the_package() -> None:
    assert files("glossator.parse").joinpath("site_rules.toml").is_file()


# --- when a rule is not followed ------------------------------------------------------------------------------------


def test_a_page_without_a_rule_is_read_as_if_there_were_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = page(f"<main><article>{ARTICLE}</article></main>")
    document = read(tmp_path, source, "https://example.org/boats")
    monkeypatch.setattr(site_rules, "packaged_rules", lambda: ())
    assert document == read(tmp_path, source, "https://example.org/boats")
    assert EN[2] in document.text


def test_a_rule_that_finds_too_little_is_passed_over_and_the_report_says_so(tmp_path: Path) -> None:
    body = f"<main><article>{ARTICLE}</article></main><div id='js_content'>See above.</div>"
    document = read(tmp_path, page(body), "https://mp.weixin.qq.com/s/1")
    assert all(sentence in document.text for sentence in EN)
    assert document.report.warnings == ("the rule for WeChat found too little in this page and was passed over",)


def test_a_known_site_whose_markup_is_another_is_read_without_its_rule_and_the_report_says_so(tmp_path: Path) -> None:
    document = read(tmp_path, page(f"<main><article>{ARTICLE}</article></main>"), "https://mp.weixin.qq.com/s/1")
    assert all(sentence in document.text for sentence in EN)
    assert document.report.warnings == ("the rule for WeChat found no main text in this page and was passed over",)


def test_a_known_generator_with_another_theme_is_no_cause_for_a_warning(tmp_path: Path) -> None:
    head = '<meta name="generator" content="WordPress 6.6">'
    document = read(tmp_path, page(f"<main><article>{ARTICLE}</article></main>", head))
    assert all(sentence in document.text for sentence in EN)
    assert document.report.warnings == ()


def test_the_next_rule_is_tried_when_the_first_finds_nothing(tmp_path: Path) -> None:
    head = '<meta name="generator" content="WordPress 6.6">'
    body = f"<main><h1 class='entry-title'>Boats</h1><div class='entry-content'>{p(*EN)}</div></main>"
    document = read(tmp_path, page(body, head), "https://github.com/blog")
    assert [b.text for b in document.blocks] == ["Boats", *EN]
    assert len(document.report.warnings) == 1


def test_content_that_the_page_hides_does_not_count(tmp_path: Path) -> None:
    hidden = f"<div style='display:none'><div id='js_content'>{p(*EN * 3)}</div></div>"
    body = f"{hidden}<main><article>{ARTICLE}</article></main>"
    document = read(tmp_path, page(body), "https://mp.weixin.qq.com/s/1")
    assert document.text.count(EN[0]) == 1
    assert "no main text" in document.report.warnings[0]


# --- where a page came from -----------------------------------------------------------------------------------------

CANONICAL = '<link rel="canonical" href="https://a.example/canonical">'
SHARED = '<meta property="og:url" content="https://a.example/shared">'
SAVED = "<!-- saved from url=(0031)https://a.example/saved -->\n"


@pytest.mark.parametrize(
    ("given", "head", "before", "address"),
    [
        ("https://a.example/given", CANONICAL + SHARED, SAVED, "https://a.example/given"),
        (None, SHARED + CANONICAL, SAVED, "https://a.example/canonical"),
        ("/home/ann/boats.html", SHARED, SAVED, "https://a.example/shared"),
        (None, '<link rel="canonical" href="file:///boats.html">', SAVED, "https://a.example/saved"),
        (None, "", "<!--\n Page saved with SingleFile \n url: https://a.example/one \n-->", "https://a.example/one"),
        (None, "", "", None),
    ],
)
def test_the_address_is_the_one_given_else_what_the_page_says_else_what_the_browser_noted(
    given: str | None, head: str, before: str, address: str | None
) -> None:
    assert page_address(root_of(ARTICLE, head), before + page(ARTICLE, head), given) == address


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("https://example.org/x", True),
        ("http://www.EXAMPLE.org:8080/x", True),
        ("https://example.org./x", True),
        ("https://notexample.org/x", False),
        ("https://example.org.evil.net/x", False),
        ("https://[not-an-address/x", False),
        (None, False),
    ],
)
def test_a_host_is_matched_by_whole_labels(address: str | None, known: bool) -> None:
    rule = SiteRule(name="x", hosts=("example.org",), content=("main",))
    assert bool(rules_for(root_of(ARTICLE), address, (rule,))) is known


def test_a_host_goes_before_a_generator_and_that_before_a_mark() -> None:
    root = root_of(ARTICLE, '<meta name="Generator" content="Boatwright 2.0">')
    by_mark = SiteRule(name="mark", marks=("h1",), content=("body",))
    by_generator = replace(by_mark, name="generator", generators=("boatwright",))
    by_host = replace(by_generator, name="host", hosts=("example.org",))
    asked = rules_for(root, "https://example.org", (by_mark, by_generator, by_host))
    assert [(rule.name, match) for rule, match in asked] == [(n, n) for n in ("host", "generator", "mark")]


# --- how rules are written ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "texts"),
    [
        ("p", ["one", "two", "three"]),
        ("#a", ["one"]),
        (".x.y", ["two"]),
        (".x", ["one", "two"]),
        ("section > p", ["one", "two"]),
        ("section p.z", ["three"]),
        ("p + p", ["two"]),
        ("[data-n]", ["one", "three"]),
        ("p[data-n=one]", ["one"]),
        ('[data-n^="th"]', ["three"]),
        ("#a, .z", ["one", "three"]),
    ],
)
def test_a_place_finds_what_the_same_selector_finds_in_css(place: str, texts: list[str]) -> None:
    body = (
        "<section><p id='a' class='x' data-n='one'>one</p><p class='y  x'>two</p>"
        "<div><p class='z xy' data-n='three'>three</p></div></section>"
    )
    root = html.canonical(f"<!DOCTYPE html><body>{body}")[0]
    assert [el.text for el in site_rules.elements_at(root, (place,))] == texts


@pytest.mark.parametrize("place", ["", "p:hover", "a >", "> a", "a ~ b", "[x", "[x*=y]", "a,,b", "*", "[x='a\"b']"])
def test_a_place_that_cannot_be_read_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        xpath_of(place)


@pytest.mark.parametrize(
    "text",
    [
        '[[rule]]\nname = "x"\ncontent = ["p"]\nhost = ["example.org"]',
        '[[rule]]\nname = "x"',
        '[[rule]]\nname = "x"\ncontent = ["p:hover"]',
        "[[rule",
    ],
)
def test_a_rule_that_is_written_wrong_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"'x'|cannot be read|Expected"):
        rules_of(text)


def test_what_all_rules_drop_is_part_of_each() -> None:
    text = '[common]\ndrop = ["nav"]\n[[rule]]\nname = "x"\ncontent = ["main"]\ndrop = [".ad"]'
    assert rules_of(text) == (SiteRule(name="x", content=("main",), drop=("nav", ".ad")),)


def test_text_around_what_is_dropped_stays_in_its_sentence(tmp_path: Path) -> None:
    body = f"<div id='js_content'><p>Before it<button>unwanted</button>, and <b>after</b> it.</p>{p(*EN)}</div>"
    document = read(tmp_path, page(body), "https://mp.weixin.qq.com/s/1")
    assert document.blocks[0].text == "Before it, and after it."
