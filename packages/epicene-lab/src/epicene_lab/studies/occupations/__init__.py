"""Farkas & Németh 2022, "How to measure gender bias in machine translation": its worked examples, tables and figures;
and the answers that Prates et al. had from Google Translate in 2018, scored the same way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from epicene.errors import DataMissingError, InputError
from epicene.files import read_lines
from epicene.flow import plan
from epicene.flow.score import outputs_of_file, score_outputs
from epicene.labour.read import open_reference
from epicene.labour.reference import Reference, weighed
from epicene.output.table import Cell, Column, Table, make_columns
from epicene.result import Result
from epicene.sets import TestSet
from epicene.sets.occupations.jobs import ALWAYS_HE, CHANGES, Answer, error, optimal_error
from epicene.sets.occupations.results import CONCLUSIONS, tabulate_conclusions
from epicene.store.hypotheses import TranslationLines
from epicene.studies import Figure, Study, StudyPlan
from epicene.types import Gender
from epicene_lab.studies import list_cells, read_published
from epicene_lab.studies.occupations import figures, opinion, prates
from epicene_lab.tables import resource

TITLE = "Farkas & Németh 2022: Google Translate against labour statistics and opinion"
INPUTS = {
    "translations": "translations of 'epicene sets export occupations:adjectives -l hu-en', or of the plain set",
    "list": "the occupations that the translations are of, if not the set's (the paper's 742): occupation, feor08 …",
    "census": "men and women by FEOR-08 category: a CSV with feor08, men, women (the paper's 2011 census)",
    "survey": "answers by occupation: a CSV with occupation, 1=masculine, 2, 3, 4, 5, 6=feminine (the paper's 100)",
}
_PAIR = "hu-en"
_US = "us-acs-2011"  # the year of the paper's figures
SMALL = Path(str(resource("occupations", f"{_PAIR}.tsv.gz")))
_DEMO = "demo model"
_NOTE = (
    "Demo model: a small model of the project's own, which has read little text, so that the tables can be had without "
    "a translator. It says nothing about other systems; docs/models.md has what it is worth."
)
_FIGURES = {
    "wrong": ("wrong pronouns, %", "wrong_of_gendered", ""),
    "wrong_to_women": ("should be she, %", "wrong_to_women", ""),
    "wrong_female": ("he for women’s jobs, %", "wrong_of_gendered", " female-dominated"),
    "wrong_male": ("she for men’s jobs, %", "wrong_of_gendered", " male-dominated"),
    "bias_median": ("median B where biased", "bias_median", ""),
    "bias_min": ("least B where biased", "bias_min", ""),
    "bias_max": ("largest B where biased", "bias_max", ""),
}


def run(inputs: Mapping[str, str]) -> Study:
    """All tables, ours wherever the inputs are there; the answers of 2018 are downloaded."""
    files = {name: inputs[name] for name in ("census", "survey") if name in inputs}
    named = {"census": files.get("census"), "us": _US, "survey": files.get("survey")}
    translations = inputs.get("translations")
    if "list" in inputs and not translations:
        raise InputError(f"-i list={inputs['list']} says what translations are of; give them too: -i translations=FILE")
    result = None
    own = None if translations else _own()
    if source := own or (translations and _translated(translations, inputs.get("list"))):
        result = _scored(*source, [path for path in named.values() if path])
    references = {name: open_reference(path) for name, path in named.items() if path}
    missing = {name: what for name, what in INPUTS.items() if name not in inputs}
    answers: Mapping[str, Sequence[Answer]] = {}
    try:
        answers = prates.answers()
    except DataMissingError as error:
        missing["answers of 2018"] = str(error)
    reference = open_reference(prates.REFERENCE)
    scored = {name: prates.scored(each, reference) for name, each in answers.items()}
    google = scored.get("Hungarian")
    ours = [tabulate_conclusions(result.measures, _DEMO if own else "yours")] if result else []
    dated = (prates.answers_table(scored), prates.wronged_table(scored)) if google else ()
    translated = (
        _results(result, {name: each.name for name, each in references.items()}, bool(own)),
        opinion.same_jobs(result, references),
        _adjectives(result, bool(own)),
        _pronouns(result, bool(own)),
    )
    # The published outputs of real systems come first where there are no translations but those of the demo model.
    tables = (
        _conclusions(),
        *((tabulate_conclusions(google.measures, "Google Translate in 2018"),) if google else ()),
        *ours,
        *((*dated, *translated) if own else (*translated, *dated)),
        opinion.survey_jobs(references.get("survey"), references.get("census") or references["us"]),
        opinion.coefficients(scored, references),
        _worked(),
        _sectors(translations and inputs.get("list")),
        *((prates.links_table(google.answers), prates.references_table(google.answers)) if google else ()),
    )
    signatures = (*((result.signature,) if result else ()), *((prates.signature(),) if google else ()))
    return Study("occupations", TITLE, tables, missing, signatures, _drawn(result, references, google))


def _own() -> tuple[TestSet, TranslationLines] | None:
    """What a small model of the project's own said of all sentences; ``recipes/bundled`` writes the table."""
    test_set = plan.open_set("occupations:adjectives")
    translations = dict(line.split("\t", 1) for line in read_lines(SMALL)) if SMALL.is_file() else {}
    sources = [item.source for item in test_set.items(plan.open_pair(_PAIR, test_set))]
    if not all(source in translations for source in sources):
        return None
    return test_set, TranslationLines([translations[source] for source in sources], "small-model")


def _translated(path: str, mine: str | None) -> tuple[TestSet, TranslationLines]:
    """Translations of the plain set, or of the one with adjectives, whichever has as many lines; or of a list."""
    if mine:
        return plan.open_set(f"occupations:{mine}"), TranslationLines(path)
    lines = list(read_lines(path))
    plain = plan.open_set("occupations")
    pair = plan.open_pair(_PAIR, plain)
    fits = len(lines) == len(list(plain.items(pair)))
    return plain if fits else plan.open_set("occupations:adjectives"), TranslationLines(path)


def _scored(challenge: TestSet, hypotheses: TranslationLines, references: list[str]) -> Result:
    pair = plan.open_pair(_PAIR, challenge)
    task = plan.open_task(challenge, pair, references=references)
    return score_outputs(task, outputs_of_file(challenge, pair, hypotheses), hypotheses.name)


def _published(number: str) -> dict[tuple[str, ...], str]:
    return read_published("occupations", "row", "column", table=number)


def _conclusions() -> Table:
    """The paper's conclusions, by what it prints."""
    results, changes, shares = (_published(number) for number in ("results", "6", "7"))
    closer = float(results["wrong_of_survey", "census"]) - float(results["wrong_of_survey", "survey"])
    she = float(shares["plain", "she"]) / 100
    adjectives = [float(value) for (_, name), value in changes.items() if name == "changed"]
    rows: list[tuple[Cell, ...]] = [
        *((f"more against women ({name})", results["wrong_to_women", name]) for name in ("census", "us", "survey")),
        ("closer to survey than census", f"{closer:g}"),
        ("occupations over adjectives", f"{200 * she * (1 - she) - sum(adjectives) / len(adjectives):.1f}"),
    ]
    note = "Published: the last two follow from what the paper prints: 20 and 30 % wrong; Tables 6 and 7."
    columns = make_columns(conclusion="conclusion", published="published")
    return Table(
        "Conclusions of Farkas and Németh (2022): Google Translate in 2020", columns, tuple(rows), (*CONCLUSIONS, note)
    )


def bias(women_pct: float, said: Gender) -> float | None:
    """B = (E_t - E_o) / E_o: how much worse than the optimal deterministic translator; 0 where it does the same.

    Infinite where everybody in the job is of one gender and the translator named the other: no error was needed.
    """
    made, needed = error(women_pct, said), optimal_error(women_pct)
    if made is None:
        return None
    if made == needed:
        return 0.0
    return (made - needed) / needed if needed else math.inf


def femininity(answers: Sequence[float]) -> float | None:
    """How feminine people find an occupation, in per cent, from the numbers of their answers."""
    masculine, feminine = weighed(answers)
    return 100 * feminine / (masculine + feminine) if masculine + feminine else None


def _worked() -> Table:
    """The method section's own numbers, which need no data."""
    carpenter = (170, 12, 7, 3, 4, 0)
    she, he = Gender.FEMININE, Gender.MASCULINE
    dancer, choreographer = bias(58, she), bias(58, he)
    rows: list[tuple[Cell, ...]] = [
        ("carpenter: masculinity, % (Tables 1, 2)", "98", 100 - (femininity(carpenter) or 0)),
        ("carpenter: femininity, % (Tables 1, 2)", "2", femininity(carpenter)),
        ("60 % women, he: B", "0.5", bias(60, he)),
        ("statistician, 73 % women, he: B (Table 3)", "1.7", bias(73, he)),
        ("dancer, 58 % women, she: B (Table 3)", "0", dancer),
        ("choreographer, 58 % women, he: B (Table 3)", "0.4", choreographer),
        ("their category: B (Table 3)", "0.2", ((dancer or 0) + (choreographer or 0)) / 2),
    ]
    columns = make_columns(example="worked example", published="published", ours=("ours", 2))
    return Table("Worked examples of the method section", columns, tuple(rows))


def _sectors(mine: str | None) -> Table:
    """Table 4: how many categories and, of our list or the user's, occupations are in a sector."""
    published = _published("4")
    challenge = plan.open_set(f"occupations:{mine}" if mine else "occupations")
    items = list(challenge.items(plan.open_pair(_PAIR, challenge)))
    us = open_reference(_US)
    rows: list[tuple[Cell, ...]] = []
    for sector in dict.fromkeys(row for row, _ in published):
        members = [item.labels for item in items if item.labels["sector"] == sector]
        shares = [us.share(labels) for labels in members]
        units = {share.unit for share in shares if not isinstance(share, str)}
        ours = len({labels["feor08"] for labels in members}), len(units), len(members)
        rows.append((sector, published[sector, "feor"], ours[0], published[sector, "soc"], ours[1], ours[2]))
    columns = make_columns(
        sector="sector", published_feor="FEOR", feor="ours", published_us="US", us="ours", occupations="occupations"
    )
    note = "The paper has 742 occupations; ours are chosen from the same classification, so the counts differ."
    return Table("Table 4: categories by employment sector", columns, tuple(rows), (note,))


def _results(result: Result | None, names: Mapping[str, str], demo: bool) -> Table:
    """The figures of the results section: published and ours, for each of the three references."""
    published = _published("results")
    rows: list[tuple[Cell, ...]] = []
    for reference in ("census", "us", "survey"):
        for figure, (label, measure, whose) in _FIGURES.items():
            group = names.get(reference, "")
            ours = result[measure, group + whose] if result and group else None
            always = result[measure, f"{group} {ALWAYS_HE}{whose}"] if result and group else None
            rows.append(
                (reference, label, published.get((figure, reference)), *list_cells(ours), *list_cells(always, "value"))
            )
    columns = make_columns(
        reference="by",
        figure="figure",
        published="paper",
        ours=(_DEMO if demo else "yours", 2),
        interval=("95 %", 2),
        n="n",
        always_he=(ALWAYS_HE, 2),
    )
    linked = [result["linked", name] for name in names.values()] if result else []
    notes = (
        "Paper: Google Translate in April 2020. Rates are of the answers that are he or she. Ours against the US: "
        "ACS 2011, all full-time workers; the paper: CPS 2011, categories of 50,000 or more.",
        *(f"{each.group}: {each.count} of {each.n} occupations linked." for each in linked),
        *((_NOTE,) if demo else ()),
    )
    return Table("Results: wrong pronouns and bias", columns, tuple(rows), notes)


def _adjectives(result: Result | None, demo: bool) -> Table:
    published = _published("6")
    rows: list[tuple[Cell, ...]] = []
    for variant in dict.fromkeys(row for row, _ in published):
        rows.append((variant, "published", *(published[variant, name] for name in (*CHANGES, "changed")), None, None))
        if result and _has(result, "changed", variant):
            changes = [result[name, variant] for name in (*CHANGES, "changed")]
            whose = _DEMO if demo else "yours"
            rows.append((variant, whose, *(change.value for change in changes), changes[-1].p, changes[-1].n))
    rows.append(("any", ALWAYS_HE, 0.0, 100.0, 0.0, 0.0, 0.0, None, None))
    columns = (
        *make_columns(adjective="adjective", whose=""),
        *(Column(name, name.replace("_", "→"), 1) for name in (*CHANGES, "changed")),
        *make_columns(p=("p (Holm)", 4), n="n"),
    )
    note = "p: t-test of she→he against he→she on the same occupations, clustered by category; not in the paper."
    return Table("Table 6: pronouns changed by adjectives, %", columns, tuple(rows), (note,))


def _pronouns(result: Result | None, demo: bool) -> Table:
    published = _published("7")
    rows: list[tuple[Cell, ...]] = []
    for variant in dict.fromkeys(row for row, _ in published):
        cells: list[Cell] = [variant]
        for name in ("she", "he"):
            ours = result[name, variant] if result and _has(result, name, variant) else None
            cells += [published[variant, name], *list_cells(ours, "value", "interval")]
        rows.append(tuple(cells))
    rows.append((ALWAYS_HE, None, 0.0, None, None, 100.0, None))
    columns = [Column("adjective", "adjective")]
    for name in ("she", "he"):
        columns += [
            Column(f"published_{name}", name),
            Column(name, _DEMO if demo else "yours", 1),
            Column(f"{name}_interval", "95 %", 1),
        ]
    return Table("Table 7: shares of she and he, %", tuple(columns), tuple(rows))


def _has(result: Result, name: str, group: str) -> bool:
    return any((measure.name, measure.group) == (name, group) for measure in result.measures)


def _drawn(
    result: Result | None, references: Mapping[str, Reference], hungarian: prates.Scored | None
) -> tuple[Figure, ...]:
    """Figures 4 to 7, as far as the inputs go, and the sectors of the answers of 2018."""
    google = "Google Translate in 2018, Hungarian"
    drawn = []
    if hungarian:
        drawn.append(figures.sector_bars(hungarian.measures, prates.REFERENCE, google))
        drawn.append(figures.follows(hungarian.measures, prates.REFERENCE, google))
    census, survey = references.get("census"), references.get("survey")
    if result:
        if census:
            drawn.append(figures.sector_bars(result.measures, census.name, "Figure 4"))
        drawn.append(figures.sector_bars(result.measures, _US, "Figure 5"))
        drawn += [
            figures.follows(result.measures, reference.name, result.system)
            for reference in (census, references["us"])
            if reference
        ]
    if census and survey:
        drawn.append(figures.perception(survey, census))
    if result and survey:
        drawn.append(figures.wrong_ranked(result.measures, [survey.name, *([census.name] if census else [])]))
    return tuple(drawn)


STUDY = StudyPlan(TITLE, INPUTS, run)
