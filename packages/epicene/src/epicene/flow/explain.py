"""One sentence and its translation: who was found, which step decided on which words, what spoke against it."""

from __future__ import annotations

from epicene.errors import EvidenceError, InputError
from epicene.languages.codes import pair as parse_pair
from epicene.reader import DETECTORS
from epicene.reader.people import others_than, people, person_at
from epicene.text import normalised
from epicene.types import Item, Output, Person, Verdict


def explain(langs: str, source: str, translation: str, person: str = "", detector: str = "reading") -> list[Verdict]:
    """What is read of the people of an English sentence, or of the one whom ``person`` names in it."""
    pair = parse_pair(langs)
    if pair.source != "en":
        raise InputError(f"people are found in English sentences; the pair {langs} translates from {pair.source}")
    if not translation.strip():
        raise EvidenceError("the translation is empty, so nobody can be read in it")
    found = [person_at(source, person)] if person else people(source)
    if not found:
        raise EvidenceError(f"no person was found in {source!r}; name the words that mean one, as in --person WORD")
    outputs = [_output(each, source, pair.target, normalised(translation)) for each in found]
    return list(DETECTORS.find(detector).build(pair.target).detect(outputs))


def _output(person: Person, source: str, target: str, text: str) -> Output:
    others = others_than(person, source)
    return Output(Item(f"{person.text}@{person.start}", source, person, None, {}, others=others), "", target, text)
