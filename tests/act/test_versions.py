"""What references that people wrote say of two versions."""

from __future__ import annotations

import pytest

from benchmarks.act import PAIRS, References, apart, judged, references_of
from epicene.act.alternatives import Alternative
from epicene.types import Accepted, Candidate, Gender, Item, Person

F, M = Gender.FEMININE, Gender.MASCULINE
PEOPLE = References("La doctora está muy cansada por las noches.", "El doctor está muy cansado por las noches.")


def versions(woman: str, man: str) -> Alternative:
    found = {F: Candidate(woman), M: Candidate(man)}
    return Alternative("", (Person("doctor", 4, "doctor"),), man, found, (("a", "b"),), alike=True)


@pytest.mark.parametrize(
    ("woman", "man", "said"),
    [
        ("La doctora está cansada de noche.", "El doctor está cansado de noche.", 0),
        ("La doctora duerme muchas noches.", "El doctor duerme muchos noches.", 0),  # people have no such word
        ("La doctora está cansada las noches.", "El doctor está cansado los noche.", 1),
        ("La doctora está cansado.", "El doctor está cansado.", 2),
        ("La médica trabaja.", "El médico trabaja.", 3),
    ],
)
def test_pairs_are_told_apart_by_what_people_keep_and_turn(woman: str, man: str, said: int) -> None:
    assert apart(versions(woman, man), PEOPLE) == PAIRS[said]


def test_versions_and_pairs_are_counted_where_there_are_references() -> None:
    good = versions("La doctora está cansada.", "El doctor está cansado.")
    swapped = versions("El doctor está cansado.", "La doctora está cansada.")
    found = judged([(good, PEOPLE), (swapped, PEOPLE), (good, None), (good._replace(alike=False), PEOPLE)])
    assert found.versions == {"right": 2, "wrong": 2, "silent": 0}
    assert sum(found.pairs.values()) == 2


def test_of_several_people_the_references_are_those_in_which_all_have_one_gender() -> None:
    texts = {"ff": "La jefa y la doctora.", "fm": "La jefa y el doctor.", "mf": "x", "mm": "El jefe y el doctor."}
    letters = {"f": F, "m": M}
    items = [
        Item(
            str(place),
            "",
            Person("x", 0, "x"),
            None,
            references=tuple(Accepted(t, letters[w[place]]) for w, t in texts.items()),
        )
        for place in (0, 1)
    ]
    assert references_of(items) == References(texts["ff"], texts["mm"])
    assert references_of([]) is None
    assert references_of([Item("0", "", Person("x", 0, "x"), None)]) is None
