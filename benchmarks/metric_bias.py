"""Bias of the metric itself: does BLEU, chrF or COMET take the masculine version of a sentence for the better one?

MT-GenEval and GATE have every sentence twice, right but for the gender. Each version is scored against its own
reference, and against the other's: what a metric takes off for a man in place of a woman, and for a woman in place of a
man. A metric without a preference takes off the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from epicene import sets
from epicene.errors import DataMissingError
from epicene.measures import metrics
from epicene.measures.outcomes import Clusters
from epicene.output.table import Cell, Column, Table
from epicene.sets import gate as open_gender
from epicene.stats import clustered
from epicene.studies import Study
from epicene.types import Gender, Pair

TITLE = "Bias of the metric itself: a man in place of a woman, and a woman in place of a man"
INPUTS = {"comet": "a model of COMET: its name or a checkpoint (extra comet); without it, BLEU and chrF alone"}
_GET = "needs the published set; run: epicene data get {}"
COLUMNS = (
    Column("set", "set"),
    Column("langs", "langs"),
    Column("metric", "metric"),
    Column("n", "n"),
    Column("own", "own, m − f", 2),
    Column("man_for_woman", "m for f", 1),
    Column("woman_for_man", "f for m", 1),
    Column("preference", "difference", 2),
    Column("interval", "95 % interval", 2),
    Column("p", "p", 4),
)
NOTES = (
    "own: the masculine version against its own reference less the feminine one against its own; 0 by definition "
    "where a metric is 100 for what equals the reference.",
    "m for f: the masculine version against the feminine reference, that is, a woman who is misgendered; f for m: a "
    "man who is. Difference above 0: the metric takes off less where women are written as men.",
    "Sentence scores; intervals and p are over pairs (MT-GenEval) and people (GATE), each row for itself.",
)


class Twin(NamedTuple):
    """A sentence as a woman's and as a man's: source and right translation of either."""

    unit: str
    feminine: tuple[str, str]
    masculine: tuple[str, str]


Scorer = Callable[[Sequence[tuple[str, str, str]], str], list[float]]  # (source, translation, reference), target


def twins_of_pairs(part: str, target: str) -> list[Twin]:
    """MT-GenEval's sentences in pairs."""
    sides: dict[str, dict[Gender | None, tuple[str, str]]] = {}
    for item in sets.load(part).items(Pair("en", target)):
        right = next(text for text, gender in item.references if gender is item.expected)
        sides.setdefault(item.labels["pair"], {})[item.expected] = (item.source, right)
    both = (Gender.FEMININE, Gender.MASCULINE)
    return [Twin(f"{part} {name}", *(found[side] for side in both)) for name, found in sides.items() if len(found) == 2]


def twins_of_open(target: str) -> list[Twin]:
    """GATE's sentences with everybody as women and with everybody as men."""
    units = {item.line: item.unit for item in reversed(list(sets.load("gate").items(Pair("en", target))))}
    found = []
    for number, row in enumerate(open_gender.rows(target)):
        women, men = ("f" * len(row.people), "m" * len(row.people))
        texts = (row.variants[women], row.variants[men])
        found.append(Twin(units[str(number)], *((row.source, text) for text in texts)))
    return found


def scored(twins: Sequence[Twin], score: Scorer, target: str) -> tuple[list[list[float]], list[str]]:
    """The four scores of every twin: f by f, m by m, m for f, f for m."""
    asked = [
        [(each.feminine[0], each.feminine[1], each.feminine[1]) for each in twins],
        [(each.masculine[0], each.masculine[1], each.masculine[1]) for each in twins],
        [(each.feminine[0], each.masculine[1], each.feminine[1]) for each in twins],
        [(each.masculine[0], each.feminine[1], each.masculine[1]) for each in twins],
    ]
    return [score(rows, target) for rows in asked], [each.unit for each in twins]


def row(name: str, target: str, metric: str, twins: Sequence[Twin], score: Scorer) -> tuple[Cell, ...]:
    """One line of the table."""
    (own_f, own_m, man, woman), units = scored(twins, score, target)
    n = len(twins)
    clusters = Clusters.of((unit, "") for unit in units)
    share = clusters.share((unit, a - b, 1) for unit, a, b in zip(units, man, woman, strict=True))
    found = clustered.mean(share, clusters.design)
    interval = None if found.low is None or found.high is None else (float(found.low), float(found.high))
    p = found.p_value()
    own = (sum(own_m) - sum(own_f)) / n
    means = sum(man) / n, sum(woman) / n
    tested = None if p is None else float(p)
    return name, f"en-{target}", metric, n, own, *means, means[0] - means[1], interval, tested


def _sacre(metric: str) -> Scorer:
    return lambda rows, target: [
        metrics.score_sentence(metric, text, (reference,), target) for _, text, reference in rows
    ]


def _comet(model: str) -> Scorer:
    def score(rows: Sequence[tuple[str, str, str]], _: str) -> list[float]:
        sources, texts, references = ([each[place] for each in rows] for place in range(3))
        return metrics.score_comet(model, sources, texts, [(each,) for each in references])

    return score


def _tasks(missing: dict[str, str]) -> Iterator[tuple[str, str, list[Twin]]]:
    for part in ("mt-geneval:dev", "mt-geneval"):
        challenge = sets.load(part)
        try:
            for target in challenge.about.targets:
                yield part, target, twins_of_pairs(part, target)
        except DataMissingError:
            missing[part] = _GET.format(part.replace(":", "-"))
    try:
        for target in sets.load("gate").about.targets:
            yield "gate", target, twins_of_open(target)
    except DataMissingError:
        missing["gate"] = _GET.format("gate")


def run(inputs: Mapping[str, str]) -> Study:
    """Every set and language that is here, by every metric that is."""
    scorers = {"BLEU": _sacre("bleu"), "chrF": _sacre("chrf")}
    model = inputs.get("comet", "")
    if model:
        scorers["COMET"] = _comet(model)
    missing: dict[str, str] = {} if model else {"comet": INPUTS["comet"]}
    rows: list[tuple[Cell, ...]] = []
    signatures: dict[str, None] = {}
    for name, target, twins in _tasks(missing):
        signatures[f"{name}|set:{sets.load(name).version()}"] = None
        rows += [row(name, target, metric, twins, score) for metric, score in scorers.items()]
    if rows:
        told = (
            metrics.score_corpus(metric, ["a b c d"], [("a b c d",)], interval=False).signature
            for metric in metrics.USUAL
        )
        signatures |= dict.fromkeys((*told, *([metrics.sign_comet(model)] if model else [])))
    tables = (Table("What a wrong gender costs", COLUMNS, tuple(rows), NOTES),) if rows else ()
    return Study("metric-bias", TITLE, tables, missing, tuple(signatures) if rows else ())


def main() -> None:
    """Print the table: what each metric takes off, by set and language."""
    study = run({"comet": sys.argv[1]} if sys.argv[1:] else {})
    for name, where in study.missing.items():
        print(f"not here: {name}: {where}")
    for table in study.parts:
        print("\t".join(column.title for column in table.columns))
        for cells in table.rows:
            print("\t".join(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells))


if __name__ == "__main__":
    main()
