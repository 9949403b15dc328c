"""What Figures 4 to 7 of the occupation study show, and "she" against the share of women, as rows and as charts.

One colour means one thing in all of them: women's jobs, men's jobs, and the first and the second reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from epicene.labour.reference import Reference, Share, find_interval
from epicene.output.charts.vega import Spec, layered, mark, nominal, quantitative
from epicene.output.table import Cell
from epicene.sets.occupations import occupations
from epicene.sets.occupations.against import correlation
from epicene.sets.occupations.jobs import DOMINATED, WRONG
from epicene.studies import Figure
from epicene.types import Measure

_NAMED = 20  # points of a scatter plot that are named at most
_LETTER, _LINE, _DOT = 5.0, 9.0, 3.0  # pixels of a name and of a point, in which nothing else may stand
_MIDDLE = 60  # per cent, from which on names stand on the left
WIDTH = _SIDE = 460
STEP = 18  # pixels; of a row of labels
_PANEL = 210
_WOMEN, _MEN = "#a8327d", "#2c6ea3"  # told apart by all common kinds of colour vision, and in grey
SERIES = dict(zip(DOMINATED, (_WOMEN, _MEN), strict=True))
_REFERENCES = ["#1b7f5c", "#d98200"]
_SAID = {"he said": "circle", "she said": "diamond"}
_INK, _PALE = "#333", "#999"
_PER_CENT = {"domain": [0, 100]}
_DIAGONAL = [(0, 0), (100, 100)]


def sector_bars(measures: Sequence[Measure], reference: str, title: str) -> Figure:
    """Figures 4 and 5: the bias of each sector, apart for occupations of women and of men."""
    start = f"{reference} sector "
    biases = {
        measure.group: measure for measure in measures if measure.name == "bias" and measure.group.startswith(start)
    }
    sectors = [group for group in biases if not group.endswith(tuple(DOMINATED))]
    rows: list[Mapping[str, Cell]] = []
    for sector in sectors:
        for series in DOMINATED:
            bias = biases[f"{sector} {series}"]
            row: dict[str, Cell] = {"label": sector.removeprefix(start), "value": bias.value, "series": series}
            row["none"] = None if bias.value is not None else "not estimable" if bias.n else "no such jobs"
            rows.append({**row, "low": bias.low, "high": bias.high, "n": bias.n})
    return Figure(f"{title}: bias by sector against {reference}", panels, "weighted mean of B", "", tuple(rows))


def opinion_and_statistics(
    survey: Reference, statistics: Reference, language: str
) -> list[tuple[dict[str, str], Share, Share]]:
    """The occupations of a language that both have a figure for.

    A survey and a census are about the words of one country, so those of another language are looked up by the
    Hungarian word of the same English name.
    """
    both = []
    wanted = {occupation.english.lower() for occupation in occupations(language)}
    for labels in (occupation.labels for occupation in occupations("hu")):
        if labels["english"].lower() not in wanted:
            continue
        opinion, heads = survey.share(labels), statistics.share(labels)
        if isinstance(opinion, Share) and isinstance(heads, Share):
            both.append((labels, opinion, heads))
    return both


def coefficient(survey: Reference, statistics: Reference, language: str) -> Measure:
    """How closely opinion follows statistics (Figure 6), over the categories of the statistics."""
    pairs = [
        (heads.unit, opinion.women_pct, heads.women_pct)
        for _, opinion, heads in opinion_and_statistics(survey, statistics, language)
    ]
    return correlation("correlation", f"{survey.name} {statistics.name}", pairs)


def perception(survey: Reference, statistics: Reference) -> Figure:
    """Figure 6: how feminine people find an occupation, and the share of women in it."""
    jobs = opinion_and_statistics(survey, statistics, "hu")
    named = choose_labels([(each["english"], opinion.women_pct, heads.women_pct) for each, opinion, heads in jobs])
    rows: list[Mapping[str, Cell]] = []
    for labels, opinion, heads in jobs:
        x, y = opinion.women_pct, heads.women_pct
        low, high = find_interval(x, opinion.error) or (x, x)
        label = labels["english"] if labels["english"] in named else ""
        rows.append({"label": label, "x": x, "y": y, "low": low, "high": high})
    axes = (f"perceived femininity, % ({survey.name})", f"women, % ({statistics.name})")
    r = coefficient(survey, statistics, "hu")
    coefficient_text = f"r = {r.value:.2f}" if r.value is not None else "r: too few occupations"
    coefficient_text += f" [{r.low:.2f}, {r.high:.2f}]" if r.low is not None and r.high is not None else ""
    return Figure(f"Figure 6: opinion and statistics, {coefficient_text}, n = {r.n}", diagonal, *axes, tuple(rows))


def choose_labels(points: Sequence[tuple[str, float, float]]) -> set[str]:
    """The points to name: those furthest from the diagonal whose names overprint no other name and no point."""
    dots = [(x * _SIDE / 100, y * _SIDE / 100) for _, x, y in points]
    taken = [(x - _DOT, x + _DOT, y - _DOT, y + _DOT) for x, y in dots]
    names: set[str] = set()
    for label, x, y in sorted(points, key=lambda point: -abs(point[1] - point[2])):
        start = x * _SIDE / 100 + (4 if x < _MIDDLE else -4 - _LETTER * len(label))
        bottom = y * _SIDE / 100 + _DOT
        box = (start, start + _LETTER * len(label), bottom, bottom + _LINE)
        free = all(box[1] < one[0] or one[1] < box[0] or box[3] < one[2] or one[3] < box[2] for one in taken)
        if free and len(names) < _NAMED and start >= 0 and box[1] <= _SIDE:
            names.add(label)
            taken.append(box)
    return names


def follows(measures: Sequence[Measure], reference: str, title: str) -> Figure:
    """How often "she" is said of jobs with more and more women, and how often the optimal translators say it."""
    start = f"{reference} women "
    rows: list[Mapping[str, Cell]] = []
    for measure in measures:
        if measure.name == "she_of_gendered" and measure.group.startswith(start) and measure.value is not None:
            low = int(measure.group.removeprefix(start).partition("–")[0])
            rows.append({"x": low + 5, "y": measure.value, "low": measure.low, "high": measure.high, "n": measure.n})
    axes = (f"women in the job, % ({reference})", "she, of he and she, %")
    return Figure(f"{title}: she against the share of women", calibration, *axes, tuple(rows))


def wrong_ranked(measures: Sequence[Measure], references: Sequence[str]) -> Figure:
    """Figure 7: the occupations that are wrong by the first reference, with their bias by each and what was said."""
    start = f"{references[0]} occupation "
    biases = {measure.group: measure for measure in measures if measure.name == "bias" and measure.detail}
    wrong = [measure for measure in measures if measure.name in WRONG and measure.group.startswith(start)]
    drawn = sorted(
        (measure for measure in wrong if measure.value is not None), key=lambda measure: -(measure.value or 0)
    )
    rows: list[Mapping[str, Cell]] = []
    for job in drawn:
        word, said = job.group.removeprefix(start), f"{WRONG[job.name]} said"
        for reference in references:
            other = biases.get(f"{reference} occupation {word}")
            if other and other.value is not None:
                row: dict[str, Cell] = {"label": f"{job.label or word} ({word})", "value": other.value}
                rows.append({**row, "series": reference, "said": said})
    apart = f", {len(wrong) - len(drawn)} unbounded left out" if len(wrong) > len(drawn) else ""
    he = sum(WRONG[measure.name] == "he" for measure in wrong)
    title = (
        f"Figure 7: wrong by {references[0]}, {he} he for she and {len(wrong) - he} she for he (paper: 17 and 3){apart}"
    )
    return Figure(title, ranks, "bias B, on a log scale above 0.5", "", tuple(rows))


def panels(figure: Figure) -> Spec:
    """Bars with intervals, one panel a series, so that every bar stands on its label."""
    labels = list(dict.fromkeys(str(row["label"]) for row in figure.rows))
    # A bar that is far longer than the others must not hide them: the axis ends at its value, not at its interval.
    values = [float(str(row["value"])) for row in figure.rows if row["value"] is not None]
    scale = {"domain": [0, 1.15 * max(values, default=1.0) or 1.0], "nice": True, "clamp": True}
    low, value = (quantitative(name, scale=scale) for name in ("low", "value"))
    tooltip = [nominal("label"), *map(quantitative, ("value", "low", "high", "n"))]
    parts: list[Spec] = []
    for series, colour in SERIES.items():
        axis = {"labels": False, "ticks": False, "title": None} if parts else {"labelLimit": 0, "title": None}
        line: Spec = {"y": nominal("label", sort=labels, scale={"domain": labels, "paddingInner": 0.25}, axis=axis)}
        bar = {**line, "x": {**value, "title": figure.x}, "tooltip": tooltip}
        interval = {**line, "x": low, "x2": {"field": "high"}}
        nothing = {**line, "x": {"datum": 0, "scale": scale}, "text": nominal("none")}
        parts.append(
            layered(
                [row for row in figure.rows if row["series"] == series],
                mark("bar", bar, color=colour),
                _where("isValid(datum.low)", mark("rule", interval, color=_INK, strokeWidth=1.2)),
                _where("!isValid(datum.value)", mark("text", nothing, align="left", dx=4, color=_PALE, fontSize=10)),
                width=_PANEL,
                height={"step": STEP},
                title={"text": series, "fontSize": 12},
            )
        )
    note = "bars: weighted mean; lines: 95 % interval over categories, cut off where it is longer than the axis"
    scales = {"scale": {"x": "shared", "y": "shared"}}
    return {"hconcat": parts, "spacing": 12, "title": _title(figure.title, note), "resolve": scales}


def ranks(figure: Figure) -> Spec:
    """One line a label, with a point for each series, in the order of the rows; a log scale, since bias grows so."""
    series = list(dict.fromkeys(str(row["series"]) for row in figure.rows))
    labels = list(dict.fromkeys(str(row["label"]) for row in figure.rows))
    shown = {"sort": series, "legend": {"orient": "bottom", "title": None, "symbolOpacity": 1}}
    line = {"y": nominal("label", sort=labels, axis={"labelLimit": 0, "title": None, "grid": True})}
    point = {
        **line,
        "x": quantitative("value", title=figure.x, scale={"type": "symlog", "constant": 0.5}),
        "color": nominal("series", scale={"domain": series, "range": _REFERENCES[: len(series)]}, **shown),
        "shape": nominal("said", scale={"domain": list(_SAID), "range": list(_SAID.values())}, legend=shown["legend"]),
        "tooltip": [*map(nominal, ("label", "series", "said")), quantitative("value")],
    }
    span = {**line, "x": quantitative("value", aggregate="min"), "x2": {"field": "value", "aggregate": "max"}}
    return layered(
        figure.rows,
        mark("rule", span, color=_PALE),
        mark("point", point, filled=True, size=70, opacity=1),
        width=WIDTH,
        height={"step": STEP},
        title=_title(figure.title),
    )


def diagonal(figure: Figure) -> Spec:
    """Points with intervals, names where they stand out, and the line where both shares are the same."""
    x, y = (quantitative(name, scale=_PER_CENT, title=getattr(figure, name)) for name in ("x", "y"))
    interval = mark("rule", {"x": quantitative("low"), "x2": {"field": "high"}, "y": y}, color=_PALE, strokeWidth=0.8)
    layers = [
        _line(_DIAGONAL, strokeDash=[4, 4]),
        mark("point", {"x": x, "y": y}, filled=True, color=_INK, size=36, opacity=0.85),
        _where("isValid(datum.low)", interval),
    ]
    # A name stands above its point, on the side where there is room for it.
    named = {"x": x, "y": y, "text": nominal("label")}
    for side, dx, test in (("left", 4, f"datum.x < {_MIDDLE}"), ("right", -4, f"datum.x >= {_MIDDLE}")):
        names = mark("text", named, align=side, dx=dx, dy=-8, fontSize=9.5)
        layers.append(_where(f"datum.label && {test}", names))
    return layered(figure.rows, *layers, width=WIDTH, height=WIDTH, title=_title(figure.title))


def calibration(figure: Figure) -> Spec:
    """How often "she" is said by the share of women, between the two optimal translators."""
    note = "dashed: says she as often as there are women; dotted: always the pronoun of the majority"
    x, y = (quantitative(name, scale=_PER_CENT, title=getattr(figure, name)) for name in ("x", "y"))
    interval = mark("rule", {"x": x, "y": quantitative("low"), "y2": {"field": "high"}}, color=_WOMEN)
    tooltip = [*map(quantitative, ("x", "y", "n"))]
    return layered(
        figure.rows,
        _line(_DIAGONAL, strokeDash=[6, 4]),
        _line([(0, 0), (50, 0), (50, 100), (100, 100)], strokeDash=[2, 3]),
        _where("isValid(datum.low)", interval),
        mark("line", {"x": x, "y": y}, color=_WOMEN, opacity=0.5),
        mark("point", {"x": x, "y": y, "tooltip": tooltip}, filled=True, color=_WOMEN, size=60, opacity=1),
        width=WIDTH,
        height=300,
        title=_title(figure.title, note),
    )


def _where(test: str, layer: Spec) -> Spec:
    """A layer of the rows that pass a test."""
    return {"transform": [{"filter": test}], **layer}


def _line(points: Sequence[tuple[int, int]], **look: Any) -> Spec:
    """A pale line through points."""
    rows = [{"x": x, "y": y} for x, y in points]
    return mark(
        "line", {"x": quantitative("x"), "y": quantitative("y"), "order": quantitative("y")}, rows, color=_PALE, **look
    )


def _title(text: str, note: str = "") -> Spec:
    sizes = {"fontSize": 13, "subtitleFontSize": 10.5, "subtitleColor": "#555"}
    return {"text": text, "subtitle": note, "anchor": "start", **sizes}
