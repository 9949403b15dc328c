"""Lines beside references: a poor translation in its place is told from a line of another place."""

from __future__ import annotations

import random

import pytest

from epicene.check.check import limits
from epicene.check.order import LAGS, Disorder, Line, Order, lengths, order
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


@pytest.mark.parametrize("lag", [0, *LAGS])
def test_lengths_alone_tell_by_how_many_lines_a_file_is_shifted(lag: int) -> None:
    sizes = [random.Random(number).randint(10, 200) for number in range(400)]
    lines = [
        Line(
            number + 1, Item(str(number), "s" * size, Person("cook", 0, "cook"), Gender.FEMININE), "t" * shifted, False
        )
        for number, (size, shifted) in enumerate(zip(sizes[5:-5], sizes[5 + lag :], strict=False))
    ]
    by_length = lengths(lines, limits()["length"])
    assert by_length is not None
    assert by_length.disorder == (Disorder(1, len(lines), lag) if lag else None)
