"""What the check says at the edges of its bounds, on lines that are made for it."""

from __future__ import annotations

import pytest

from epicene.check import check as module
from epicene.check.check import Check
from epicene.check.order import Disorder
from epicene.types import Gender, Item, Output, Pair, Person, Verdict

WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omikron",
    "pi",
    "rho",
    "sigma",
    "tau",
]


@pytest.mark.parametrize(
    ("first", "last", "lines"),
    [
        (21, 980, "lines 1–1,000"),  # 2 % of 1,000 lines from both ends
        (22, 979, "lines 22–979"),
        (100, 900, "lines 100–900"),
        (150, 1000, "lines 150–1,000"),
    ],
)
def test_only_what_comes_near_an_end_reaches_it(first: int, last: int, lines: str) -> None:
    check = Check(Pair("en", "de"), n=1000)
    assert check._told(Disorder(first, last, 1)) == f"{lines} look shifted up by one"
    assert check._told(Disorder(first, last, -2)) == f"{lines} look shifted down by two"
    assert check._told(Disorder(first, last, None)).startswith(f"{lines} do not translate")


def watched(texts: list[str], gender: Gender = Gender.FEMININE) -> Check:
    """A check of lines that answer different sentences."""
    check = Check(Pair("en", "de"))
    for number, text in enumerate(texts):
        item = Item(str(number), f"The cook saw {number}.", Person("cook", 4, "cook"), Gender.FEMININE)
        check.add(Verdict(Output(item, "s", "de", text), gender, "lexicon"))
    return check


def test_nothing_is_found_in_nothing() -> None:
    assert Check(Pair("en", "de")).findings() == module.Findings()


@pytest.mark.parametrize(("empty", "refused", "noted"), [(11, True, False), (10, False, True), (2, False, False)])
def test_empty_lines_are_refused_beyond_a_tenth_and_noted_beyond_a_fiftieth(
    empty: int, refused: bool, noted: bool
) -> None:
    check = watched([""] * empty + ["text"] * (100 - empty))
    assert check._share("empty", check.empty, check.n, "lines are empty") is refused
    said = f"{empty} of 100 lines are empty"
    assert (said in check.refusals, said in check.notes) == (refused, noted)
    assert (check.people, check.unread) == (100 - empty, 0)


def test_a_share_of_few_lines_is_refused_only_where_no_number_of_lines_is_asked() -> None:
    few = Check(Pair("en", "de"))
    assert few._share("empty", 1, 1, "lines are empty")
    assert not few._share("copied", 9, 9, "lines are the source itself")  # fewer than ten
    assert few._share("copied", 10, 10, "lines are the source itself")


@pytest.mark.parametrize(
    ("same", "others", "said"),
    [
        (10, 80, "refused"),  # more than a tenth of 90 sentences
        (10, 200, "noted"),  # more than a hundredth, and ten of them
        (9, 200, ""),
        (10, 2000, ""),
    ],
)
def test_one_translation_for_many_sentences(same: int, others: int, said: str) -> None:
    check = watched(["Der Koch."] * same + [f"Der Koch {number}." for number in range(others)])
    assert check._repetition() is (said == "refused")
    assert (bool(check.refusals), bool(check.notes)) == (said == "refused", said == "noted")


@pytest.mark.parametrize(("different", "said"), [(25, "refused"), (35, "noted"), (65, "")])
def test_few_translations_for_many_sentences(different: int, said: str) -> None:
    check = watched([f"Der Koch {number % different}." for number in range(100)])
    assert check._repetition() is (said == "refused")
    assert (bool(check.refusals), bool(check.notes)) == (said == "refused", said == "noted")


def test_long_files_are_thinned_out_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 20)
    monkeypatch.setattr(module, "_BLOCK", 5)
    check = watched([f"Der Koch {number}." for number in range(60)])
    numbers = [line.number for line in check._lines]
    assert len(numbers) <= 20
    blocks = sorted({(number - 1) // 5 for number in numbers})
    assert blocks == list(range(0, 12, check._every))
    assert numbers == [5 * block + place + 1 for block in blocks for place in range(5)]


def test_people_of_one_line_are_one_line() -> None:
    check = Check(Pair("en", "de"))
    for number in range(3):
        person = Person("cook", 4, "cook")
        item = Item(f"1/{number}", "The cook saw the cook.", person, None, line="1" if number < 2 else None)
        check.add(Verdict(Output(item, "s", "de", "Der Koch sah ihn."), Gender.UNKNOWN, "none"))
    assert (check.n, check.people, check.unread) == (2, 3, 3)


def test_what_cannot_be_believed_is_refused_unless_it_is_asked_for() -> None:
    found = module.Findings(("lines 1–9 are empty",))
    assert found.accept("s", anyway=True) == ("lines 1–9 are empty",)
    with pytest.raises(module.EvidenceError, match="lines 1–9 are empty"):
        found.accept("s", anyway=False)
    assert module.Findings().accept("s", anyway=False) == ()
