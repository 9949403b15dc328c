"""The first screen of a page beside its headline: three sentences that contrast, and one chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epicene.measures.claims import Claim
from epicene.output.charts.page import LABEL, Series, point_chart, wrapped
from epicene.output.charts.vega import MEN, WIDTH, WOMEN, Spec
from epicene.output.page.figures import Cell, Figure, Grid, Link, clean, drawn
from epicene.output.page.filters import link_rates, outcome
from epicene.output.page.sentences import Row, row
from epicene.output.page.standings import Field, Standing
from epicene.output.table import format_number as number
from epicene.text import visible
from epicene.types import Gender, Verdict

MOST = 20  # rows of the chart; the table below it has all
DOUBT = "⚠"
_SHORT = 160  # characters of a sentence that can be read at a glance

Bar = tuple[str, tuple[tuple[Claim, str] | None, ...]]  # a name, and the rates of women and men with their links


def contrast(series: Sequence[Series]) -> list[Row]:
    """A woman who is misgendered, a man of the same occupation who is not, and a woman who is not, of one result.

    Where no gender is stated: a masculine, a feminine and a neutral translation.
    """
    one = next((one for one in series if one.result.verdicts), None)
    if one is None:
        return []
    verdicts = [verdict for verdict in one.result.verdicts if len(verdict.output.text) <= _SHORT]
    chosen: list[Verdict] = []
    for is_wanted, same_person in _OPEN if one.is_open else _STATED:
        fitting = [verdict for verdict in verdicts if is_wanted(verdict) and verdict not in chosen]
        known = {_person(verdict) for verdict in chosen}
        fitting.sort(key=lambda verdict: (_person(verdict) in known) is not same_person)
        if fitting:
            chosen.append(fitting[0 if chosen else len(fitting) // 2])  # the first sentences of a set are alike
    return [row(one, verdict) for verdict in chosen]


def _came_out(expected: Gender, how: str) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.output.item.expected is expected and outcome(verdict) == how


def _is_read(gender: Gender) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.gender is gender


# What each example shows, and whether it is rather of a person whom the ones before are of.
_STATED = (
    (_came_out(Gender.FEMININE, "wrong"), False),
    (_came_out(Gender.MASCULINE, "right"), True),
    (_came_out(Gender.FEMININE, "right"), False),
)
_OPEN = ((_is_read(Gender.MASCULINE), False), (_is_read(Gender.FEMININE), False), (_is_read(Gender.NEUTRAL), False))


def _person(verdict: Verdict) -> str:
    return verdict.output.item.labels.get("occupation") or verdict.output.item.person.concept


def main_figure(tables: Sequence[Standing], series: Sequence[Series]) -> Figure | None:
    """The rates of the headline: every system of the first comparison, or every result."""
    table = tables[0] if tables else None
    bars = _compared(table) if table else _by_result(series)
    is_open = table.open if table else all(one.is_open for one in series)
    means = table is not None and len(table.languages) > 1 and not is_open
    where = f", mean of {len(table.languages)} languages" if means and table else ""
    what = "Which gender the translation uses" if is_open else "Who is misgendered"
    return rate_figure("first", f"{what}{where}", bars, is_open)


def trends(series: Sequence[Series]) -> list[Figure]:
    """The rates of each system that was run on several days, by the day that it translated or was run."""
    by_system: dict[tuple[str, str], list[Series]] = {}
    for one in series:
        if one.day:
            system = one.result.source.system if one.result.source else one.result.system
            by_system.setdefault((one.result.set, system), []).append(one)
    figures = []
    for number_of, ((name, system), runs) in enumerate(by_system.items()):
        repeated = [one for one in runs if len({other.day for other in runs if other.into == one.into}) > 1]
        repeated.sort(key=lambda one: (one.into, one.day))
        bars: list[Bar] = [(f"{one.into}, {one.day}", link_rates(one)) for one in repeated]
        title = f"{visible(system)[:LABEL]} over time, {visible(name)}"
        is_open = all(one.is_open for one in repeated)
        if figure := rate_figure(f"trend-{number_of}", title, bars, is_open, most=len(bars)):
            figures.append(figure)
    return figures


def rate_figure(name: str, title: str, bars: Sequence[Bar], is_open: bool, most: int = MOST) -> Figure | None:
    """Rates of women and of men under each name, with their intervals; the first so many are drawn."""
    bars = [bar for bar in bars if any(bar[1])]
    if not bars:
        return None
    kinds = ("masculine", "feminine") if is_open else ("women misgendered", "men misgendered")
    rows: list[tuple[Cell, ...]] = [
        (label, kind, Link(number(claim.value), link), *map(number, claim.interval or (None, None)), f"{claim.n:,}",
         f"{claim.undetected:,}")
        for label, rates in bars
        for kind, rate in zip(kinds, rates, strict=False)
        if rate
        for claim, link in [rate]
    ]  # fmt: skip
    first = f" The first {most} of {len(bars)}." if len(bars) > most else ""
    if any(label.endswith(DOUBT) for label, _ in bars):
        first += f" {DOUBT}: gender not detected for more than 5 % of them in a language, so not ranked."
    shown = [kind.partition(" ")[0] for kind in kinds if any(row[1] == kind for row in rows)]
    people = "all" if is_open else " and of ".join(f"the {kind}" for kind in shown)
    return Figure(
        title,
        f"Per cent of {people} in the source, with 95 % confidence intervals.{first}",
        drawn(_chart(bars[:most], kinds, is_open), name),
        Grid(("", "", "%", "low", "high", "n", "undetected"), clean(rows)),
    )


def _compared(table: Standing) -> list[Bar]:
    """Each system's means; in one language, its rates of women and of men."""
    bars: list[Bar] = []
    for system in table.rows:
        if len(table.languages) > 1 and not table.open:
            fields: tuple[Field | None, ...] = (system.mean,)
        else:
            fields = (system.women[0], system.men[0])
        is_doubtful = not table.open and any(field and not field.rank for field in fields)
        name = f"{system.system} {DOUBT}" if is_doubtful else system.system
        bars.append((name, tuple((field.claim, field.link) if field else None for field in fields)))
    return bars


def _by_result(series: Sequence[Series]) -> list[Bar]:
    several_systems, several_sets = len({one.label for one in series}) > 1, len({one.result.set for one in series}) > 1
    bars: list[Bar] = []
    for one in series:
        parts = [one.label] * several_systems + [one.into] + [visible(one.result.set)] * several_sets
        bars.append((", ".join(parts), link_rates(one)))
    return bars


def _chart(bars: Sequence[Bar], kinds: Sequence[str], is_open: bool) -> Spec:
    rows = [
        {"name": wrapped(name, 24), "by": kind, "value": claim.value, "low": low, "high": high}
        for name, rates in bars
        for kind, rate in zip(kinds, rates, strict=False)
        if rate
        for claim in [rate[0]]
        for low, high in [claim.interval or (claim.value, claim.value)]
    ]
    colours = dict(zip(kinds, (MEN, WOMEN) if is_open else (WOMEN, MEN), strict=True))
    title = "% of all, 95 % CI" if is_open else "% misgendered, 95 % CI"
    return point_chart(rows, colours, title, width=WIDTH + 40)
