"""The sentence on top says what the measures say: test, system and language named, and nothing that looks like a CI."""

from __future__ import annotations

from dataclasses import replace

import pytest

from epicene.measures.breakdown import Breakdown
from epicene.measures.claims import Claim
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import Outcome, Profile
from epicene.output.page.first import Pieces, headline, in_full
from epicene.output.page.series import Series
from epicene.result import Result, name_system
from epicene.sets.custom import MEASURES
from epicene.sets.mt_geneval import MEASURES as PAIRS
from epicene.types import Gender, Item, Measure, Output, Person, Verdict

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


def counts(set_name: str = "simplegen", into: str = "German", system: str = "s", **cells: int) -> Series:
    """``fm=4`` is four sentences that expect the feminine and read as masculine; ``o`` leaves it open."""
    genders = {"f": F, "m": M, "n": N, "u": U, "o": None}
    outcomes = Outcomes(MEASURES)
    for cell, number in cells.items():
        for _ in range(number):
            unit = str(len(outcomes))
            outcomes.add_outcome(Profile(("all",), unit, ""), Outcome(genders[cell[0]], genders[cell[1]] or U))
    measures = tuple(MEASURES.compute(outcomes))
    result = Result(set_name, "en-de", system, "epicene", "s", len(outcomes), outcomes.genders(), 0, measures)
    return Series(system, result, into)


def join(pieces: Pieces) -> str:
    return "".join(text for text, _ in pieces)


def say(series: list[Series]) -> str:
    return join(headline(series))


def test_one_result_is_a_sentence_that_is_literally_true() -> None:
    found = headline([counts(system="OPUS-MT", fm=40, ff=60, mf=1, mm=99)])
    assert join(found) == (
        "When the sentence says she, OPUS-MT uses the masculine word for her job in 40 % of sentences; when it says he, "
        "the feminine word for his in 1.0 % (SimpleGEN, into German)."
    )
    assert ("she", "em") in found and ("OPUS-MT", "em") in found
    assert ("40 %", "strong") in found


def test_a_set_without_jobs_speaks_of_words_alone() -> None:
    assert say([counts("custom", fm=60, ff=40)]) == (
        "When the sentence is about a woman, s uses the masculine word in 60 % of sentences (your own sentences, into "
        "German)."
    )


def test_languages_are_named_so_that_two_rates_are_no_interval() -> None:
    found = headline([counts(into="German", fm=33, ff=67), counts(into="Spanish", fm=35, ff=65)])
    assert "in 33 % (German) and 35 % (Spanish) of sentences" in join(found)
    many = [
        counts(into=name, fm=number, ff=100 - number) for name, number in zip("abcde", (3, 9, 60, 30, 40), strict=True)
    ]
    assert "in 3.0 % (a) to 60 % (c) of sentences" in say(many)


def test_few_people_are_said_with_their_interval() -> None:
    text = say([counts(fm=4, ff=10)])
    assert text.endswith("(SimpleGEN, into German). Only 14 sentences; the 95 % CI is 10–61 %.")


def test_rates_are_the_least_where_genders_were_not_detected() -> None:
    one = counts(fm=30, ff=20, fu=50, mm=100)
    assert say([one]).endswith("No gender was detected in up to 50 of 100, so the rates may be higher.")
    assert "up to 80.0\u00a0% if all undetected ones were" in in_full(one)


def test_few_people_are_said_with_what_was_not_detected() -> None:
    text = say([counts(fm=4, ff=7, fu=3)])
    assert text.endswith("Only 14 sentences; no gender was detected in up to 3 of 14, so the rates may be higher.")


def test_two_systems_into_one_language_are_named_without_it() -> None:
    found = headline([counts(system="a", fm=30, ff=70), counts(system="b", fm=60, ff=40)])
    assert "in 30 % (a) and 60 % (b) of sentences" in join(found)


def test_the_numbers_behind_the_sentence_have_n_and_intervals() -> None:
    found = in_full(counts(fm=40, ff=60, mf=1, mm=99)).replace("\u00a0", " ")
    assert found == (
        "Women misgendered: 40.0 % of 100 (95 % CI 30.8–50.1 %). Men misgendered: 1.0 % of 100 (95 % CI 0.3–7.3 %). "
        "Gender not detected: 0 of 200 sentences."
    )


def test_sentences_that_leave_the_gender_open() -> None:
    assert say([counts(om=70, of=10, on=20)]) == (
        "When the source states no gender, s uses the masculine in 70 % of sentences and the feminine in 10 % "
        "(SimpleGEN, into German)."
    )


def test_where_nothing_was_detected_nothing_is_claimed() -> None:
    for one in (counts(fu=40, mu=60), counts(ou=100)):
        assert say([one]) == ("No gender was detected in any of 100 translations, so nothing can be said about them.")
        assert in_full(one) == ""


@pytest.mark.parametrize(
    ("count", "n", "words"),
    [(0, 814, "0"), (814, 814, "100"), (1, 814, "0.1"), (36, 80, "45"), (945, 1000, "94.5"), (9970, 10000, "99.7")],
)
def test_a_rate_is_rounded_no_further_than_it_bears(count: int, n: int, words: str) -> None:
    assert Claim(Measure("misgendered", "female", 100 * count / n, "%", n, count), "", "", "").rounded == words


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("file:google.en-de.txt", "google"),
        ("file:GPT-4/en-de.txt", "GPT-4"),
        ("file:hyp.de", "hyp"),
        ("bundled@ae20b680+2c5e10c1?beam=5&compute=float32", "bundled"),
        ("cascade:pocketsphinx@1:en+bundled@ae20b680?beam=5", "cascade:pocketsphinx+bundled"),
        ("cascade:pocketsphinx@5.1.1:en-us+deepl", "cascade:pocketsphinx+deepl"),
        ("run-b: file:hyp.en-de.txt", "run-b: hyp"),
        ("deepl", "deepl"),
    ],
)
def test_a_system_is_named_without_checksums_options_and_folders(identity: str, name: str) -> None:
    assert name_system(identity, "en-de") == name


def test_a_name_that_was_given_is_kept() -> None:
    named = replace(counts(ff=1).result, system="file:my.txt", identity="file:x.txt")
    assert named.label == "file:my.txt"


def test_charts_name_the_words_of_paired_sentences_and_intervals_keep_the_pairs() -> None:
    verdicts = []
    for number in range(6):
        for gender in (F, M):
            person = Person("baker" if number < 3 else "she", 0, "baker" if number < 3 else "she")
            item = Item(f"{gender}{number}", "x", person, gender, {"pair": str(number)})
            verdicts.append(Verdict(Output(item, "test", "de", "x"), M, "lexicon"))
    assert Breakdown(verdicts).occupations == ["baker", "she"]
    assert len(Outcomes.of(PAIRS, verdicts).clusters.rows) == 6
