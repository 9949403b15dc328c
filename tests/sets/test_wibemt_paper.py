"""Protocol ``paper`` of WiBeMT follows the authors' list and the rules of their scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.flow.plan import open_set
from epicene.flow.score import open_file, outputs_of_file
from epicene.sets import files as store
from epicene.sets.wibemt.detectors import ClassificationList
from epicene.sets.wibemt.files import read_verbs
from epicene.types import Gender, Item, Output, Pair, Person

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN
GENDERS = {"female": F, "male": M, "neutral": N, "wrong": U}


def of(concept: str, text: str, part: str = "verbs") -> Output:
    return Output(Item("1", "", Person(concept, 0, concept), None, {"part": part}), "test", "de", text)


@pytest.fixture
def listed(published: Path) -> ClassificationList:
    store.add("wibemt", published / "wibemt" / "occupation_forms_de.tsv")
    return ClassificationList("de")


@pytest.mark.parametrize(
    ("concept", "part", "text", "gender", "method"),
    [
        ("cleaner", "verbs", "Die Putzfrau häkelt.", F, "list"),
        ("cleaner", "verbs", "Der Putzer häkelt.", U, "list-wrong"),
        ("cleaner", "verbs", "Jemand häkelt.", U, "none"),
        ("attendant", "verbs", "Der Begleiter lockt einen Mitarbeiter.", U, "several"),
        # The end of a longer word counts in verb sentences, only whole words in the extended WinoBias.
        ("driver", "verbs", "Der LKWFahrer häkelt.", M, "list"),
        ("driver", "adjectives", "Der LKWFahrer häkelt.", U, "none"),
        ("driver", "adjectives", "Das Auto des Fahrers, den sie kennt.", M, "list"),
        ("driver", "adjectives", "Das Auto der Fahrerins.", U, "none"),
        ("clerk", "adjectives", "Er half der netten Büroangestellten.", F, "list"),
        ("clerk", "adjectives", "Er half dem netten Büroangestellten.", M, "list"),
        ("construction worker", "adjectives", "Die nette Bauarbeiterin kam.", F, "list"),
        ("tailor", "adjectives", "Der Suave Schneider kam.", U, "several"),
    ],
)
def test_the_rules_of_the_scripts(
    listed: ClassificationList, concept: str, part: str, text: str, gender: Gender, method: str
) -> None:
    (verdict,) = listed.detect([of(concept, text, part)])
    assert (verdict.gender, verdict.step) == (gender, method)


@pytest.mark.parametrize(("system", "decided", "same"), [("deepl", 4_149, 4_142), ("google", 4_157, 4_157)])
def test_what_the_list_decides_is_what_the_authors_published(
    published: Path, system: str, decided: int, same: int
) -> None:
    """The rest they decided by hand: six women called "Die CTO" and a plural that the list takes for one man."""
    folder = store.add("wibemt", published / "wibemt")
    path = folder / "translations" / f"{system}.tsv"
    challenge, file = open_file(open_set("wibemt-verbs"), path)
    pair = Pair("en", "de")
    verdicts = list(ClassificationList("de").detect(outputs_of_file(challenge, pair, file)))
    sure = [
        (verdict, row)
        for verdict, row in zip(verdicts, read_verbs(path), strict=True)
        if verdict.step in ("list", "list-wrong")
    ]
    assert len(sure) == decided
    assert sum(verdict.gender is GENDERS[row.category] for verdict, row in sure) == same


def test_without_the_authors_list_ours_is_made_from_the_tables() -> None:
    ours = ClassificationList("de")
    assert "tables" in ours.identity
    genders = [
        each.gender
        for each in ours.detect([of("nurse", "Die Krankenschwester häkelt."), of("nurse", "Der Pfleger kam.")])
    ]
    assert genders == [F, M]
    (verdict,) = ClassificationList("es").detect([of("nurse", "La enfermera teje.", "adjectives")])
    assert verdict.gender is F


def test_the_identity_says_whose_list_it_is(listed: ClassificationList) -> None:
    assert "authors" in listed.identity
