"""Figures of a report: a chart, what it shows in a sentence, and its numbers as a table that leads to the sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from epicene.errors import MissingExtraError
from epicene.measures.outcomes import OPPOSITE
from epicene.output.charts import many
from epicene.output.charts import page as charts
from epicene.output.charts import speech as speech_charts
from epicene.output.charts.page import DIRECTIONS, Series
from epicene.output.charts.vega import SERIES, need_charts, svg
from epicene.output.page import links
from epicene.output.page.squeezing import squeezed
from epicene.output.table import format_number as number
from epicene.sets.words import PageWords
from epicene.text import visible
from epicene.types import Measure


class Link(NamedTuple):
    """A text that leads to the sentences that it counts; nowhere if no filter can say which they are."""

    text: str
    href: str


Cell = str | Link


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts; the first column names the row."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Shade(NamedTuple):
    """A cell of a shaded table: a rate, its interval, where it leads."""

    share: float
    text: str
    interval: str
    href: str


@dataclass(frozen=True, slots=True)
class Heat:
    """A table whose cells are the darker, the more; a line for each system."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Shade | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its words and numbers."""

    title: str
    caption: str
    drawing: str  # SVG, or nothing where the extra for charts is not installed
    numbers: Grid
    heat: Heat | None = None  # in the place of a drawing
    plain: bool = False  # whether the table stands for itself
    packed: str = ""  # the drawing of many systems, which the page's script unpacks


def figures(name: str, family: PageWords, series: Sequence[Series]) -> list[Figure]:
    """The figures of a set and language, all systems in each; one that has nothing to show is left out."""
    crowd = len(series) > SERIES
    found = [_misgendered(f"{name}-m", series)] if crowd else []
    found.append(_groups(f"{name}-g", family, series, crowd))
    found.append(_confusion(f"{name}-c", series, crowd))
    if any(speech_charts.cause_rows(each) for each in series):
        found.append(_causes(f"{name}-e", series))
    if charts.ranked(series):
        found.append(_occupations(f"{name}-o", series, crowd))
    if charts.stereotype_rows(series[0]):
        found.append(_stereotype(f"{name}-s", series, crowd))
    from epicene.output.page.quality import quality_figure

    if beside := quality_figure(f"{name}-q", series):
        found.append(beside)
    there = [figure for figure in found if figure.numbers.rows]
    return [_packed(figure) for figure in there] if crowd else there


def _packed(figure: Figure) -> Figure:
    """A figure whose drawing is as small as it can be: those of many systems would be a third of a page."""
    return replace(figure, drawing="", packed=squeezed(figure.drawing.encode())) if figure.drawing else figure


def _misgendered(name: str, series: Sequence[Series]) -> Figure:
    rows = [
        (row["system"], row["kind"], number(row["value"]), number(row["low"]), number(row["high"]),
         f"{row['n']:,}", f"{row['unread']:,}")
        for row in many.misgendered_rows(series)
    ]  # fmt: skip
    return Figure(
        "Women and men",
        "How often each is written as the other, with 95 % intervals; systems that misgender women least are on top.",
        drawn(lambda: many.misgendered_chart(series), name),
        Grid(("system", "", "%", "low", "high", "n", "unread"), clean(rows)),
    )


def _groups(name: str, family: PageWords, series: Sequence[Series], crowd: bool) -> Figure:
    rates = [(each, rate) for each in series for rate in family.main_rates(each.result)]
    fixed = any(rate.corrected for _, rate in rates)
    rows = [
        (family.describe(rate.group), each.label, _led(each, rate, crowd), number(rate.low),
         number(rate.high), *(_corrected(rate) if fixed else ()), f"{rate.n:,}",
         "" if rate.unread is None else f"{rate.unread:,}")
        for each, rate in rates
    ]  # fmt: skip
    beside = " Ticks and dashed lines are the rates corrected for the reader’s errors." if fixed and not crowd else ""
    head = ("group", "system", "%", "low", "high", *(("corrected", "its interval") if fixed else ()), "n", "unread")
    return Figure(
        "By group",
        f"{family.rates} {'The darker, the more.' if crowd else f'Bars are 95 % intervals.{beside}'}",
        "" if crowd else drawn(lambda: charts.group_chart(family, series), name),
        Grid(head, clean(rows)),
        _heat(family, series) if crowd else None,
    )


def _led(each: Series, rate: Measure, crowd: bool) -> Cell:
    """A rate that leads to its sentences; among many systems the shaded table does."""
    return number(rate.value) if crowd else Link(number(rate.value), links.counted(each, rate))


def _corrected(rate: Measure) -> tuple[str, str]:
    if not rate.corrected:
        return "", ""
    value, low, high = rate.corrected
    return number(value), f"{number(low)} to {number(high)}"


def _heat(family: PageWords, series: Sequence[Series]) -> Heat:
    groups = list(dict.fromkeys(rate.group for each in series for rate in family.main_rates(each.result)))
    rows = []
    for each in series:
        own = {rate.group: rate for rate in family.main_rates(each.result)}
        rows.append((each.label, tuple(_shade(each, own[group]) if group in own else None for group in groups)))
    return Heat(tuple(visible(family.describe(group)) for group in groups), tuple(rows))


def _shade(each: Series, rate: Measure) -> Shade:
    interval = "" if rate.low is None else f"{number(rate.low)} to {number(rate.high)}"
    return Shade(rate.value or 0.0, number(rate.value), interval, links.counted(each, rate))


def _causes(name: str, series: Sequence[Series]) -> Figure:
    rows = [
        (group, each.label, origin, f"{rate.count:,}", f"{rate.n:,}", number(rate.value), number(rate.low),
         number(rate.high))
        for each in series
        for group, origin, rate in speech_charts.cause_rows(each)
    ]  # fmt: skip
    return Figure(
        "Where errors come from",
        "Recognition: the words that tell the gender were lost before the translation, which has the sentence itself "
        "right. Translation: they were there. Both: lost, and the sentence itself is translated wrong.",
        drawn(lambda: speech_charts.cause_chart(series), name),
        Grid(("group", "system", "from", "errors", "of", "%", "low", "high"), clean(rows)),
    )


def _confusion(name: str, series: Sequence[Series], crowd: bool) -> Figure:
    rows = [
        (row["expected"], each.label, row["read"], Link(f"{row['count']:,}", row["link"]), f"{row['n']:,}", row["text"])
        for each in series
        for row in charts.confusion_rows(each)
    ]
    counted = series[0].result.counted
    across = f"each bar is the {counted} of a system" if crowd else "across, how the translation speaks of them"
    return Figure(
        "What is said, and what is written",
        f"Each row is all {counted} about a person of that gender; {across}.",
        drawn(lambda: many.confusion_chart(series) if crowd else charts.confusion_chart(series), name),
        Grid(("sentence", "system", "translation", counted, "of", "share"), clean(rows)),
    )


def _occupations(name: str, series: Sequence[Series], crowd: bool) -> Figure:
    most = len(charts.ranked(series))
    first = f"The first {charts.OCCUPATIONS} of {most} are drawn. " if most > charts.OCCUPATIONS else ""
    ticks = "A tick is a system, the point their mean." if crowd else "The thin lines are 95 % intervals."
    return Figure(
        "Occupations that are misgendered most",
        f"Of the women in an occupation those written as men, and of its men those written as women. {first}{ticks} "
        "The lower ends of the intervals rank the occupations.",
        drawn(lambda: many.occupation_chart(series) if crowd else charts.occupation_chart(series), name),
        _over_systems(series) if crowd else _by_occupation(series),
    )


def _by_occupation(series: Sequence[Series]) -> Grid:
    """Two rates an occupation, each over the sentences of its own gender."""
    rates = {each.label: charts.occupation_rates(each) for each in series}
    rows = []
    for occupation in charts.ranked(series):
        for each in series:
            if both := rates[each.label].get(occupation):
                cells: list[Cell] = [occupation, each.label]
                for gender in DIRECTIONS:
                    if rate := both.get(gender):
                        way = {"expected": gender.value, "read": OPPOSITE[gender].value}
                        link = Link(number(rate.value), links.of(each, person=occupation, **way))
                        cells += [link, f"{number(rate.low)} to {number(rate.high)}", f"{rate.n:,}"]
                    else:
                        cells += ["–", "", "0"]
                rows.append(tuple(cells))
    return Grid(
        ("occupation", "system", "women as men, %", "interval", "of", "men as women, %", "interval", "of"), clean(rows)
    )


def _over_systems(series: Sequence[Series]) -> Grid:
    """Each occupation over all systems: the least, the mean and the most of both rates."""
    rates = [charts.occupation_rates(each) for each in series]
    rows = []
    for occupation in charts.ranked(series):
        cells = [occupation]
        for gender in DIRECTIONS:
            own = [found[occupation][gender].value or 0.0 for found in rates if gender in found.get(occupation, {})]
            cells += [number(min(own)), number(sum(own) / len(own)), number(max(own))] if own else ["–"] * 3
        rows.append(tuple(cells))
    three = ("least, %", "mean, %", "most, %")
    return Grid(("occupation", *(f"{words}: {each}" for words in DIRECTIONS.values() for each in three)), clean(rows))


def _stereotype(name: str, series: Sequence[Series], crowd: bool) -> Figure:
    stated = charts.source_share(series)
    line = f" The dashed line is what the sentences say: {stated:.0f} % women." if stated is not None else ""
    if crowd:
        rows = [
            (row["system"], row["kind"], number(row["value"]), number(row["low"]), number(row["high"]), f"{row['n']:,}")
            for row in many.stereotype_rows(series)
        ]
        return Figure(
            "Stereotype",
            "Women among those written, in occupations where most US workers are women and where most are men. A "
            f"translator that follows the sentence has both points in one place.{line}",
            drawn(lambda: many.stereotype_chart(series), name),
            Grid(("system", "", "women written, %", "low", "high", "n"), clean(rows)),
        )
    points = [
        (row["occupation"], each.label, number(row["workers"]), number(row["written"]), f"{row['n']:,}")
        for each in series
        for row in sorted(charts.stereotype_rows(each), key=lambda row: row["workers"])
    ]
    return Figure(
        "Stereotype",
        "Each point is an occupation. A translator that follows the sentence writes as many women in every one; one "
        f"that follows the labour market goes up from left to right.{line}",
        drawn(lambda: charts.stereotype_chart(series), name),
        Grid(("occupation", "system", "women among US workers, %", "women written, %", "n"), clean(points)),
    )


def clean(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Rows whose texts are safe to be seen."""
    return tuple(tuple(cell if isinstance(cell, Link) else visible(cell) for cell in row) for row in rows)


def drawn(chart: Callable[[], Any], name: str) -> str:
    """A chart as SVG, or nothing where the extra for charts is not installed; its numbers stand beside it anyway."""
    try:
        need_charts()
    except MissingExtraError:
        return ""
    return svg(chart(), name)
