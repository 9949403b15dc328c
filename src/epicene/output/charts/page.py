"""The charts of a report: groups, occupations, stereotype and confusion, each for several systems at once."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from epicene.output.charts.labels import told_apart
from epicene.output.charts.vega import COLOURS, SERIES, SHAPES, WIDTH
from epicene.output.counts import Cells, Counts, Rate, misgendered, share_feminine
from epicene.output.families import Family
from epicene.output.text import shown
from epicene.result import Result
from epicene.tables import table
from epicene.types import Gender

OCCUPATIONS = 20  # ranked in a chart; the table beside it has them all
ENOUGH = 20  # sentences of an occupation, for a point in the chart of stereotypes
LABEL = 60  # characters of a name from outside
MISGENDERED = "written with the wrong gender, %"
DIRECTIONS = {Gender.FEMININE: "women written as men", Gender.MASCULINE: "men written as women"}
_TICKS = [0, 25, 50, 75, 100]
_PER_CENT = {"domain": [0, 100], "nice": False}
_NAMES = {
    "ticks": False,
    "domain": False,
    "grid": False,
    "labelPadding": 9,  # a point at nought is as wide as that
    "labelExpr": "split(datum.label, '\\n')",
    "labelLineHeight": 15,
}
READ = {
    Gender.FEMININE: "a woman",
    Gender.MASCULINE: "a man",
    Gender.NEUTRAL: "no gender",
    Gender.UNKNOWN: "unread",
}
EXPECTED = {Gender.FEMININE: "woman", Gender.MASCULINE: "man", Gender.NEUTRAL: "neither", None: "not stated"}


@dataclass(frozen=True, slots=True)
class Series:
    """One system's result in a panel."""

    label: str
    result: Result
    counts: Counts
    into: str  # the target language, or both languages where a page has several sources

    @property
    def name(self) -> str:
        """The label as a chart can hold it."""
        text = shown(self.label)
        return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def group_chart(family: Family, series: Sequence[Series]) -> Any:
    """The main rate of each group with its interval."""
    rows = [
        {
            "group": _lines(family.words(rate.group)),
            "system": each.name,
            "value": rate.value,
            "low": rate.low,
            "high": rate.high,
        }
        for each in series
        for rate in family.main_rates(each.result)
    ]
    return _points(rows, "group", family.axis or f"{family.main or 'rate'}, % of sentences", series)


def _lines(text: str) -> str:
    """A label from outside, broken into lines so that the plot keeps its room on a phone."""
    return "\n".join(textwrap.wrap(shown(text)[:LABEL].replace("/", " / "), 17, break_long_words=True)) or " "


def occupation_rates(each: Series) -> dict[str, Rate]:
    """How often each occupation is misgendered."""
    found = {name: misgendered(cells) for name, cells in each.counts.occupations.items()}
    return {name: rate for name, rate in found.items() if rate}


def ranked(series: Sequence[Series]) -> list[str]:
    """Occupations by how often they are surely misgendered: the lower ends of their intervals over all systems.

    None where no occupation is ever misgendered.
    """
    least: dict[str, list[float]] = {}
    for each in series:
        for name, rate in occupation_rates(each).items():
            least.setdefault(name, []).append(rate.over_sentences[0])
    if not any(rate.count for each in series for rate in occupation_rates(each).values()):
        return []
    return sorted(least, key=lambda name: (-sum(least[name]) / len(least[name]), name))


def occupation_chart(series: Sequence[Series]) -> Any:
    """The occupations that are misgendered most often; of one system also in which direction."""
    wanted = ranked(series)[:OCCUPATIONS]
    if len(series) == 1:
        return _directions(series[0], wanted)
    rows = []
    for each in series:
        rates = occupation_rates(each)
        for name in wanted:
            if name in rates:
                low, high = rates[name].over_sentences
                row = {"occupation": _lines(name), "system": each.name, "value": rates[name].value}
                rows.append({**row, "low": low, "high": high})
    return _points(rows, "occupation", MISGENDERED, series)


def direction_shares(cells: Cells) -> dict[str, float]:
    """Women written as men and men written as women, in per cent of the sentences about either; they add up."""
    whole = misgendered(cells)
    parts = {words: misgendered(cells, (gender,)) for gender, words in DIRECTIONS.items()}
    return {words: 100 * part.count / whole.n if whole and part else 0.0 for words, part in parts.items()}


def _directions(each: Series, wanted: Sequence[str]) -> Any:
    """A bar for each occupation: women written as men, filled, and men written as women, outlined."""
    import altair as alt

    bars: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for name in wanted:
        low, high = occupation_rates(each)[name].over_sentences
        ends.append({"occupation": _lines(name), "low": low, "high": high})
        shares = direction_shares(each.counts.occupations[name])
        bars += [{"occupation": _lines(name), "kind": kind, "share": share} for kind, share in shares.items()]
    kinds = list(DIRECTIONS.values())
    fills = alt.Scale(domain=kinds, range=[COLOURS[0], "var(--card)"])
    edges = alt.Scale(domain=kinds, range=list(COLOURS[:2]))
    lines = max(row["occupation"].count("\n") + 1 for row in ends)
    base = alt.Chart(alt.Data(values=bars), width=WIDTH, height={"step": 10 + 16 * lines})
    y = alt.Y("occupation:N", sort=None, title=None, axis=_NAMES)
    drawn = base.mark_bar(size=11, strokeWidth=1, fillOpacity=0.5).encode(
        y=y,
        x=alt.X("share:Q", scale=_PER_CENT, title=MISGENDERED, axis=alt.Axis(values=_TICKS)),
        fill=alt.Fill("kind:N", scale=fills, legend=alt.Legend()),
        stroke=alt.Stroke("kind:N", scale=edges, legend=alt.Legend()),
        order=alt.Order("kind:N", sort="descending"),
    )
    rules = alt.Chart(alt.Data(values=ends)).mark_rule(strokeWidth=1.5, color="var(--ink)")
    return drawn + rules.encode(y=y, x=alt.X("low:Q", scale=_PER_CENT), x2="high:Q")


def _points(rows: list[dict[str, Any]], name: str, title: str, series: Sequence[Series]) -> Any:
    """Points with their intervals, one line for each name and, within it, for each system."""
    import altair as alt

    lines = max((row[name].count("\n") + 1 for row in rows), default=1)
    step = max(10 + 16 * lines, 13 * len(series) + 10)
    encoding = {
        "y": alt.Y(f"{name}:N", sort=None, title=None, axis=_NAMES),
        "color": _colour(series),
    }
    if len(series) > 1:
        encoding["yOffset"] = alt.YOffset("system:N", sort=None)
    base = alt.Chart(alt.Data(values=rows), width=WIDTH, height={"step": step / max(1, len(series))})
    x = alt.X("low:Q", scale=_PER_CENT, title=title, axis=alt.Axis(values=_TICKS))
    bars = base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=x, x2="high:Q", **encoding)
    points = base.mark_point(filled=True, size=64, opacity=1).encode(
        x=alt.X("value:Q", scale=_PER_CENT), shape=_shape(series), **encoding
    )
    return bars + points


def stereotype_rows(each: Series) -> list[dict[str, Any]]:
    """By occupation: women among US workers, women in the sources and in the translations, in per cent."""
    workers = {row["concept"]: float(row["women"]) for row in table("us_women.tsv")}
    rows = []
    for name, cells in each.counts.occupations.items():
        written = share_feminine(cells)
        if name in workers and written and written.n >= ENOUGH:
            row = {"occupation": name, "workers": workers[name], "written": written.value, "n": written.n}
            rows.append({**row, "system": each.name})
    return rows


def stereotype_chart(series: Sequence[Series]) -> Any:
    """Women in the translations against women among workers: flat if the translator follows the sentence."""
    import altair as alt

    rows = [row for each in series for row in stereotype_rows(each)]
    axis = alt.Axis(values=_TICKS)
    x = alt.X("workers:Q", scale=_PER_CENT, axis=axis, title="women among workers in the USA, %")
    y = alt.Y("written:Q", scale=_PER_CENT, axis=axis, title="women in the translations, %")
    base = alt.Chart(alt.Data(values=rows), width=WIDTH, height=WIDTH).encode(x=x, y=y)
    layers = base.mark_point(filled=True, size=48, opacity=0.8).encode(color=_colour(series), shape=_shape(series))
    stated = source_share(series)
    for label in told_apart(stereotype_rows(series[0]), rows, stated):
        at = alt.Chart(alt.Data(values=[label.row])).encode(x=x, y=y, text="occupation:N")
        layers += at.mark_text(align=label.align, dx=label.dx, dy=label.dy, fontSize=12, color="var(--muted)")
    if stated is not None:
        line = alt.Chart(alt.Data(values=[{"written": stated}])).encode(y=y)
        layers += line.mark_rule(strokeDash=[5, 4], color="var(--ink)")
    return layers


def source_share(series: Sequence[Series]) -> float | None:
    """Women among the people whose gender the sources state, in per cent."""
    cells = series[0].counts.cells
    stated = {gender: sum(number for (gold, _), number in cells.items() if gold is gender) for gender in Gender}
    both = stated[Gender.FEMININE] + stated[Gender.MASCULINE]
    return 100 * stated[Gender.FEMININE] / both if both else None


def confusion_rows(counts: Counts) -> list[dict[str, Any]]:
    """What was read for each expected gender, as counts and as shares of the sentences that expect it."""
    rows = []
    for expected, word in EXPECTED.items():
        n = sum(number for (gold, _), number in counts.cells.items() if gold is expected)
        for read in Gender if n else ():
            number = counts.cells[expected, read]
            row = {"expected": word, "read": READ[read], "count": number, "n": n, "share": number / n}
            rows.append({**row, "text": f"{100 * number / n:.0f} %"})
    return rows


def confusion_chart(series: Sequence[Series]) -> Any:
    """What was read for each expected gender, in per cent of the sentences that expect it."""
    import altair as alt

    found = []
    for each in series:
        base = alt.Chart(alt.Data(values=confusion_rows(each.counts)), width=WIDTH + 70, height={"step": 38}).encode(
            x=alt.X("read:N", sort=list(READ.values()), title="translation",
                    axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False)),
            y=alt.Y("expected:N", sort=list(EXPECTED.values()), title="sentence",
                    axis=alt.Axis(ticks=False, domain=False, titlePadding=18)),
        )  # fmt: skip
        # Shades end where text can still be read on them.
        opacity = alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 0.5]), legend=None)
        cells = base.mark_rect(color="var(--accent)", stroke="var(--line)").encode(opacity=opacity)
        chart = cells + base.mark_text(fontSize=13).encode(text="text:N")
        found.append(chart.properties(title=each.name) if len(series) > 1 else chart)
    return alt.vconcat(*found, spacing=14) if len(found) > 1 else found[0]


def _colour(series: Sequence[Series]) -> Any:
    import altair as alt

    scale = alt.Scale(domain=[each.name for each in series], range=list(COLOURS[: len(series)]))
    return alt.Color("system:N", scale=scale, legend=alt.Legend() if len(series) > 1 else None)


def _shape(series: Sequence[Series]) -> Any:
    import altair as alt

    scale = alt.Scale(domain=[each.name for each in series], range=list(SHAPES[: len(series)]))
    return alt.Shape("system:N", scale=scale, legend=alt.Legend() if len(series) > 1 else None)


def drawable(series: Sequence[Series]) -> Sequence[Series]:
    """As many systems as a chart can show."""
    return series[:SERIES]
