"""What the bundled translator is taught in sentences of our own: people in every place of a sentence, everyday words.

Every person is a woman in them as often as a man, and the English says which.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

from epicene.tables import rows
from epicene_lab import augment, frames
from epicene_lab.augment import english_name
from epicene_lab.corpus import SentencePair

EVERYDAY = Path(__file__).with_name("everyday.tsv")
SEEDS = (1, 2, 3)  # names in the sentences about one person
DONE = 150  # how often a sentence about one or two people comes, each time about others, and in both genders
PEOPLE = 6  # how many people do each thing of every day


def people(target: str) -> Iterator[SentencePair]:
    """One person in phrases that state a gender."""
    yield from dict.fromkeys(pair for seed in SEEDS for pair in augment.pairs(target, seed))


def done(target: str) -> Iterator[SentencePair]:
    """People who do things and to whom things are done, given or said, with all genders stated."""
    return iter(dict.fromkeys(frames.both(target, ("stated", "done"), DONE)))


def everyday(target: str) -> Iterator[SentencePair]:
    """Things, and what people do with them; nothing for languages that have enough free text."""
    table = list(rows(EVERYDAY.read_text(encoding="utf-8"), EVERYDAY.name))
    if target not in table[0]:
        return
    kinds: dict[str, list[dict[str, str]]] = {}
    for row in table:
        kinds.setdefault(row["kind"], []).append(row)
    for row in kinds["noun"]:
        one, many = row["en"].split("|")
        gender, *words = row[target].split("|")
        for kind, english, word in (("one", one, words[0]), ("many", many, words[1])):
            yield from _named(kinds[kind], target, english, word, gender == "f")
    for row in kinds["mass"]:
        gender, word = row[target].split("|")
        yield from _named(kinds["of"], target, row["en"], word, gender == "f")
    yield from _deeds(kinds, target)


def _named(
    frames_: Iterable[Mapping[str, str]], target: str, english: str, word: str, feminine: bool
) -> Iterator[SentencePair]:
    for frame in frames_:
        source, said = (frame[language].replace("{occs}", "{occ}") for language in ("en", target))
        yield frames.filled(source, "en", [english], [feminine]), frames.filled(said, target, [word], [feminine])


def _deeds(kinds: Mapping[str, Sequence[Mapping[str, str]]], target: str) -> Iterator[SentencePair]:
    everybody = frames.people(target)
    random.Random(1).shuffle(everybody)
    turn = cycle(everybody)
    for row in kinds["did"]:
        said = {language: _done(row[language]) for language in ("en", target)}
        for frame in (*kinds["was"], *kinds["will"]):
            source, translation = (_put(frame[language], said[language]) for language in ("en", target))
            for person in islice(turn, PEOPLE if "{occ}" in frame["en"] else 1):
                forms = person[target].split("|")
                for woman in (True, False):
                    english = frames.filled(source, "en", [english_name(person["concept"])], [woman])
                    yield english, frames.filled(translation, target, [forms[woman]], [woman])


def _done(cell: str) -> dict[str, str]:
    did, do, what = cell.split("|")
    return {"{did}": f"{did} {what}", "{do}": f"{do} {what}"}


def _put(frame: str, said: Mapping[str, str]) -> str:
    for slot, words in said.items():
        frame = frame.replace(slot, words)
    return frame
