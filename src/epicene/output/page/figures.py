"""Figures of a report: a chart, what it shows in a sentence, and its numbers as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from epicene.errors import MissingExtraError
from epicene.output.charts import page as charts
from epicene.output.charts import speech as speech_charts
from epicene.output.charts.page import Series
from epicene.output.charts.vega import SERIES, need_charts, svg
from epicene.output.families import Family
from epicene.output.terminal.tables import number
from epicene.output.text import shown


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts; the first column names the row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its words and numbers."""

    title: str
    caption: str
    drawing: str  # SVG, or nothing where the extra for charts is not installed
    numbers: Grid


def figures(name: str, family: Family, series: Sequence[Series]) -> list[Figure]:
    """The figures of a set and language; one that has nothing to show is left out."""
    few = charts.drawable(series)
    note = f" The first {SERIES} of {len(series)} systems are drawn." if len(series) > SERIES else ""
    found = [_groups(f"{name}-g", family, series, few, note)]
    found.append(_confusion(f"{name}-c", series, few, note))
    if any(speech_charts.cause_rows(each) for each in series):
        found.append(_causes(f"{name}-e", series, few, note))
    if charts.ranked(series):
        found.append(_occupations(f"{name}-o", series, few, note))
    if charts.stereotype_rows(series[0]):
        found.append(_stereotype(f"{name}-s", series, few, note))
    from epicene.output.page.quality import quality_figure

    if beside := quality_figure(f"{name}-q", series):
        found.append(beside)
    return [figure for figure in found if figure.numbers.rows]


def _groups(name: str, family: Family, series: Sequence[Series], few: Sequence[Series], note: str) -> Figure:
    rows = [
        (family.words(rate.group), each.label, number(rate.value), number(rate.low), number(rate.high), f"{rate.n:,}",
         "" if rate.unread is None else f"{rate.unread:,}")
        for each in series
        for rate in family.main_rates(each.result)
    ]  # fmt: skip
    return Figure(
        "By group",
        f"{family.rates} Bars are 95 % intervals.{note}",
        drawn(lambda: charts.group_chart(family, few), name),
        Grid(("group", "system", "%", "low", "high", "n", "unread"), _clean(rows)),
    )


def _causes(name: str, series: Sequence[Series], few: Sequence[Series], note: str) -> Figure:
    rows = [
        (group, each.label, origin, f"{rate.count:,}", f"{rate.n:,}", number(rate.value), number(rate.low),
         number(rate.high))
        for each in series
        for group, origin, rate in speech_charts.cause_rows(each)
    ]  # fmt: skip
    return Figure(
        "Where errors come from",
        "Recognition: the words that tell the gender were lost before the translation, which has the sentence itself "
        f"right. Translation: they were there. Both: lost, and the sentence itself is translated wrong.{note}",
        drawn(lambda: speech_charts.cause_chart(few), name),
        Grid(("group", "system", "from", "errors", "of", "%", "low", "high"), _clean(rows)),
    )


def _confusion(name: str, series: Sequence[Series], few: Sequence[Series], note: str) -> Figure:
    rows = [
        (row["expected"], each.label, row["read"], f"{row['count']:,}", f"{row['n']:,}", row["text"])
        for each in series
        for row in charts.confusion_rows(each.counts)
    ]
    return Figure(
        "What is said, and what is written",
        f"Each row is all sentences about a person of that gender; across, how the translation speaks of them.{note}",
        drawn(lambda: charts.confusion_chart(few), name),
        Grid(("sentence", "system", "translation", "sentences", "of", "share"), _clean(rows)),
    )


def _occupations(name: str, series: Sequence[Series], few: Sequence[Series], note: str) -> Figure:
    rates = {each.label: charts.occupation_rates(each) for each in series}
    rows = []
    for occupation in charts.ranked(series):
        for each in series:
            if rate := rates[each.label].get(occupation):
                ways = charts.direction_shares(each.counts.occupations[occupation]).values()
                cells = (rate.value, *rate.over_sentences, *ways)
                rows.append((occupation, each.label, *map(number, cells), f"{rate.n:,}"))
    most = len(charts.ranked(series))
    shown_of = f"The first {charts.OCCUPATIONS} of {most} are drawn. " if most > charts.OCCUPATIONS else ""
    return Figure(
        "Occupations that are misgendered most",
        f"How often a woman is written as a man or a man as a woman. {shown_of}"
        f"The thin lines are 95 % intervals, and the lower ends rank the occupations.{note}",
        drawn(lambda: charts.occupation_chart(few), name),
        Grid(("occupation", "system", "%", "low", "high", *charts.DIRECTIONS.values(), "n"), _clean(rows)),
    )


def _stereotype(name: str, series: Sequence[Series], few: Sequence[Series], note: str) -> Figure:
    rows = [
        (row["occupation"], each.label, number(row["workers"]), number(row["written"]), f"{row['n']:,}")
        for each in series
        for row in sorted(charts.stereotype_rows(each), key=lambda row: row["workers"])
    ]
    stated = charts.source_share(series)
    line = f" The dashed line is what the sentences say: {stated:.0f} % women." if stated is not None else ""
    return Figure(
        "Stereotype",
        "Each point is an occupation. A translator that follows the sentence writes as many women in every one; one "
        f"that follows the labour market goes up from left to right.{line}{note}",
        drawn(lambda: charts.stereotype_chart(few), name),
        Grid(("occupation", "system", "women among US workers, %", "women written, %", "n"), _clean(rows)),
    )


def _clean(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(shown(cell) for cell in row) for row in rows)


def drawn(chart: Callable[[], Any], name: str) -> str:
    """A chart as SVG, or nothing where the extra for charts is not installed; its numbers stand beside it anyway."""
    try:
        need_charts()
    except MissingExtraError:
        return ""
    return svg(chart(), name)
