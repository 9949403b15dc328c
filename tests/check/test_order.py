"""Lines beside references: a poor translation in its place is told from a line of another place."""

from __future__ import annotations

import random

import pytest

from epicene.check.check import limits
from epicene.check.order import LAGS, Disorder, Order, Twins, lengths, order, stretch
from epicene.check.words import Line, compare
from epicene.types import Accepted, Gender, Item, Output, Person, Verdict

WORDS = [f"palabra{number:03}" for number in range(900)]


def test_a_poor_translation_in_its_place_is_in_order() -> None:
    assert order_of(file_of(kept=2)) == Order(240, 0, None)


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
    references, texts = zip(*file_of(kept=8), strict=True)
    found = order_of(list(zip(references, random.Random(7).sample(texts, len(texts)), strict=True)))
    assert found is not None and found.disorder is not None
    assert (found.disorder.last - found.disorder.first > 200, found.disorder.lag) == (True, None)


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


def file_of(kept: int = 7, seed: int = 5, n: int = 240) -> list[tuple[str, str]]:
    """References of ten words out of nine hundred, and translations that hold so many of them."""
    chance = random.Random(seed)
    references = [chance.sample(WORDS, 10) for _ in range(n)]
    return [(" ".join(words), " ".join(words[:kept] + chance.sample(WORDS, 10 - kept))) for words in references]


def order_of(rows: list[tuple[str, str]], first: int = 1, **bounds: float) -> Order | None:
    """The order of translations beside references; lines are numbered from ``first``."""
    lines = [
        Line(number, Item(str(number), "She left.", Person("She", 0, "she"), None, references=(said,)), text)
        for number, (said, text) in enumerate(
            ((Accepted(reference, Gender.FEMININE), text) for reference, text in rows), first
        )
    ]
    return order(lines, compare(lines, "es", limits()["words"]), {**limits()["order"], **bounds})


def moved(rows: list[tuple[str, str]], first: int, last: int, lag: int) -> list[tuple[str, str]]:
    """The rows, of which a stretch has the translations of so many lines further on."""
    return [
        (reference, rows[number + lag][1] if first <= number <= last else text)
        for number, (reference, text) in enumerate(rows)
    ]


@pytest.mark.parametrize("lag", LAGS)
@pytest.mark.parametrize(("first", "last"), [(100, 159), (5, 40), (200, 234)])
def test_a_shifted_stretch_is_found_with_its_ends_and_by_how_many_lines(first: int, last: int, lag: int) -> None:
    found = order_of(moved(file_of(), first, last, lag), first=1001)
    assert found is not None and found.disorder is not None
    assert abs(found.disorder.first - 1001 - first) <= abs(lag) and abs(found.disorder.last - 1001 - last) <= abs(lag)
    assert found.disorder.lag == lag
    assert (found.tried, abs(found.elsewhere - (last - first + 1)) <= abs(lag)) == (240, True)


def test_lines_that_changed_places_far_apart_are_off_by_no_number_of_lines() -> None:
    rows = file_of()
    texts = [text for _, text in rows]
    texts[100:160] = random.Random(2).sample(texts[100:160], 60)
    found = order_of([(reference, text) for (reference, _), text in zip(rows, texts, strict=True)])
    assert found is not None and found.disorder is not None
    assert (found.disorder.first, found.disorder.last, found.disorder.lag) == (101, 160, None)
    assert 55 <= found.elsewhere <= 60


def test_two_lines_that_changed_places_are_both_elsewhere_also_at_the_very_beginning() -> None:
    rows = file_of()
    (first, one), (second, other), *rest = rows
    found = order_of([(first, other), (second, one), *rest])
    assert found == Order(240, 2, None)


def test_a_translation_that_stands_there_twice_belongs_where_it_fits() -> None:
    """Each tenth sentence has the translation of one 45 lines further on instead of its own."""
    rows = file_of(kept=9)
    copied = [
        (reference, rows[(number + 45) % 240][1] if number % 10 == 0 else text)
        for number, (reference, text) in enumerate(rows)
    ]
    found = order_of(copied)
    assert found is not None and found.elsewhere == 24
    assert found.disorder == Disorder(1, 231, None)
    again = order_of(copied, copied=1000.0)
    assert again is not None and again.elsewhere == 0


def test_too_few_lines_or_words_tell_nothing() -> None:
    rows = file_of()
    assert order_of(rows[:29]) is None
    assert order_of(rows[:30]) == Order(30, 0, None)
    assert order_of([(reference, "") for reference, _ in rows]) is None
    few = [(reference, text if number < 60 else "nada") for number, (reference, text) in enumerate(rows)]
    assert order_of(few) is None
    told = order_of(few, told=0.2)
    assert told is not None and 60 <= told.tried < 120
    assert order_of(few, told=(told.tried + 1) / 240) is None
    assert order_of(few, told=told.tried / 240) == told


def test_of_long_files_so_many_lines_are_tried() -> None:
    found = order_of(file_of(n=600), tried=200)
    assert found == Order(200, 0, None)
    shifted = order_of(moved(file_of(n=600), 0, 598, 1), tried=200)
    assert shifted == Order(200, 199, Disorder(1, 596, 1))  # the last of the 200 keeps its own


def test_lengths_tell_where_their_spread_does() -> None:
    def of(sizes: list[tuple[int, int]]) -> Order | None:
        person = Person("cook", 0, "cook")
        return lengths(
            [
                Line(number, Item(str(number), "s" * source, person, None), "t" * target)
                for number, (source, target) in enumerate(sizes, 11)
            ],
            limits()["length"],
        )

    chance = random.Random(1)
    sizes = [chance.randint(10, 200) for _ in range(400)]
    assert of([(size, size) for size in sizes]) == Order(400, 0, None)
    assert of([(size, 0 if size % 2 else size) for size in sizes]) == Order(400, 0, None)
    assert of([(size, chance.randint(10, 200)) for size in sizes]) == Order(400, 400, Disorder(11, 410, None))
    assert of([(size, 50) for size in sizes]) == Order(400, 400, Disorder(11, 410, None))
    assert of([(50, size) for size in sizes]) is None
    assert of([(size, size) for size in sizes[: limits()["length"]["lines"] - 1]]) is None


def judge_twins(pairs: int, same: int, women_as_men: int, men_as_women: int) -> list[str]:
    """What is said of pairs, of which so many have one translation, and so many people the other gender."""
    twins, women, men = Twins(), Gender.FEMININE, Gender.MASCULINE
    for expected, wrong, other in ((women, women_as_men, men), (men, men_as_women, women)):
        for number in range(pairs):
            text = f"{number}" if number < same else f"{number} {expected}"
            item = Item(f"{number}{expected}", "", Person("cook", 0, "cook"), expected, {"pair": f"{number}"})
            twins.add(Verdict(Output(item, "s", "de", text), other if number < wrong else expected, "lexicon"))
    alone = Item("alone", "", Person("cook", 0, "cook"), women)
    twins.add(Verdict(Output(alone, "s", "de", "0"), men, "lexicon"))
    findings = list(twins.judge(limits()["twins"]))
    assert all(refuses for refuses, _ in findings)
    return [text.partition(",")[0] for _, text in findings]


@pytest.mark.parametrize(
    ("pairs", "same", "women_as_men", "men_as_women", "texts"),
    [
        (19, 19, 19, 19, []),  # too few to judge
        (20, 18, 0, 0, []),
        (20, 19, 0, 0, ["19 of 20 pairs have one translation for the woman and the man"]),
        (20, 0, 11, 10, []),
        (20, 0, 20, 0, []),  # a bias, however strong
        (20, 0, 11, 11, ["women are read as men 11 times and men as women 11 times"]),
        (20, 20, 20, 20, ["20 of 20 pairs have one translation for the woman and the man"]),
    ],
)
def test_pairs_are_refused_beyond_their_bounds(
    pairs: int, same: int, women_as_men: int, men_as_women: int, texts: list[str]
) -> None:
    assert judge_twins(pairs, same, women_as_men, men_as_women) == texts
