"""Kurpicz-Briki 2020, "Cultural Differences in Bias? Origin and Gender Bias in Pre-Trained German and French Word
Embeddings": Tables 8 and 9."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from epicene.embeddings.weat import Association, Weat, weat
from epicene.files import locate_data
from epicene.output.table import Cell, Column, Table, make_columns
from epicene.studies import Study, StudyPlan
from epicene_lab.tables import table

TITLE = "Kurpicz-Briki 2020: bias in English, German and French word embeddings (Tables 8 and 9)"
_SHIPPED = ("europarl:en", "europarl:de", "europarl:fr", "oscar:fr")
_LEAST = 0.4  # of a list, so that every test that can be run at all is run on Europarl
INPUTS = {row["vectors"]: row["title"] for row in table("weat", "vectors.tsv")}

_TABLES = {
    "8": "Table 8: English, on GloVe and word2vec",
    "9": "Table 9: German (de) and French (fr), on fastText",
}
_COLUMNS = make_columns(
    test="test",
    vectors="vectors",
    published_p="p",
    published_d="d",
    p=("our p", 4),
    d=("our d", 2),
    interval=("95 % interval", 2),
    n="n",
)
_HOW = "All p are two-sided: the published ones are sampled, ours counted. The paper prints d without its sign."
_NOTES = {
    "8": (
        "weat7: the published 0.94 (GloVe) and 0.99 (word2vec) do not follow from the lists of Table 4. Without "
        "'she' among the female terms they do (weat7-less-she); the word was found by trying, so this is a guess.",
        "weat6: Table 2 prints 'weddings' (weat6-weddings) where Caliskan et al. have 'wedding' (weat6).",
        "weat7-mod, weat8-mod: on word2vec the paper prints what it prints without -mod, sampling aside.",
        _HOW,
    ),
    "9": (_HOW,),
}


_SHIPPED_TITLE = "Every test of the paper, on the vectors that come with epicene"
_SHIPPED_NOTES = (
    "europarl: word2vec, CBOW, 200 dimensions, 3 epochs over 57 (fr), 25 (de) and 26 (en) million words: '-e "
    "europarl:de' has the rows, 'epicene lab vectors' trains such vectors. The paper's have seen thousands of times as "
    "much.",
    "n is what is left of a test: a list of eight words of which five are there (5+5) is a smaller and another test. "
    "Tests are run from 40 % of each list on.",
    "What a parliament's language can say: it has the words of work, family and science, so that weat6 and weat8 can "
    "be run in German and French. What it cannot: flowers, insects, instruments, algebra and most first names of the "
    "lists hardly stand in it, and what does may mean something else there (a name is a member).",
    "Of the 11 tests of Table 9 that can be run, 6 have the published verdict at .05: all of the French ones but "
    "weat6-fr2, and weat6-ger1 and weat8-ger. The German ones that differ have two to five words a side. weat8 in "
    "English is not significant here.",
    "oscar:fr: spaCy's French vectors (fastText, CBOW, Common Crawl and Wikipedia; CC0). Rare words share the vector "
    "of a frequent one. weat5-fr, weat7-fr and weat8-fr have the published verdict, weat6-fr1 and weat6-fr2 have not.",
)


def run(inputs: Mapping[str, str]) -> Study:
    """Both tables, computed on whatever vectors are there, and every test on our own."""
    there = {name: inputs.get(name) or _usual(name) for name in INPUTS}
    computed = {name: weat(path, _tests(name)) for name, path in there.items() if path}
    tables = [
        Table(
            title, _COLUMNS, tuple(_rows(number, computed)), (*_NOTES[number], *_refused(_of_table(number, computed)))
        )
        for number, title in _TABLES.items()
    ]
    ours = {vectors: weat(vectors, vectors.partition(":")[2], coverage=_LEAST) for vectors in _SHIPPED}
    tables.append(_on_shipped(ours))
    missing = {row["vectors"]: _how_to_get(row) for row in table("weat", "vectors.tsv") if not there[row["vectors"]]}
    signatures = tuple(
        association.signature for results in (*computed.values(), *ours.values()) for association in results
    )
    return Study("weat", TITLE, tuple(tables), missing, signatures)


def _on_shipped(ours: Mapping[str, Weat]) -> Table:
    """Every test of a language with the published figures of all vectors beside ours."""
    rows: list[tuple[Cell, ...]] = []
    for vectors, results in ours.items():
        for association in results:
            name = association.test.name
            printed = [row for row in table("weat", "published.tsv") if row["test"] == name]
            p, d = (", ".join(row[key] for row in printed) for key in ("p", "d"))
            rows.append((name, vectors, p, d, *_ours(results, name), "yes" if association.significant else "no"))
    columns = (*_COLUMNS, Column("significant", "<.05"))
    return Table(_SHIPPED_TITLE, columns, tuple(rows), (*_SHIPPED_NOTES, *_refused(ours)))


def _tests(vectors: str) -> list[str]:
    rows = [row for row in table("weat", "published.tsv") if row["vectors"] == vectors]
    return [name for row in rows for name in (row["test"], row["variant"]) if name]


def _of_table(number: str, computed: Mapping[str, Weat]) -> dict[str, Weat]:
    names = {row["vectors"] for row in table("weat", "published.tsv") if row["table"] == number}
    return {name: results for name, results in computed.items() if name in names}


def _rows(number: str, computed: Mapping[str, Weat]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for row in table("weat", "published.tsv"):
        if row["table"] != number:
            continue
        results = computed.get(row["vectors"])
        rows.append((row["test"], row["vectors"], row["p"], row["d"], *_ours(results, row["test"])))
        if row["variant"] and results:
            rows.append((row["variant"], row["vectors"], "", "", *_ours(results, row["variant"])))
    return rows


def _ours(results: Weat | None, test: str) -> tuple[Cell, ...]:
    association: Association | None = next(
        (association for association in results or () if association.test.name == test), None
    )
    if association is None:
        return (None,) * 4
    effect = association["effect_size"]
    return association["p_two_sided"].value, effect.value, effect.interval, "+".join(map(str, association.sizes))


def _refused(results: Mapping[str, Weat]) -> list[str]:
    """What could not be run on some vectors, and how few words were found."""
    return [
        f"Not run on {name}, too few words found: "
        f"{', '.join(f'{refusal.test.name} ({refusal.short})' for refusal in weat_results.refused)}"
        for name, weat_results in results.items()
        if weat_results.refused
    ]


def _usual(vectors: str) -> str | None:
    """The file of its usual name in the folder for vectors, gzipped or not."""
    (name,) = (row["file"] for row in table("weat", "vectors.tsv") if row["vectors"] == vectors)
    places = (_folder() / f"{name}{suffix}" for suffix in ("", ".gz"))
    return next((str(place) for place in places if place.is_file()), None)


def _folder() -> Path:
    return locate_data("vectors")


def _how_to_get(row: Mapping[str, str]) -> str:
    return (
        f"{row['title']}: get {row['address']} and put {row['file']} into {_folder()}, or give -i {row['vectors']}=FILE"
    )


STUDY = StudyPlan(TITLE, INPUTS, run)
