"""Lines beside references: a poor translation in its place is told from a line of another place."""

from __future__ import annotations

import random

import pytest

from epicene.check.check import limits
from epicene.check.order import LAGS, Disorder, Order, lengths, order, stretch
from epicene.check.words import Line, compare
from epicene.types import Accepted, Gender, Item, Person

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
    found = order(lines, compare(lines, "es", limits()["words"]), limits()["order"])
    assert found is not None
    return found


def test_a_poor_translation_in_its_place_is_in_order() -> None:
    assert judged(kept=2).disorder is None


def biased(share_of_women: float, swapped: bool = False) -> Order:
    """Pairs about a sister and a brother, of a system that makes brothers of most sisters."""
    chance = random.Random(3)
    rows = []
    for number in range(400):
        woman = (number % 2 == 0) is not swapped
        shown = "hermana" if woman and chance.random() < share_of_women else "hermano"
        source = (
            f"The {'sister' if number % 2 == 0 else 'brother'} and {'she' if number % 2 == 0 else 'he'} {number // 2}."
        )
        text = (
            f"{'La' if shown == 'hermana' else 'El'} {shown} y {'ella' if shown == 'hermana' else 'él'} {number // 2}."
        )
        rows.append(Line(number + 1, Item(str(number), source, Person("she", 0, "she"), None), text))
    found = order(rows, compare(rows, "es", limits()["words"]), limits()["order"])
    assert found is not None
    return found


@pytest.mark.parametrize("share_of_women", [0.0, 0.1, 0.5, 1.0])
def test_bias_is_no_disorder_however_strong_it_is(share_of_women: float) -> None:
    assert biased(share_of_women).disorder is None


@pytest.mark.parametrize("share_of_women", [0.5, 1.0])
def test_exchanged_halves_of_pairs_are_disorder_though_all_other_words_fit(share_of_women: float) -> None:
    disorder = biased(share_of_women, swapped=True).disorder
    assert disorder is not None
    assert (disorder.last - disorder.first > 380, disorder.lag) == (True, None)


@pytest.mark.parametrize(
    ("weights", "best"),
    [
        ([], (0.0, 0, 0)),
        ([-1.0, -2.0], (0.0, 0, 0)),
        ([1.0, -2.0, 3.0, -1.0, 2.0, -4.0], (4.0, 2, 4)),
        ([1.0, -1.0, 2.0], (2.0, 2, 2)),
    ],
)
def test_the_stretch_with_the_largest_sum_is_found(weights: list[float], best: tuple[float, int, int]) -> None:
    assert stretch(weights) == best


def test_shuffled_lines_are_not_however_good_they_are() -> None:
    found = judged(kept=8, shuffled=True).disorder
    assert found is not None
    assert (found.last - found.first > 200, found.lag) == (True, None)


@pytest.mark.parametrize("lag", [0, *LAGS])
def test_lengths_alone_tell_by_how_many_lines_a_file_is_shifted(lag: int) -> None:
    sizes = [random.Random(number).randint(10, 200) for number in range(400)]
    lines = [
        Line(number + 1, Item(str(number), "s" * size, Person("cook", 0, "cook"), Gender.FEMININE), "t" * shifted)
        for number, (size, shifted) in enumerate(zip(sizes[5:-5], sizes[5 + lag :], strict=False))
    ]
    by_length = lengths(lines, limits()["length"])
    assert by_length is not None
    assert by_length.disorder == (Disorder(1, len(lines), lag) if lag else None)
