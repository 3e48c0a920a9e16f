"""How summaries, names, comparisons and maps look to a person. Pure functions of what the library answers."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from glossator.cli.page import Column, Element, Span, Style, Table, Text, cell, line
from glossator.cli.quoting import place
from glossator.cli.show import notice

if TYPE_CHECKING:
    from glossator.agent.improving import Improved
    from glossator.agent.whole import WholeSummary
    from glossator.cli.output import Output
    from glossator.document.locator import Locator
    from glossator.library.analysis.values import Comparison, Coverage, Map, People, Summary
    from glossator.messages import Progress

STANCES: dict[str, tuple[str, Style]] = {
    "supports": ("Supports", "good"),
    "contradicts": ("Contradicts", "bad"),
    "mentions": ("Mentions", "dim"),
}
LISTED = 60  # names shown to a person
GAPS = 6  # spans not read that are named


def summary(result: "Summary") -> Iterator[Element]:
    """Show a summary chapter by chapter, each sentence with its place, and what was not read for it."""
    yield line((result.document.title, "title"), (f"  {result.document.id}", "key"))
    for chapter in result.chapters:
        yield line()
        if chapter.title:
            yield line((chapter.title, "title"))
        present = [f"{name}: {', '.join(names)}" for name, names in (("who", chapter.who), ("where", chapter.where))]
        if chapter.who or chapter.where:
            yield line((" · ".join(p for p in present if not p.endswith(": ")), "dim"), indent=2)
        for number in chapter.points:
            point = result.points[number - 1]
            yield line(" ".join(point.text.split()), (f"  [{_at(point.locator)}]", "dim"), indent=2)
    if not result.points:
        yield line("No prose to sum up here.")
    yield line()
    if result.stopped:
        yield line(("You stopped here: ", "title"), " ".join(result.stopped.split()))
    yield line((_covered(result.coverage), "dim"))
    yield from notice(result.notice)


def whole(result: "WholeSummary") -> Iterator[Element]:
    """Show a summary that a model wrote; the places that its numbers mean stand below."""
    found = result.found
    yield line((found.document.title, "title"), (f"  {found.document.id}", "key"))
    yield line()
    yield Text(found.text or "No prose to sum up here.")
    yield line()
    for number, point in enumerate(found.points, 1):
        words = " ".join(point.text.split())
        yield line((f"[{number}] ", "key"), words, (f"  [{_at(point.locator)}]", "dim"))
    yield line()
    again = f", {result.reused} kept from before" if result.reused else ""
    yield line((f"{_covered(found.coverage)} {result.model}: {result.usage.requests} requests{again}.", "dim"))
    yield from notice(found.notice)


def improved(view: "Callable[[Any], Iterator[Element]]") -> "Callable[[Improved], Iterator[Element]]":
    """Return the view of an analysis that a model improved: as without one, with what it took."""

    def show(result: "Improved") -> Iterator[Element]:
        yield from view(result.found)
        if view not in (markdown, picture):
            yield line((f"{result.model}: {result.usage.requests} requests", "dim"))

    return show


def described(result: "Improved") -> Iterator[Element]:
    """Show names as a table, then who or what each is, with the place that says so."""
    yield from improved(people)(result)
    for named in result.found.to_json()["names"]:
        if about := named.get("about"):
            at = named["about_locator"]["start"]
            yield line((named["name"], "title"), f": {about}", (f"  [{at}]", "dim"))


def telling(output: "Output") -> "Callable[[Progress], None]":
    """Return what says on a terminal how far a long work came."""

    def tell(progress: "Progress") -> None:
        if output.interactive:
            output.note(f"{progress.done}/{progress.total} {progress.label}")

    return tell


def people(result: "People") -> Iterator[Element]:
    """Show a table of names: what each is, how often, and where first."""
    yield line((result.document.title, "title"), (f"  {result.document.id}", "key"))
    if not result.names:
        yield line("No name is met more than once.")
        yield from notice(result.notice)
        return
    columns = (
        Column("Name", flexible=True),
        Column("Kind"),
        Column("Times", right=True),
        Column("First in", flexible=True),
        Column("At", right=True),
    )
    rows = []
    for named in result.names[:LISTED]:
        others = [f for f in named.forms if f.casefold() != named.name.casefold()][:3]
        shown = f"{named.name} ({', '.join(others)})" if others else named.name
        path = named.first.section_path
        rows.append(
            (
                cell(shown, "title"),
                cell(named.kind),
                cell(named.count),
                cell(path[-1] if path else "", "dim"),
                cell(_at(named.first), "dim"),
            )
        )
    yield Table(columns, tuple(rows))
    if len(result.names) > LISTED:
        yield line((f"and {len(result.names) - LISTED} more; --json lists them", "dim"))
    yield from notice(result.notice)


def compare(result: "Comparison") -> Iterator[Element]:
    """Show passages by how they stand to the claim."""
    for stance, (title, style) in STANCES.items():
        found = [p for p in result.passages if p.stance == stance]
        if found:
            yield line((title, style))
        for passage in found:
            yield line(" ".join(passage.text.split()), indent=2)
            yield line(*place(passage.document, passage.locator), indent=4)
        if found:
            yield line()
    if not result.passages:
        yield line("No passage has to do with it.")
    yield from notice(result.notice)


def outline(result: "Map") -> Iterator[Element]:
    """Show a map as an outline; points stand dim under their section."""
    for depth, node in result.root.walk():
        style: Style = "title" if depth == 0 else "dim" if node.is_point else "plain"
        lead = "" if depth == 0 else "· " if node.is_point else ""
        shown: list[str | Span] = [(f"{lead}{node.title or '…'}", style)]
        if depth and not node.is_point:
            shown.append((f"  [{_at(node.locator)}]", "dim"))
        yield line(*shown, indent=2 * max(0, depth - 1) + 2 * bool(depth))
    yield from notice(result.notice)


def markdown(result: "Map") -> Iterator[Element]:
    """Pass a map on as Markdown."""
    from glossator.library.analysis.outline import markdown as written

    yield Text(written(result).rstrip("\n"))


def picture(result: "Map") -> Iterator[Element]:
    """Pass a map on as SVG."""
    from glossator.library.analysis.drawing import svg

    yield Text(svg(result).rstrip("\n"))


def _at(locator: "Locator") -> str:
    return f"p. {locator.page}" if locator.page is not None else str(locator.start)


def _covered(coverage: "Coverage") -> str:
    """Say how much was read, and which spans were not."""
    gaps = [f"{a}-{b}" for a, b in coverage.missing]
    more = f" and {len(gaps) - GAPS} more" if len(gaps) > GAPS else ""
    return f"Read for this: {coverage.share:.0%}." + (f" Not read: {', '.join(gaps[:GAPS])}{more}." if gaps else "")
