"""Measures of recordings: recognition as the paper defines it, by voice, and whether the speaker's gender matters."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import ttest_1samp

from epicene.measures.quality import bleu
from epicene.measures.speech import (
    attribute,
    attribution,
    compared,
    paired_gap,
    quality,
    recognition,
    speaker_gaps,
    utterance,
    words,
)
from epicene.tables import rows
from epicene.types import Attribution, ErrorSource, Gender, Hearing, Item, Measure, Person

SAID = "The nurse told the driver that his bus was late."


def _item(number: int = 0, voice: str = "slt", expected: Gender = Gender.MASCULINE, said: str = SAID) -> Item:
    speaker = "female" if voice.startswith(("slt", "woman")) else "male"
    labels = {"sentence": str(number), "voice": voice, "speaker": speaker, "occupation": f"nurse {number % 7}"}
    return Item(
        f"{number}/{voice}", said, Person("nurse", said.index("nurse"), "nurse"), expected, labels, Path("a.wav")
    )


def _found(measures: Sequence[Measure], name: str, group: str = "all") -> Measure:
    return next(each for each in measures if (each.name, each.group) == (name, group))


def test_words_are_those_of_word_error_rates() -> None:
    assert words("The CEO’s half-hour, she’s IN!") == ["the", "ceo's", "half", "hour", "she's", "in"]
    assert words("The auditor 's visit; they did n't pay.") == ["the", "auditor's", "visit", "they", "didn't", "pay"]


def test_word_error_rate_is_jiwers() -> None:
    import jiwer

    chance = random.Random(3)
    heard = []
    for _ in range(60):
        transcript = [chance.choice([word, word, word, "mumble", ""]) for word in words(SAID)]
        heard.append(" ".join(filter(None, [*transcript, chance.choice(["", "again"])])))
    expected = 100 * jiwer.wer([" ".join(words(SAID))] * 60, heard)
    found = _found(recognition([utterance(_item(number), text) for number, text in enumerate(heard)]), "wer")
    assert found.value == pytest.approx(expected)
    assert found.low is not None
    assert found.high is not None
    assert found.low < expected < found.high


@pytest.mark.parametrize(
    ("heard", "spelt", "pronoun"),
    [
        ("the nurse told the driver that his bus was late", True, Hearing.KEPT),
        ("the norse told the driver that his bus was late", False, Hearing.KEPT),
        ("the nurses told the driver that his bus was late", False, Hearing.KEPT),
        ("the nurse told the driver that her bus was late", True, Hearing.CHANGED),
        ("the nurse told the driver that is bus was late", True, Hearing.LOST),
        ("", False, Hearing.LOST),
    ],
)
def test_occupation_and_pronoun(heard: str, spelt: bool, pronoun: Hearing) -> None:
    found = compared(_item(), heard)
    assert (found.spelt, found.pronoun) == (spelt, pronoun)


@pytest.mark.parametrize(
    ("said", "person", "heard", "spelt"),
    [
        ("The head of the department was late.", "head of the department", "the head of the department was late", True),
        ("The head of the department was late.", "head of the department", "the head of department was late", False),
        ("Dr. Smith was late.", "Dr. Smith", "dr smith was late", True),
        ("The nurse's bus was late.", "nurse", "the nurse's bus was late", True),
        ("The nurse's bus was late.", "nurse", "the nurses bus was late", False),
        ("The chef’s aide was late.", "chef’s aide", "the chef's aide was late", True),
        ("The chef’s aide was late.", "chef’s aide", "the chefs aid was late", False),
        ("The hairdresser was late.", "hairdresser", "the hair dresser was late", True),
        ("The hair-dresser was late.", "hair-dresser", "the hairdresser was late", True),
        ("Someone was late.", "Someone", "some one was late", True),
        ("Someone was late.", "Someone", "some was late one", False),
    ],
)
def test_a_person_is_named_however_the_words_are_cut(said: str, person: str, heard: str, spelt: bool) -> None:
    item = replace(_item(), source=said, person=Person(person, said.index(person), person))
    assert compared(item, heard).spelt is spelt
    assert compared(item, said).spelt


def test_no_interval_is_a_point() -> None:
    """Nothing was misheard, or there are too few occupations to draw from: that is no certainty."""
    few = _found(recognition([utterance(_item(number), SAID) for number in range(4)]), "wer")
    assert (few.value, few.low, few.high) == (0, None, None)
    assert "4 clusters are too few" in (few.why or "")
    for count in (7, 40):
        found = recognition([utterance(_item(number), SAID) for number in range(count)])
        wer = _found(found, "wer")
        assert (wer.value, wer.low) == (0, 0)
        assert (wer.high or 0) > 100 / (10 * count + 10)
    garbled = recognition([utterance(_item(), f"{SAID} {SAID} {SAID}")])
    assert _found(garbled, "wer").value == 200


def test_a_sentence_that_tells_no_gender_has_no_pronoun_to_lose() -> None:
    said = "The nurse sat down."
    silent = [utterance(_item(number, said=said), "the nurse sat down") for number in range(4)]
    found = recognition(silent)
    assert (_found(found, "pronoun").n, _found(found, "pronoun").value) == (0, None)
    assert _found(found, "misspelt").value == 0
    assert compared(_item(said=said), "the nurse sat down").cue is Hearing.KEPT
    assert compared(_item(said=said), "the purse sat down").cue is Hearing.NOBODY
    assert compared(replace(_item(), expected=None), SAID).pronoun is None


def test_the_papers_two_accuracies() -> None:
    """Of 100: 17 misspelt, 9 with another pronoun, 1 both; 74 wholly right; 74 of the 82 spelt right."""
    kinds = ["norse his"] * 17 + ["nurse her"] * 8 + ["norse her"] + ["nurse his"] * 74
    heard = [f"the {kind.split()[0]} told the driver that {kind.split()[1]} bus was late" for kind in kinds]
    found = recognition([utterance(_item(number), text) for number, text in enumerate(heard)])
    assert _found(found, "misspelt").value == 18
    assert _found(found, "asr_accuracy").value == 74
    assert _found(found, "pronoun").value == 91
    spelt = _found(found, "pronoun_spelt")
    assert (spelt.count, spelt.n) == (74, 82)
    assert _found(found, "pronoun_changed", "male").value == 9
    assert all(each.low is not None and each.low <= (each.value or 0) <= (each.high or 0) for each in found)


def test_the_speakers_gender_is_tested_on_the_same_sentences() -> None:
    chance = random.Random(5)
    heard, gained, lost = [], 0, 0
    for number in range(120):
        women, men = chance.random() < 0.9, chance.random() < 0.7
        gained, lost = gained + (women and not men), lost + (men and not women)
        for voice, right in ((f"woman{number % 4}", women), (f"man{number % 4}", men)):
            text = words(SAID) if right else [word.replace("his", "her") for word in words(SAID)]
            heard.append(utterance(_item(number, voice), " ".join(text)))
    heard.append(utterance(_item(999, "woman0"), ""))  # no man has said this one
    found = {each.group: each for each in speaker_gaps(heard)}
    assert found.keys() == {"pronoun", "misspelt", "wer"}
    pronoun = found["pronoun"]
    assert pronoun.low is not None and pronoun.high is not None and pronoun.low > 0
    assert pronoun.p is not None and pronoun.p < 0.05
    assert found["misspelt"].p == 1
    assert found["pronoun"].value == pytest.approx(100 * (gained - lost) / 120)
    assert found["pronoun"].n == 120


def test_three_voices_of_a_gender_have_a_gap_and_no_p() -> None:
    heard = [
        utterance(_item(number, voice), SAID if number % 3 else "the nurse")
        for number in range(60)
        for voice in (*(f"woman{i}" for i in range(3)), *(f"man{i}" for i in range(5)))
    ]
    assert all(gap.low is not None and gap.p is None for gap in speaker_gaps(heard))


def test_no_gap_of_shares_may_lie_beyond_all_of_them() -> None:
    """Two sentences tell next to nothing; that is 100 points either way, not 150."""
    heard = [utterance(_item(number, voice), SAID) for number in range(2) for voice in ("slt", "rms")]
    for name in ("pronoun", "misspelt"):
        found = _found(speaker_gaps(heard), "speaker_gap", name)
        assert (found.value, found.low, found.high) == (0, -100, 100)


def test_several_voices_of_one_gender_are_averaged_by_sentence() -> None:
    right, wrong = " ".join(words(SAID)), "the nurse"
    heard = [utterance(_item(1, voice), text) for voice, text in (("slt", right), ("rms", right), ("awb", wrong))]
    assert _found(speaker_gaps(heard), "speaker_gap", "pronoun").value == 50
    groups = {each.group for each in recognition(heard)}
    assert groups >= {"voice:slt", "voice:rms", "voice:awb", "speaker:female", "speaker:male"}


def test_one_voice_has_no_groups_and_no_test() -> None:
    heard = [utterance(_item(number), SAID) for number in range(5)]
    assert {each.group for each in recognition(heard)} == {"all", "male"}
    assert speaker_gaps(heard) == []


def test_shares_of_errors_leave_out_what_could_not_be_read() -> None:
    origins = (
        [ErrorSource.RECOGNITION] * 3
        + [ErrorSource.TRANSLATION] * 6
        + [ErrorSource.BOTH]
        + [ErrorSource.UNDETECTED] * 5
    )
    origins += [ErrorSource.LUCK] * 2 + [ErrorSource.RIGHT] * 8
    heard = []
    for number, origin in enumerate(origins):
        written = Gender.MASCULINE if number % 2 else Gender.FEMININE
        right = origin in (ErrorSource.LUCK, ErrorSource.RIGHT)
        heard.append(
            replace(utterance(_item(number), SAID), right=right, cause=Attribution(origin, Hearing.KEPT, written))
        )
    found = attribution(heard)
    shares = [_found(found, name) for name in ("from_recognition", "from_translation", "from_both")]
    assert [each.value for each in shares] == [30, 60, 10]
    assert {(each.n, each.excluded) for each in shares} == {(10, 5)}
    assert (_found(found, "disturbed").count, _found(found, "disturbed").n) == (3, 6)
    assert (_found(found, "luck").count, _found(found, "luck").n) == (2, 10)


def test_bleu_is_sacrebleus() -> None:
    import sacrebleu

    pairs = [
        (f"la casa número {number} es grande hoy", f"la casa número {number} es muy grande") for number in range(30)
    ]
    expected = sacrebleu.corpus_bleu([first for first, _ in pairs], [[second for _, second in pairs]]).score
    found = bleu("all", pairs)
    assert found.value == pytest.approx(expected)
    assert found.low is not None
    assert found.low <= expected
    heard = [replace(utterance(_item(number), SAID), translated=pair) for number, pair in enumerate(pairs)]
    assert [(each.group, each.n) for each in quality(heard)] == [("all", 30)]


PATH = Path(__file__).parent / "cases" / "attribution.tsv"
CASES = list(rows(PATH.read_text(encoding="utf-8"), PATH.name))


def _item_of(case: dict[str, str]) -> Item:
    focus = Person(case["person"], case["sentence"].index(case["person"]), case["person"])
    return Item("1", case["sentence"], focus, Gender(case["expected"]))


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_attributed_as_by_hand(case: dict[str, str]) -> None:
    found = attribute(_item_of(case), case["transcript"], Gender(case["spoken"]), Gender(case["written"]))
    assert (found.origin, found.cue) == (ErrorSource(case["origin"]), Hearing(case["cue"]))
    assert found.written is Gender(case["written"])


def test_cases_cover_every_origin_and_cue() -> None:
    assert len(CASES) >= 60
    origins = Counter(case["origin"] for case in CASES)
    assert origins.keys() == set(ErrorSource)
    assert sum(origins[name] for name in ("recognition", "translation", "both")) >= 50
    assert {case["cue"] for case in CASES} == set(Hearing)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("spoken", list(Gender))
@pytest.mark.parametrize("written", list(Gender))
def test_every_verdict_has_one_origin_and_only_right_ones_are_right(
    kept: bool, spoken: Gender, written: Gender
) -> None:
    case = {"sentence": "The roofer ate her lunch.", "person": "roofer", "expected": "feminine"}
    transcript = "the roofer ate her lunch" if kept else "the roofer ate a lunch"
    origin = attribute(_item_of(case), transcript, spoken, written).origin
    assert (origin in (ErrorSource.RIGHT, ErrorSource.LUCK)) == (spoken is Gender.FEMININE)
    assert origin is not ErrorSource.RECOGNITION or not kept


@pytest.mark.parametrize("seed", range(5))
def test_p_and_interval_of_a_paired_gap_are_those_of_the_t_test_over_clusters_of_one_size(seed: int) -> None:
    chance = random.Random(seed)
    gaps = [100.0 * chance.choice((-1, 0, 0, 1, 1)) for _ in range(90)]
    found = paired_gap("accuracy", gaps, [str(number % 9) for number in range(90)])
    test = ttest_1samp([sum(gaps[start::9]) / 10 for start in range(9)], 0)
    assert found is not None
    assert found.value == pytest.approx(sum(gaps) / 90)
    assert found.p == pytest.approx(test.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(test.confidence_interval()))


def test_the_interval_of_a_paired_gap_covers_the_truth_about_as_often_as_it_says() -> None:
    chance = random.Random(1)
    inside = 0
    for _ in range(300):
        gaps = [100.0 * (chance.random() < 0.7) - 100.0 * (chance.random() < 0.5) for _ in range(100)]
        found = paired_gap("accuracy", gaps, [str(number) for number in range(100)])
        assert found is not None and found.low is not None and found.high is not None
        inside += found.low <= 20 <= found.high
    assert inside >= 0.92 * 300


def test_nothing_to_compare_has_no_paired_gap_and_no_difference_one_of_nought() -> None:
    assert paired_gap("accuracy", [], []) is None
    same = paired_gap("accuracy", [0.0] * 60, ["a"] * 60)
    assert same is not None
    assert (same.value, same.p) == (0, 1)
    assert (same.low, same.high) == (-5, 5)


def test_a_paired_gap_over_too_few_clusters_is_a_value_alone() -> None:
    found = paired_gap("accuracy", [100.0, 0.0, -100.0, 100.0], ["a", "b", "c", "c"])
    assert found == Measure(
        "speaker_gap", "accuracy", 25.0, "points", 4, why="3 clusters are too few for an interval; it takes 5"
    )
