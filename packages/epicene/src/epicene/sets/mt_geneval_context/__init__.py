"""MT-GenEval's contextual part (Currey et al. 2022): a profession whose gender stands in the sentence before."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import replace
from functools import cache

from epicene.errors import UnknownNameError
from epicene.languages.english import mentioned, person_at
from epicene.sets import TestSet, read_about
from epicene.sets.mt_geneval import CLEANED
from epicene.sets.mt_geneval import MEASURES as PAIRS
from epicene.sets.mt_geneval import files as published
from epicene.tables import table
from epicene.types import Accepted, Gender, Item, Pair, Person

_TURNS = (Gender.MASCULINE, Gender.FEMININE)


@cache
def _professions() -> re.Pattern[str]:
    nouns = "|".join(row["noun"] for row in table("sets/mt_geneval_context/tables", "professions.tsv"))
    return re.compile(rf"\b(?:{nouns})s?\b", re.IGNORECASE)


def _gender(target: str, number: int) -> Gender:
    ends = next(
        row["ends"] for row in table("sets/mt_geneval_context/tables", "context.tsv") if row["target"] == target
    )
    return _TURNS[bisect([int(end) for end in ends.split()], number) % 2]


def _person(source: str, begin: int) -> Person:
    """The profession, in the sentence that begins at an offset; its first word where no listed noun stands there."""
    if match := _professions().search(source, begin):
        return person_at(source, *match.span())
    if others := [person for person in mentioned(source, but=-1) if person.start >= begin]:
        return others[0]
    first = source[begin:].split()[0]
    return Person(first, begin, first.lower())


def _items(mode: str, pair: Pair) -> list[Item]:
    """The sentences in published order, with the one before or alone."""
    items = []
    for number, row in enumerate(published.in_context(pair.target)):
        gender = _gender(pair.target, number)
        other = _TURNS[1 - _TURNS.index(gender)]
        before = row.before.strip()
        joined = f"{before} {row.source}" if before and mode == "joined" else row.source
        items.append(
            Item(
                str(number),
                joined,
                _person(joined, len(joined) - len(row.source)),
                gender,
                {"gender": gender.value, "context": mode},
                context=(before,) if before else (),
                references=(Accepted(row.right, gender), Accepted(row.wrong, other)),
            )
        )
    return items


def variant(argument: str) -> TestSet:
    """The set of ``mt-geneval-context:joined``, ``:given`` or ``:none``."""
    if argument not in SET.about.contexts:
        raise UnknownNameError("context of mt-geneval-context", argument, SET.about.contexts)
    about = replace(SET.about, name=f"mt-geneval-context:{argument}", contexts=())
    return replace(SET, about=about, items=lambda pair: _items(argument, pair))


SET = TestSet(
    about=read_about(__name__),
    measures=replace(PAIRS, own=lambda _: []),  # no sentence has its twin here
    variant=variant,
    paper=CLEANED,
    detector="contrast",
    items=lambda pair: _items("joined", pair),
    version=lambda: published.version("mt-geneval-context"),
)
