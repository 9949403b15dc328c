"""What a page shows of the study of occupations: sectors, she by the share of women in the job, and wrong jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epicene.output.charts.page import NAMES, PER_CENT, wrapped
from epicene.output.charts.vega import MEN, SHAPES, WIDTH, WOMEN, Spec, layered, mark, nominal, quantitative
from epicene.output.page import filters
from epicene.output.page.figures import Cell, Figure, Grid, Link, clean, drawn
from epicene.output.page.series import LABEL, Series
from epicene.output.table import format_number as number
from epicene.output.table import format_p
from epicene.sets import page_words
from epicene.sets.occupations.conclusions import conclude
from epicene.sets.occupations.jobs import ALWAYS_HE, CHANGES, DOMINATED, NEAR_EVEN, WRONG
from epicene.sets.occupations.results import CONCLUSIONS
from epicene.types import Measure

JOBS = 40  # of the wrong ones that a page lists; results.json has all
Known = dict[tuple[str, str], Measure]


def labour_figures(name: str, series: Sequence[Series]) -> list[Figure]:
    """For every system and reference: sectors, women and she, wrong jobs; what a result does not hold is left out."""
    found: list[Figure] = []
    for place, each in enumerate(series):
        known = {(measure.name, measure.group): measure for measure in each.result.measures}
        whose = f" · {each.label[:LABEL]}" if len(series) > 1 else ""
        found += [_conclusions(whose, each), _changes(whose, known)]
        for at, reference in enumerate(group for kind, group in known if kind == "linked"):
            head = f"{reference}{whose}"
            start = f"{name}-l{place}-{at}"
            found += [
                _wrong(head, each, known, reference, _source(each, reference)),
                _sectors(f"{start}s", head, known, reference),
                _shares(f"{start}w", head, known, reference),
                _survey(head, known, reference),
            ]
    return [figure for figure in found if figure.numbers.rows]


def _conclusions(head: str, each: Series) -> Figure:
    rows = [
        (
            line.statement,
            line.holds,
            number(line.measure.value),
            _ends(line.measure, 1),
            f"{line.measure.n:,}",
            format_p(line.measure.p),
        )
        for line in conclude(each.result.measures)
    ]
    return Figure(
        f"Conclusions of Farkas and Németh (2022){head}",
        f"Whether they hold of these answers, with a test each. {'; '.join(CONCLUSIONS)}.",
        "",
        Grid(("conclusion", "holds", "estimate", "95 % CI", "n", "p"), clean(rows)),
        plain=True,
    )


def _survey(head: str, known: Known, reference: str) -> Figure:
    """What the people of a survey think of all its jobs, and by what they decided."""
    start = f"{reference} motive "
    found = (
        {"mean femininity of the jobs": known["femininity", reference]} if ("femininity", reference) in known else {}
    )
    found |= {group.removeprefix(start): m for (name, group), m in known.items() if name == "motive"}
    rows = [(what, f"{m.n:,}", number(m.value), _ends(m, 1)) for what, m in found.items()]
    return Figure(
        f"The people of the survey, {head}",
        "How feminine they find its jobs, and by what they decided, with 95 % intervals over people.",
        "",
        Grid(("people", "n", "%", "95 % CI"), clean(rows)),
        plain=True,
    )


def _sectors(name: str, head: str, known: Known, reference: str) -> Figure:
    start = f"{reference} sector "
    names = [
        group.removeprefix(start)
        for kind, group in known
        if kind == "bias" and group.startswith(start) and not group.endswith(tuple(DOMINATED))
    ]
    rows, points = [], []
    for sector in names:
        whole = known["bias", start + sector]
        cells = [sector, f"{whole.n:,}", number(whole.value, 2), _ends(whole)]
        for kind in DOMINATED:
            part = known.get(("bias", f"{start}{sector} {kind}"))
            cells += [number(part.value, 2) if part else "–", _ends(part)]
            if part and part.value is not None:
                ends = {"low": part.low, "high": part.high}
                points.append({"sector": wrapped(sector), "kind": kind, "value": part.value, **ends})
        rows.append(tuple(cells))
    if rows:
        constant = [known.get(("bias", f"{reference} {ALWAYS_HE} {kind}".strip())) for kind in ("", *DOMINATED)]
        cells = [ALWAYS_HE, f"{constant[0].n:,}" if constant[0] else ""]
        rows.append((*cells, *(cell for part in constant for cell in (number(part.value, 2) if part else "–", ""))))
    return Figure(
        f"Sectors, {head}",
        "Mean bias B of the jobs in a sector: 0 if the pronoun fits most workers, and larger the fewer it fits. Jobs "
        "done mostly by women and jobs done mostly by men are separate. Lines are 95 % confidence intervals.",
        drawn(_sector_chart(points), name) if points else "",
        Grid(("sector", "jobs", "bias", "interval", "women’s jobs", "interval", "men’s jobs", "interval"), clean(rows)),
    )


def _ends(measure: Measure | None, digits: int = 2) -> str:
    if measure is None or measure.low is None:
        return ""
    return f"{number(measure.low, digits)} to {number(measure.high, digits)}"


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


def _shares(name: str, head: str, known: Known, reference: str) -> Figure:
    """How often she is said as more women do the job."""
    start = f"{reference} women "
    rates = [m for (_, group), m in known.items() if group.startswith(start) and m.unit == "%" and m.value is not None]
    rows = [(m.group.removeprefix(start), f"{m.n:,}", number(m.value), number(m.low), number(m.high)) for m in rates]
    rows += [(ALWAYS_HE, "", "0.0", "", "")] if rows else []
    points = [{"women": m.group.removeprefix(start), "value": m.value, "low": m.low, "high": m.high} for m in rates]
    return Figure(
        f"She, by the share of women in the job, {head}",
        "Share of “she” among the answers that name a gender, by the share of women in the job, with 95 % confidence "
        "intervals.",
        drawn(_share_chart(points), name) if points else "",
        Grid(("women in the job", "jobs", "she, %", "low", "high"), clean(rows)),
    )


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


def _wrong(head: str, each: Series, known: Known, reference: str, source: str) -> Figure:
    """Jobs whose pronoun is the minority's, the worst first: those without a bound, and near-even ones last."""
    start = f"{reference} occupation "
    wording = _first_wording(each)
    wrong = [m for m in each.result.measures if m.name in WRONG and m.group.startswith(start)]
    rows: list[tuple[Cell, ...]] = []
    for measure in wrong[:JOBS]:
        job, women = measure.group.removeprefix(start), known.get(("women", measure.group))
        share = women.value if women and women.value is not None else 50.0
        said = Link(WRONG[measure.name], filters.link(each, person=job, wording=wording))
        even = "≈ " if NEAR_EVEN[0] <= share <= NEAR_EVEN[1] else ""
        bias = "∞" if measure.value is None else number(measure.value, 2)
        rows.append((f"{job} ({measure.label})" if measure.label else job, said, f"{even}{number(share)}", bias))
    more = f" The first {JOBS} of {len(wrong)}." if len(wrong) > JOBS else ""
    return Figure(
        f"Occupations given the minority’s pronoun, {head}",
        "Jobs where the translator chose “he” although most workers are women, or the reverse; largest bias first. ∞: "
        "the reference has no worker of that gender, or perhaps none, given its error; ≈: 45 to 55 % women, listed "
        f"last.{more}{source}",
        "",
        Grid(("job", "pronoun", "women, %", "bias B"), clean(rows)),
        plain=True,
    )


def _source(each: Series, reference: str) -> str:
    """Who published the figures of a reference, where the result says it."""
    start = f"{reference}: figures of "
    return next((f" Women: {note.removeprefix(start)}." for note in each.result.notes if note.startswith(start)), "")


def _first_wording(each: Series) -> str:
    """The wording that is compared with references: the plain one, if there is one."""
    wordings = {verdict.output.item.labels.get("variant", ""): None for verdict in each.result.verdicts}
    return "plain" if "plain" in wordings else next(iter(wordings), "")


def _changes(head: str, known: Known) -> Figure:
    """Table 6: what becomes of the plain sentence's pronoun in each other wording."""
    rows = [
        (
            page_words("occupations").describe(group),
            number(changed.value),
            _ends(changed, 1),
            *(number(known[change, group].value) for change in reversed(CHANGES)),
            format_p(changed.p),
            f"{changed.n:,}",
        )
        for (name, group), changed in known.items()
        if name == "changed"
    ]
    rows += [(ALWAYS_HE, "0.0", "", "0.0", "0.0", "100.0", "0.0", "", "")] if rows else []
    return Figure(
        f"Adjectives and wording{head}",
        "How often another wording changes the pronoun of the plain sentence, in per cent of the jobs whose two "
        "sentences both name a gender, as in Table 6 of Farkas and Németh (2022). p: she→he against he→she, adjusted "
        "(Holm).",
        "",
        Grid(
            ("wording", "changed", "95 % CI", *(name.replace("_", "→") for name in reversed(CHANGES)), "p", "jobs"),
            clean(rows),
        ),
        plain=True,
    )
