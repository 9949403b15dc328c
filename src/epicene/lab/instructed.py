"""Training data of instructions: what a translation shows of one person's gender, told in prose before the sentence.

A model that is trained on them has learned to be told by a prompt, as a language model has, if only about this.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from epicene.lab.gendered import parts, persons, shown
from epicene.tables import table
from epicene.types import Gender

_WORDS = {
    Gender.FEMININE: {"noun": "woman", "gender": "feminine", "sex": "female", "pronoun": "she", "other": "masculine"},
    Gender.MASCULINE: {"noun": "man", "gender": "masculine", "sex": "male", "pronoun": "he", "other": "feminine"},
}
_BETWEEN = " || "


def instructed(instruction: str, source: str) -> str:
    """A sentence with its instruction, as models are trained to read them."""
    return f"{instruction}{_BETWEEN}{source}"


def instructions() -> list[str]:
    """The forms of instructions that are trained on."""
    return [row["text"] for row in table("acting", "instructions.tsv")]


def told(given: Iterable[tuple[str, str]], target: str, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Every pair as it is, and with an instruction about one of its people whose gender the translation shows."""
    generator, forms = random.Random(seed), instructions()
    for part in parts(given):
        wanted = [(place, person) for place, (source, _) in enumerate(part) for person in persons(source)]
        read: dict[int, list[tuple[str, Gender]]] = {}
        for (place, person), gender in zip(wanted, shown(part, wanted, target), strict=True):
            if gender in _WORDS:
                read.setdefault(place, []).append((person.text, gender))
        for place, (source, translation) in enumerate(part):
            yield source, translation
            if place in read:
                person_text, gender = generator.choice(read[place])
                form = generator.choice(forms)
                yield instructed(form.format(person=person_text, **_WORDS[gender]), source), translation
