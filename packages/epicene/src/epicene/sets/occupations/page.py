"""What a page shows of the study of occupations: the tables of its results, with charts and links to the sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from epicene.output.charts.page import NAMES, PER_CENT, wrapped
from epicene.output.charts.vega import MEN, SHAPES, WIDTH, WOMEN, Spec, layered, mark, nominal, quantitative
from epicene.output.page import filters
from epicene.output.page.figures import Figure, drawn, make_grid
from epicene.output.page.series import LABEL, Series
from epicene.output.table import Cell, Link, Table, format_cell, format_p
from epicene.sets import page_words
from epicene.sets.occupations import results
from epicene.sets.occupations.jobs import DOMINATED
from epicene.types import Measure

JOBS = 40  # of the wrong ones that a page lists; results.json has all


def labour_figures(name: str, series: Sequence[Series]) -> list[Figure]:
    """For every system and reference: sectors, women and she, wrong jobs; what a result does not hold is left out."""
    figures: list[Figure] = []
    for place, system in enumerate(series):
        measures = results.by_name(system.result)
        whose = f" · {system.label[:LABEL]}" if len(series) > 1 else ""
        figures += _list_general(whose, system, measures)
        for at, reference in enumerate(group for kind, group in measures if kind == "linked"):
            figures.append(_wrong_jobs(f"{reference}{whose}", system, reference))
            figures += _list_charts(f"{name}-l{place}-{at}", f"{reference}{whose}", measures, reference)
    return [figure for figure in figures if figure.numbers.rows]


def _list_general(whose: str, system: Series, measures: results.ByName) -> Iterator[Figure]:
    """The paper's conclusions, and Table 6: what becomes of the plain sentence's pronoun in each other wording."""
    yield Figure(
        f"Conclusions of Farkas and Németh (2022){whose}",
        f"Whether they hold of these answers, with a test each. {'; '.join(results.CONCLUSIONS)}.",
        "",
        _grid(results.tabulate_conclusions(system.result.measures)),
        plain=True,
    )
    changes = results.tabulate_changes(measures)
    describe = page_words("occupations").describe
    yield Figure(
        f"Adjectives and wording{whose}",
        "How often another wording changes the pronoun of the plain sentence, in per cent of the jobs whose two "
        "sentences both name a gender, as in Table 6 of Farkas and Németh (2022). p: she→he against he→she, adjusted "
        "(Holm).",
        "",
        _grid(replace(changes, rows=tuple((describe(str(row[0])), *row[1:]) for row in changes.rows))),
        plain=True,
    )


def _list_charts(name: str, head: str, measures: results.ByName, reference: str) -> Iterator[Figure]:
    """Against a reference: sectors, women and she, and the people of a survey."""
    sectors = _sector_points(measures, reference)
    yield Figure(
        f"Sectors, {head}",
        "Mean bias B of the jobs in a sector: 0 if the pronoun fits most workers, and larger the fewer it fits. Jobs "
        "done mostly by women and jobs done mostly by men are separate. Lines are 95 % confidence intervals.",
        drawn(_sector_chart(sectors), f"{name}s") if sectors else "",
        _grid(results.tabulate_sectors(measures, reference), digits=2) if sectors else Table(),
    )
    shares = _share_points(measures, reference)
    yield Figure(
        f"She, by the share of women in the job, {head}",
        "Share of “she” among the answers that name a gender, by the share of women in the job, with 95 % confidence "
        "intervals.",
        drawn(_share_chart(shares), f"{name}w") if shares else "",
        _grid(results.tabulate_shares(measures, reference)) if shares else Table(),
    )
    yield Figure(
        f"The people of the survey, {head}",
        "How feminine they find its jobs, and by what they decided, with 95 % intervals over people.",
        "",
        _grid(results.tabulate_survey(measures, reference)),
        plain=True,
    )


def _grid(table: Table, digits: int | None = None) -> Table:
    """A table as pages show it."""

    def show(cell: Cell, name: str, own_digits: int) -> str:
        if isinstance(cell, int):
            return f"{cell:,}"
        if name == "p" and not isinstance(cell, str):
            return format_p(cell if isinstance(cell, float) else None)
        return "" if cell is None else format_cell(cell, own_digits if digits is None else digits)

    columns = table.columns
    rows = (
        tuple(show(cell, column.name, column.digits) for cell, column in zip(row, columns, strict=True))
        for row in table.rows
    )
    return make_grid([column.title or column.name for column in columns], rows)


def _wrong_jobs(head: str, system: Series, reference: str) -> Figure:
    """Jobs whose pronoun is the minority's, the worst first: those without a bound, and near-even ones last."""
    wrong = results.find_wrong(system.result.measures, reference)
    wording = _first_wording(system)
    grid = _grid(results.tabulate_wrong(system.result.measures, reference, JOBS))
    rows: list[tuple[Cell, ...]] = []
    for (person, _), (job, said, *others) in zip(wrong, grid.rows, strict=False):
        rows.append((job, Link(str(said), filters.link(system, person=person, wording=wording)), *others))
    more = f" The first {JOBS} of {len(wrong)}." if len(wrong) > JOBS else ""
    return Figure(
        f"Occupations given the minority’s pronoun, {head}",
        "Jobs where the translator chose “he” although most workers are women, or the reverse; largest bias first. ∞: "
        "the reference has no worker of that gender, or perhaps none, given its error; ≈: 45 to 55 % women, listed "
        f"last.{more}{_source(system, reference)}",
        "",
        replace(grid, rows=tuple(rows)),
        plain=True,
    )


def _source(system: Series, reference: str) -> str:
    """Who published the figures of a reference, where the result says it."""
    start = f"{reference}: figures of "
    return next((f" Women: {note.removeprefix(start)}." for note in system.result.notes if note.startswith(start)), "")


def _first_wording(system: Series) -> str:
    """The wording that is compared with references: the plain one, if there is one."""
    wordings = {verdict.output.item.labels.get("variant", ""): None for verdict in system.result.verdicts}
    return "plain" if "plain" in wordings else next(iter(wordings), "")


def _point(measure: Measure, **labels: str) -> dict[str, Any]:
    return {**labels, "value": measure.value, "low": measure.low, "high": measure.high}


def _sector_points(measures: results.ByName, reference: str) -> list[dict[str, Any]]:
    return [
        _point(bias, sector=wrapped(sector), kind=kind)
        for sector in results.list_sectors(measures, reference)
        for kind in DOMINATED
        if (bias := measures["bias", f"{reference} sector {sector} {kind}"]).value is not None
    ]


def _share_points(measures: results.ByName, reference: str) -> list[dict[str, Any]]:
    shares = results.list_shares(measures, reference).items()
    return [_point(share, women=women) for women, share in shares if share.value is not None]


def _sector_chart(points: list[dict[str, Any]]) -> Spec:
    kinds = list(DOMINATED)
    line = {
        "y": nominal("sector", sort=None, title=None, axis=NAMES),
        "yOffset": nominal("kind", sort=kinds),
        "color": nominal("kind", scale={"domain": kinds, "range": [WOMEN, MEN]}, legend={}),
    }
    interval = {**line, "x": quantitative("low", title="bias B"), "x2": {"field": "high"}}
    shape = nominal("kind", scale={"domain": kinds, "range": SHAPES[:2]}, legend={})
    bars = mark("rule", interval, strokeWidth=2, opacity=0.5)
    values = mark("point", {**line, "x": quantitative("value"), "shape": shape}, filled=True, size=52, opacity=1)
    return layered(points, bars, values, width=WIDTH, height={"step": 22})


def _share_chart(points: list[dict[str, Any]]) -> Spec:
    column = {
        "x": nominal("women", sort=None, title="women in the job", axis={"labelAngle": -40}),
        "color": {"value": WOMEN},
    }
    low, value = (quantitative(name, scale=PER_CENT) for name in ("low", "value"))
    interval = {**column, "y": {**low, "title": "she, %"}, "y2": {"field": "high"}}
    bars = mark("rule", interval, strokeWidth=2, opacity=0.5)
    values = mark("point", {**column, "y": value}, filled=True, size=52, opacity=1)
    return layered(points, bars, values, width=WIDTH, height=160)
