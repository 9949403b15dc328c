"""Opinion beside statistics: the same jobs judged by the survey and by the offices, and how closely the two agree."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.labour.reference import Reference, Share, find_interval
from epicene.languages.codes import known
from epicene.output.table import Cell, Table, make_columns
from epicene.result import Result
from epicene.sets.occupations import SET
from epicene.sets.occupations.jobs import ALWAYS_HE
from epicene.sets.occupations.lists import WEAK, quality
from epicene_lab.studies import list_cells, read_published
from epicene_lab.studies.occupations import figures
from epicene_lab.studies.occupations.prates import Scored


def same_jobs(result: Result | None, references: Mapping[str, Reference]) -> Table:
    """How many of the survey's jobs are wrong by each reference, and whether the survey differs from the others."""
    measures = {(each.name, each.group): each for each in result.measures} if result else {}
    published = read_published("occupations", "column", table="results", row="wrong_of_survey")
    opinion, *tables = (references[name].name if name in references else "–" for name in ("survey", "census", "us"))
    groups = [f"{opinion} and {tables[0 if 'census' in references else 1]}"]
    groups += [f"{statistics} and {opinion}" for statistics in tables]
    rows: list[tuple[Cell, ...]] = []
    for name, group in zip(("survey", "census", "us"), groups, strict=True):
        wrong, always = (measures.get(("wrong_of_shared", each)) for each in (group, f"{group} {ALWAYS_HE}"))
        closer = list_cells(measures.get(("closer_to_opinion", group)), "value", "p")
        rows.append((name, published.get((name,)), *list_cells(wrong), *list_cells(always, "value"), *closer))
    columns = make_columns(
        reference="by",
        published="paper",
        wrong=("wrong %", 1),
        interval=("95 %", 1),
        n="n",
        always_he=(ALWAYS_HE, 1),
        difference=("less survey", 1),
        p=("p", 4),
    )
    note = (
        "Wrong, of he and she, on the occupations that the survey and this reference both have a figure for; the "
        "difference to the survey is paired, job by job, and holds the errors of both."
    )
    return Table("Opinion and statistics on the same occupations", columns, tuple(rows), (note,))


def survey_jobs(survey: Reference | None, statistics: Reference) -> Table:
    """What people think of each job of a survey, the most masculine first, and the share of women in it."""
    both = figures.opinion_and_statistics(survey, statistics, "hu") if survey else ()
    women = {opinion.parts[0][0]: heads.women_pct for _, opinion, heads in both}
    rows: list[tuple[Cell, ...]] = []
    answers = survey.people.answers if survey and survey.people else None
    for place, row in enumerate(survey.rows if survey else ()):
        if row.men is not None and row.women is not None and row.men + row.women:
            femininity = Share(row.men, row.women, "").women_pct
            number = answers[place] if answers else None
            rows.append((row.name, number, femininity, find_interval(femininity, row.error), women.get(place)))
    rows.sort(key=lambda row: float(str(row[2])))
    columns = make_columns(
        occupation="occupation", n="answers", femininity=("femininity", 1), interval=("95 %", 1), women=("women, %", 1)
    )
    note = f"Intervals are over people; women: {statistics.name}." if rows else "Give the survey to see its jobs."
    return Table("The survey: how feminine people find each occupation, %", columns, tuple(rows), (note,))


def coefficients(scored: Mapping[str, Scored], references: Mapping[str, Reference]) -> Table:
    """Figure 6's coefficient for every language, and how closely Google's "she" of 2018 followed the share of women."""
    survey, census = references.get("survey"), references.get("census") or references["us"]
    rows: list[tuple[Cell, ...]] = []
    for language in SET.about.sources:
        if quality(language) == WEAK and not scored:
            continue  # its words are published beside the answers, and are not here either
        name = known()[language].name
        mark = " (weak)" if quality(language) == WEAK else ""
        opinion = figures.coefficient(survey, census, language) if survey else None
        # Of several ways to speak of a person (Bengali), the one with the most answers he or she.
        columns_of = [scored[column].measure("correlation") for column in scored if column.partition("-")[0] == name]
        answers = max(columns_of, key=lambda column: column.n, default=None)
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
