"""MiTTenS (Robinson et al. 2024): is somebody misgendered, into and out of English?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError
from epicene.files import checksum, fingerprint, read_text
from epicene.languages.english import concept, kind_of
from epicene.measures.rates import Gap, Measures, Rate, is_misgendered
from epicene.sets import TestSet, read_about
from epicene.sets.files import read_csv, require
from epicene.sets.mittens.passage import build
from epicene.tables import table
from epicene.text import one_line
from epicene.types import Accepted, Gender, Item, Kind, Pair, Person

NAME, FILE = "mittens", "mittens_dataset_v5.csv"
_COLUMNS = ("example", "targets", "lang", "encoded_gender", "eval_set_key", "format")
_WORD = re.compile(r"[^\W\d_]+")


class Passage(NamedTuple):
    """A passage, a translation of it, and the gender that it tells."""

    row: str
    text: str
    reference: str
    gender: str
    family: str  # as late_binding, coref:synthetic


def passages(source: str, target: str) -> list[Passage]:
    """The passages of a pair of languages, one of which is English, in published order."""
    way, language = ("2en", source) if target == "en" else ("2xx", target)
    path = require(NAME, FILE)
    found = [passage for kind, lang, passage in _all(path) if (kind, lang) == (way, language)]
    if not found or "en" not in (source, target):
        known = ", ".join(sorted({lang for kind, lang, _ in _all(path) if kind == way}))
        raise InputError(f"set mittens has no passages {source}-{target}; it has en-XX and XX-en, here {known}")
    return found


@lru_cache(maxsize=1)
def _all(path: Path) -> tuple[tuple[str, str, Passage], ...]:
    return tuple(
        (
            row["format"],
            row["lang"],
            Passage(
                row[""],
                one_line(row["example"]).strip(),
                one_line(row["targets"]).strip(),
                row["encoded_gender"],
                row["eval_set_key"],
            ),
        )
        for row in read_csv(read_text(path), str(path), *_COLUMNS)
    )


def _person(text: str, gender: Gender) -> Person:
    """In English: the first pronoun or noun of the gender, else who speaks; elsewhere the first word."""
    words = list(_WORD.finditer(text))
    told = [match for match in words if _told().get(match[0].lower()) is gender]
    told.sort(key=lambda match: kind_of(match[0]) is not Kind.PRONOUN)
    match = next(iter(told), None) or next((each for each in words if each[0] == "I"), None)
    if match is None:
        first = text.split()[0]
        return Person(first, 0, first.lower(), kind=Kind.NAME)
    kind = kind_of(match[0])
    name, plural = (match[0].lower(), False) if kind is Kind.PRONOUN else concept(match[0])
    return Person(match[0], match.start(), name, plural, kind)


def _told() -> dict[str, Gender]:
    return {row["word"]: Gender(row["gender"]) for row in table("speech/tables", "cues.tsv")}


def items(pair: Pair) -> list[Item]:
    """The passages of a pair in published order."""
    found = []
    for row in passages(pair.source, pair.target):
        gender = Gender(row.gender)
        first = row.text.split()[0]
        foreign = Person(first, 0, first.lower(), kind=Kind.PRONOUN)
        found.append(
            Item(
                row.row,
                row.text,
                _person(row.text, gender) if pair.source == "en" else foreign,
                gender,
                {"family": row.family},
                references=(Accepted(row.reference, gender),),
            )
        )
    return found


def _version() -> str:
    return checksum(fingerprint([require(NAME, FILE)]))


_LATE = "late_binding"
_FIRST = ("all", "feminine", "masculine", "without late binding")  # rows before those of families


def _groups(item: Item) -> tuple[str, ...]:
    """All, the gender and the family."""
    family = item.labels["family"]
    late = () if family == _LATE else ("without late binding",)
    return ("all", item.expected.value, *late, family) if item.expected else ()


def _order(sizes: Mapping[str, int]) -> list[str]:
    return [*(group for group in _FIRST if group in sizes), *sorted(sizes.keys() - set(_FIRST))]


MEASURES = Measures(
    groups=_groups,
    rates=(Rate("accuracy", lambda outcome: outcome.gender is outcome.expected), Rate("misgendered", is_misgendered)),
    gaps=(Gap("gap", "accuracy", "feminine", "masculine"),),
    unit=lambda item: item.id,  # the passage
    order=_order,
    gated=("gap",),
)


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    detector=build,
    items=items,
    version=_version,
)
