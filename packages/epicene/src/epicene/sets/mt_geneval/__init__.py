"""MT-GenEval (Currey et al. 2022): the same sentence of Wikipedia about a woman and about a man."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from epicene.errors import UnknownNameError
from epicene.languages.english import concept, kind_of
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Gap, Measures, Outcome, Rate, is_right
from epicene.sets import TestSet, read_about
from epicene.sets.mt_geneval import files as published
from epicene.sets.mt_geneval.paper import UniqueWords
from epicene.types import Accepted, Gender, Item, Kind, Measure, Pair, Person

_MORE = ("dev", "cleaned")
_PARTS = {"test": "mt-geneval", "dev": "mt-geneval-dev"}
CLEANED = partial(UniqueWords, cleaned=True)  # the authors' rule as their script applies it


def _person(side: published.Side) -> Person:
    """The first words that tell the gender; the whole sentence's first word where nothing is marked."""
    text, start = side.told[0] if side.told else (side.source.split()[0], 0)
    kind = kind_of(text)
    name, plural = (text.lower(), False) if kind is Kind.PRONOUN else concept(text)
    return Person(text, start, name, plural, kind)


def _items(part: str, pair: Pair) -> list[Item]:
    """The feminine sentences in published order, then the masculine ones."""
    told = {Gender(each): published.sides(part, each, pair.target) for each in published.GENDERS}
    twins = list(zip(*told.values(), strict=True))
    return [
        Item(
            f"{gender.value[0]}{number}",
            side.source,
            _person(side),
            gender,
            {"pair": str(number), "gender": gender.value},
            references=tuple(Accepted(other.reference, each) for each, other in zip(told, twins[number], strict=True)),
        )
        for gender, sides in told.items()
        for number, side in enumerate(sides)
    ]


def read_outputs(path: Path) -> tuple[TestSet, list[str]] | None:
    """The translations of a published CSV file that holds both sentences of a pair in each row, in published order."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    rows = published.paired_translations(path)
    return SET, [text for gender in published.GENDERS for _, text in rows[gender]]


def variant(argument: str) -> TestSet:
    """The set of ``mt-geneval:dev``, ``mt-geneval:cleaned`` or ``mt-geneval:dev,cleaned``."""
    chosen = argument.split(",")
    for each in chosen:
        if each not in _MORE:
            raise UnknownNameError("part of mt-geneval", each, _MORE)
    part = "dev" if "dev" in chosen else "test"
    return replace(
        SET,
        about=replace(SET.about, name=f"mt-geneval:{argument}"),
        paper=CLEANED if "cleaned" in chosen else UniqueWords,
        items=lambda pair: _items(part, pair),
        version=lambda: published.version(_PARTS[part]),
    )


def _groups(item: Item) -> tuple[str, ...]:
    """All, and the expected gender."""
    return ("all", item.expected.value) if item.expected else ()


def _is_wrong(outcome: Outcome) -> bool:
    return outcome.shown and not outcome.other_word and outcome.gender is not outcome.expected


def _is_without_evidence(outcome: Outcome) -> bool:
    """Whether nothing names a gender, or nothing of this person."""
    return not outcome.shown or outcome.other_word


def _both_right(outcomes: Outcomes) -> list[Measure]:
    """The share of whole pairs of which the woman and the man are right; none where no sentence has its twin."""
    sides: dict[str, dict[Gender | None, bool]] = {}
    for profile, outcome, _ in outcomes.cells():
        sides.setdefault(profile.unit, {})[outcome.expected] = outcome.right
    whole = {pair: rights for pair, rights in sides.items() if len(rights) == 2}
    if not whole:
        return []
    share = outcomes.clusters.share((pair, all(rights.values()), 1) for pair, rights in whole.items())
    return [replace(outcomes.clusters.rate("both_right", "pairs", share), unit="% of pairs")]


MEASURES = Measures(
    groups=_groups,
    rates=(
        Rate("accuracy", is_right),
        Rate("wrong", _is_wrong),
        Rate("no_evidence", _is_without_evidence, undetected=False),
    ),
    gaps=(Gap("gap", "accuracy", "feminine", "masculine"),),
    order=lambda _: ("all", "feminine", "masculine"),
    own=_both_right,
    gated=("gap",),
)


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    paper=UniqueWords,
    detector="contrast",
    items=lambda pair: _items("test", pair),
    version=lambda: published.version("mt-geneval"),
    variant=variant,
    read_outputs=read_outputs,
)
