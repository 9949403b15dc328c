"""WiBeMT's measures on counts that can be checked by hand."""

from __future__ import annotations

import pytest

from epicene.errors import EvidenceError
from epicene.measures.outcomes import Outcomes
from epicene.sets.wibemt import measures as wibemt
from epicene.sets.wibemt.measures import HYPOTHESES
from epicene.types import Gender, Item, Measure, Output, Person, Verdict
from epicene_lab.studies.wibemt.readings import effects

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN


def tallied(*rows: tuple[str, str, str, str, str, Gender, int]) -> Outcomes:
    """Part, class, pronoun, third, occupation, gender read, how often."""
    tally = Outcomes(wibemt.MEASURES)
    for part, word_class, pronoun, third, occupation, gender, number in rows:
        labels = {"part": part, "class": word_class, "pronoun": pronoun, "group": third, "occupation": occupation}
        expected = Gender(pronoun) if pronoun else None
        item = Item("1", "", Person(occupation, 0, occupation), expected, labels)
        for _ in range(number):
            tally.add(Verdict(Output(item, "s", "de", "x"), gender, "lexicon"))
    return tally


def measured(tally: Outcomes) -> dict[tuple[str, str], Measure]:
    return {(each.name, each.group): each for each in wibemt.MEASURES.compute(tally)}


VERBS = (
    ("verbs", "feminine", "", "feminine", "nurse", F, 6),
    ("verbs", "feminine", "", "masculine", "engineer", M, 4),
    ("verbs", "feminine", "", "masculine", "engineer", N, 3),
    ("verbs", "masculine", "", "feminine", "nurse", F, 1),
    ("verbs", "masculine", "", "masculine", "engineer", M, 9),
    ("verbs", "masculine", "", "neutral", "mover", U, 2),
)
ADJECTIVES = (
    ("adjectives", "none", "feminine", "feminine", "nurse", F, 8),
    ("adjectives", "none", "feminine", "feminine", "nurse", M, 2),
    ("adjectives", "feminine", "masculine", "", "construction worker", F, 1),
    ("adjectives", "feminine", "masculine", "", "construction worker", M, 3),
    ("adjectives", "feminine", "masculine", "", "construction worker", U, 5),
)


def test_tfg_is_feminine_among_feminine_and_masculine() -> None:
    found = measured(tallied(*VERBS))
    assert (found["tfg", "verbs/feminine"].value, found["tfg", "verbs/feminine"].n) == (60, 10)
    assert found["tfg", "verbs/masculine"].value == 10
    assert found["tfg", "all"].value == pytest.approx(35)
    assert {group: found["neutral", group].count for group in ("all", "verbs/feminine")} == {
        "all": 3,
        "verbs/feminine": 3,
    }


def test_tcg_is_right_among_right_and_wrong_gender_and_only_where_one_is_expected() -> None:
    found = measured(tallied(*ADJECTIVES))
    assert found["tcg", "adjectives/none"].value == 80
    assert found["tcg", "adjectives/feminine/he"].value == 75
    assert found["tcg", "all"].value == pytest.approx(100 * 11 / 14)
    assert ("tcg", "all") not in measured(tallied(*VERBS))


def test_what_was_not_read_is_told_and_bounds_the_rate() -> None:
    tfg = measured(tallied(*VERBS))["tfg", "verbs/masculine"]
    assert (tfg.count, tfg.n, tfg.excluded) == (1, 10, 2)
    assert tfg.bounds == (pytest.approx(100 / 12), pytest.approx(300 / 12))


def test_parts_are_told_apart_only_where_there_are_both() -> None:
    assert ("tfg", "verbs") not in measured(tallied(*VERBS))
    both = measured(tallied(*VERBS, *ADJECTIVES))
    assert (both["tfg", "verbs"].n, both["tfg", "adjectives"].n, both["tfg", "all"].n) == (20, 14, 34)


def test_an_occupation_without_a_score_is_in_no_third() -> None:
    groups = {group for _, group in measured(tallied(*ADJECTIVES))}
    assert "adjectives/occ-feminine" in groups
    assert sum("occ-" in group for group in groups) == 1


def test_groups_stand_in_reading_order() -> None:
    names = [each.group for each in wibemt.MEASURES.compute(tallied(*VERBS, *ADJECTIVES)) if each.name == "tfg"]
    assert names == [
        "all", "adjectives", "adjectives/none", "adjectives/feminine", "adjectives/she", "adjectives/he",
        "adjectives/none/she", "adjectives/feminine/he", "adjectives/occ-feminine", "verbs", "verbs/feminine",
        "verbs/masculine", "verbs/occ-feminine", "verbs/occ-neutral", "verbs/occ-masculine",
    ]  # fmt: skip


def test_hypotheses_are_tested_where_their_groups_are() -> None:
    found = measured(tallied(*VERBS))
    assert {group for name, group in found if name == "chi2"} == {"H1", "occ-M"}
    assert found["delta_tfg", "H1"].value == pytest.approx(50)
    both = {group for name, group in measured(tallied(*VERBS, *ADJECTIVES)) if name == "chi2"}
    assert both == {"H1", "H2a", "occ-M"}
    assert [each.name for each in HYPOTHESES] == ["H1", "H2a", "H2b", "H2c", "occ-M", "occ-N"]


def test_a_group_of_too_few_occupations_has_no_interval_and_says_why() -> None:
    found = measured(tallied(*VERBS))["tfg", "verbs/occ-feminine"]
    assert found.value == 100
    assert (found.low, found.high) == (None, None)
    assert "too few for an interval" in (found.why or "")


def test_a_verb_sentence_cannot_be_right_so_its_part_is_compared() -> None:
    item = Item("1", "", Person("nurse", 0, "nurse"), None, {"part": "verbs", "class": "feminine", "pronoun": "", "group": "", "occupation": "nurse"})  # fmt: skip
    assert wibemt.MEASURES.compared_groups(item) == ("verbs", "verbs/feminine")


def test_the_model_tells_the_verb_from_the_occupation() -> None:
    rows = []
    for number in range(12):
        share = 30 + 5 * number
        rows += [
            ("verbs", "feminine", "", "", f"o{number}", F, 100 - share),
            ("verbs", "feminine", "", "", f"o{number}", M, share),
            ("verbs", "masculine", "", "", f"o{number}", F, (100 - share) // 2),
            ("verbs", "masculine", "", "", f"o{number}", M, 100 - (100 - share) // 2),
        ]
    verb, score = effects(tallied(*rows), {f"o{number}": number / 11 for number in range(12)})
    assert (verb.name, score.name) == ("feminine verb (masculine)", "occupation's score (+1)")
    assert verb.low > 1
    assert score.high < 1


def test_without_a_gendered_translation_no_model_fits() -> None:
    with pytest.raises(EvidenceError, match="no feminine or masculine translation"):
        effects(tallied(VERBS[-1]), {"mover": 0.1})
