"""The charts of a report: groups, occupations, stereotype and confusion, each for several systems at once."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from epicene.measures.breakdown import MISGENDERED, NOT_STATED, Breakdown
from epicene.measures.claims import Claim, claim
from epicene.measures.rates import OPPOSITE
from epicene.output.charts.labels import told_apart
from epicene.output.charts.vega import (
    COLOURS,
    INK,
    LINE,
    MEN,
    MUTED,
    SHAPES,
    WIDTH,
    WOMEN,
    Spec,
    layered,
    mark,
    nominal,
    quantitative,
)
from epicene.output.page import filters
from epicene.result import Result
from epicene.sets.about import PageWords
from epicene.tables import table
from epicene.text import visible
from epicene.types import Gender, Measure

OCCUPATIONS = 20  # ranked in a chart; the table beside it has them all
ENOUGH = 20  # sentences of an occupation, for a point in the chart of stereotypes
LABEL = 60  # characters of a name from outside
GROUPS = {Gender.FEMININE: "female", Gender.MASCULINE: "male"}  # of who is misgendered
DIRECTIONS = {Gender.FEMININE: "women misgendered", Gender.MASCULINE: "men misgendered"}
BY_GENDER = {"women misgendered": WOMEN, "men misgendered": MEN}
TICKS = [0, 25, 50, 75, 100]
PER_CENT = {"domain": [0, 100], "nice": False}
NAMES = {
    "ticks": False,
    "domain": False,
    "grid": False,
    "labelPadding": 9,  # a point at nought is as wide as that
    "labelExpr": "split(datum.label, '\\n')",
    "labelLineHeight": 15,
}
READ = {
    Gender.FEMININE: "feminine",
    Gender.MASCULINE: "masculine",
    Gender.NEUTRAL: "neutral",
    Gender.UNKNOWN: "undetected",
}
EXPECTED = {Gender.FEMININE: "woman", Gender.MASCULINE: "man", Gender.NEUTRAL: "singular “they”", None: NOT_STATED}


@dataclass(frozen=True)
class Series:
    """One system's result in a panel."""

    label: str
    result: Result
    into: str  # the target language, or both languages where a page has several sources
    tallies: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # by group, filter and value
    linked: bool = True  # whether the page has its sentences, so that numbers can lead to them

    @cached_property
    def breakdown(self) -> Breakdown:
        """What was read where each gender is stated."""
        return Breakdown(self.result.verdicts)

    def misgendered(self, gender: Gender | None = None) -> Claim | None:
        """How often people of a gender, or all, are misgendered."""
        return claim(self.result, "misgendered", GROUPS[gender] if gender else "all")

    def share(self, gender: Gender) -> Claim | None:
        """How often a gender was read, where nobody's is stated."""
        return claim(self.result, "share", gender)

    @property
    def hides(self) -> bool:
        """Whether too few genders were detected to go by the rates of women or of men."""
        return any(claim.hides for claim in self.claims if claim)

    @property
    def claims(self) -> tuple[Claim | None, Claim | None]:
        """Women misgendered and men misgendered; where nobody's gender is stated, masculine and feminine."""
        women, men = (self.misgendered(gender) for gender in GROUPS)
        return (women, men) if women or men else (self.share(Gender.MASCULINE), self.share(Gender.FEMININE))

    @property
    def is_open(self) -> bool:
        """Whether nobody's gender is stated."""
        return not any(self.misgendered(gender) for gender in GROUPS)

    @property
    def day(self) -> str:
        """When it was translated, or else when it was run; nothing where neither is known."""
        if self.result.translated:
            return self.result.translated.last
        return self.result.source.day if self.result.source else ""

    @property
    def name(self) -> str:
        """The label as a chart can hold it."""
        text = visible(self.label)
        return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def group_chart(family: PageWords, series: Sequence[Series]) -> Spec:
    """The main rate of each group with its interval, and beside it what it is once corrected for errors of reading."""
    rows, corrected = [], []
    for each in series:
        for rate in family.main_rates(each.result):
            row = {"name": wrapped(family.describe(rate.group)), "by": each.name}
            rows.append({**row, **_ends(rate), **_linked(filters.link_counted(each, rate))})
            if rate.corrected:
                corrected.append({**row, **rate.corrected._asdict()})
    axis = family.axis or f"{family.main or 'rate'}, % of {series[0].result.counted}"
    return point_chart(rows, _colours(series), axis, corrected=corrected)


def _ends(rate: Measure) -> dict[str, Any]:
    return {"value": rate.value, "low": rate.low, "high": rate.high}


def _linked(address: str) -> dict[str, str]:
    return {"link": address} if address else {}


def wrapped(text: str, width: int = 17) -> str:
    """A label from outside, broken into lines so that the plot keeps its room on a phone."""
    return "\n".join(textwrap.wrap(visible(text)[:LABEL].replace("/", " / "), width, break_long_words=True)) or " "


Both = dict[Gender, Measure]  # who is misgendered, by the gender that the source states


def occupation_rates(each: Series) -> dict[str, Both]:
    """How often each occupation is misgendered: women among the women, men among the men."""
    found: dict[str, Both] = {}
    for name in each.breakdown.occupations:
        both = {gender: rate for gender, kind in MISGENDERED.items() if (rate := each.breakdown.find(kind, name))}
        if both:
            found[name] = both
    return found


def ranked(series: Sequence[Series], genders: Sequence[Gender] = tuple(DIRECTIONS)) -> list[str]:
    """Occupations by how often they are surely misgendered: the lower ends of their intervals, the mean over systems.

    None where no occupation is ever misgendered.
    """
    least: dict[str, list[float]] = {}
    wrong = 0
    for each in series:
        for name, both in occupation_rates(each).items():
            own = [rate for gender, rate in both.items() if gender in genders]
            wrong += sum(rate.count or 0 for rate in own)
            if own:
                least.setdefault(name, []).append(max(rate.low or 0.0 for rate in own))
    return sorted(least, key=lambda name: (-sum(least[name]) / len(least[name]), name)) if wrong else []


def occupation_chart(series: Sequence[Series]) -> Spec:
    """The occupations that are misgendered most often: women and men, each over their own sentences."""
    if len(series) == 1:
        rows = _occupation_rows(series[0], ranked(series)[:OCCUPATIONS], DIRECTIONS)
        rows = [{**row, "by": row["kind"]} for row in rows]
        return point_chart(rows, BY_GENDER, "women, men misgendered, %")
    charts = []
    for gender, words in DIRECTIONS.items():
        wanted = ranked(series, (gender,))[:OCCUPATIONS]
        rows = [row for each in series for row in _occupation_rows(each, wanted, (gender,))]
        rows.sort(key=lambda row: wanted.index(row["occupation"]))
        if rows:
            charts.append(point_chart(rows, _colours(series), f"{words}, %"))
    return {"vconcat": charts, "spacing": 18, "resolve": {"scale": {"color": "shared", "shape": "shared"}}}


def _occupation_rows(each: Series, wanted: Sequence[str], genders: Iterable[Gender]) -> list[dict[str, Any]]:
    rates = occupation_rates(each)
    return [
        {"name": wrapped(name), "occupation": name, "by": each.name, "kind": DIRECTIONS[gender], **_ends(rate),
         **_linked(filters.link(each, person=name, expected=gender.value, read=OPPOSITE[gender].value))}
        for name in wanted
        for gender in genders
        if (rate := rates.get(name, {}).get(gender))
    ]  # fmt: skip


def point_chart(
    rows: Sequence[dict[str, Any]],
    colours: Mapping[str, str],
    title: str,
    width: int = WIDTH,
    corrected: Sequence[dict[str, Any]] = (),
) -> Spec:
    """Points with their intervals: a line for each name and, in it, for each system or gender, called ``by``.

    Corrected rates are ticks with dashed intervals.
    """
    shown = [key for key in colours if any(row["by"] == key for row in rows)]
    lines = max((row["name"].count("\n") + 1 for row in rows), default=1)
    step = max(6 + 15 * lines, 14 * len(shown) + 2) / max(1, len(shown))
    legend: Spec | None = {} if len(colours) > 1 else None
    colour = {"domain": shown, "range": [colours[key] for key in shown]}
    shape = {"domain": shown, "range": SHAPES[: len(shown)]}
    line = {
        "y": nominal("name", sort=None, title=None, axis=NAMES),
        "color": nominal("by", scale=colour, legend=legend),
    }
    if len(shown) > 1:
        line["yOffset"] = nominal("by", sort=shown)
    low, value = (quantitative(name, scale=PER_CENT) for name in ("low", "value"))
    interval = {**line, "x": {**low, "title": title, "axis": {"values": TICKS}}, "x2": {"field": "high"}}
    point = {**line, "x": value, "shape": nominal("by", scale=shape, legend=legend)}
    if rows and all("link" in row for row in rows):  # a drawing of points with and without links cannot be made
        point["href"] = nominal("link")
    layers = [mark("rule", interval, strokeWidth=2, opacity=0.55)]
    if corrected:
        layers += [
            mark("rule", {**interval, "x": low}, corrected, strokeWidth=1, strokeDash=[2, 2], yOffset=5),
            mark("tick", {**line, "x": value}, corrected, thickness=2, size=11, yOffset=5),
        ]
    layers.append(mark("point", point, filled=True, size=64, opacity=1))
    return layered(rows, *layers, width=width, height={"step": step})


def stereotype_rows(each: Series) -> list[dict[str, Any]]:
    """By occupation: women among US workers, women in the sources and in the translations, in per cent."""
    workers = {row["concept"]: float(row["women"]) for row in table("labour/tables/us_women.tsv")}
    rows = []
    for name in each.breakdown.occupations:
        written = each.breakdown.find("feminine", name)
        if name in workers and written and written.n >= ENOUGH:
            row = {"occupation": name, "workers": workers[name], "written": written.value, "n": written.n}
            rows.append({**row, "system": each.name})
    return rows


def stereotype_chart(series: Sequence[Series]) -> Spec:
    """Women in the translations against women among workers: flat if the translator follows the sentence."""
    rows = [row for each in series for row in stereotype_rows(each)]
    axis = {"scale": PER_CENT, "axis": {"values": TICKS}}
    y = quantitative("written", **axis, title="feminine in the translation, %")
    at = {"x": quantitative("workers", **axis, title="women among US workers, %"), "y": y}
    points = mark("point", {**at, **by_system([each.name for each in series])}, filled=True, size=48, opacity=0.8)
    stated = source_share(series)
    named = {**at, "text": nominal("occupation")}
    names = [
        mark("text", named, [label.row], align=label.align, dx=label.dx, dy=label.dy, fontSize=12, color=MUTED)
        for label in told_apart(stereotype_rows(series[0]), rows, stated)
    ]
    level = [] if stated is None else [mark("rule", {"y": y}, [{"written": stated}], strokeDash=[5, 4], color=INK)]
    return layered(rows, points, *names, *level, width=WIDTH, height=WIDTH)


def source_share(series: Sequence[Series]) -> float | None:
    """Women among the people whose gender the sources state, in per cent."""
    stated = series[0].breakdown.find("stated", "feminine")
    return stated.value if stated else None


def confusion_rows(each: Series) -> list[dict[str, Any]]:
    """What was read for each expected gender, as counts and as shares of the sentences that expect it."""
    rows = []
    for expected, word in EXPECTED.items():
        for read in Gender:
            if rate := each.breakdown.find("read", f"{expected or NOT_STATED} as {read}"):
                row = {"expected": word, "read": READ[read], "count": rate.count, "n": rate.n, "share": rate.value}
                link = filters.link(each, expected=expected.value if expected else "", read=read.value)
                rows.append({**row, "text": f"{rate.value:.0f} %", "system": each.name, "link": link})
    return rows


def confusion_chart(series: Sequence[Series]) -> Spec:
    """What was read for each expected gender, in per cent of the sentences that expect it."""
    bare = {"ticks": False, "domain": False}
    at = {
        "x": nominal("read", sort=list(READ.values()), title="in the translation",
                     axis={"orient": "top", "labelAngle": 0, **bare}),
        "y": nominal("expected", sort=list(EXPECTED.values()), title="in the source",
                     axis={"titlePadding": 18, **bare}),
    }  # fmt: skip
    # Shades end where text can still be read on them.
    shade = quantitative("share", scale={"domain": [0, 100], "range": [0.04, 0.5]}, legend=None)
    cells = mark("rect", {**at, "opacity": shade, "href": nominal("link")}, color="var(--accent)", stroke=LINE)
    texts = mark("text", {**at, "text": nominal("text")}, fontSize=13)
    charts = [layered(confusion_rows(each), cells, texts, width=WIDTH + 70, height={"step": 38}) for each in series]
    if len(charts) == 1:
        return charts[0]
    for each, chart in zip(series, charts, strict=True):
        chart["title"] = {"text": each.name, "limit": WIDTH + 30}  # browsers write it wider than it was measured
    return {"vconcat": charts, "spacing": 14}


def _colours(series: Sequence[Series]) -> dict[str, str]:
    """Each system with its colour, the same in every chart."""
    return dict(zip((each.name for each in series), COLOURS, strict=False))


def by_system(names: Sequence[str]) -> Spec:
    """Colour and shape of each system, for points of a plane."""
    looks = {"color": COLOURS, "shape": SHAPES}
    legend: Spec | None = {} if len(names) > 1 else None
    return {
        channel: nominal("system", scale={"domain": names, "range": look[: len(names)]}, legend=legend)
        for channel, look in looks.items()
    }
