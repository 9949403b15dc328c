"""MT-GenEval (Currey et al. 2022): the same sentence of Wikipedia about a woman and about a man."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from epicene.errors import InputError, UnknownNameError
from epicene.languages.english import person_at
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import OPPOSITE, Gap, Measures, Outcome, Rate, is_right
from epicene.reader.contrast import both_told
from epicene.sets import TestSet, read_about
from epicene.sets.mt_geneval import files as published
from epicene.types import Accepted, Evidence, Gender, Item, Measure, Output, Pair, Verdict

_MORE = ("dev", "cleaned")
_PARTS = {"test": "mt-geneval", "dev": "mt-geneval-dev"}
_BLANKS = str.maketrans(string.punctuation, " " * len(string.punctuation))


class UniqueWords:
    """The rule of the authors: a word that only the reference of the other gender has is wrong.

    All else is right, also what holds no such word of either gender. The published decisions on Google take the words
    as they stand between blanks; the authors' script takes them in small letters, and ASCII punctuation as blanks.
    """

    verbatim = True  # published decisions rest on the very letters, apostrophes and blanks of a translation

    def __init__(self, target: str, cleaned: bool = False) -> None:  # noqa: ARG002 - the rule is that of all languages
        self.identity = "mt-geneval-cleaned1" if cleaned else "mt-geneval1"
        self._cleaned = cleaned

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        for output in outputs:
            expected = output.item.expected
            if expected not in OPPOSITE or not both_told(output.item.references):
                raise InputError(f"sentence {output.item.id} has no expected gender and two references to contrast")
            words = self._words(output.text)
            wrong = self._only(output.item, OPPOSITE[expected], expected) & words
            right = self._only(output.item, expected, OPPOSITE[expected]) & words
            if wrong:
                yield Verdict(output, OPPOSITE[expected], "word of the other", _spans(wrong, output.text))
            elif right:
                yield Verdict(output, expected, "own word", _spans(right, output.text))
            else:
                yield Verdict(output, expected, "no such word")

    def _words(self, text: str) -> set[str]:
        return set((text.lower().translate(_BLANKS) if self._cleaned else text).split())

    def _only(self, item: Item, gender: Gender, other: Gender) -> set[str]:
        """The words that only references of one gender have."""
        words, others = (
            {word for text, shown in item.references if shown is side for word in self._words(text)}
            for side in (gender, other)
        )
        return words - others


def _spans(words: set[str], text: str) -> tuple[Evidence, ...]:
    small = text.lower() if len(text.lower()) == len(text) else text
    places = sorted((small.find(word.lower()), word) for word in words)
    return tuple(Evidence(text[at : at + len(word)], at, at + len(word)) for at, word in places if at >= 0)


CLEANED = partial(UniqueWords, cleaned=True)  # the rule as the authors' script applies it


def _items(part: str, pair: Pair) -> list[Item]:
    """The feminine sentences in published order, then the masculine ones."""
    by_gender = {Gender(name): published.sides(part, name, pair.target) for name in published.GENDERS}
    twins = list(zip(*by_gender.values(), strict=True))
    return [
        Item(
            f"{gender.value[0]}{number}",
            side.source,
            person_at(side.source, side.start, side.end),
            gender,
            {"pair": str(number), "gender": gender.value},
            references=tuple(
                Accepted(twin.reference, shown) for shown, twin in zip(by_gender, twins[number], strict=True)
            ),
        )
        for gender, sides in by_gender.items()
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
    if unknown := [name for name in chosen if name not in _MORE]:
        raise UnknownNameError("part of mt-geneval", unknown[0], _MORE)
    part = "dev" if "dev" in chosen else "test"
    return replace(
        SET,
        about=replace(SET.about, name=f"mt-geneval:{argument}"),
        paper=CLEANED if "cleaned" in chosen else UniqueWords,
        items=lambda pair: _items(part, pair),
        version=lambda: published.version(_PARTS[part]),
    )


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
    groups=lambda item: ("all", item.expected.value) if item.expected else (),
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
