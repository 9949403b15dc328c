"""Training data of instructions: what a translation shows of one person's gender, told in prose before the sentence.

A model that is trained on them has learned to be told by a prompt, as a language model has, if only about this.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from epicene.tables import table
from epicene_lab.gendered import tagged

_WORDS = {
    "F": {"noun": "woman", "gender": "feminine", "sex": "female", "pronoun": "she", "other": "masculine"},
    "M": {"noun": "man", "gender": "masculine", "sex": "male", "pronoun": "he", "other": "feminine"},
}
_BETWEEN = " || "
_TAGGED = re.compile(r"([\w'’-]+) <([FM])>")


def instructed(instruction: str, source: str) -> str:
    """A sentence with its instruction, as models are trained to read them."""
    return f"{instruction}{_BETWEEN}{source}"


def instructions() -> list[str]:
    """The forms of instructions that are trained on."""
    return [row["text"] for row in table("act/tables", "instructions.tsv")]


def told(given: Iterable[tuple[str, str]], target: str, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Every pair as it is, and with an instruction about one of its people whose gender the translation shows."""
    return spoken(tagged(given, target), seed)


def spoken(given: Iterable[tuple[str, str]], seed: int = 1) -> Iterator[tuple[str, str]]:
    """Tagged pairs with an instruction about one of those tagged in place of the tags."""
    generator, forms = random.Random(seed), instructions()
    for source, translation in given:
        marks = _TAGGED.findall(source)
        if not marks:
            if "<" not in source[:1]:  # a tag for the whole sentence says nothing of one person
                yield source, translation
            continue
        person, letter = generator.choice(marks)
        form = generator.choice(forms).format(person=person, **_WORDS[letter])
        yield instructed(form, _TAGGED.sub(r"\1", source)), translation
