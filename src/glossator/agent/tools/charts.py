"""A tool that draws: values, or the answer of a query, as an SVG image in an allowed folder."""

from typing import Any

from glossator.agent.context import ToolContext
from glossator.agent.reach import inside, shown
from glossator.agent.registry import Outcome, tool
from glossator.agent.svg import MOST, Chart, Kind, svg
from glossator.agent.tools.fences import many
from glossator.agent.tools.reach_data import table_of
from glossator.errors import StoreError, UsageError


@tool(
    toolset="reach",
    needs=("data",),
    changes=True,
    approval=True,
    words="chart plot graph draw diagram bar line svg 图表 画图 柱状图 折线图 绘制 统计图",
)
def draw_chart(
    ctx: ToolContext,
    path: str,
    kind: Kind = "bar",
    labels: list[str] | None = None,
    values: list[float] | None = None,
    data: str | None = None,
    sql: str | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
) -> Outcome:
    """Draw a chart with labelled axes and save it as an SVG image in an allowed folder. Use it when asked for a chart.

    Give labels and values, or a data file with a query whose rows are a label and a number. The person is asked first.

    Args:
        path: the image to write, ends in .svg
        kind: bars, a line, or points
        labels: one for each value
        values: the numbers
        data: a CSV or SQLite file, instead of labels and values
        sql: the query, two columns; the rows of a CSV file are the table `data`
        title: above the chart
        x_label: below the chart
        y_label: beside the chart
    """
    at = inside(ctx.reach, ctx.library, path)
    if at.suffix.lower() != ".svg":
        raise UsageError(f"{path} does not end in .svg", hint="give such a name")
    if at.exists():
        raise UsageError(f"{path} is there already", hint="give another name")
    if data is not None:
        labels, values = _from_data(ctx, data, sql)
    told = "\n".join([title, x_label, y_label, *(labels or ())])
    if ctx.library.veil.over(told) != told:
        raise UsageError("the labels hold text that is not read yet", hint="use other labels")
    chart = Chart(
        kind=kind,
        labels=tuple(labels or ()),
        values=tuple(values or ()),
        title=title,
        x_label=x_label,
        y_label=y_label,
    )
    image = svg(chart)
    try:
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(image, "utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}", hint="choose another place") from error
    done = f"{kind} chart of {many(len(chart.values), 'value')} written to {shown(ctx.reach, at)}"
    return Outcome(done, done)


def _from_data(ctx: ToolContext, data: str, sql: str | None) -> tuple[list[str], list[float]]:
    if not sql:
        raise UsageError("a query is missing", hint="give sql whose rows are a label and a number")
    found = table_of(ctx, data, sql, most=MOST + 1)
    if len(found.columns) != 2:
        raise UsageError(f"the query gives {len(found.columns)} columns", hint="select a label and a number")
    return [str(label) for label, _ in found.rows], [_number(value) for _, value in found.rows]


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise UsageError(f"{value!r} is no number", hint="let the second column be numbers") from None
