"""MT-GenEval (Currey et al. 2022): the same sentence of Wikipedia about a woman and about a man."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from epicene.errors import UnknownNameError
from epicene.languages.concepts import concept
from epicene.languages.english import kind_of
from epicene.sets import SetBuilder
from epicene.sets.mt_geneval import files as published
from epicene.types import Accepted, ChallengeSet, Detector, Gender, Item, Kind, Pair, Person

_FAMILY = "pairs"
_MORE = ("dev", "cleaned")
_PARTS = {"test": "mt-geneval", "dev": "mt-geneval-dev"}


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


def of_file(path: Path) -> tuple[ChallengeSet, list[str]] | None:
    """The translations of a published CSV file that holds both sentences of a pair in each row, in published order."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    rows = published.paired_translations(path)
    return _PLAIN, [text for gender in published.GENDERS for _, text in rows[gender]]


def paper(target: str) -> Detector:
    """The authors' rule on the words as they stand."""
    from epicene.sets.mt_geneval.paper import UniqueWords

    return UniqueWords(target)


def cleaned(target: str) -> Detector:
    """The authors' rule as their script applies it."""
    from epicene.sets.mt_geneval.paper import UniqueWords

    return UniqueWords(target, cleaned=True)


def build(argument: str) -> ChallengeSet:
    """The set of ``mt-geneval:dev``, ``mt-geneval:cleaned`` or ``mt-geneval:dev,cleaned``."""
    chosen = argument.split(",") if argument else []
    for each in chosen:
        if each not in _MORE:
            raise UnknownNameError("part of mt-geneval", each, _MORE)
    part = "dev" if "dev" in chosen else "test"
    return replace(
        _PLAIN,
        name=f"mt-geneval:{argument}" if argument else "mt-geneval",
        paper=cleaned if "cleaned" in chosen else paper,
        items=lambda pair: _items(part, pair),
        version=lambda: published.version(_PARTS[part]),
    )


_PLAIN = ChallengeSet(
    name="mt-geneval",
    title="MT-GenEval: the same sentence about a woman and about a man",
    sources=("en",),
    targets=published.LANGUAGES,
    family=_FAMILY,
    paper=paper,
    detector="contrast",
    items=lambda pair: _items("test", pair),
    version=lambda: published.version("mt-geneval"),
    licence="CC BY-SA 3.0 (sentences of Wikipedia); not shipped, see 'epicene data get mt-geneval'",
    citation=published.CITATION,
    card="""300 English sentences of Wikipedia, about a woman and about a man (600 lines: the feminine ones, then the
masculine ones, in published order), with a translation of each into ar de es fr hi it pt ru. The English differs
between target languages. mt-geneval:dev has the 1,200 pairs for development. Labels: pair, gender.
Protocol paper is the authors' rule on the words as they stand; mt-geneval:cleaned applies it as the authors' script
does, in small letters and without punctuation.
Known faults: a few references keep the quotation marks of a CSV file; on 2 to 24 % of the lines no word of a
translation is in one reference alone.""",
    of_file=of_file,
)
SET = SetBuilder(_PLAIN.title, build, lambda _: _FAMILY, _PLAIN)
