"""Nouns and names that no lexicon of occupations lists, read from one translation."""

from __future__ import annotations

import pytest

from epicene.types import Gender
from tests.reader import decide as read

F, M, N, U = Gender.FEMININE, Gender.MASCULINE, Gender.NEUTRAL, Gender.UNKNOWN

FORMS = [
    ("de", "The astronaut finished the work.", "astronaut", "Die Astronautin beendete ihre Arbeit.", F),
    ("de", "The astronaut finished the work.", "astronaut", "Der Astronaut beendete seine Arbeit.", M),
    ("de", "My neighbours sing.", "neighbours", "Meine Nachbarinnen singen.", F),
    ("de", "The heir sold the castle.", "heir", "Der Erbe verkaufte das Schloss.", M),
    ("es", "The politician was late.", "politician", "El político llegó tarde.", M),
    ("es", "The sculptors sold everything.", "sculptors", "Las escultoras lo vendieron todo.", F),
    ("fr", "My neighbour has a dog.", "neighbour", "Ma voisine a un chien.", F),
    ("fr", "The swimmers are waiting.", "swimmers", "Les nageurs attendent.", M),
    ("it", "The smuggler ran away.", "smuggler", "La contrabbandiera è scappata.", F),
    ("it", "The winners smiled.", "winners", "I vincitori sorrisero.", M),
    ("pt", "The fisherman came home.", "fisherman", "A pescadora voltou para casa.", F),
    ("pt", "The orphans were singing.", "orphans", "Os órfãos cantavam.", M),
    ("ru", "The captain forgot the map.", "captain", "Капитан забыл карту.", M),
    ("ru", "The dancers were tired.", "dancers", "Танцовщицы устали.", F),
    ("ru", "The Ecuadorians disagree.", "Ecuadorians", "Жительницы Эквадора не согласны.", F),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), FORMS)
def test_form_of_an_unlisted_noun_tells(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


AGREEMENT = [
    ("es", "The guitarist smiled.", "guitarist", "La guitarrista sonrió.", F),
    ("es", "He works as a manager there.", "manager", "Trabaja allí como gerente interina.", F),
    ("fr", "The best pianist won.", "pianist", "La meilleure pianiste a gagné.", F),
    ("it", "Their dentist is kind.", "dentist", "La loro dentista è gentile.", F),
    ("it", "The teacher is also a gifted pianist.", "teacher", "L'insegnante è anche un pianista di talento.", M),
    ("pt", "The tourist got lost.", "tourist", "O turista perdeu-se.", M),
    ("ru", "The surgeon smiled.", "surgeon", "Хирург улыбнулась.", F),
    ("ru", "The professor whom I know is ill.", "professor", "Профессор, которую я знаю, больна.", F),
    ("de", "Female refugees arrived.", "refugees", "Weibliche Flüchtlinge kamen an.", F),
    ("hi", "The lawyer was there.", "lawyer", "वकील वहाँ थी।", F),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), AGREEMENT)
def test_what_agrees_tells_where_the_noun_does_not(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


COPIED = [
    ("it", "The guard slept.", "guard", "Il guard dormiva.", M),
    ("de", "The Carpenter slept.", "Carpenter", "Der Carpenter schlief.", M),
    ("es", "The C.E.O. resigned.", "C.E.O", "La C.E.O. dimitió.", F),
]


@pytest.mark.parametrize(("language", "source", "person", "translation", "gender"), COPIED)
def test_article_decides_for_a_copied_word(
    language: str, source: str, person: str, translation: str, gender: Gender
) -> None:
    assert read(language, source, person, translation).gender is gender


NEUTRAL = [
    ("de", "Doctors and patients met.", "Doctors", "Ärztinnen und Ärzte trafen sich."),
    ("de", "The teachers sang.", "teachers", "Die Lehrer:innen sangen."),
    ("es", "The victim was found.", "victim", "La víctima fue encontrada."),
    ("es", "Ask the doctor.", "doctor", "Pregunte al médico/a."),
    ("fr", "The astronaut slept.", "astronaut", "L'astronaute dormait."),
    ("pt", "The child laughed.", "child", "A criança riu."),
    ("ru", "The member voted.", "member", "Член проголосовал."),
]


@pytest.mark.parametrize(("language", "source", "person", "translation"), NEUTRAL)
def test_words_for_all_genders_are_neutral(language: str, source: str, person: str, translation: str) -> None:
    assert read(language, source, person, translation).gender is N


def test_names_are_read_by_what_is_said_of_them() -> None:
    assert read("fr", "Stevens escaped.", "Stevens", "Stevens s'est échappée.").gender is F


def test_people_without_a_noun_are_read_by_the_pronoun() -> None:
    assert read("it", "Everyone understands.", "Everyone", "Tutte capiscono.").gender is F
    assert read("es", "Someone called.", "Someone", "Alguien llamó.").gender is N


def test_two_people_are_told_apart() -> None:
    source, translation = "The weaver thanked the plumber.", "La tejedora agradeció al fontanero."
    assert read("es", source, "weaver", translation).gender is F
    assert read("es", source, "plumber", translation).gender is M


def test_a_person_who_is_not_rendered_is_unread() -> None:
    assert read("de", "The gardener came.", "gardener", "").gender is U
    assert read("de", "The gardener came.", "gardener", "Und so war es.").gender is U


def test_a_reading_says_where_its_evidence_stands() -> None:
    translation = "Ayer la guitarrista sonrió."
    found = read("es", "Yesterday the guitarist smiled.", "guitarist", translation)
    assert [translation[each.start : each.end] for each in found.evidence] == ["la", "guitarrista"]
    assert 0 < found.confidence <= 1
    assert "agreement" in found.step


def test_a_contradicting_article_speaks_against_the_noun() -> None:
    found = read("fr", "The swimmer won.", "swimmer", "Le nageuse a gagné.")
    assert found.gender is F
    assert [each.text for each in found.against] == ["Le"]
    assert found.confidence < read("fr", "The swimmer won.", "swimmer", "La nageuse a gagné.").confidence
