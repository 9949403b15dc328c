"""WinoMT (Stanovsky et al. 2019): WinoBias and Winogender sentences about two people, one of whom a pronoun names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from epicene.errors import InputError
from epicene.files import checksum, read_lines
from epicene.languages.english import concept, mentioned
from epicene.sets import TestSet, read_about
from epicene.sets.files import require
from epicene.sets.winomt.measures import MEASURES
from epicene.types import Detector, Gender, Item, Pair, Person

_GENDERS = {"male": Gender.MASCULINE, "female": Gender.FEMININE, "neutral": Gender.NEUTRAL}
_SUBSETS = ("pro", "anti")
_WORD = re.compile(r"\S+")
# Rows 2121 and 2122 differ between the published versions.
_STEM = "The baker yelled at the mover because"
_VARIANTS = {
    f"{_STEM} he broke the stove.": f"{_STEM} she broke the stove.",
    f"{_STEM} her stove was broken.": f"{_STEM} his stove was broken.",
}
_VARIANTS |= {second: first for first, second in _VARIANTS.items()}


def _rows(name: str) -> Iterator[tuple[int, str, int, str, str]]:
    """Row number, gender, index, sentence and entity; a header line is passed over, as are further columns."""
    path = require("winomt", name)
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if number == 1 and cells[0] == "gold_gender":
            continue
        if len(cells) < 4 or cells[0] not in _GENDERS or not cells[1].isdecimal():
            raise InputError(
                f"{path}:{number}: expected gender, index, sentence and entity, separated by tabs; got {line!r}"
            )
        yield number, cells[0], int(cells[1]), cells[2], cells[3]


def _person(sentence: str, index: int, entity: str, where: str) -> Person:
    """The entity at a whitespace-token index, whole even where only its first word is indexed."""
    words = list(_WORD.finditer(sentence))
    if index >= len(words):
        raise InputError(f"{where}: index {index} is past the end of the sentence ({len(words)} words)")
    name, plural = concept(entity)
    start = words[index].start()
    if not sentence[start:].lower().startswith(name):
        raise InputError(f"{where}: the entity {entity!r} does not stand at word {index} of {sentence!r}")
    text = sentence[start : start + len(name)]
    return Person(text, start, name, plural)


def items(pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """The 3,888 sentences in official order, with their subset as a label."""
    subset = {row[1:]: name for name in _SUBSETS for row in _members(name)}
    found: list[Item] = []
    path = require("winomt", "en.txt")
    for number, gender, index, sentence, entity in _rows("en.txt"):
        person = _person(sentence, index, entity, f"{path}:{number}")
        which = subset.get((gender, index, sentence)) or subset.get((gender, index, _VARIANTS.get(sentence, "")))
        labels = {"subset": which or "winogender", "occupation": person.concept, "gold": gender}
        others, variant = mentioned(sentence, but=person.start), _VARIANTS.get(sentence)
        found.append(Item(str(len(found)), sentence, person, _GENDERS[gender], labels, variant=variant, others=others))
    return found


def _members(name: str) -> Iterator[tuple[str, str, int, str]]:
    for _, gender, index, sentence, _ in _rows(f"en_{name}.txt"):
        yield name, gender, index, sentence


def _version() -> str:
    rows = (row for name in ("en.txt", "en_pro.txt", "en_anti.txt") for row in _rows(name))
    return checksum(*(f"{gender}\t{index}\t{sentence}\n" for _, gender, index, sentence, _ in rows))


def paper(target: str) -> Detector:
    """The detector of protocol ``paper``."""
    from epicene.sets.winomt.paper import WinoMTPaper

    return WinoMTPaper(target)


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    paper=paper,
    items=items,
    version=_version,
)
