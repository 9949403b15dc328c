"""Troles and Schmid 2021, "Extending Challenge Sets to Uncover Gender Bias in Machine Translation: Impact of
Stereotypical Verbs and Adjectives": all figures and numbers of the results section."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.embeddings.genderscore import genderscore
from epicene.files import set_folder
from epicene.output.table import Cell, Column, Table, make_columns
from epicene.sets.wibemt.files import TRANSLATIONS
from epicene.sets.wibemt.sentences import occupations
from epicene.stats.means import fisher, pearson
from epicene.studies import Figure, Study, StudyPlan
from epicene.tables import table
from epicene_lab.studies.wibemt import tables
from epicene_lab.studies.wibemt.charts import draw_points
from epicene_lab.studies.wibemt.readings import Agreement, Reading, read

TITLE = "Troles and Schmid 2021: adjectives and verbs that sway translations (WiBeMT)"
VECTORS = "vectors"
INPUTS = {
    "deepl": "DeepL's translations",
    "microsoft": "Microsoft Translator's translations",
    "google": "Google Translate's translations",
    VECTORS: "English word vectors for the gender score, files joined by commas",
}
MORE = "another system's translations"
_HOW = "run: epicene data add wibemt PATH, or give -i {name}=FILE"


def run(inputs: Mapping[str, str]) -> Study:
    """All tables, computed on whatever translations and vectors are there.

    Translations are a published file, or one line a sentence of wibemt-verbs, wibemt-adjectives or wibemt; several
    files of one system are joined by commas.
    """
    there = {**_added(), **{name: path for name, path in inputs.items() if name != VECTORS}}
    readings: list[Reading] = []
    agreements: list[Agreement] = []
    for name, paths in there.items():
        own_readings, agreement = read(name, paths)
        readings += own_readings
        agreements += [agreement] if agreement else []
    scores = _scores(inputs.get(VECTORS))
    rates = {key: tables.rate_table(key, readings) for key in tables.RATES}
    parts = (
        _correlations(scores[0]),
        tables.words_table(_word_scores(inputs.get(VECTORS))),
        tables.counts_table(readings),
        *rates.values(),
        tables.tests_table(readings),
        tables.model_table(readings),
        tables.agreement_table(agreements),
    )
    missing = {name: f"{what}: {_how(name)}" for name, what in INPUTS.items() if name not in {*there, *inputs}}
    bars = (tables.rate_figure(key, readings) for key in ("figure2", "figure3", "figure4"))
    return Study(
        name="wibemt",
        title=TITLE,
        parts=tuple(part for part in parts if part is not None),
        missing=missing,
        signatures=(*(reading.signature for reading in readings), *scores[1]),
        figures=(_scatter(scores[0]), *bars),
    )


def _added() -> dict[str, str]:
    """Files of translations that were added, by system."""
    return {path.stem: str(path) for path in sorted((set_folder("wibemt") / TRANSLATIONS).glob("*.tsv"))}


def _how(name: str) -> str:
    return f"give -i {VECTORS}=FILE" if name == VECTORS else _HOW.format(name=name)


def _scores(vectors: str | None) -> tuple[dict[str, dict[str, float]], tuple[str, ...]]:
    """Gender scores of the occupations: the paper's, and ours on the vectors that were given."""
    scores = {"paper": {name: float(row["score"]) for name, row in occupations().items()}}
    if not vectors:
        return scores, ()
    ours = genderscore(vectors.split(","), list(occupations()))
    scores["ours"] = {word.word: word.score for word in ours.words}
    return scores, (ours.signature,)


def _word_scores(vectors: str | None) -> dict[str, float] | None:
    """Our gender scores of the chosen words, on the vectors that were given."""
    if not vectors:
        return None
    words = [row[name] for name in ("adjective", "verb") for row in table("sets/wibemt/tables", f"{name}s.tsv")]
    return {word.word: word.score for word in genderscore(vectors.split(","), words).words}


def _women() -> dict[str, float]:
    return {name: float(row["women"]) for name, row in occupations().items() if row["women"]}


def _correlations(scores: Mapping[str, Mapping[str, float]]) -> Table:
    """How gender scores go with the share of women, and ours with the paper's."""
    women: Mapping[str, float] = _women()
    pairs = [(whose, "share of women", own_scores, women) for whose, own_scores in scores.items()]
    pairs += [("ours", "paper's score", scores["ours"], scores["paper"])] if "ours" in scores else []
    rows: list[tuple[Cell, ...]] = []
    for whose, other, mine, theirs in pairs:
        shared = [name for name in mine if name in theirs]
        r = pearson([mine[name] for name in shared], [theirs[name] for name in shared])
        interval = fisher(r, len(shared)) if r is not None else None
        rows.append((whose, other, r, interval, len(shared)))
    columns = (
        Column("score", "gender score"),
        Column("with", "with"),
        *make_columns(r=("r", 2), interval=("95 % interval", 2), n="n"),
    )
    notes = ("The paper calls the correlation strong and prints no number. Negative scores are feminine.",)
    return Table("Figure 1: gender score of occupations", columns, tuple(rows), notes)


def _scatter(scores: Mapping[str, Mapping[str, float]]) -> Figure:
    women = _women()
    rows: list[Mapping[str, Cell]] = [
        {"x": score, "y": women[name], "series": f"{whose} score", "name": name}
        for whose, own_scores in scores.items()
        for name, score in own_scores.items()
        if name in women
    ]
    return Figure("Figure 1: gender score and share of women", draw_points, "gender score", "women (%)", tuple(rows))


STUDY = StudyPlan(TITLE, INPUTS, run, MORE)
