"""Figures of a report: a chart, what it shows in a sentence, and its numbers as a table that leads to the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from epicene.errors import MissingExtraError
from epicene.measures.breakdown import NOT_STATED
from epicene.measures.claims import Claim
from epicene.measures.rates import OPPOSITE
from epicene.output.charts import page as charts
from epicene.output.charts.page import Row
from epicene.output.charts.vega import MEN, WIDTH, WOMEN, Spec, need_charts, svg
from epicene.output.page import filters
from epicene.output.page.series import LABEL, Series
from epicene.output.table import Cell, Column, Link, Table
from epicene.output.table import format_number as number
from epicene.sets import page_words
from epicene.sets.about import describe_voice
from epicene.text import visible
from epicene.types import Gender, Measure

MOST = 20  # rows of a chart of rates, and of occupations; the table below it has all
DOUBT = "⚠"
METRICS = ("comet", "chrf", "bleu")  # the first that all systems have is drawn
DIRECTIONS = {Gender.FEMININE: "women misgendered", Gender.MASCULINE: "men misgendered"}
READ = {gender: gender.value for gender in Gender} | {Gender.UNKNOWN: "undetected"}
EXPECTED = {Gender.FEMININE: "woman", Gender.MASCULINE: "man", Gender.NEUTRAL: "singular “they”", None: NOT_STATED}
ORIGINS = {"from_recognition": "recognition", "from_both": "both", "from_translation": "translation"}
_WITH_ERRORS = {
    "all": "all errors",
    "female": "about a woman",
    "male": "about a man",
    "neutral": "about someone called they",
}
Bar = tuple[str, tuple[tuple[Claim, str] | None, ...]]  # a name, and the rates of women and men with their links


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its words and numbers."""

    title: str
    caption: str
    drawing: str  # SVG, or nothing where the extra for charts is not installed
    numbers: Table
    plain: bool = False  # whether the table stands for itself


def list_figures(name: str, series: Sequence[Series]) -> list[Figure]:
    """The figures of a set and language, all systems in each; one that has nothing to show is left out."""
    figures = (
        _show_groups(f"{name}-g", series),
        _show_confusion(f"{name}-c", series),
        _show_causes(f"{name}-e", series),
        _show_occupations(f"{name}-o", series),
        quality_figure(f"{name}-q", series),
    )
    return [figure for figure in figures if figure and figure.numbers.rows]


def make_grid(header: Sequence[str], rows: Iterable[tuple[Cell, ...]]) -> Table:
    """A table of a page: its first two columns are words, the others numbers."""
    columns = (Column(title, title, wraps=index < 2) for index, title in enumerate(header))
    return Table("", tuple(columns), tuple(rows))


def tabulate(rows: Iterable[Row], headings: Mapping[str, str], leads: str = "") -> Table:
    """What rows hold of the columns that have a heading; the column ``leads`` links to the sentences that it counts."""
    cells = (
        tuple(Link(_format(row[name]), row["link"]) if name == leads else _format(row[name]) for name in headings)
        for row in rows
    )
    return make_grid(tuple(headings.values()), cells)


def _format(value: str | float | None) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else number(value)


def drawn(chart: Spec, name: str) -> str:
    """A chart as SVG, or nothing where the extra for charts is not installed; its numbers stand beside it anyway."""
    try:
        need_charts()
    except MissingExtraError:
        return ""
    return svg(chart, name)


def _start_row(system: Series, name: str, rate: Measure | None = None) -> Row:
    """What rows have in common: whose they are, and a rate with its interval."""
    row: Row = {"name": charts.wrapped(name), "by": system.name, "system": system.label}
    if rate:
        row |= {"value": rate.value, "low": rate.low, "high": rate.high, "n": rate.n, "count": rate.count}
    return row


def _show_groups(name: str, series: Sequence[Series]) -> Figure:
    words, rows, corrected = page_words(series[0].result.set), list[Row](), list[Row]()
    for system in series:
        for rate in words.main_rates(system.result):
            group = words.describe(rate.group)
            undetected = "" if rate.undetected is None else rate.undetected
            row = {**_start_row(system, group, rate), "group": group, "undetected": undetected}
            row |= {"corrected": "", "ends": "", "link": filters.link_counted(system, rate)}
            if fixed := rate.corrected:
                row |= {"corrected": number(fixed.value), "ends": f"{number(fixed.low)} to {number(fixed.high)}"}
                corrected.append({**row, **fixed._asdict()})
            rows.append(row)
    beside = " Ticks and dashed lines are rates corrected by review." if corrected else ""
    axis = words.axis or f"{words.main or 'rate'}, % of {series[0].result.counted}"
    colours = charts.name_colours([system.name for system in series])
    headings = {"group": "group", "system": "system", "value": "%", "low": "low", "high": "high"}
    headings |= {"corrected": "corrected", "ends": "its CI"} if corrected else {}
    return Figure(
        "By group",
        f"{words.rates} Lines are 95 % confidence intervals.{beside}",
        drawn(charts.point_chart(rows, colours, axis, corrected=corrected), name),
        tabulate(rows, {**headings, "n": "n", "undetected": "undetected"}, leads="value"),
    )


def _show_confusion(name: str, series: Sequence[Series]) -> Figure:
    rows = [row for system in series for row in confusion_rows(system)]
    counted = series[0].result.counted
    systems, sources, reads = [system.name for system in series], list(EXPECTED.values()), list(READ.values())
    headings = {"expected": "source", "system": "system", "read": "translation", "count": counted, "n": "of"}
    return Figure(
        "Gender in the source and in the translation",
        f"Each row holds all {counted} about a person of that gender; columns are the gender of the translation.",
        drawn(charts.confusion_chart(rows, systems, sources, reads), name),
        tabulate(rows, {**headings, "text": "share"}, leads="count"),
    )


def confusion_rows(system: Series) -> Iterator[Row]:
    """What was read for each expected gender, as counts and as shares of the sentences that expect it."""
    for expected, word in EXPECTED.items():
        for read in Gender:
            if rate := system.breakdown.find("read", f"{expected or NOT_STATED} as {read}"):
                link = filters.link(system, expected=expected.value if expected else "", read=read.value)
                shown = {"expected": word, "read": READ[read], "share": rate.value, "text": f"{rate.value:.0f} %"}
                yield {**_start_row(system, word, rate), **shown, "link": link}


def _show_causes(name: str, series: Sequence[Series]) -> Figure | None:
    rows = []
    for system in series:
        for rate in system.result.measures:
            if rate.name in ORIGINS and rate.n:
                group = _WITH_ERRORS.get(rate.group) or describe_voice(rate.group) or rate.group
                row = {**_start_row(system, group, rate), "group": group, "origin": ORIGINS[rate.name]}
                bar = f"{group}\n{system.name}" if len(series) > 1 else group
                rows.append({**row, "name": bar, "order": list(ORIGINS).index(rate.name)})
    headings = {"group": "group", "system": "system", "origin": "from", "count": "errors", "n": "of", "value": "%"}
    if not rows:
        return None
    return Figure(
        "Where errors come from",
        "Recognition: the words that tell the gender were lost before the translation, which has the sentence itself "
        "right. Translation: they were not lost. Both: lost, and the sentence itself is translated wrong.",
        drawn(charts.cause_chart(rows, list(ORIGINS.values())), name),
        tabulate(rows, {**headings, "low": "low", "high": "high"}),
    )


def rank_occupations(series: Sequence[Series], genders: Sequence[Gender] = tuple(DIRECTIONS)) -> list[str]:
    """Occupations by how often they are surely misgendered: the lower ends of their intervals, the mean over systems.

    None where no occupation is ever misgendered.
    """
    least: dict[str, list[float]] = {}
    wrong = 0
    for system in series:
        for name, both in system.occupations.items():
            rates = [rate for gender, rate in both.items() if gender in genders]
            wrong += sum(rate.count or 0 for rate in rates)
            if rates:
                least.setdefault(name, []).append(max(rate.low or 0.0 for rate in rates))
    return sorted(least, key=lambda name: (-sum(least[name]) / len(least[name]), name)) if wrong else []


def _show_occupations(name: str, series: Sequence[Series]) -> Figure | None:
    ranked = rank_occupations(series)
    if not ranked:
        return None
    first = f"The first {MOST} of {len(ranked)} are drawn. " if len(ranked) > MOST else ""
    each_gender = ("%", "95 % CI", "of")
    header = [f"{words}, %" if head == "%" else head for words in DIRECTIONS.values() for head in each_gender]
    rows = [
        (occupation, system.label, *(cell for gender in DIRECTIONS for cell in _list_cells(system, occupation, gender)))
        for occupation in ranked
        for system in series
        if occupation in system.occupations
    ]
    return Figure(
        "Occupations that are misgendered most",
        f"Women misgendered among the women of an occupation, men misgendered among its men. {first}The thin lines are "
        "95 % confidence intervals. Sorted by the lower end of the interval.",
        drawn(_draw_occupations(series, ranked), name),
        make_grid(("occupation", "system", *header), rows),
    )


def _draw_occupations(series: Sequence[Series], ranked: Sequence[str]) -> Spec:
    """Women and men, each over their own sentences; of several systems a chart for each."""
    if len(series) == 1:
        rows = [
            {**row, "by": words}
            for occupation in ranked[:MOST]
            for gender, words in DIRECTIONS.items()
            for row in _list_rates(series, [occupation], gender)
        ]
        colours = dict(zip(DIRECTIONS.values(), (WOMEN, MEN), strict=True))
        return charts.point_chart(rows, colours, "women, men misgendered, %")
    colours = charts.name_colours([system.name for system in series])
    parts = []
    for gender, words in DIRECTIONS.items():
        if rows := list(_list_rates(series, rank_occupations(series, (gender,))[:MOST], gender)):
            parts.append(charts.point_chart(rows, colours, f"{words}, %"))
    return {"vconcat": parts, "spacing": 18, "resolve": {"scale": {"color": "shared", "shape": "shared"}}}


def _list_rates(series: Sequence[Series], occupations: Sequence[str], gender: Gender) -> Iterator[Row]:
    for occupation in occupations:
        for system in series:
            if rate := system.occupations.get(occupation, {}).get(gender):
                yield {**_start_row(system, occupation, rate), "link": _link_occupation(system, occupation, gender)}


def _list_cells(system: Series, occupation: str, gender: Gender) -> tuple[Cell, Cell, Cell]:
    rate = system.occupations[occupation].get(gender)
    if rate is None:
        return "–", "", "0"
    link = Link(number(rate.value), _link_occupation(system, occupation, gender))
    return link, f"{number(rate.low)} to {number(rate.high)}", f"{rate.n:,}"


def _link_occupation(system: Series, occupation: str, gender: Gender) -> str:
    return filters.link(system, person=occupation, expected=gender.value, read=OPPOSITE[gender].value)


def quality_figure(name: str, series: Sequence[Series]) -> Figure | None:
    """Quality against misgendering, of all systems that have both; None where fewer than two do."""
    rows, unit = quality_rows(series)
    if not rows:
        return None
    headings = {"system": "system", "score": unit, "score_low": "low", "score_high": "high", "value": "misgendered, %"}
    return Figure(
        "Quality and misgendering",
        f"Each point is a system: the higher, the nearer to the references ({unit}); the further to the left, the "
        "fewer people are misgendered. Lines are 95 % confidence intervals. The axes do not begin at 0.",
        drawn(charts.quality_chart(rows, unit), name),
        tabulate(rows, {**headings, "low": "low", "high": "high", "n": "sentences", "undetected": "undetected"}),
    )


def quality_rows(series: Sequence[Series]) -> tuple[list[Row], str]:
    """For each system its score by the first metric that two have, and how often it misgenders; the fewest first."""
    for metric in METRICS:
        rows, unit = list[Row](), ""
        for system in series:
            scores = {measure.name: measure for measure in reversed(system.result.measures) if measure.group == "all"}
            score, rate = scores.get(metric), system.misgendered()
            if score and score.value is not None and rate:
                ends = {"score": score.value, "score_low": score.low, "score_high": score.high}
                row = {**_start_row(system, system.name, rate.measure), **ends, "system": system.name}
                rows.append({**row, "n": score.n, "undetected": rate.undetected})
                unit = score.unit
        if len(rows) > 1:
            return sorted(rows, key=lambda row: (row["value"], row["system"])), unit
    return [], ""


def trends(series: Sequence[Series]) -> list[Figure]:
    """The rates of each system that was run on several days, by the day that it translated or was run."""
    by_system: dict[tuple[str, str], list[Series]] = {}
    for run in series:
        if run.day:
            system = run.result.source.system if run.result.source else run.result.system
            by_system.setdefault((run.result.set, system), []).append(run)
    figures = []
    for index, ((name, system), runs) in enumerate(by_system.items()):
        repeated = [run for run in runs if len({other.day for other in runs if other.into == run.into}) > 1]
        repeated.sort(key=lambda run: (run.into, run.day))
        bars: list[Bar] = [(f"{run.into}, {run.day}", filters.link_rates(run)) for run in repeated]
        title = f"{visible(system)[:LABEL]} over time, {visible(name)}"
        is_open = all(run.is_open for run in repeated)
        figures.append(rate_figure(f"trend-{index}", title, bars, is_open, most=len(bars)))
    return [figure for figure in figures if figure]


def rate_figure(name: str, title: str, bars: Sequence[Bar], is_open: bool, most: int = MOST) -> Figure | None:
    """Rates of women and of men under each name, with their intervals; the first so many are drawn."""
    bars = [bar for bar in bars if any(bar[1])]
    if not bars:
        return None
    kinds = ("masculine", "feminine") if is_open else tuple(DIRECTIONS.values())
    rows: list[Row] = []
    for index, (label, rates) in enumerate(bars):
        for kind, (claim, link) in ((kind, rate) for kind, rate in zip(kinds, rates, strict=False) if rate):
            low, high = claim.interval or (None, None)
            row = {"name": charts.wrapped(label, 24), "by": kind, "label": label, "is_drawn": index < most}
            row |= {"value": claim.value, "low": low, "high": high}
            rows.append({**row, "n": claim.n, "undetected": claim.undetected, "link": link})
    first = f" The first {most} of {len(bars)}." if len(bars) > most else ""
    if any(label.endswith(DOUBT) for label, _ in bars):
        first += f" {DOUBT}: gender not detected for more than 5 % of them in a language, so not ranked."
    people = "all" if is_open else " and of ".join(f"the {kind.split()[0]}" for kind in kinds if _has(rows, kind))
    colours = dict(zip(kinds, (MEN, WOMEN) if is_open else (WOMEN, MEN), strict=True))
    axis = "% of all, 95 % CI" if is_open else "% misgendered, 95 % CI"
    points = [{**row, **_close(row)} for row in rows if row["is_drawn"]]
    headings = {"label": "", "by": "", "value": "%", "low": "low", "high": "high", "n": "n"}
    return Figure(
        title,
        f"Per cent of {people} in the source, with 95 % confidence intervals.{first}",
        drawn(charts.point_chart(points, colours, axis, width=WIDTH + 40), name),
        tabulate(rows, {**headings, "undetected": "undetected"}, leads="value"),
    )


def _close(row: Row) -> Row:
    """What a chart draws of a rate: without its link, and no longer than a point where there is no interval."""
    ends = {name: row["value"] if row[name] is None else row[name] for name in ("low", "high")}
    return {**ends, "link": ""}


def _has(rows: Iterable[Row], kind: str) -> bool:
    return any(row["by"] == kind for row in rows)
