"""Opinion beside statistics: the same jobs judged by the survey and by the offices, and how closely the two agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epicene.labour.reference import Reference
from epicene.languages.codes import known
from epicene.measures.outcomes import Clusters
from epicene.output.table import Cell, Table, make_columns
from epicene.sets.occupations import SET
from epicene.sets.occupations.jobs import Answer, Job, joined
from epicene.sets.occupations.lists import WEAK, quality
from epicene.sets.occupations.study import figures
from epicene.sets.occupations.study.prates import Scored
from epicene.stats import clustered
from epicene.studies import list_cells, read_published
from epicene.types import Measure


def same_jobs(answers: Sequence[Answer], references: Mapping[str, Reference]) -> Table:
    """How many of the survey's jobs are wrong by each reference, and whether the survey differs from the others."""
    jobs = {name: {job.labels["occupation"]: job for job in joined(each, answers)} for name, each in references.items()}
    published = read_published("sets/occupations/tables", "column", table="results", row="wrong_of_survey")
    rows: list[tuple[Cell, ...]] = []
    for name in ("survey", "census", "us"):
        shared = _shared(jobs, "survey", name)
        wrong = _wrong(name, [pair[1] for pair in shared]) if shared else None
        gap, p = _difference(shared) if shared and name != "survey" else (None, None)
        rows.append((name, published.get((name,)), *list_cells(wrong), gap, p))
    columns = make_columns(
        reference="against",
        published="published",
        wrong=("wrong %", 1),
        interval=("95 %", 1),
        n="n",
        difference=("less survey", 1),
        p=("p", 4),
    )
    note = (
        "Wrong, of he and she, on the occupations that the survey and this reference both have a figure for; the "
        "difference to the survey is paired, job by job."
    )
    return Table("Opinion and statistics on the same occupations", columns, tuple(rows), (note,))


def _shared(jobs: Mapping[str, Mapping[str, Job]], first: str, second: str) -> list[tuple[Job, Job]]:
    if first not in jobs or second not in jobs:
        return []
    both = [(jobs[first][word], job) for word, job in jobs[second].items() if word in jobs[first]]
    return [pair for pair in both if pair[0].gendered]


def _wrong(name: str, jobs: Sequence[Job]) -> Measure:
    clusters = Clusters.of((job.unit, "") for job in jobs)
    return clusters.rate("wrong", name, clusters.share((job.unit, job.wrong, job.gendered) for job in jobs))


def _difference(pairs: Sequence[tuple[Job, Job]]) -> tuple[float, float | None]:
    clusters = Clusters.of((other.unit, "") for _, other in pairs)
    more = clusters.share((o.unit, max(0, o.wrong - s.wrong), o.gendered) for s, o in pairs)
    fewer = clusters.share((o.unit, max(0, s.wrong - o.wrong), o.gendered) for s, o in pairs)
    found = clustered.difference(more.counted, fewer.counted, more.of)
    p = found.p_value()
    return 100 * float(found.value), None if p is None else float(p)


def coefficients(scored: Mapping[str, Scored], references: Mapping[str, Reference]) -> Table:
    """Figure 6's coefficient for every language, and how closely Google's "she" of 2018 followed the share of women."""
    survey, census = references.get("survey"), references.get("census") or references["us"]
    rows: list[tuple[Cell, ...]] = []
    for language in SET.about.sources:
        name = known()[language].name
        mark = " (weak)" if quality(language) == WEAK else ""
        opinion = figures.coefficient(survey, census, language) if survey else None
        # Of several ways to speak of a person (Bengali), the one with the most answers he or she.
        columns_of = [scored[each].measure("correlation") for each in scored if each.partition("-")[0] == name]
        answers = max(columns_of, key=lambda each: each.n, default=None)
        rows.append((name + mark, *list_cells(opinion), *list_cells(answers)))
    columns = make_columns(
        language="language",
        opinion=("opinion r", 2),
        opinion_interval=("95 %", 2),
        opinion_n="n",
        she=("she r", 2),
        she_interval=("95 %", 2),
        she_n="n",
    )
    statistics = census.name
    notes = (
        f"Opinion: femininity in the survey against the share of women ({statistics}), on the language's occupations; "
        "the paper calls it moderate to strong and prints no number. She: Google Translate's answers of 2018 against "
        "us-acs-2018, – where she was never said; Prates et al. have no Korean and no Nepali answers. Intervals: "
        "resampling categories.",
        "(weak): a list of machine-translated words that no speaker has read.",
    )
    return Table("Figure 6: how closely opinion, and she, follow the share of women", columns, tuple(rows), notes)
