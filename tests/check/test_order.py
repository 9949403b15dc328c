"""Lines beside references: a poor translation in its place is told from a line of another place."""

from __future__ import annotations

import random

from epicene.check.order import Line, Order, order
from epicene.types import Accepted, Gender, Item, Person

BOUNDS = {"lines": 30, "chance": 0.5, "named": 0.3, "margin": 0.1, "stretch": 9.0, "note": 0.8}
WORDS = [f"palabra{number:03}" for number in range(900)]


def judged(kept: int, shuffled: bool = False) -> Order:
    """240 lines that keep so many of the ten words of their references."""
    chance = random.Random(7)
    said, lines = [], []
    for _ in range(240):
        reference = chance.sample(WORDS, 10)
        said.append((reference, reference[:kept] + chance.sample(WORDS, 10 - kept)))
    texts = [text for _, text in said]
    if shuffled:
        chance.shuffle(texts)
    for number, ((reference, _), text) in enumerate(zip(said, texts, strict=True), 1):
        item = Item(
            str(number),
            "She left.",
            Person("She", 0, "she"),
            None,
            references=(Accepted(" ".join(reference), Gender.FEMININE),),
        )
        lines.append(Line(number, item, " ".join(text)))
    found = order(lines, "es", BOUNDS)
    assert found is not None
    return found


def test_a_poor_translation_in_its_place_is_in_order() -> None:
    assert judged(kept=2).disorder is None


def test_shuffled_lines_are_not_however_good_they_are() -> None:
    found = judged(kept=8, shuffled=True).disorder
    assert found is not None
    assert (found.last - found.first > 200, found.lag) == (True, None)
