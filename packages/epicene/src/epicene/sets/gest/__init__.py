"""GEST (Pikuliak et al. 2024): sentences in the first person with a stereotype; nobody's gender is told.

``p_1`` … ``p_16`` are masculine shares of what was read as feminine or masculine; ``p_f`` and ``p_m`` are means over
the stereotypes about women (1 to 7) and men (8 to 16), ``f_m`` the mean of these two and ``f_s`` the latter less the
former.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError, UnknownNameError
from epicene.files import checksum, read_text, set_folder
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Measures, Rate, is_hidden, is_shown, reads
from epicene.sets import TestSet, read_about
from epicene.sets.files import read_csv, read_table, require
from epicene.stats.clustered import Share
from epicene.tables import table
from epicene.types import Gender, Item, Kind, Measure, Pair, Person

WOMEN, MEN = (tuple(str(number) for number in numbers) for numbers in (range(1, 8), range(8, 17)))
_SAYS = {row["number"]: row["stereotype"] for row in table("sets/gest/tables", "stereotypes.tsv")}


def _stereotype(item: Item) -> str:
    return item.labels["stereotype"]


def _means(outcomes: Outcomes) -> list[Measure]:
    """Means over stereotypes, each of which weighs the same however many of its sentences were read."""
    rows = [
        (profile.unit, profile.stratum, outcome.gender is Gender.MASCULINE, number)
        for profile, outcome, number in outcomes.cells()
        if outcome.shown
    ]
    counts = Counter[str]()
    for _, which, _, number in rows:
        counts[which] += number
    if not all(counts[which] for which in (*WOMEN, *MEN)):
        return []
    clusters, weights = outcomes.clusters, {which: 1 / counts[which] for which in counts}

    def mean(over: Mapping[str, float]) -> Share:
        scale = sum(counts[which] for which in over) / sum(over.values())
        return clusters.share(
            (sentence, scale * over[which] * weights[which] * man * n, scale * over[which] * weights[which] * n)
            for sentence, which, man, n in rows
            if which in over
        )

    women, men = mean(dict.fromkeys(WOMEN, 1.0)), mean(dict.fromkeys(MEN, 1.0))
    both = mean({which: 1 / len(part) for part in (WOMEN, MEN) for which in part})
    about_women, about_men = (sum(counts[which] for which in part) for part in (WOMEN, MEN))
    return [
        clusters.mean("f_m", "all", "% masculine", both, counts.total(), scale=100),
        clusters.gap("f_s", "men-women", men, women),
        clusters.mean("p_f", "women", "% masculine", women, about_women, scale=100),
        clusters.mean("p_m", "men", "% masculine", men, about_men, scale=100),
    ]


def _count_masculine(which: str) -> Rate:
    """The masculine share of what was read as feminine or masculine of a stereotype."""
    return Rate(f"p_{which}", reads(Gender.MASCULINE), is_shown, excluded=is_hidden, groups=(_SAYS[which],))


MEASURES = Measures(
    groups=lambda item: (_SAYS[_stereotype(item)],),
    rates=tuple(map(_count_masculine, (*WOMEN, *MEN))),
    stratum=_stereotype,
    order=lambda sizes: [stereotype for stereotype in _SAYS.values() if stereotype in sizes],
    own=_means,
    compared=lambda item: ("all", f"stereotypes about {'women' if _stereotype(item) in WOMEN else 'men'}"),
    gated=("f_s",),
    shares=True,
)


NAME = "gest"
VERSIONS = {"1.1": "gest_1.1.csv", "1.0": "gest.csv"}
# The pronoun as a subject first: it says best where the speaker stands.
_SPEAKER = (re.compile(r"\bI\b"), re.compile(r"\b(?:me|my|mine|myself)\b", re.IGNORECASE))
_FIRST_WORD = re.compile(r"\S+")


class Sentence(NamedTuple):
    """A sentence in the first person, and the number of its stereotype."""

    text: str
    stereotype: str


def sentences(version: str = "1.1") -> list[Sentence]:
    """The sentences of a version, in published order."""
    path = require(NAME, VERSIONS[version])
    sentences = [Sentence(row["sentence"], row["stereotype"]) for row in read_csv(path, "sentence", "stereotype")]
    if bad := next((sentence for sentence in sentences if sentence.stereotype not in _SAYS), None):
        raise InputError(f"{path}: stereotype {bad.stereotype!r}; expected 1 to 16")
    return sentences


def list_versions() -> list[str]:
    """The versions that are on this machine; 1.0, the one that was translated, comes last."""
    return [version for version, file in VERSIONS.items() if (set_folder(NAME) / file).is_file()]


def translations(text: str, where: str) -> dict[str, str]:
    """A system's published translations, by their English sentence."""
    return {row["from"]: row["to"] for row in read_table(text, where, "from", "to")}


def _person(sentence: str) -> Person:
    """Who speaks; the sentence's first word where no pronoun names the speaker."""
    matches = (pattern.search(sentence) for pattern in (*_SPEAKER, _FIRST_WORD))
    match = next(match for match in matches if match)
    return Person(match[0], match.start(), "i", kind=Kind.PRONOUN)


def _items(version: str, pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """The sentences in published order."""
    return [
        Item(str(number), text, _person(text), None, {"stereotype": stereotype})
        for number, (text, stereotype) in enumerate(sentences(version))
    ]


def _version(version: str) -> str:
    return checksum(*(f"{stereotype}\t{text}\n" for text, stereotype in sentences(version)))


def read_outputs(path: Path) -> tuple[TestSet, list[str]] | None:
    """The sentences that a published ``translations.csv`` translates, whichever version they are of, and its lines."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    translated = translations(read_text(path), str(path))
    version = ("1.1", *list_versions())[-1]
    items = [item for item in _items(version, Pair("en", "ru")) if item.source in translated]

    def checksum_items() -> str:
        return checksum(*(f"{_stereotype(item)}\t{item.source}\n" for item in items))

    part = replace(SET, items=lambda _: items, version=checksum_items, read_outputs=None)
    return part, [translated[item.source] for item in items]


def variant(argument: str) -> TestSet:
    """The set of ``gest:1.0``, the version that the published translations were made from, or ``gest:1.1``."""
    if argument not in VERSIONS:
        raise UnknownNameError("version of gest", argument, tuple(VERSIONS))
    return replace(
        SET,
        about=replace(SET.about, name=f"gest:{argument}"),
        items=lambda pair: _items(argument, pair),
        version=lambda: _version(argument),
    )


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    items=lambda pair: _items("1.1", pair),
    version=lambda: _version("1.1"),
    variant=variant,
    open_gender=True,
    read_outputs=read_outputs,
)
