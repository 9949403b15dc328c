"""The tables and figures of WiBeMT's results section, from readings of systems and from what the paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from epicene.errors import EpiceneError
from epicene.output.table import Cell, Column, Table, make_columns
from epicene.sets.wibemt.measures import ALPHA, COUNTED, HYPOTHESES, Hypothesis
from epicene.sets.wibemt.sentences import occupations
from epicene.stats import rates
from epicene.stats.rates import bonferroni, chi_square
from epicene.studies import Figure
from epicene.tables import table
from epicene_lab.studies import read_published
from epicene_lab.studies.wibemt.charts import draw_bars
from epicene_lab.studies.wibemt.readings import PAPER, Agreement, Reading, effects, share

SYSTEMS = ("deepl", "microsoft", "google")
_WHO = (Column("system", "system"), Column("from", "from"))
_RATE = make_columns(value=("%", 1), interval=("95 % interval", 1), n="n", wrong="wrong")
# Table or figure: title, measure, and its groups with the names that they have in print.
RATES = {
    "figure2": (
        "Figure 2: %TFG of verb sentences",
        "tfg",
        {"verbs/feminine": "feminine verbs", "verbs/masculine": "masculine verbs"},
    ),
    "occupations": (
        "%TFG of verb sentences by the occupation's gender score, in thirds",
        "tfg",
        {"verbs/occ-feminine": "feminine", "verbs/occ-neutral": "neutral", "verbs/occ-masculine": "masculine"},
    ),
    "figure3": (
        "Figure 3: %TFG of WinoBias, plain and with adjectives",
        "tfg",
        {
            "adjectives/none": "no adjective",
            "adjectives/feminine": "feminine adjectives",
            "adjectives/masculine": "masculine adjectives",
        },
    ),
    "figure4": (
        "Figure 4: %TCG of WinoBias by adjective and pronoun",
        "tcg",
        {
            f"adjectives/{kind}/{pronoun}": f"{name}, {pronoun}"
            for kind, name in (("none", "none"), ("feminine", "feminine"), ("masculine", "masculine"))
            for pronoun in ("she", "he")
        },
    ),
}


def published(system: str) -> dict[tuple[str, ...], str]:
    """What the paper prints of a system, by measure and group."""
    return read_published("wibemt", "measure", "group", value=system) if system in SYSTEMS else {}


def names(readings: Sequence[Reading]) -> list[str]:
    """Systems in print: those of the paper, then the others."""
    return list(dict.fromkeys((*SYSTEMS, *(reading.system for reading in readings))))


def words_table(scores: Mapping[str, float] | None = None) -> Table:
    """The chosen adjectives and verbs with their gender scores, ours beside where vectors are given."""
    rows: list[tuple[Cell, ...]] = []
    for part, column in (("adjectives", "adjective"), ("verbs", "verb")):
        for row in table("sets/wibemt/tables", f"{part}.tsv"):
            ours = scores.get(row[column]) if scores else None
            rows.append((row[column], part, row["class"], float(row["score"]), int(row["rank"]), ours))
    columns = (
        *make_columns(word="word", part="part"),
        Column("class", "class"),
        *make_columns(score=("score", 3), rank="rank", ours=("our score", 3)),
    )
    notes = ("rank: from its own end of the authors' whole list. Our scores are stretched over these words only.",)
    return Table("The chosen adjectives and verbs", columns, tuple(rows), notes)


def counts_table(readings: Sequence[Reading]) -> Table:
    """How many translations fell into each category (Table 3, and the counts of H1)."""
    groups = [group for _, measure, listed in RATES.values() if measure == "tfg" for group in listed]
    rows: list[tuple[Cell, ...]] = []
    for system, group in ((system, group) for system in names(readings) for group in groups):
        if count := published(system).get(("feminine", group)):
            rows.append((system, PAPER, group, None, int(count), None, None, None))
        for reading in _of(readings, system):
            if ("feminine", group) in reading.measures:
                counted_measures = [reading.measures[name, group] for name in COUNTED]
                rows.append(
                    (system, reading.how, group, counted_measures[0].n, *(each.count for each in counted_measures))
                )
    titles = ("F", "M", "N", "wrong")
    counted = (Column(name, title) for name, title in zip(COUNTED, titles, strict=True))
    columns = (*_WHO, Column("group", "group"), Column("n", "n"), *counted)
    return Table("Categories (Table 3; H1)", columns, tuple(rows))


def rate_table(key: str, readings: Sequence[Reading]) -> Table:
    """The rates of a figure, ours below the published ones."""
    title, measure, groups = RATES[key]
    rows: list[tuple[Cell, ...]] = []
    for system in names(readings):
        for group, name in groups.items():
            if value := published(system).get((measure, group)):
                rows.append((system, PAPER, name, value, None, None, None))
            ours = ((reading, reading.measures.get((measure, group))) for reading in _of(readings, system))
            rows += [
                (system, reading.how, name, rate.value, rate.interval, rate.n, rate.excluded)
                for reading, rate in ours
                if rate is not None
            ]
    return Table(title, (*_WHO, Column("group", "group"), *_RATE), tuple(rows))


def tests_table(readings: Sequence[Reading]) -> Table:
    """Hypotheses: chi-square, adjusted p, effect, and whether the hypothesis holds."""
    rows: list[tuple[Cell, ...]] = []
    for system in names(readings):
        for hypothesis in HYPOTHESES:
            rows += _test_rows(system, hypothesis, readings)
    columns = (
        *_WHO,
        *make_columns(
            test="test", chi2=("χ²", 1), p=("p", 4), delta=("Δ", 1), interval=("95 %", 1), n="n", holds="holds"
        ),
    )
    claims = [f"{hypothesis.name}: {hypothesis.claim}." for hypothesis in HYPOTHESES]
    how = (
        f"χ² with Yates' correction; p after Bonferroni (H2a to H2c: 3 tests, occ: 2); holds: p < {ALPHA:g} and Δ of "
        "%TFG, in points, has the sign that the hypothesis says. Intervals: the wider of those over occupations and "
        "over sentences."
    )
    counted = (
        "counts: H2 recomputed from what the paper prints, the feminine count and rate without an adjective and the "
        "rates with one, each plain sentence read ten times with adjectives of a class; rounding moves χ² by a few."
    )
    return Table("Hypotheses", columns, tuple(rows), (*claims, how, counted))


_RECOMPUTED = "counts"
_ADJECTIVES = 10  # of either class: as many sentences for each plain one


def _from_counts(system: str, hypothesis: Hypothesis) -> tuple[Cell, ...] | None:
    """A hypothesis of the adjectives from the feminine count and the rates that the paper prints."""
    known = published(system)
    plain, count = known.get(("tfg", "adjectives/none")), known.get(("feminine", "adjectives/none"))
    if not hypothesis.name.startswith("H2") or not plain or not count:
        return None
    size = int(count) / float(plain) * 100
    sizes = {
        "adjectives/none": size,
        "adjectives/feminine": _ADJECTIVES * size,
        "adjectives/masculine": _ADJECTIVES * size,
    }
    cells: list[int] = []
    for group in (hypothesis.first, hypothesis.second):
        feminine = round(sizes[group] * float(known["tfg", group]) / 100)
        cells += [feminine, round(sizes[group]) - feminine]
    test = chi_square(rates.Table(*cells))
    if test is None:
        return None
    gap = 100 * (cells[0] / (cells[0] + cells[1]) - cells[2] / (cells[2] + cells[3]))
    p = bonferroni(test[1], hypothesis.tests)
    return system, _RECOMPUTED, hypothesis.name, test[0], p, gap, None, sum(cells), _yes_or_no(hypothesis.holds(p, gap))


def _test_rows(system: str, hypothesis: Hypothesis, readings: Sequence[Reading]) -> Iterator[tuple[Cell, ...]]:
    known = published(system)
    if ("chi2", hypothesis.name) in known:
        values = (known.get((name, hypothesis.name)) for name in ("chi2", "p", "delta_tfg"))
        yield (system, PAPER, hypothesis.name, *values, None, None, "")
    counted = _from_counts(system, hypothesis)
    if counted:
        yield counted
    for reading in _of(readings, system):
        chi2, gap = (reading.measures.get((name, hypothesis.name)) for name in ("chi2", "delta_tfg"))
        if chi2 and gap and gap.value is not None and chi2.p is not None:
            answer = _yes_or_no(hypothesis.holds(chi2.p, gap.value))
            yield system, reading.how, hypothesis.name, chi2.value, chi2.p, gap.value, gap.interval, chi2.n, answer


def _yes_or_no(holds: bool) -> str:
    return "yes" if holds else "no"


def model_table(readings: Sequence[Reading]) -> Table | None:
    """One logistic model a reading; None without readings."""
    scores = {name.lower(): float(row["score"]) for name, row in occupations().items()}
    rows: list[tuple[Cell, ...]] = []
    notes = [
        "Odds ratios of a feminine against a masculine translation, the other effects held equal; what each is "
        "compared with stands in brackets. Standard errors are clustered by occupation."
    ]
    for reading in readings:
        try:
            terms = effects(reading.outcomes, scores)
        except EpiceneError as error:
            notes.append(f"{reading.system}, {reading.how}: {error}")
            continue
        rows += [(reading.system, reading.how, t.name, t.odds, (t.low, t.high), t.p) for t in terms]
    columns = (*_WHO, *make_columns(effect="effect", odds=("odds", 3), interval=("95 % interval", 3), p=("p", 4)))
    return Table("Logistic model", columns, tuple(rows), tuple(dict.fromkeys(notes))) if readings else None


def agreement_table(agreements: Sequence[Agreement]) -> Table | None:
    """The detector against the authors' categories; None where there are none."""
    rows: list[tuple[Cell, ...]] = []
    for agreement in agreements:
        for what, part in (("F, M and N", agreement.gendered), ("all", agreement.everything)):
            value, interval = share(part)
            rows.append((agreement.system, what, value, interval, part[0], part[1]))
    columns = make_columns(
        system="system", of="of", value=("agree %", 2), interval=("95 % interval", 2), same="same", n="n"
    )
    notes = ("F, M and N: where the authors gave one of these. all: wrong and unknown count as one.",)
    return Table("Our detector against the authors' categories", columns, tuple(rows), notes) if rows else None


def rate_figure(key: str, readings: Sequence[Reading]) -> Figure:
    """Bars by system and group, the published ones first."""
    title, measure, groups = RATES[key]
    rows: list[Mapping[str, Cell]] = []
    for system in names(readings):
        for group, name in groups.items():
            if paper := published(system).get((measure, group)):
                rows.append({"x": name, "series": system, "from": PAPER, "y": float(paper)})
            for reading in _of(readings, system):
                if rate := reading.measures.get((measure, group)):
                    of = {"x": name, "series": system, "from": reading.how}
                    rows.append({**of, "y": rate.value, "low": rate.low, "high": rate.high})
    return Figure(title, draw_bars, "", f"%{measure.upper()}", tuple(rows))


def _of(readings: Sequence[Reading], system: str) -> list[Reading]:
    return [reading for reading in readings if reading.system == system]
