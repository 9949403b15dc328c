"""Gates on quality, and on sets that tell nobody's gender."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epicene.compare.entrants import Entrant
from epicene.errors import InputError
from epicene.gate.config import Check
from epicene.gate.gate import Gate, gate, judge_check
from epicene.measures import metrics
from epicene.measures.outcomes import Outcomes
from epicene.measures.paired import compare_rarer
from epicene.measures.quality import Segment, changes, levels
from epicene.measures.rates import Measures, Outcome, Profile
from epicene.options import Limits
from epicene.result import Result
from epicene.types import Gender, Measure
from tests.gate.conftest import run

UNITS = 14


@pytest.fixture
def poorer(place: Path) -> Path:
    """References beside the set, and translations that keep every woman and lose other words."""
    lines = (place / "good.txt").read_text(encoding="utf-8").splitlines()
    (place / "reference.txt").write_text("".join(f"{line} So war es.\n" for line in lines), encoding="utf-8")
    some = (f"{line} So {'ist das' if number % 3 else 'war es'}.\n" for number, line in enumerate(lines))
    (place / "poor.txt").write_text("".join(some), encoding="utf-8")
    (place / "rich.txt").write_text("".join(f"{line} So war es.\n" for line in lines), encoding="utf-8")
    return place


FILES = ["-t", "custom:own.tsv", "-l", "en-de", "--reference-text", "reference.txt"]


def test_a_drop_of_quality_fails_though_nobody_is_misgendered(poorer: Path) -> None:
    both = [*FILES, "--baseline", "rich.txt", "--candidate", "poor.txt"]
    code, text = run(*both, "--max-quality-drop", "1", "--max-drop", "10")
    assert code == 1
    assert "all ok drop 0.0" in " ".join(text.split())
    assert "BLEU regression quality drop" in " ".join(text.split())
    assert "chrF regression quality drop" in " ".join(text.split())
    code, text = run(*both, "--max-quality-drop", "60", "--metric", "bleu", "-f", "json")
    (judgement,) = json.loads(text)[0]["judgements"]
    assert (code, judgement["what"], judgement["answer"]) == (0, "quality-drop", "ok")
    assert judgement["low"] < judgement["value"] < judgement["high"]


def test_a_rise_of_quality_is_called_improved(poorer: Path) -> None:
    (found,) = gate(
        poorer / "poor.txt",
        poorer / "rich.txt",
        set_name="custom:own.tsv",
        langs="en-de",
        max_quality_drop=0.5,
        metrics=["chrf"],
        reference_text=[poorer / "reference.txt"],
    )
    assert [(each.what, each.answer) for each in found.judgements] == [("quality-drop", "improved")]


def test_a_floor_of_quality_needs_no_baseline(poorer: Path) -> None:
    code, text = run(*FILES, "--candidate", "rich.txt", "--min-quality", "99")
    assert code == 0
    assert "BLEU ok quality 100.0 [100.0, 100.0], at least 99" in " ".join(text.split())
    code, text = run(*FILES, "--candidate", "poor.txt", "--min-quality", "99", "-f", "github")
    assert code == 1
    assert "::quality BLEU: " in text.replace("%3A", ":")


def test_a_file_judges_quality_against_its_baseline(poorer: Path) -> None:
    check = '[[gate.check]]\nset = "custom:own.tsv"\nlangs = "en-de"\ncandidate = "hyp.txt"\n'
    wanted = 'max-quality-drop = 1\nmetric = "bleu"\nreference-text = "reference.txt"\n'
    (poorer / "epicene.toml").write_text(f"[gate]\n{wanted}{check}", encoding="utf-8")
    (poorer / "hyp.txt").write_bytes((poorer / "rich.txt").read_bytes())
    assert run("--update")[0] == 0
    assert run()[0] == 0
    (poorer / "hyp.txt").write_bytes((poorer / "poor.txt").read_bytes())
    code, text = run()
    assert code == 1
    assert "BLEU regression quality drop" in " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('reference-text = "reference.txt"', "toml:2: reference-text reference.txt judges nothing by itself"),
        ('metric = "bleu"\nmax-drop = 1', "toml:2: metric bleu judges nothing by itself; add max-quality-drop"),
        ('metric = "blue"\nmin-quality = 1', "toml:2: unknown metric 'blue'. Did you mean 'bleu'"),
        ("min-qualty = 1", "toml:2: unknown key 'min-qualty'; did you mean 'min-quality'"),
        ('min-quality = 1\nreference-text = "no.txt"', "toml:3: cannot read no.txt: no such file"),
        ("min-quality = 1", "toml:3: .* has no references to measure quality by; give them with reference-text"),
    ],
)
def test_a_wrong_file_is_one_line_with_the_place(poorer: Path, text: str, says: str) -> None:
    table = '\nset = "custom:own.tsv"\nlangs = "en-de"\ncandidate = "good.txt"\n'
    if text == "min-quality = 1":
        (poorer / "epicene.toml").write_text(f"[gate]\n{text}\n[[gate.check]]{table}", encoding="utf-8")
    else:
        more = "" if "min" in text or "max" in text else "\nmax-undetected = 9"
        (poorer / "epicene.toml").write_text(f"[gate]\n{text}{more}{table}", encoding="utf-8")
    with pytest.raises(InputError, match=says):
        run()


def test_references_of_another_length_are_refused(poorer: Path) -> None:
    (poorer / "short.txt").write_text("Eine Zeile.\n", encoding="utf-8")
    arguments = ["-t", "custom:own.tsv", "-l", "en-de", "--candidate", "good.txt", "--min-quality", "1"]
    with pytest.raises(InputError, match=r"short\.txt has 1 line"):
        run(*arguments, "--reference-text", "short.txt")


def segments(texts: list[str], reference: str) -> list[Segment]:
    return [
        Segment(str(number), "", f"{text} {number}", (f"{reference} {number}",), f"u{number % 9}")
        for number, text in enumerate(texts)
    ]


def test_intervals_of_quality_are_over_units_and_those_of_a_system_against_itself_are_nought() -> None:
    good = "ein Satz mit sieben Wörtern in ihm"
    texts = [good if number % 4 else "ein Satz mit vier Wörtern" for number in range(90)]
    (change,) = changes(segments(texts, good), segments(texts, good), "de", ["chrf"])
    assert (change.difference, change.low, change.high) == (0, 0, 0)
    (level,) = levels(segments(texts, good), "de", ["chrf"])
    plain = metrics.score_corpus(
        "chrf", [each.text for each in segments(texts, good)], [(f"{good} {n}",) for n in range(90)]
    )
    assert level.value == pytest.approx(plain.value)
    assert level.low is not None
    assert level.high is not None
    assert level.low < plain.value < level.high
    (few,) = levels(segments(texts, good)[:4], "de", ["chrf"])
    assert (few.low, few.high) == (None, None)


def outcomes(share: float, count: int = 280) -> Outcomes:
    """Sentences that leave the gender open, so many of which became women."""
    outcomes = Outcomes(Measures(lambda item: (), gated=("f_s",)), paired=True)
    for number in range(count):
        gender = Gender.FEMININE if (number * 37 % 100) < 100 * share else Gender.MASCULINE
        outcomes.add_outcome(Profile(("all",), f"o{number % UNITS}", ""), Outcome(None, gender), ids=[str(number)])
    return outcomes


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [(0.3, 0.2, -10), (0.2, 0.3, 10), (0.7, 0.8, -10), (0.8, 0.6, 20), (0.3, 0.7, 0), (0.4, 0.9, -30)],
)
def test_what_counts_where_the_gender_is_open_is_the_one_that_is_written_less(
    before: float, after: float, difference: float
) -> None:
    (change,) = compare_rarer(outcomes(before), outcomes(after))
    assert change.difference == pytest.approx(difference, abs=2)
    assert change.low is not None
    assert change.high is not None
    assert change.low <= change.difference <= change.high


def entrant(share: float, gaps: tuple[Measure, ...] = ()) -> Entrant:
    made, signature = outcomes(share), "gest|set:x|langs:en-cs|protocol:epicene"
    result = Result("gest", "en-cs", "a system", "epicene", signature, len(made), made.genders(), 0, gaps)
    return Entrant("a system", result, made)


def answers(found: Gate) -> list[tuple[str, str, str]]:
    return [(each.what, each.group, each.answer) for each in found.judgements]


def test_a_set_that_tells_nobodys_gender_is_gated_by_who_is_written_as_a_woman() -> None:
    worse = judge_check(Check("own", "en-de", Limits(max_drop=2)), entrant(0.4), entrant(0.2))
    assert answers(worse) == [("rarer", "all", "regression")]
    assert answers(judge_check(Check("own", "en-de", Limits(max_drop=2)), entrant(0.2), entrant(0.4))) == [
        ("rarer", "all", "improved")
    ]
    stereotypes = Measure("f_s", "men-women", 30.0, "points", 280, None, 25.0, 35.0)
    apart = judge_check(Check("own", "en-de", Limits(max_gap=20)), entrant(0.2), entrant(0.2, (stereotypes,)))
    assert answers(apart) == [("half", "all", "regression"), ("gap", "f_s", "regression")]
    only = judge_check(
        Check("own", "en-de", Limits(max_gap=20), groups=("all",)), entrant(0.5), entrant(0.5, (stereotypes,))
    )
    assert answers(only) == [("half", "all", "ok")]


def test_a_rate_of_right_answers_is_refused_with_what_to_ask_instead() -> None:
    with pytest.raises(InputError, match="min-rate counts right answers, and gest has none; max-gap = 20 asks"):
        judge_check(Check("own", "en-de", Limits(min_rate=30)), entrant(0.3), entrant(0.3))
