"""The steps of the lexicon's reader: which of them speaks, and which leaves a word alone."""

from __future__ import annotations

import pytest

from epicene.reader.mentions import mentions
from epicene.reader.reader import Reader
from epicene.types import Gender, Item, Output, Person


def read(target: str, source: str, text: str, *people: str) -> tuple[str, str, str]:
    """Gender, step and evidence; the first of the people is asked for."""
    focus, *others = (Person(name, source.index(name), name) for name in people)
    item = Item("1", source, focus, None, {}, others=tuple(others))
    reader, output = Reader(target), Output(item, "test", target, text)
    verdict = reader.read_listed(output) or reader.read_other(output)
    if verdict is None:
        return "unknown", "none", ""
    return verdict.gender.value, verdict.step, " ".join(each.text for each in verdict.evidence)


@pytest.mark.parametrize(
    ("source", "text", "person", "verdict"),
    [
        ("The nurse came.", "La enfermera llegó.", "nurse", ("feminine", "lexicon", "enfermera")),
        ("The dentist came.", "La dentista llegó.", "dentist", ("feminine", "agreement", "La dentista")),
        ("The nurse came.", "La dentista llegó.", "nurse", ("feminine", "other-word", "La dentista")),
    ],
)
def test_a_verdict_says_what_it_stands_on(source: str, text: str, person: str, verdict: tuple[str, str, str]) -> None:
    assert read("es", source, text, person) == verdict


def test_forms_far_apart_are_two_people_rather_than_a_doublet() -> None:
    text = "Die Ärztin ging nach der langen Schicht nach Hause und traf dort den Arzt."
    assert read("de", "The doctor went home.", text, "doctor") == ("feminine", "lexicon", "Ärztin")


def test_two_forms_of_one_gender_are_no_doublet() -> None:
    assert read("de", "The doctor came.", "Der Arzt und der Doktor kamen.", "doctor")[0] == "masculine"


TWO = "The accountant thanked the auditor."


def test_a_more_usual_word_for_the_other_person_is_left_to_them() -> None:
    found = read("de", TWO, "Der Wirtschaftsprüfer dankte der Köchin.", "accountant", "auditor")
    assert found == ("feminine", "other-word", "Köchin")


def test_it_is_the_persons_where_the_other_has_a_word() -> None:
    found = read("de", TWO, "Der Wirtschaftsprüfer dankte der Revisorin.", "accountant", "auditor")
    assert found == ("masculine", "lexicon", "Wirtschaftsprüfer")


def test_it_is_the_persons_whose_more_usual_word_it_is() -> None:
    found = read("de", TWO, "Die Köchin dankte dem Wirtschaftsprüfer.", "auditor", "accountant")
    assert found == ("masculine", "lexicon", "Wirtschaftsprüfer")


def test_it_is_the_others_where_the_person_has_another_word() -> None:
    source = "The auditor thanked the accountant."
    found = read("de", source, "Der Wirtschaftsprüfer dankte der Buchhalterin.", "accountant", "auditor")
    assert found == ("feminine", "lexicon", "Buchhalterin")


def test_of_two_people_who_got_one_word_each_has_a_mention() -> None:
    source, text = "The nurse thanked the baker.", "Der Bäcker dankte der Bäckerin."
    assert read("de", source, text, "nurse", "baker") == ("masculine", "other-word", "Bäcker")


def test_a_verdict_never_depends_on_the_other_lines_of_the_file() -> None:
    """Italian *frontiera* ends like a woman's occupation, however many lines pair it with a smuggler."""
    source = "The smuggler crossed the border yesterday."
    item = Item("1", source, Person("smuggler", 4, "smuggler"), None)
    outputs = [Output(item, "test", "it", "Frontiera.")] * 50
    assert {verdict.gender for verdict in Reader("it").detect(outputs)} == {Gender.UNKNOWN}


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("Врач ушла.", "feminine"),
        ("Врач молчит, дверь закрылась.", "masculine"),  # a comma ends the clause
        ("Врач знает что погода испортилась.", "masculine"),  # so does a conjunction
        ("Врач слушает учительница говорила.", "masculine"),  # and another person
        ("Врач ждёт у ворот старой городской больницы почти час машина опаздывала.", "masculine"),  # or eight words
        ("Врач, которая молчит, ждёт.", "feminine"),
        ("Врач ждёт та, которая молчит.", "masculine"),  # who stands right after the noun is meant by "who"
    ],
)
def test_a_verb_tells_of_the_subject_of_its_clause(text: str, gender: str) -> None:
    assert read("ru", "The doctor waits.", text, "doctor")[0] == gender


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("Вчера пришла врач.", "feminine"),
        ("Учительница увидела врач.", "masculine"),  # it is the teacher who saw
        ("Учительница ждёт, пришла врач.", "feminine"),  # who waits in another clause
        ("Учительница ждёт и пришла врач.", "feminine"),
    ],
)
def test_a_verb_before_the_person_is_theirs_where_nobody_stands_before_it(text: str, gender: str) -> None:
    assert read("ru", "The doctor came.", text, "doctor")[0] == gender


@pytest.mark.parametrize(
    ("language", "text", "gender"),
    [
        ("ru", "Пойнц была главным врачом больницы.", "feminine"),
        ("ru", "Пойнц заняла должность врача.", "feminine"),
        ("ru", "Пойнц хотела стать врачом.", "feminine"),
        ("ru", "Пойнц говорила с новым врачом.", "masculine"),  # she is another
        ("ru", "Пойнц была нанята врачом.", "masculine"),  # who did it
        ("ru", "Пойнц увидела, как врач молчит.", "masculine"),
        ("ru", "Он был врачом, она была рада.", "masculine"),  # the nearest verb is his
        ("uk", "Пойнц була лікарем.", "feminine"),
        ("uk", "Пойнц була найнята лікарем.", "masculine"),
    ],
)
def test_a_verb_tells_of_whom_it_makes_its_subject(language: str, text: str, gender: str) -> None:
    assert read(language, "The doctor waits.", text, "doctor")[0] == gender


def test_evidence_for_all_genders_is_all_of_the_spelling() -> None:
    source = "The doctor came."
    assert read("de", source, "Der Arzt oder die Ärztin kam.", "doctor")[1:] == ("doublet", "Arzt oder die Ärztin")
    assert read("de", source, "Viele Ärzt:innen kamen.", "doctor")[1:] == ("inclusive", "Ärzt:innen")


def test_a_short_ending_is_no_head_of_a_compound() -> None:
    item = Item("1", "The doctor came.", Person("doctor", 4, "doctor"), None)
    assert mentions(item, "Der Oberarzt kam.", "de")
    assert not mentions(item, "Der Medoc schmeckte allen.", "de")


def test_people_are_found_in_a_text_by_the_words_for_them() -> None:
    item = Item("1", "The nurse came.", Person("nurse", 4, "nurse"), None)
    assert mentions(item, "La enfermera y el panadero.", "es")
    assert not mentions(item, "El panadero.", "es")


def test_nobody_is_found_in_a_language_without_a_lexicon() -> None:
    item = Item("1", "The nurse came.", Person("nurse", 4, "nurse"), None)
    assert not mentions(item, "Sairaanhoitaja tuli.", "fi")


def test_rules_and_tables_are_part_of_the_identity() -> None:
    german, french = (Reader(target).identity for target in ("de", "fr"))
    assert german != french
    assert len(german.partition("@")[2]) == 8
