"""A chart as an SVG image: bars, a line or points, with labelled axes and a title. Values in, text out.

Colours are readable on white and on print, and the figures stand in the image as text, so that it can be searched and
read aloud.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Literal

from glossator.errors import UsageError

Kind = Literal["bar", "line", "scatter"]
WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 78, 24, 46, 96
MOST = 200  # values of a chart
_TICKS = 5
_INK, _GRID, _FILL = "#333", "#ddd", "#2b6cb0"
_LABEL = 22  # characters of a label below an axis
_NAMED = 24  # labels that are written; of more, every n-th


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What a chart shows: a value for each label."""

    kind: Kind
    labels: tuple[str, ...]
    values: tuple[float, ...]
    title: str = ""
    x_label: str = ""
    y_label: str = ""


def svg(chart: Chart) -> str:
    """Return a chart as an SVG image.

    Raises:
        UsageError: there is nothing to draw, too much of it, or a value is no number.
    """
    _check(chart)
    low, high, step = _scale(chart.values)
    place = _Place(len(chart.values), low, high)
    told = chart.title or f"{chart.kind} chart"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-label="{escape(told)}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f"<title>{escape(told)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(WIDTH / 2, 26, chart.title, size=16),
        *_axes(chart, place, low, high, step),
        *_marks(chart, place),
        "</svg>",
    ]
    return "\n".join(p for p in parts if p) + "\n"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where values stand in the image."""

    count: int
    low: float
    high: float

    @property
    def slot(self) -> float:
        return (WIDTH - LEFT - RIGHT) / self.count

    def x(self, i: int) -> float:
        return LEFT + self.slot * (i + 0.5)

    def y(self, value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (self.high - value) / (self.high - self.low)


def _check(chart: Chart) -> None:
    if not chart.values:
        raise UsageError("there are no values to draw", hint="give at least one")
    if len(chart.values) != len(chart.labels):
        raise UsageError(
            f"{len(chart.labels)} labels, but {len(chart.values)} values", hint="give one label for each value"
        )
    if len(chart.values) > MOST:
        raise UsageError(f"{len(chart.values)} values are too many for a chart", hint=f"at most {MOST}: add some up")
    if not all(isfinite(v) and abs(v) < 1e15 for v in chart.values):
        raise UsageError("a value is no number that can be drawn", hint="give finite numbers")


def _scale(values: Sequence[float]) -> tuple[float, float, float]:
    """Return lowest and highest value of the axis, and the step between its marks; zero is on it."""
    low, high = min(0.0, *values), max(0.0, *values)
    if low == high:
        high = 1.0
    raw = (high - low) / _TICKS
    power = 10.0 ** floor(log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    return floor(low / step) * step, ceil(high / step) * step, step


def _axes(chart: Chart, place: _Place, low: float, high: float, step: float) -> list[str]:
    parts = []
    for n in range(round((high - low) / step) + 1):
        value = low + n * step
        y = place.y(value)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="{_GRID}"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{value:g}", anchor="end"))
    zero = place.y(0.0)
    parts.append(f'<line x1="{LEFT}" y1="{zero:.1f}" x2="{WIDTH - RIGHT}" y2="{zero:.1f}" stroke="{_INK}"/>')
    parts.append(f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{HEIGHT - BOTTOM}" stroke="{_INK}"/>')
    every = ceil(place.count / _NAMED)
    tilted = place.count > 8 or max(map(len, chart.labels)) > 10
    for i in range(0, place.count, every):
        label = chart.labels[i] if len(chart.labels[i]) <= _LABEL else chart.labels[i][: _LABEL - 1] + "…"
        x, y = place.x(i), HEIGHT - BOTTOM + 16
        turn = f' transform="rotate(-35 {x:.1f} {y})"' if tilted else ""
        parts.append(_text(x, y, label, anchor="end" if tilted else "middle", more=turn))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, chart.x_label))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(_text(16, middle, chart.y_label, more=f' transform="rotate(-90 16 {middle})"'))
    return parts


def _marks(chart: Chart, place: _Place) -> list[str]:
    spots = [(place.x(i), place.y(v)) for i, v in enumerate(chart.values)]
    told = [f"<title>{escape(n)}: {v:g}</title>" for n, v in zip(chart.labels, chart.values, strict=True)]
    if chart.kind == "bar":
        zero, width = place.y(0.0), place.slot * 0.72
        return [
            f'<rect x="{x - width / 2:.1f}" y="{min(y, zero):.1f}" width="{width:.1f}" height="{abs(y - zero):.1f}"'
            f' fill="{_FILL}">{title}</rect>'
            for (x, y), title in zip(spots, told, strict=True)
        ]
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{_FILL}">{title}</circle>'
        for (x, y), title in zip(spots, told, strict=True)
    ]
    if chart.kind == "scatter":
        return dots
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    return [f'<polyline points="{path}" fill="none" stroke="{_FILL}" stroke-width="2"/>', *dots]


def _text(x: float, y: float, text: str, *, size: int = 12, anchor: str = "middle", more: str = "") -> str:
    if not text:
        return ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{more}>{escape(text)}</text>'
