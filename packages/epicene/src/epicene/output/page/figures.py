"""Figures of a report: a chart, what it shows in a sentence, and its numbers as a table that leads to the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from epicene.errors import MissingExtraError
from epicene.measures.rates import OPPOSITE
from epicene.output.charts import page as charts
from epicene.output.charts import speech as speech_charts
from epicene.output.charts.page import DIRECTIONS, Series
from epicene.output.charts.vega import Spec, need_charts, svg
from epicene.output.page import filters
from epicene.output.table import format_number as number
from epicene.sets.about import PageWords
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


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its words and numbers."""

    title: str
    caption: str
    drawing: str  # SVG, or nothing where the extra for charts is not installed
    numbers: Grid
    plain: bool = False  # whether the table stands for itself


def figures(name: str, family: PageWords, series: Sequence[Series]) -> list[Figure]:
    """The figures of a set and language, all systems in each; one that has nothing to show is left out."""
    drawn_figures = [_groups(f"{name}-g", family, series), _confusion(f"{name}-c", series)]
    if any(speech_charts.cause_rows(each) for each in series):
        drawn_figures.append(_causes(f"{name}-e", series))
    if charts.ranked(series):
        drawn_figures.append(_occupations(f"{name}-o", series))
    # Where a set is compared with references of the user's choice, no other labour market is drawn beside them.
    if "|reference:" not in series[0].result.signature and charts.stereotype_rows(series[0]):
        drawn_figures.append(_stereotype(f"{name}-s", series))
    from epicene.output.page.quality import quality_figure

    if beside := quality_figure(f"{name}-q", series):
        drawn_figures.append(beside)
    return [figure for figure in drawn_figures if figure.numbers.rows]


def _groups(name: str, family: PageWords, series: Sequence[Series]) -> Figure:
    rates = [(each, rate) for each in series for rate in family.main_rates(each.result)]
    fixed = any(rate.corrected for _, rate in rates)
    rows = [
        (family.describe(rate.group), each.label, Link(number(rate.value), filters.link_counted(each, rate)),
         number(rate.low), number(rate.high), *(_corrected(rate) if fixed else ()), f"{rate.n:,}",
         "" if rate.undetected is None else f"{rate.undetected:,}")
        for each, rate in rates
    ]  # fmt: skip
    beside = " Ticks and dashed lines are rates corrected by review." if fixed else ""
    head = ("group", "system", "%", "low", "high", *(("corrected", "its CI") if fixed else ()), "n", "undetected")
    return Figure(
        "By group",
        f"{family.rates} Lines are 95 % confidence intervals.{beside}",
        drawn(charts.group_chart(family, series), name),
        Grid(head, clean(rows)),
    )


def _corrected(rate: Measure) -> tuple[str, str]:
    if not rate.corrected:
        return "", ""
    value, low, high = rate.corrected
    return number(value), f"{number(low)} to {number(high)}"


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
        "right. Translation: they were not lost. Both: lost, and the sentence itself is translated wrong.",
        drawn(speech_charts.cause_chart(series), name),
        Grid(("group", "system", "from", "errors", "of", "%", "low", "high"), clean(rows)),
    )


def _confusion(name: str, series: Sequence[Series]) -> Figure:
    rows = [
        (row["expected"], each.label, row["read"], Link(f"{row['count']:,}", row["link"]), f"{row['n']:,}", row["text"])
        for each in series
        for row in charts.confusion_rows(each)
    ]
    counted = series[0].result.counted
    return Figure(
        "Gender in the source and in the translation",
        f"Each row holds all {counted} about a person of that gender; columns are the gender of the translation.",
        drawn(charts.confusion_chart(series), name),
        Grid(("source", "system", "translation", counted, "of", "share"), clean(rows)),
    )


def _occupations(name: str, series: Sequence[Series]) -> Figure:
    most = len(charts.ranked(series))
    first = f"The first {charts.OCCUPATIONS} of {most} are drawn. " if most > charts.OCCUPATIONS else ""
    return Figure(
        "Occupations that are misgendered most",
        f"Women misgendered among the women of an occupation, men misgendered among its men. {first}The thin lines are "
        "95 % confidence intervals. Sorted by the lower end of the interval.",
        drawn(charts.occupation_chart(series), name),
        _by_occupation(series),
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
                        link = Link(number(rate.value), filters.link(each, person=occupation, **way))
                        cells += [link, f"{number(rate.low)} to {number(rate.high)}", f"{rate.n:,}"]
                    else:
                        cells += ["–", "", "0"]
                rows.append(tuple(cells))
    return Grid(
        ("occupation", "system", "women misgendered, %", "95 % CI", "of", "men misgendered, %", "95 % CI", "of"),
        clean(rows),
    )


def _stereotype(name: str, series: Sequence[Series]) -> Figure:
    stated = charts.source_share(series)
    line = f" The dashed line is the source: {stated:.1f} % women." if stated is not None else ""
    points = [
        (row["occupation"], each.label, number(row["workers"]), number(row["written"]), f"{row['n']:,}")
        for each in series
        for row in sorted(charts.stereotype_rows(each), key=lambda row: row["workers"])
    ]
    return Figure(
        "Stereotype",
        "Each point is an occupation. If the translator follows the source, all points lie on one level; if it follows "
        f"the labour market, they rise from left to right.{line} US workers: Current Population Survey 2020, table 11.",
        drawn(charts.stereotype_chart(series), name),
        Grid(
            ("occupation", "system", "women among US workers, %", "feminine in the translation, %", "n"), clean(points)
        ),
    )


def clean(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Rows whose texts are safe to be seen."""
    return tuple(tuple(cell if isinstance(cell, Link) else visible(cell) for cell in row) for row in rows)


def drawn(chart: Spec, name: str) -> str:
    """A chart as SVG, or nothing where the extra for charts is not installed; its numbers stand beside it anyway."""
    try:
        need_charts()
    except MissingExtraError:
        return ""
    return svg(chart, name)
