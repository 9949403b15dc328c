"""What the check says at the edges of its bounds, on lines that are made for it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from epicene.check import check as module
from epicene.check import language
from epicene.check.check import Check
from epicene.check.order import Disorder
from epicene.check.words import Words
from epicene.result import Result
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
    assert check._describe_disorder(Disorder(first, last, 1)) == f"{lines} look shifted up by one"
    assert check._describe_disorder(Disorder(first, last, -2)) == f"{lines} look shifted down by two"
    assert check._describe_disorder(Disorder(first, last, None)).startswith(f"{lines} do not translate")


@pytest.mark.parametrize(
    ("lag", "said"), [(1, "up by one"), (-3, "down by three"), (4, "up by four"), (-5, "down by five")]
)
def test_a_shift_is_said_in_words(lag: int, said: str) -> None:
    assert Check(Pair("en", "de"), n=9)._describe_disorder(Disorder(1, 9, lag)) == f"lines 1–9 look shifted {said}"


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
    findings = check._judge_share("empty", check.empty, check.n, "lines are empty")
    assert findings == ([(refused, f"{empty} of 100 lines are empty")] if refused or noted else [])
    assert (check.people, check.undetected) == (100 - empty, 0)


def test_a_share_of_few_lines_is_refused_only_where_no_number_of_lines_is_asked() -> None:
    few = Check(Pair("en", "de"))
    ((empty, _),) = few._judge_share("empty", 1, 1, "lines are empty")
    ((of_nine, _),) = few._judge_share("copied", 9, 9, "lines are the source itself")  # fewer than ten
    ((of_ten, _),) = few._judge_share("copied", 10, 10, "lines are the source itself")
    assert (empty, of_nine, of_ten) == (True, False, True)


@pytest.mark.parametrize(
    ("same", "others", "said"),
    [
        (10, 80, "refused"),  # more than a tenth of 90 sentences
        (10, 200, "noted"),  # more than a hundredth, and ten of them
        (9, 200, ""),
        (10, 2000, ""),
        (5, 15, "refused"),  # more than a tenth of 16 sentences or of 20, and five of them
        (4, 16, ""),
    ],
)
def test_one_translation_for_many_sentences(same: int, others: int, said: str) -> None:
    check = watched(["Der Koch."] * same + [f"Der Koch {number}." for number in range(others)])
    assert [refused for refused, _ in check._judge_repetition()] == ([said == "refused"] if said else [])


@pytest.mark.parametrize(("different", "said"), [(25, "refused"), (35, "noted"), (65, "")])
def test_few_translations_for_many_sentences(different: int, said: str) -> None:
    check = watched([f"Der Koch {number % different}." for number in range(100)])
    assert [refused for refused, _ in check._judge_repetition()] == ([said == "refused"] if said else [])


def test_long_files_are_thinned_out_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT", 20)
    monkeypatch.setattr(module, "_BLOCK", 5)
    check = watched([f"Der Koch {number}." for number in range(60)])
    numbers = [line.number for line in check._lines]
    assert (len(numbers), check._every) == (15, 4)
    blocks = sorted({(number - 1) // 5 for number in numbers})
    assert blocks == list(range(0, 12, check._every))
    assert numbers == [5 * block + place + 1 for block in blocks for place in range(5)]


def test_of_8000_lines_every_other_block_of_16_is_let_go() -> None:
    check = watched([f"Der Koch {number}." for number in range(8001)])
    assert [line.number for line in check._lines[:17]] == [*range(1, 17), 33]
    assert len(check._lines) == 4001


def test_people_of_one_line_are_one_line() -> None:
    check = Check(Pair("en", "de"))
    for number, line in enumerate(("1", "1", "2", None)):
        item = Item(f"1/{number}", "The cook saw the cook.", Person("cook", 4, "cook"), None, line=line)
        check.add(Verdict(Output(item, "s", "de", "Der Koch sah ihn."), Gender.UNKNOWN, "none"))
    assert (check.n, check.people, check.undetected) == (3, 4, 4)


def test_what_cannot_be_believed_is_refused_unless_it_is_asked_for() -> None:
    found = module.Findings(("lines 1–9 are empty",))
    assert found.accept("s", anyway=True) == ("lines 1–9 are empty",)
    with pytest.raises(module.EvidenceError, match="lines 1–9 are empty"):
        found.accept("s", anyway=False)
    assert module.Findings().accept("s", anyway=False) == ()


EN = "doctor house garden key car letter dog table teacher neighbour market train suitcase mountain river chair ring coat"
DE = "Arzt Haus Garten Schlüssel Wagen Brief Hund Tisch Lehrer Nachbar Markt Zug Koffer Berg Fluss Stuhl Ring Mantel"
DEEDS = {"saw": "sah", "sold": "verkaufte", "found": "fand", "lost": "verlor", "bought": "kaufte", "painted": "malte"}


def german(n: int = 120) -> list[tuple[str, str]]:
    """Sentences about things, and their German translations."""
    chance, things, rows = random.Random(1), list(zip(EN.split(), DE.split(), strict=True)), []
    for day in range(n):
        (one, eins), (other, zwei) = chance.sample(things, 2)
        did, tat = chance.choice(list(DEEDS.items()))
        source = f"The cook {did} the {one} near the {other} on day {day}."
        rows.append((source, f"Die Köchin {tat} den {eins} neben dem {zwei} am Tag {day}."))
    return rows


def found_in(
    rows: list[tuple[str, str]], gender: Gender = Gender.FEMININE, may_abstain: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a file of sentences and translations is refused for, and what is noted of it."""
    check = Check(Pair("en", "de"), may_abstain)
    for number, (source, text) in enumerate(rows):
        output = Output(Item(str(number), source, Person("cook", 4, "cook"), Gender.FEMININE), "s", "de", text)
        check.add(Verdict(output, gender if text else Gender.UNKNOWN, "lexicon"))
    found = check.findings()
    return found.refusals, found.notes


def changed(rows: list[tuple[str, str]], few: int, change: Callable[[str, str], str]) -> list[tuple[str, str]]:
    """The rows, of which the first few have another translation."""
    return [(source, change(source, text) if n < few else text) for n, (source, text) in enumerate(rows)]


def mix(source: str, text: str) -> str:
    words = text.split()
    return " ".join(random.Random(source).sample(words, len(words)))


def spanish(source: str, text: str) -> str:
    return f"La cocinera vio el coche rojo cerca de la casa grande, y volvió con prisa al mercado: {source[-5:]}"


def test_each_file_is_refused_for_its_likeliest_cause_alone() -> None:
    rows = german()
    assert found_in(rows) == ((), ())
    assert found_in(changed(rows, 120, lambda source, _: source)) == (("120 of 120 lines are the source itself",), ())
    assert found_in(changed(rows, 5, lambda source, _: source)) == (
        (),
        ("check: 5 of 120 lines are the source itself",),
    )
    same = "one translation answers 120 of 120 different sentences"
    assert found_in(changed(rows, 120, lambda *_: rows[0][1])) == ((same,), ())
    shifted = [(source, rows[(number + 1) % 120][1]) for number, (source, _) in enumerate(rows)]
    assert found_in(shifted) == (("lines 1–120 look shifted up by one",), ())
    assert found_in(shifted, Gender.UNKNOWN) == (
        ("lines 1–120 look shifted up by one", "120 of 120 genders could not be detected"),
        (),
    )
    assert found_in(rows, Gender.UNKNOWN) == (("120 of 120 genders could not be detected",), ())
    for gender in (Gender.FEMININE, Gender.UNKNOWN):
        assert found_in(changed(rows, 120, spanish), gender) == (("lines 1–120 look like Spanish, not German",), ())
        (refusal,), _ = found_in(changed(rows, 120, lambda _, text: text.replace("ö", "Ã¶")), gender)
        assert "garbled" in refusal
    assert found_in(changed(rows, 120, mix)) == (("the words of the lines stand in no order",), ())
    assert found_in(changed(rows, 120, lambda _, text: text[:3])) == (
        ("one translation answers 120 of 120 different sentences",),
        (),
    )
    few = "check: too few distinctive sentences to check the line order"
    assert found_in(rows[:12]) == found_in(rows[:1]) == ((), (few,))


def test_a_language_that_is_scattered_over_a_file_is_said_to_be() -> None:
    rows = [
        (source, spanish(source, text) if number % 3 == 0 else text) for number, (source, text) in enumerate(german())
    ]
    (refusal,), _ = found_in(rows)
    assert re.fullmatch(r"3\d % of the lines, scattered over lines \d–1\d\d, look like Spanish, not German", refusal)


def test_another_language_is_told_alone_and_an_unknown_one_does_not_end_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = german()
    russian = changed(
        rows,
        120,
        lambda source, _: (
            f"Он сказал, что это были её новые красные машины, которые всегда были очень быстрыми {source[-4:]}"
        ),
    )
    assert found_in(russian) == (("lines 1–120 look like Russian, not German",), ())
    monkeypatch.setattr(Words, "finds_most", lambda *_: False)
    monkeypatch.setattr(language, "find_others", lambda *_: None)
    refusals, notes = found_in(rows, Gender.UNKNOWN)
    assert refusals == ("120 of 120 genders could not be detected",)
    assert notes == ("check: too little text, or a language unknown to the identifier: not judged to be de",)
    assert module._count_repeated([]) == (0, 0, 0)


def test_an_empty_line_is_no_translation_but_may_be_an_answer() -> None:
    rows = changed(german(), 21, lambda *_: "")
    assert found_in(rows) == (("21 of 120 lines are empty",), ())
    assert found_in(rows, may_abstain=True) == ((), ())
    unread = found_in(rows, Gender.UNKNOWN, may_abstain=True)
    assert unread == (("99 of 99 genders could not be detected",), ())
    assert found_in(changed(german(), 120, lambda *_: ""), may_abstain=True) == ((), ())
    copied = changed(rows, 24, lambda source, text: source if text else "")
    assert found_in(copied, may_abstain=True) == ((), ("check: 3 of 99 lines are the source itself",))


def test_stored_results_are_checked_as_if_they_were_measured_now() -> None:
    rows = german()
    verdicts = tuple(
        Verdict(
            Output(Item(str(number), source, Person("cook", 4, "cook"), Gender.FEMININE), "s", "de", source),
            Gender.UNKNOWN,
            "none",
        )
        for number, (source, _) in enumerate(rows)
    )
    empty = (verdict._replace(output=replace(verdict.output, text="")) for verdict in verdicts)
    assert module.findings(empty, Pair("en", "de")).refusals == ("120 of 120 lines are empty",)
    result = Result("set", "en-de", "one", "epicene", "set|de", 120, {}, 0, (), (), verdicts, warnings=("old",))
    (kept,) = module.check_results([result], anyway=True)
    assert kept.warnings == ("old", "120 of 120 lines are the source itself")
    with pytest.raises(module.EvidenceError, match="one: 120 of 120 lines are the source itself"):
        module.check_results([result], anyway=False)
    bare = replace(result, verdicts=())
    assert module.check_results([bare], anyway=False) == [bare]
